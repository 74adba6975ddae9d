//! A supplier's quote, and whether it may be compared at all.
//!
//! Prices per hour, day, month or year mean nothing beside each other until they are aligned to one
//! unit, and not even then while a question about what the price contains is open. Such a quote is
//! shown as not comparable, with what is missing.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    invalid::Invalid,
    money::{Currency, Money},
    percent::Percent,
    text::Name,
};

/// The questions that decide what a price is worth; each must be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// A whole card, or shared?
    Exclusive,
    /// Is bandwidth included?
    Bandwidth,
    BandwidthOverage,
    /// Is storage included?
    Storage,
    /// Capacity and I/O limits.
    StorageLimits,
    /// Billed per minute or per hour?
    Overtime,
    /// What does a dropped connection pay?
    Disconnection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceUnit {
    CardHour,
    CardDay,
    CardMonth,
    CardYear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceBasis {
    Reserved,
    OnDemand,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuoteLine {
    pub card: Name,
    pub unit_price: Decimal,
    pub unit: PriceUnit,
    pub cards: u32,
    pub basis: PriceBasis,
    pub list_price: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    pub currency: Currency,
    pub valid_until: NaiveDate,
    /// Whether the prices contain the tax.
    pub tax_included: bool,
    pub tax: Percent,
    pub lines: Vec<QuoteLine>,
    pub answers: BTreeMap<Question, Name>,
}

impl Question {
    pub const ALL: [Self; 7] = [
        Self::Exclusive,
        Self::Bandwidth,
        Self::BandwidthOverage,
        Self::Storage,
        Self::StorageLimits,
        Self::Overtime,
        Self::Disconnection,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Exclusive => "exclusive",
            Self::Bandwidth => "bandwidth",
            Self::BandwidthOverage => "bandwidth_overage",
            Self::Storage => "storage",
            Self::StorageLimits => "storage_limits",
            Self::Overtime => "overtime",
            Self::Disconnection => "disconnection",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.id() == id)
    }
}

impl PriceUnit {
    /// A month is 730 hours and a year 8 760: the convention for estimates. Bills use real hours.
    pub fn hours(self) -> Decimal {
        match self {
            Self::CardHour => Decimal::ONE,
            Self::CardDay => Decimal::from(24),
            Self::CardMonth => Decimal::from(730),
            Self::CardYear => Decimal::from(8_760),
        }
    }
}

impl Quote {
    const LINES_MAX: usize = 20;

    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("quote", why));
        if self.lines.is_empty() {
            return refuse("has no price line");
        }
        if self.lines.len() > Self::LINES_MAX {
            return refuse("has more than 20 price lines");
        }
        if self.lines.iter().any(|line| line.unit_price <= Decimal::ZERO || line.cards == 0) {
            return refuse("every line needs a price above zero and at least one card");
        }
        Ok(())
    }

    pub fn unanswered(&self) -> BTreeSet<Question> {
        Question::ALL.into_iter().filter(|question| !self.answers.contains_key(question)).collect()
    }

    /// Net of tax, per card-hour, of one line.
    pub fn price_per_card_hour(&self, line: &QuoteLine) -> Option<Money> {
        let per_hour = line.unit_price.checked_div(line.unit.hours())?;
        let net = match self.tax_included {
            true => per_hour.checked_div(Decimal::ONE.checked_add(self.tax.ratio())?)?,
            false => per_hour,
        };
        Some(Money::new(net.round_dp(4), self.currency))
    }

    /// Discount of a line against its list price, where one was given.
    pub fn discount(line: &QuoteLine) -> Option<Percent> {
        let list = line.list_price.filter(|list| *list > Decimal::ZERO)?;
        let part = line.unit_price.checked_div(list)?;
        let discount = Decimal::ONE.checked_sub(part)?.checked_mul(Decimal::ONE_HUNDRED)?;
        Percent::new(discount.round_dp(2)).ok()
    }
}
