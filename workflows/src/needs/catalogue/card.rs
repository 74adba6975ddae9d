//! One card: what tools call it, and what it has.
//!
//! Sellers print sparse throughput, 10⁹ bytes and links in both directions at once; here throughput
//! is dense, memory is what the tool prints in MiB, and `gb_s` of a link is the sellers' figure of
//! both directions, since that is what a quote says.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    Nvidia,
    Amd,
    Ascend,
}

/// How cards of one node are joined besides PCIe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Link {
    None,
    /// Pairs of cards by a bridge, where it is installed.
    Bridge {
        gb_s: u32,
    },
    /// All cards of a node.
    Node {
        gb_s: u32,
    },
    /// No source says.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub id: String,
    pub name: String,
    pub family: Family,
    /// Exactly as the vendor's tool prints it.
    #[serde(default)]
    pub tool_names: Vec<String>,
    /// What people and quotes write; one that fits several cards is ambiguous.
    pub aliases: Vec<String>,
    /// Every total that the tool prints for it, the least first: drivers and ECC change it.
    pub memory_mib: Vec<u32>,
    #[serde(default)]
    pub bandwidth_gb_s: Option<u32>,
    pub link: Link,
    #[serde(default)]
    pub watts: Option<u32>,
    /// Dense, accumulated in 32 bits.
    #[serde(default)]
    pub bf16_tflops: Option<Decimal>,
    #[serde(default)]
    pub fp8_tflops: Option<Decimal>,
    #[serde(default)]
    pub pcie_generation: Option<u8>,
    pub source: String,
    pub as_of: NaiveDate,
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) cards: Vec<Card>,
}

impl Link {
    /// Whether tensor ranks may talk over it.
    pub fn joins(self) -> bool {
        match self {
            Self::Node { .. } | Self::Bridge { .. } => true,
            Self::None | Self::Unknown => false,
        }
    }
}

impl Card {
    /// The least total that the tool prints: a plan never counts on more.
    pub fn memory_mib(&self) -> u32 {
        self.memory_mib.iter().copied().min().unwrap_or(0)
    }

    /// Whether a printed total can be this card's: ECC and reserved memory take up to 7 %.
    pub fn may_have(&self, mib: u32) -> bool {
        self.memory_mib.iter().any(|known| {
            let (known, mib) = (u64::from(*known) * 100, u64::from(mib) * 100);
            known * 93 / 100 <= mib && mib <= known * 102 / 100
        })
    }
}
