//! Money: a decimal amount in one currency.
//!
//! Unlike currencies are never added, and no float comes near an amount. A conversion is a recorded
//! fact with rate, source and date; it does not happen here.

use std::fmt;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    Cny,
    Eur,
    Hkd,
    Jpy,
    Sgd,
    Usd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    #[serde(with = "rust_decimal::serde::str")]
    pub amount: Decimal,
    pub currency: Currency,
}

impl Currency {
    pub const ALL: [Self; 6] = [Self::Cny, Self::Eur, Self::Hkd, Self::Jpy, Self::Sgd, Self::Usd];

    /// ISO 4217.
    pub fn code(self) -> &'static str {
        match self {
            Self::Cny => "CNY",
            Self::Eur => "EUR",
            Self::Hkd => "HKD",
            Self::Jpy => "JPY",
            Self::Sgd => "SGD",
            Self::Usd => "USD",
        }
    }

    pub fn from_code(code: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|c| c.code().eq_ignore_ascii_case(code)).ok_or_else(|| {
            let known = Self::ALL.map(Self::code).join(", ");
            Invalid::new("currency", format!("`{code}` is not one of {known}"))
        })
    }
}

impl Money {
    pub fn new(amount: Decimal, currency: Currency) -> Self {
        Self { amount, currency }
    }

    pub fn zero(currency: Currency) -> Self {
        Self::new(Decimal::ZERO, currency)
    }

    pub fn is_negative(&self) -> bool {
        self.amount < Decimal::ZERO
    }

    pub fn plus(self, other: Self) -> Result<Self, Invalid> {
        if self.currency != other.currency {
            return Err(Invalid::new(
                "money",
                format!("{} and {} cannot be added", self.currency.code(), other.currency.code()),
            ));
        }
        let amount = self.amount.checked_add(other.amount).ok_or_else(too_large)?;
        Ok(Self::new(amount, self.currency))
    }

    pub fn times(self, factor: Decimal) -> Result<Self, Invalid> {
        let amount = self.amount.checked_mul(factor).ok_or_else(too_large)?;
        Ok(Self::new(amount, self.currency))
    }

    /// Cents, rounded half away from zero: for showing, never for carrying on.
    pub fn rounded(self) -> Self {
        let amount = self.amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
        Self::new(amount, self.currency)
    }
}

fn too_large() -> Invalid {
    Invalid::new("money", "the amount is too large to be calculated with")
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:.2}", self.currency.code(), self.rounded().amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlike_currencies_are_never_added() {
        let yuan = Money::new(Decimal::ONE, Currency::Cny);
        let dollar = Money::new(Decimal::ONE, Currency::Usd);
        assert!(yuan.plus(dollar).is_err());
        assert_eq!(yuan.plus(yuan).unwrap().amount, Decimal::TWO);
    }

    #[test]
    fn an_overflow_is_an_error_and_no_panic() {
        let huge = Money::new(Decimal::MAX, Currency::Cny);
        assert!(huge.plus(huge).is_err());
        assert!(huge.times(Decimal::TWO).is_err());
    }
}
