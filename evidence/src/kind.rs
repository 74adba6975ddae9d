//! The kinds of files this crate reads.
//!
//! The words are fixed for ever: they are stored with each piece of evidence.
//! A kind says nothing about the supplier or the card.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Brief,
    GpuInventory,
    DcgmDiag,
    DcgmMetrics,
    NcclTests,
    Fio,
    LlmBench,
    GpuBurn,
    KernelLog,
    Perftest,
    Iperf3,
    Mlperf,
    Quote,
    Bill,
    Usage,
    HfConfig,
    Prices,
}

/// Text that names no kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind {given:?}; known are {}", known())]
pub struct UnknownKind {
    pub given: String,
}

impl Kind {
    /// The order in which [`crate::read_auto`] tries them: the most distinctive first, prose last.
    pub const ALL: [Kind; 17] = [
        Kind::GpuInventory,
        Kind::DcgmDiag,
        Kind::DcgmMetrics,
        Kind::NcclTests,
        Kind::Fio,
        Kind::LlmBench,
        Kind::HfConfig,
        Kind::GpuBurn,
        Kind::KernelLog,
        Kind::Perftest,
        Kind::Iperf3,
        Kind::Mlperf,
        Kind::Usage,
        Kind::Prices,
        Kind::Bill,
        Kind::Quote,
        Kind::Brief,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Brief => "brief",
            Kind::GpuInventory => "gpu-inventory",
            Kind::NcclTests => "nccl-tests",
            Kind::DcgmDiag => "dcgm-diag",
            Kind::DcgmMetrics => "dcgm-metrics",
            Kind::Fio => "fio",
            Kind::GpuBurn => "gpu-burn",
            Kind::KernelLog => "kernel-log",
            Kind::Perftest => "perftest",
            Kind::Iperf3 => "iperf3",
            Kind::Mlperf => "mlperf",
            Kind::LlmBench => "llm-bench",
            Kind::Quote => "quote",
            Kind::Bill => "bill",
            Kind::Usage => "usage",
            Kind::HfConfig => "hf-config",
            Kind::Prices => "prices",
        }
    }

    /// Rises whenever a reader reads the same bytes differently, so that a stored verdict can name what it rests on.
    pub fn reader_version(self) -> u16 {
        match self {
            // Of machines: more forms of the same tools.
            Kind::GpuInventory | Kind::NcclTests | Kind::LlmBench => 2,
            // Of bills and usage: more formats, and amounts that are missing stay missing.
            // Of the brief: numerals in characters, months as ranges, a unit at either end of a range.
            Kind::Brief | Kind::Bill | Kind::Usage => 2,
            Kind::Quote
            | Kind::Prices
            | Kind::HfConfig
            | Kind::DcgmDiag
            | Kind::DcgmMetrics
            | Kind::Fio
            | Kind::GpuBurn
            | Kind::KernelLog
            | Kind::Perftest
            | Kind::Iperf3
            | Kind::Mlperf => 1,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(given: &str) -> Result<Self, UnknownKind> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == given)
            .ok_or_else(|| UnknownKind { given: given.to_owned() })
    }
}

fn known() -> String {
    Kind::ALL.map(Kind::as_str).join(", ")
}
