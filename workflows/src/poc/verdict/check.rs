//! One check: what was promised, what was measured, what that means and why.

use serde::{Deserialize, Serialize};

use crate::text::Name;

/// The order is that of a report: the machine, its network and volume, then what runs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    Identity,
    CardCount,
    Memory,
    Driver,
    PowerLimit,
    Link,
    DroppedOut,
    Throttling,
    MemoryGrowth,
    MemoryErrors,
    DriverErrors,
    DiagnosticsExecuted,
    DiagnosticsPassed,
    StressFinished,
    StressErrors,
    StressRate,
    StressSpread,
    CollectiveRanks,
    CollectiveBandwidth,
    CollectiveCorrect,
    NetworkReached,
    NetworkBandwidth,
    NetworkLatency,
    StorageErrors,
    StorageBandwidth,
    StorageOperations,
    StorageLatency,
    SuccessRate,
    FirstToken,
    PerToken,
    OutputRate,
    ReferenceValid,
    ReferenceFigure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    Inconclusive,
}

/// Why nobody can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// No file of this kind was handed in.
    NoEvidence,
    /// The figure is good so far, but the file ends before the test did.
    CutShort,
    /// The file is there, but not this figure.
    NoReading,
    /// It was measured under other conditions than promised.
    ConditionsDiffer,
    /// The tool did no work, or skipped all of it.
    NothingExecuted,
    /// Too few points to tell a trend or a tail from chance.
    TooFewSamples,
    /// The name fits several cards, or none that is known.
    CardUnclear,
    /// What the tool reports is more often the program's fault than the card's.
    WorkloadSuspected,
    /// A setting is not as the tool wants it; the hardware may be sound.
    ConfigurationOnly,
    /// A number that no public list explains.
    NotClassified,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub name: CheckName,
    pub outcome: Outcome,
    /// `None` when there was no reading.
    pub measured: Option<String>,
    pub promised: String,
    /// Which one, where a kind of check is made several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Always there for an inconclusive check since rule version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// The words of the tool that decided, such as which card was lost and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Name>,
}

impl CheckName {
    pub const ALL: [Self; 33] = [
        Self::Identity,
        Self::CardCount,
        Self::Memory,
        Self::Driver,
        Self::PowerLimit,
        Self::Link,
        Self::DroppedOut,
        Self::Throttling,
        Self::MemoryGrowth,
        Self::MemoryErrors,
        Self::DriverErrors,
        Self::DiagnosticsExecuted,
        Self::DiagnosticsPassed,
        Self::StressFinished,
        Self::StressErrors,
        Self::StressRate,
        Self::StressSpread,
        Self::CollectiveRanks,
        Self::CollectiveBandwidth,
        Self::CollectiveCorrect,
        Self::NetworkReached,
        Self::NetworkBandwidth,
        Self::NetworkLatency,
        Self::StorageErrors,
        Self::StorageBandwidth,
        Self::StorageOperations,
        Self::StorageLatency,
        Self::SuccessRate,
        Self::FirstToken,
        Self::PerToken,
        Self::OutputRate,
        Self::ReferenceValid,
        Self::ReferenceFigure,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::CardCount => "card_count",
            Self::Memory => "memory",
            Self::Driver => "driver",
            Self::PowerLimit => "power_limit",
            Self::Link => "link",
            Self::DroppedOut => "dropped_out",
            Self::Throttling => "throttling",
            Self::MemoryGrowth => "memory_growth",
            Self::MemoryErrors => "memory_errors",
            Self::DriverErrors => "driver_errors",
            Self::DiagnosticsExecuted => "diagnostics_executed",
            Self::DiagnosticsPassed => "diagnostics_passed",
            Self::StressFinished => "stress_finished",
            Self::StressErrors => "stress_errors",
            Self::StressRate => "stress_rate",
            Self::StressSpread => "stress_spread",
            Self::CollectiveRanks => "collective_ranks",
            Self::CollectiveBandwidth => "collective_bandwidth",
            Self::CollectiveCorrect => "collective_correct",
            Self::NetworkReached => "network_reached",
            Self::NetworkBandwidth => "network_bandwidth",
            Self::NetworkLatency => "network_latency",
            Self::StorageErrors => "storage_errors",
            Self::StorageBandwidth => "storage_bandwidth",
            Self::StorageOperations => "storage_operations",
            Self::StorageLatency => "storage_latency",
            Self::SuccessRate => "success_rate",
            Self::FirstToken => "first_token",
            Self::PerToken => "per_token",
            Self::OutputRate => "output_rate",
            Self::ReferenceValid => "reference_valid",
            Self::ReferenceFigure => "reference_figure",
        }
    }
}

impl Outcome {
    pub const ALL: [Self; 3] = [Self::Pass, Self::Fail, Self::Inconclusive];

    pub fn id(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }
}

impl Because {
    pub const ALL: [Self; 10] = [
        Self::NoEvidence,
        Self::CutShort,
        Self::NoReading,
        Self::ConditionsDiffer,
        Self::NothingExecuted,
        Self::TooFewSamples,
        Self::CardUnclear,
        Self::WorkloadSuspected,
        Self::ConfigurationOnly,
        Self::NotClassified,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::NoEvidence => "no_evidence",
            Self::CutShort => "cut_short",
            Self::NoReading => "no_reading",
            Self::ConditionsDiffer => "conditions_differ",
            Self::NothingExecuted => "nothing_executed",
            Self::TooFewSamples => "too_few_samples",
            Self::CardUnclear => "card_unclear",
            Self::WorkloadSuspected => "workload_suspected",
            Self::ConfigurationOnly => "configuration_only",
            Self::NotClassified => "not_classified",
        }
    }
}
