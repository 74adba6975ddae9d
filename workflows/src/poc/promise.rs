//! What a supplier promised for its machines, at the conditions of the test.
//!
//! The rule: only what was promised is checked against a figure. A promise that is absent is not a
//! promise of zero; where no public document states a threshold, the product invents none.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::reading::{ReadingKind, StorageOperation};
use crate::{invalid::Invalid, percent::Percent, text::Name};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// The model as sellers or tools call it, such as `H100 SXM`.
    pub card: Name,
    pub cards: u32,
    /// Without it, 93 % of what the catalogue has for the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib_min: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_min: Option<DriverVersion>,
    /// A card whose limit lies below its own default is capped, whether this is promised or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_limit_w_min: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcie_generation_min: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcie_width_min: Option<u32>,
    /// From the end of the warm-up to the end of the run, of the card that grew most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_growth_mib_max: Option<Decimal>,
    /// Bus bandwidth of the largest messages of the collective test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collective_gb_s_min: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkPromise>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub storage: Vec<StoragePromise>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_min: Option<Percent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_p99_ms_max: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_token_p99_ms_max: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens_s_min: Option<Decimal>,
    /// At what load the figures of serving hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serving_load: Option<ServingLoad>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stress: Option<StressPromise>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<ReferencePromise>,
}

/// A driver's version: numbers between dots, compared one by one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DriverVersion(Vec<u32>);

/// Between two nodes, in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkPromise {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gbit_s_min: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_us_max: Option<Decimal>,
    /// A shorter run says nothing about the promise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_min: Option<Decimal>,
}

/// One figure of the volume; other block sizes, depths or directions measure something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoragePromise {
    pub operation: StorageOperation,
    pub block_bytes: u64,
    pub queue_depth: u32,
    /// Parallel jobs.
    pub jobs: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mib_s_min: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_s_min: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p99_ms_max: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_min: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServingLoad {
    /// Requests per second that are sent; a run without a bound sends more than any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_s: Option<Decimal>,
    /// Fewer requests have no 99th percentile worth the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_min: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StressPromise {
    /// Of every card, at the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gflops_min: Option<Decimal>,
    /// What the slowest card reaches of the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest_of_median_min: Option<Percent>,
}

/// A published benchmark with rules of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferencePromise {
    /// As the benchmark calls it, such as `Offline`.
    pub scenario: Name,
    /// Samples or queries per second; for latency scenarios, the figure not to be exceeded.
    pub figure: Decimal,
}

impl Promise {
    /// So many of a card, and nothing else.
    pub fn of(card: Name, cards: u32) -> Self {
        Self {
            card,
            cards,
            memory_mib_min: None,
            driver_min: None,
            power_limit_w_min: None,
            pcie_generation_min: None,
            pcie_width_min: None,
            memory_growth_mib_max: None,
            collective_gb_s_min: None,
            network: None,
            storage: Vec::new(),
            success_min: None,
            first_token_p99_ms_max: None,
            per_token_p99_ms_max: None,
            output_tokens_s_min: None,
            serving_load: None,
            stress: None,
            reference: None,
        }
    }

    /// Without what evidence the promise cannot be judged.
    pub fn expects(&self) -> BTreeSet<ReadingKind> {
        let serving = self.success_min.is_some()
            || self.first_token_p99_ms_max.is_some()
            || self.per_token_p99_ms_max.is_some()
            || self.output_tokens_s_min.is_some();
        let wanted = [
            (ReadingKind::Cards, true),
            (ReadingKind::Collective, self.collective_gb_s_min.is_some()),
            (ReadingKind::Serving, serving),
            (ReadingKind::Network, self.network.is_some()),
            (ReadingKind::Storage, !self.storage.is_empty()),
            (ReadingKind::Stress, self.stress.is_some()),
            (ReadingKind::Reference, self.reference.is_some()),
        ];
        wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(kind, _)| kind).collect()
    }
}

impl DriverVersion {
    pub fn new(text: &str) -> Result<Self, Invalid> {
        let parts = text.trim().split('.').map(|part| part.parse().ok());
        match parts.collect::<Option<Vec<u32>>>() {
            Some(parts) => Ok(Self(parts)),
            None => {
                let why = format!("`{text}` is not numbers between dots, such as 550.90.07");
                Err(Invalid::new("driver version", why))
            }
        }
    }
}

impl std::fmt::Display for DriverVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<_> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&parts.join("."))
    }
}

impl TryFrom<String> for DriverVersion {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        Self::new(&text)
    }
}

impl From<DriverVersion> for String {
    fn from(version: DriverVersion) -> Self {
        version.to_string()
    }
}
