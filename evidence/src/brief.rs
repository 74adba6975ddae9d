//! Reads the brief: nine groups, 【用途】 to 【联系人】, in any order, as plain text or as rows of an Excel sheet.
//!
//! Every leaf is known, a range or to be determined; what the text leaves out is to be determined and says so.
//! The reader fills no gap from another field and sizes nothing.

mod clauses;
mod fill;
mod groups;
mod numerals;
mod quantity;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Estimate, Facts, Kind, Refused};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    pub r#use: Estimate<Use>,
    pub model: Model,
    pub cards: Cards,
    pub interconnect: Interconnect,
    pub storage: Storage,
    pub environment: Environment,
    pub term: Term,
    pub region: Estimate<String>,
    pub contact: Contact,
    /// English keys of the groups that the text does not have.
    pub missing: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    OnlineInference,
    BatchInference,
    FineTuning,
    Training,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    pub parameters_b: Estimate<f64>,
    /// Lower case, as in `fp8`, `bf16`, `int4`.
    pub precision: Estimate<String>,
    pub vram_per_card_gib: Estimate<f64>,
    pub tensor_parallel: Estimate<u32>,
    pub data_parallel: Estimate<u32>,
    pub pipeline_parallel: Estimate<u32>,
    pub peak_concurrency: Estimate<u32>,
    pub context_tokens: Estimate<u32>,
    pub latency_ms: Estimate<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cards {
    pub model: Estimate<String>,
    /// Known and empty when the text says that there is none.
    pub substitutes: Estimate<Vec<String>>,
    pub total: Estimate<u32>,
    pub per_node: Estimate<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interconnect {
    pub nvlink: Estimate<bool>,
    pub between_nodes: Estimate<BetweenNodes>,
    pub bandwidth_gbit_s: Estimate<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BetweenNodes {
    None,
    Infiniband,
    Roce,
}

/// Sizes: people write GB and mean GiB, so both are read as GiB and TB as 1024 GiB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Storage {
    pub dataset_gib: Estimate<f64>,
    pub read_gib_s: Estimate<f64>,
    pub checkpoint_gib: Estimate<f64>,
    pub checkpoint_interval_min: Estimate<f64>,
    pub volume_gib: Estimate<f64>,
    pub shared: Estimate<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    pub template: Estimate<String>,
    pub image: Estimate<String>,
    pub cuda: Estimate<String>,
    pub driver: Estimate<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    pub start: Estimate<NaiveDate>,
    pub months: Estimate<f64>,
    pub load: Estimate<Load>,
    pub utilisation_pct: Estimate<f64>,
    pub phased: Estimate<bool>,
}

/// A steady base with peaks on top counts as bursty: it is the peaks that have to be planned for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Load {
    Steady,
    Bursty,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    pub name: Estimate<String>,
    pub team: Estimate<String>,
    pub reachable: Estimate<String>,
}

/// Whether a cell of a spreadsheet is the heading of a group.
pub(crate) fn is_heading(cell: &str) -> bool {
    groups::is_name(cell)
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let mut warnings = Warnings::default();
    let groups = groups::split(text, &mut warnings)
        .ok_or_else(|| Refused::not_this_kind(Kind::Brief, "headings like 【用途】 or [Use]"))?;
    text.refuse_long_lines()?;
    let facts = fill::brief(&groups, &mut warnings);
    let incomplete_because = (!facts.missing.is_empty())
        .then(|| format!("groups are missing: {}", facts.missing.join(", ")));
    Ok(Document::new(
        Kind::Brief,
        Facts::Brief(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}
