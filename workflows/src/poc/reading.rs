//! What a reader found in an evidence file, reduced to what the verdicts need.
//!
//! Measured figures are decimals taken from the tool's own digits; `None` is "no reading" and never
//! zero.

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
}

impl ReadingKind {
    pub const ALL: [Self; 3] = [Self::Cards, Self::Collective, Self::Serving];

    pub fn id(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Collective => "collective",
            Self::Serving => "serving",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Reading {
    Cards(CardsReading),
    Collective(CollectiveReading),
    Serving(ServingReading),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardsReading {
    /// Distinct card names as the tool prints them.
    pub names: Vec<Name>,
    pub cards: u32,
    /// The smallest of the cards' total memory.
    pub memory_mib: Option<Decimal>,
    pub driver: Option<Name>,
    /// Cards that dropped out, were unreadable or need a reset.
    pub lost: u32,
    /// Every throttle bit seen on any card (NVML clock event reasons).
    pub throttle_mask: Option<u64>,
    /// Largest growth of one card's used memory from the first to the last sample.
    pub memory_growth_mib: Option<Decimal>,
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
}

impl Reading {
    pub fn kind(&self) -> ReadingKind {
        match self {
            Self::Cards(_) => ReadingKind::Cards,
            Self::Collective(_) => ReadingKind::Collective,
            Self::Serving(_) => ReadingKind::Serving,
        }
    }
}
