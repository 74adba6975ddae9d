//! Used hours against the bill: what was paid for, what ran, and what idled.
//!
//! Four numbers are kept apart: paid, allocated, used and unknown. Hours without telemetry are
//! neither used nor idle.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    invalid::Invalid,
    money::{Currency, Money},
};

/// From a usage feed, over a half-open window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    pub cards: u32,
    /// In which a card did something, however little.
    pub busy_card_hours: Decimal,
    /// The busy ones, weighted by how much was done.
    pub used_card_hours: Decimal,
    /// In which a card that was seen did nothing.
    pub idle_card_hours: Decimal,
    pub unknown_card_hours: Decimal,
}

/// From a bill, over a half-open period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bill {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    pub currency: Currency,
    pub billed: Decimal,
    pub tax: Decimal,
    /// `None` when nothing in the bill tells cards.
    pub card_hours: Option<Decimal>,
}

impl Usage {
    pub fn check(&self) -> Result<(), Invalid> {
        if self.until <= self.from {
            return Err(Invalid::new("usage", "its window ends before it starts"));
        }
        let hours = [
            self.busy_card_hours,
            self.used_card_hours,
            self.idle_card_hours,
            self.unknown_card_hours,
        ];
        if hours.iter().any(|hours| *hours < Decimal::ZERO) {
            return Err(Invalid::new("usage", "card-hours must not be negative"));
        }
        if self.used_card_hours > self.busy_card_hours {
            return Err(Invalid::new("usage", "more card-hours were used than busy"));
        }
        Ok(())
    }

    /// Idle part of the hours that were seen; `None` when nothing was seen.
    pub fn idle_ratio(&self) -> Option<Decimal> {
        let seen = self.busy_card_hours.checked_add(self.idle_card_hours)?;
        self.idle_card_hours.checked_div(seen)
    }
}

impl Bill {
    pub fn check(&self) -> Result<(), Invalid> {
        match self.until > self.from {
            true => Ok(()),
            false => Err(Invalid::new("bill", "its period ends before it starts")),
        }
    }

    /// Net of tax, per billed card-hour; `None` when the bill tells no card-hours.
    pub fn unit_price(&self) -> Option<Money> {
        let exact = self.exact_unit_price()?;
        Some(Money::new(exact.amount.round_dp(4), exact.currency))
    }

    /// Unrounded, for carrying on with.
    fn exact_unit_price(&self) -> Option<Money> {
        let hours = self.card_hours.filter(|hours| *hours > Decimal::ZERO)?;
        let net = self.billed.checked_sub(self.tax)?;
        Some(Money::new(net.checked_div(hours)?, self.currency))
    }
}

/// Waste = card-hours × unit price × idle ratio, over the window of the usage (S4).
pub fn waste(usage: &Usage, bill: &Bill) -> Option<Money> {
    let seen = usage.busy_card_hours.checked_add(usage.idle_card_hours)?;
    let cost = bill.exact_unit_price()?.times(seen).ok()?;
    cost.times(usage.idle_ratio()?).ok().map(Money::rounded)
}
