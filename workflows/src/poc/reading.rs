//! What a reader found in an evidence file, reduced to what the verdicts need.
//!
//! Measured figures are decimals taken from the tool's own digits; `None` is "no reading" and never
//! zero. What was added later is absent in older events, and absent means not read.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::text::Name;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadingKind {
    /// Which cards are there, and how they behaved under load.
    Cards,
    /// Collective bandwidth between the cards.
    Collective,
    /// The company's own requests, replayed.
    Serving,
    /// What one node sends another.
    Network,
    /// What the volume reads and writes.
    Storage,
    /// All cards at full power for a while.
    Stress,
    /// The vendor's own tests of the hardware.
    Diagnostics,
    /// Errors of the driver in the kernel's log.
    KernelLog,
    /// One look at the counters of every card.
    Telemetry,
    /// A published benchmark.
    Reference,
}

impl ReadingKind {
    pub const ALL: [Self; 10] = [
        Self::Cards,
        Self::Collective,
        Self::Serving,
        Self::Network,
        Self::Storage,
        Self::Stress,
        Self::Diagnostics,
        Self::KernelLog,
        Self::Telemetry,
        Self::Reference,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Collective => "collective",
            Self::Serving => "serving",
            Self::Network => "network",
            Self::Storage => "storage",
            Self::Stress => "stress",
            Self::Diagnostics => "diagnostics",
            Self::KernelLog => "kernel_log",
            Self::Telemetry => "telemetry",
            Self::Reference => "reference",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Reading {
    Cards(CardsReading),
    Collective(CollectiveReading),
    Serving(ServingReading),
    Network(NetworkReading),
    Storage(StorageReading),
    Stress(StressReading),
    Diagnostics(DiagnosticsReading),
    KernelLog(KernelLogReading),
    Telemetry(TelemetryReading),
    Reference(ReferenceReading),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardsReading {
    /// Distinct card names as the tool prints them.
    pub names: Vec<Name>,
    pub cards: u32,
    /// The smallest of the cards' total memory.
    pub memory_mib: Option<Decimal>,
    pub driver: Option<Name>,
    /// Cards that dropped out or need a reset.
    pub lost: u32,
    /// Every throttle bit seen on any card (NVML clock event reasons).
    pub throttle_mask: Option<u64>,
    /// Largest growth of one card's used memory from the first to the last sample.
    pub memory_growth_mib: Option<Decimal>,
    /// Cards that could not be read, which alone speaks neither for nor against them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u32,
    /// Which cards dropped out and when, the first few of them, in the tool's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Name>,
    /// The smallest power limit of all cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_limit_w: Option<Decimal>,
    /// The default limit of that same card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_default_limit_w: Option<Decimal>,
    /// The slowest link of all cards, as it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcie_generation: Option<u32>,
    /// What the link of the same card can do at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcie_generation_max: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcie_width: Option<u32>,
    /// Whether every card worked when it was looked at: an idle link slows down on purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_load: Option<bool>,
    /// The most uncorrected errors of one card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ecc_uncorrected: Option<u64>,
    /// Whether any card waits for a reset to put a bad row of memory aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remap_pending: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remap_failure: Option<bool>,
    /// Used memory in MiB of the card that grew most, at points evenly spaced over the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_curve_mib: Vec<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectiveReading {
    pub ranks: Option<u32>,
    pub peak_gb_s: Option<Decimal>,
    /// Results that were wrong.
    pub out_of_bounds: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServingReading {
    pub issued: Option<u32>,
    pub completed: u32,
    pub first_token_p99_ms: Option<Decimal>,
    pub per_token_p99_ms: Option<Decimal>,
    pub output_tokens_s: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<RequestRate>,
}

/// How fast requests were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestRate {
    /// All at once, as fast as they are taken.
    Unlimited,
    PerSecond(Decimal),
}

/// One test between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkReading {
    /// As the tool calls it, such as `ib_write_bw`.
    pub test: Name,
    /// Average in one direction, of the largest message.
    pub gbit_s: Option<Decimal>,
    /// 99th percentile where the tool has one, of the smallest message.
    pub latency_us: Option<Decimal>,
    pub seconds: Option<Decimal>,
    /// What the tool said when it could not measure.
    pub error: Option<Name>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageReading {
    pub jobs: Vec<StorageJob>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StorageOperation {
    Read,
    Write,
    RandomRead,
    RandomWrite,
}

/// All parallel jobs of one name and one direction together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageJob {
    pub name: Name,
    /// `None` when the file does not say what was done.
    pub operation: Option<StorageOperation>,
    pub block_bytes: Option<u64>,
    pub queue_depth: Option<u32>,
    pub jobs: Option<u32>,
    /// `false` measures the memory of the machine rather than the volume.
    pub direct: Option<bool>,
    pub seconds: Option<Decimal>,
    /// The tool's error number; zero is none.
    pub error: u32,
    pub mib_s: Option<Decimal>,
    pub operations_s: Option<Decimal>,
    pub latency_p99_ms: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StressReading {
    pub finished: bool,
    pub progress_percent: Option<Decimal>,
    pub cards: Vec<StressCard>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StressCard {
    pub gflops: Option<Decimal>,
    pub errors: Option<u64>,
    pub died: bool,
    /// The tool's own verdict.
    pub faulty: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticsReading {
    pub executed: u32,
    pub failed: u32,
    pub skipped: u32,
    pub findings: Vec<DiagnosticFinding>,
}

/// An error of one test. The numbers are those of DCGM 4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticFinding {
    pub test: Name,
    pub id: Option<u32>,
    pub severity: Option<u32>,
    pub category: Option<u32>,
    pub text: Name,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelLogReading {
    pub errors: Vec<KernelError>,
    /// Cards that fell off the bus.
    pub lost: Vec<Name>,
}

/// An Xid of the NVIDIA driver and how often one card had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelError {
    pub xid: u32,
    pub card: Name,
    pub count: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TelemetryReading {
    pub names: Vec<Name>,
    pub cards: u32,
    pub throttle_mask: Option<u64>,
    /// The last Xid of each card that had one.
    pub xids: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceReading {
    pub scenario: Option<Name>,
    /// Whether speed was measured; an accuracy run measures none.
    pub performance: Option<bool>,
    pub valid: Option<bool>,
    pub errors: Option<u32>,
    pub figure: Option<Decimal>,
    /// Whether less is better.
    pub is_latency: bool,
}

impl Reading {
    pub fn kind(&self) -> ReadingKind {
        match self {
            Self::Cards(_) => ReadingKind::Cards,
            Self::Collective(_) => ReadingKind::Collective,
            Self::Serving(_) => ReadingKind::Serving,
            Self::Network(_) => ReadingKind::Network,
            Self::Storage(_) => ReadingKind::Storage,
            Self::Stress(_) => ReadingKind::Stress,
            Self::Diagnostics(_) => ReadingKind::Diagnostics,
            Self::KernelLog(_) => ReadingKind::KernelLog,
            Self::Telemetry(_) => ReadingKind::Telemetry,
            Self::Reference(_) => ReadingKind::Reference,
        }
    }

    /// Whether a newer reading measures the same thing, so that it takes the older one's place. A
    /// volume and a network are measured by several runs that stand beside each other.
    pub fn supersedes(&self, older: &Self) -> bool {
        match (self, older) {
            (Self::Network(new), Self::Network(old)) => new.test == old.test,
            (Self::Storage(new), Self::Storage(old)) => new
                .jobs
                .iter()
                .map(StorageJob::conditions)
                .eq(old.jobs.iter().map(StorageJob::conditions)),
            (new, old) => new.kind() == old.kind(),
        }
    }
}

impl StorageJob {
    fn conditions(&self) -> (&Name, Option<StorageOperation>, Option<u64>, Option<u32>) {
        (&self.name, self.operation, self.block_bytes, self.queue_depth)
    }
}

impl StorageOperation {
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::RandomRead, Self::RandomWrite];

    pub fn id(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::RandomRead => "random_read",
            Self::RandomWrite => "random_write",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
