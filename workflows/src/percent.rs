//! Percentages from 0 to 100, kept as people say them (99.9, not 0.999).

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Decimal", into = "Decimal")]
pub struct Percent(Decimal);

impl Percent {
    pub const ZERO: Self = Self(Decimal::ZERO);
    pub const HUNDRED: Self = Self(Decimal::ONE_HUNDRED);

    pub fn new(value: Decimal) -> Result<Self, Invalid> {
        if value < Decimal::ZERO || value > Decimal::ONE_HUNDRED {
            return Err(Invalid::new("percentage", format!("{value} is not between 0 and 100")));
        }
        Ok(Self(value))
    }

    /// For figures written in the code, where a wrong one is a fault of the program.
    pub const fn of(whole: u32) -> Self {
        assert!(whole <= 100, "a percentage is at most 100");
        Self(Decimal::from_parts(whole, 0, 0, false, 0))
    }

    /// Tenths of a percent, so `tenths(999)` is 99.9 %.
    pub const fn tenths(tenths: u32) -> Self {
        assert!(tenths <= 1_000, "a percentage is at most 100");
        Self(Decimal::from_parts(tenths, 0, 0, false, 1))
    }

    pub fn value(self) -> Decimal {
        self.0
    }

    pub fn ratio(self) -> Decimal {
        self.0 / Decimal::ONE_HUNDRED
    }
}

impl TryFrom<Decimal> for Percent {
    type Error = Invalid;

    fn try_from(value: Decimal) -> Result<Self, Invalid> {
        Self::new(value)
    }
}

impl From<Percent> for Decimal {
    fn from(percent: Percent) -> Self {
        percent.0
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.0.normalize())
    }
}

/// A closed band of percentages, such as the 60 to 70 % share of a primary supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    pub low: Percent,
    pub high: Percent,
}

impl Band {
    pub fn holds(&self, value: Percent) -> bool {
        self.low <= value && value <= self.high
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}–{} %", self.low.0.normalize(), self.high.0.normalize())
    }
}
