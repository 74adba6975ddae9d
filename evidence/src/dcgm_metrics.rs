//! Reads one answer of dcgm-exporter: the Prometheus text with its `DCGM_…` series.
//!
//! Units come from the `# HELP` lines and are brought to one each: MHz, °C, W, mJ, MiB, ms, ratios of 0 to 1.
//! A blank of the vendor is no reading. Slices of a card are no cards and are passed over.

mod scrape;
mod series;
mod unit;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused};
use scrape::Scrapes;
use serde::{Deserialize, Serialize};
use series::Series;
use std::collections::{BTreeMap, HashMap};
use unit::Unit;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DcgmMetrics {
    pub gpus: Vec<DcgmGpu>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DcgmGpu {
    pub gpu: Option<String>,
    pub uuid: Option<String>,
    pub model: Option<String>,
    pub host: Option<String>,
    /// By the name of the series; null where the vendor has no reading.
    pub metrics: BTreeMap<String, Option<f64>>,
    /// The last Xid since the exporter started; null when there was none.
    pub xid_last: Option<u32>,
}

const GPUS_MAX: usize = 4096;
const METRICS_MAX: usize = 1024;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let is_ours = |line: &str| line.trim_start().starts_with("DCGM_") && line.contains(['{', ' ']);
    if !text.lines().any(|line| is_ours(line.text)) {
        let looked_for = "a series like DCGM_FI_DEV_GPU_UTIL";
        return Err(Refused::not_this_kind(Kind::DcgmMetrics, looked_for));
    }
    text.refuse_long_lines()?;
    let mut warnings = Warnings::default();
    let mut units: HashMap<String, Unit> = HashMap::new();
    let mut scrapes = Scrapes::default();
    let mut left_out = None;
    let mut cut = None;
    for line in text.lines() {
        let content = line.text.trim();
        if let Some(help) = content.strip_prefix("# HELP ") {
            let (name, words) = help.split_once(' ').unwrap_or((help, ""));
            if units.len() < METRICS_MAX {
                units.insert(name.to_owned(), Unit::of_help(words));
            }
        } else if content == "..." {
            left_out.get_or_insert(line.number);
        } else if content.starts_with("DCGM_") {
            cut = None;
            match Series::parse(content) {
                Some(series) => scrapes.take(&series, &units, line.number, &mut warnings),
                None => cut = Some(line.number),
            }
        }
    }
    let gpus = scrapes.finish(&mut warnings);
    let incomplete_because = if gpus.is_empty() {
        Some("no series names a card".to_owned())
    } else if let Some(line) = cut {
        Some(format!("the last series, line {line}, is cut"))
    } else if let Some(line) = left_out {
        Some(format!("lines were left out at line {line}"))
    } else {
        (!text.ends_with_newline()).then(|| "the last line does not end".to_owned())
    };
    Ok(Document::new(
        Kind::DcgmMetrics,
        Facts::DcgmMetrics(Box::new(DcgmMetrics { gpus })),
        incomplete_because,
        warnings.into_vec(),
    ))
}
