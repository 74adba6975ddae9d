//! Reads what `nvidia-smi --query-gpu=… --format=csv` printed, once or in a loop.
//!
//! Rows belong to a card by its key, never by time: eight rows of one round differ by milliseconds.
//! Whether a throttle bit or a lost card matters is not decided here.

mod card;
mod cell;
mod header;
mod lost;
mod rounds;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Moment, Refused, Warning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GpuInventory {
    pub source: Option<Source>,
    pub vendor: String,
    pub driver: Option<String>,
    pub cuda: Option<String>,
    /// What the tool claims, from the `count` column; null when it does not say.
    pub cards_attached: Option<u32>,
    pub cards_described: u32,
    /// Times the loop came round to the first card.
    pub rounds: u32,
    pub cards: Vec<Card>,
    pub lost: Vec<LostCard>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    Csv,
}

/// One card. Plain readings are of its last row, `_first`, `_max`, `_last` and `_seen` look at all rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub key: String,
    pub index: Option<u32>,
    pub uuid: Option<String>,
    pub pci: Option<String>,
    pub name: Option<String>,
    pub name_truncated: bool,
    /// The worst state seen in any row.
    pub state: CardState,
    pub memory_total_mib: Option<f64>,
    pub memory_used_mib: Option<f64>,
    pub power_w: Option<f64>,
    pub power_limit_w: Option<f64>,
    pub power_default_limit_w: Option<f64>,
    pub temperature_c: Option<f64>,
    pub temperature_max_c: Option<f64>,
    pub utilization_pct: Option<f64>,
    pub sm_clock_mhz: Option<f64>,
    pub throttle_mask: Option<u64>,
    pub throttle_reasons: Vec<String>,
    pub pcie_gen: Option<u32>,
    pub pcie_gen_max: Option<u32>,
    pub pcie_width: Option<u32>,
    pub ecc_uncorrected: Option<u64>,
    pub remap_pending: Option<bool>,
    pub remap_failure: Option<bool>,
    pub mig: Option<bool>,
    pub health: Option<String>,
    pub samples: u32,
    pub memory_used_first_mib: Option<f64>,
    pub memory_used_max_mib: Option<f64>,
    pub memory_used_last_mib: Option<f64>,
    pub throttle_mask_seen: Option<u64>,
    pub first_at: Option<Moment>,
    pub last_at: Option<Moment>,
    /// Why a queried field has no reading in the last row, by the name in the header.
    pub no_reading: BTreeMap<String, NoReading>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardState {
    Ok,
    Unreadable,
    ResetRequired,
    Lost,
}

/// Why a cell is no number. None of these is zero, and only `Gone` speaks against the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoReading {
    NotApplicable,
    Unreadable,
    NoPermission,
    Gone,
}

/// A card the tool could not reach, or that was missing from a later round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LostCard {
    pub pci: Option<String>,
    pub index: Option<u32>,
    pub at: Option<Moment>,
    pub text: String,
}

const SOURCE_FORMS: [(&str, &str); 4] = [
    ("<nvidia_smi_log", "the XML of nvidia-smi -q -x"),
    ("| NVIDIA-SMI", "the table of nvidia-smi"),
    ("(UUID: GPU-", "the list of nvidia-smi -L"),
    ("npu-smi", "the table of npu-smi"),
];

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    text.refuse_long_lines()?;
    let lines = text.lines().collect::<Vec<_>>();
    let has_header = lines.iter().any(|line| header::Header::parse(line.text).is_some());
    let has_lost = lines.iter().any(|line| lost::is_about_a_device(line.text));
    // A table with a lost card in it is still a table.
    let is_other_form = SOURCE_FORMS.iter().any(|(mark, _)| text.content().contains(mark));
    if !has_header && (!has_lost || is_other_form) {
        return Err(why_not(text));
    }
    let mut warnings = Warnings::default();
    let mut reading = rounds::Reading::default();
    let mut header: Option<header::Header> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(next) = header::Header::parse(line.text) {
            reading.header_seen();
            header = Some(next);
        } else if lost::is_about_a_device(line.text) {
            let next = lines.get(at + 1).map_or("", |next| next.text);
            reading.lost_line(lost::parse(line.text, next));
        } else if let Some(whole) = lost::whole_tool_failure(line.text) {
            warnings.push(Warning::at("tool_failed", line.number, whole));
        } else if let Some(header) = &header
            && (line.text.contains(',') || header.width() == 1)
            && !line.text.trim().is_empty()
        {
            reading.row(header, *line, &mut warnings);
        }
    }
    let (facts, incomplete_because) = reading.finish(&mut warnings);
    Ok(Document::new(
        Kind::GpuInventory,
        Facts::GpuInventory(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

/// Names the form of the file where it is one that a person may well upload.
fn why_not(text: &Text) -> Refused {
    let content = text.content();
    for (mark, form) in SOURCE_FORMS {
        if content.contains(mark) {
            return Refused::new(
                "form_not_supported",
                format!("this is {form}, which is not read yet"),
                "use nvidia-smi --query-gpu=timestamp,index,uuid,… --format=csv",
            );
        }
    }
    if let Some(line) = text.lines().find(|line| looks_like_a_row(line.text)) {
        return Refused::new(
            "no_header",
            "these are rows without a header, so the columns cannot be told apart",
            "run the command again without noheader",
        )
        .on_line(line.number);
    }
    Refused::not_this_kind(Kind::GpuInventory, "a header of nvidia-smi --query-gpu")
}

fn looks_like_a_row(text: &str) -> bool {
    let cells: Vec<&str> = text.split(", ").map(str::trim).collect();
    cells.len() > 2
        && cells.iter().any(|cell| {
            cell.starts_with("GPU-")
                || cell::pci_address(cell).is_some()
                || matches!(*cell, "[Not Supported]" | "[N/A]")
                || cell.strip_suffix(" MiB").is_some_and(|amount| amount.parse::<u32>().is_ok())
        })
}
