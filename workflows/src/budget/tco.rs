//! Total cost of ownership: six kinds of cost and a reserve, per month and for the term.
//!
//! Comparing unit prices alone is what the product cures, so a kind left out is not zero: it is
//! missing, unless somebody said zero and why.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    estimate::Estimate,
    invalid::Invalid,
    money::{Currency, Money},
    percent::Percent,
    recorded::Fact,
    text::Text,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostKind {
    Rental,
    NetworkEgress,
    Storage,
    OperationsLabour,
    Migration,
    /// Business lost while the machines fail.
    FailureLoss,
}

/// What one kind costs in a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Cost {
    Amount { currency: Currency, per_month: Estimate<Decimal>, basis: Text },
    Zero { reason: Text },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub term_months: u32,
    pub reserve: Percent,
    pub currency: Currency,
}

/// From the low to the high end of all estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoneySpan {
    pub low: Money,
    pub high: Money,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    pub per_month: MoneySpan,
    pub reserve_per_month: MoneySpan,
    /// All kinds and the reserve, over the term.
    pub for_term: MoneySpan,
}

impl CostKind {
    pub const ALL: [Self; 6] = [
        Self::Rental,
        Self::NetworkEgress,
        Self::Storage,
        Self::OperationsLabour,
        Self::Migration,
        Self::FailureLoss,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Rental => "rental",
            Self::NetworkEgress => "network_egress",
            Self::Storage => "storage",
            Self::OperationsLabour => "operations_labour",
            Self::Migration => "migration",
            Self::FailureLoss => "failure_loss",
        }
    }
}

impl Cost {
    /// Whether it says something: an amount or range, or a zero with its reason.
    pub fn is_given(&self) -> bool {
        match self {
            Self::Amount { per_month, .. } => per_month.is_given(),
            Self::Zero { .. } => true,
        }
    }

    fn span(&self, currency: Currency) -> Result<Option<MoneySpan>, Invalid> {
        match self {
            Self::Zero { .. } => {
                let zero = Money::zero(currency);
                Ok(Some(MoneySpan { low: zero, high: zero }))
            }
            Self::Amount { currency: own, per_month, .. } => {
                if *own != currency {
                    return Err(Invalid::new(
                        "cost",
                        format!("{} in a plan in {}", own.code(), currency.code()),
                    ));
                }
                Ok(per_month.low().zip(per_month.high()).map(|(low, high)| MoneySpan {
                    low: Money::new(*low, currency),
                    high: Money::new(*high, currency),
                }))
            }
        }
    }
}

impl MoneySpan {
    fn plus(self, other: Self) -> Result<Self, Invalid> {
        Ok(Self { low: self.low.plus(other.low)?, high: self.high.plus(other.high)? })
    }

    fn times(self, factor: Decimal) -> Result<Self, Invalid> {
        Ok(Self { low: self.low.times(factor)?, high: self.high.times(factor)? })
    }
}

/// Kinds nobody has said anything usable about.
pub fn missing(costs: &BTreeMap<CostKind, Fact<Cost>>) -> Vec<CostKind> {
    CostKind::ALL
        .into_iter()
        .filter(|kind| !costs.get(kind).is_some_and(|cost| cost.value.is_given()))
        .collect()
}

/// `None` while a kind is missing: a partial sum would look like a total.
pub fn totals(
    costs: &BTreeMap<CostKind, Fact<Cost>>,
    plan: &Plan,
) -> Result<Option<Totals>, Invalid> {
    if !missing(costs).is_empty() {
        return Ok(None);
    }
    let zero = Money::zero(plan.currency);
    let mut per_month = MoneySpan { low: zero, high: zero };
    for cost in costs.values() {
        if let Some(span) = cost.value.span(plan.currency)? {
            per_month = per_month.plus(span)?;
        }
    }
    let reserve_per_month = per_month.times(plan.reserve.ratio())?;
    let for_term = per_month.plus(reserve_per_month)?.times(Decimal::from(plan.term_months))?;
    Ok(Some(Totals { per_month, reserve_per_month, for_term }))
}
