//! Reference prices: what a card costs elsewhere, with source and date.
//!
//! They say what to expect, never what was agreed. A missing row is an unknown price.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::money::Currency;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceUnit {
    CardHour,
    CardMonth,
    /// A whole machine, whatever the number of its cards.
    MachineMonth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceTerm {
    OnDemand,
    Month,
    Year,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferencePrice {
    pub id: String,
    /// The id of a card in the catalogue.
    pub card: String,
    pub unit: ReferenceUnit,
    pub low: Decimal,
    pub high: Decimal,
    pub currency: Currency,
    pub term: ReferenceTerm,
    pub source: String,
    pub as_of: NaiveDate,
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) prices: Vec<ReferencePrice>,
}
