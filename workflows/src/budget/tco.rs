//! Total cost of ownership: six kinds of cost and a reserve, per month and for the term.
//!
//! Comparing unit prices alone is what the product cures, so a kind left out is not zero: it is
//! missing, unless somebody said zero and why.
//!
//! `line` is one line of a cost as it is stated, `statement` everything that follows from them.

pub mod line;
pub mod statement;

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::line::{FactorName, Line, Paid, Per, Vat};
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

/// What one kind costs: an amount a month, lines that are each stated in their own way, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Cost {
    Amount { currency: Currency, per_month: Estimate<Decimal>, basis: Text },
    Lines { lines: Vec<Line> },
    Zero { reason: Text },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub term_months: u32,
    pub reserve: Percent,
    pub currency: Currency,
    /// What other currencies are converted with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<ExchangeRate>,
    /// What money costs in a year, for the present value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discount_rate: Option<Percent>,
}

/// One unit of a currency in that of the plan, on a day, and who says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExchangeRate {
    pub from: Currency,
    pub rate: Decimal,
    pub on: NaiveDate,
    pub source: Text,
}

/// What keeps a total from being worked out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Unknown {
    /// Nothing was said about a kind.
    Kind {
        kind: CostKind,
    },
    /// Something in a line is to be determined.
    Factor {
        line: Text,
        factor: FactorName,
    },
    ExchangeRate {
        line: Text,
        currency: Currency,
    },
}

/// From the low to the high end of all estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// The most lines in one cost, and the most exchange rates in a plan.
const LINES_MAX: usize = 100;

impl Cost {
    /// Whether it says something: amounts or ranges, or a zero with its reason.
    pub fn is_given(&self) -> bool {
        match self {
            Self::Amount { per_month, .. } => per_month.is_given(),
            Self::Lines { lines } => !lines.is_empty() && lines.iter().all(Line::is_given),
            Self::Zero { .. } => true,
        }
    }

    /// Refuses what cannot be: a negative amount, no line, too many lines.
    pub fn check(&self) -> Result<(), Invalid> {
        match self {
            Self::Amount { per_month, .. } => {
                match per_month.low().is_some_and(|low| *low < Decimal::ZERO) {
                    true => Err(Invalid::new("cost", "must not be negative")),
                    false => Ok(()),
                }
            }
            Self::Lines { lines } if lines.is_empty() || lines.len() > LINES_MAX => {
                Err(Invalid::new("lines", format!("there must be 1 to {LINES_MAX}")))
            }
            Self::Lines { lines } => lines.iter().try_for_each(Line::check),
            Self::Zero { .. } => Ok(()),
        }
    }

    /// An amount a month is one line that is paid at the end of each.
    pub fn lines(&self) -> Vec<Line> {
        match self {
            Self::Amount { currency, per_month, basis } => vec![Line {
                name: basis.clone(),
                amount: per_month.clone(),
                currency: *currency,
                per: Per::Month,
                vat: Vat::NotStated,
                paid: Paid::InArrears,
                basis: basis.clone(),
            }],
            Self::Lines { lines } => lines.clone(),
            Self::Zero { .. } => Vec::new(),
        }
    }
}

impl Plan {
    /// All in one currency, and without a present value.
    pub fn new(term_months: u32, reserve: Percent, currency: Currency) -> Self {
        Self { term_months, reserve, currency, rates: Vec::new(), discount_rate: None }
    }

    /// A term of 1 to 120 months; each other currency at most once, and none at nothing.
    pub fn check(&self) -> Result<(), Invalid> {
        if self.term_months == 0 || self.term_months > 120 {
            return Err(Invalid::new("term", "must be 1 to 120 months"));
        }
        for (place, rate) in self.rates.iter().enumerate() {
            let before = &self.rates[..place];
            let code = rate.from.code();
            if rate.from == self.currency || before.iter().any(|other| other.from == rate.from) {
                return Err(Invalid::new("rates", format!("{code} is there twice")));
            }
            if rate.rate <= Decimal::ZERO || rate.rate > RATE_MAX {
                let why = format!("{} of {code} is not between 0 and {RATE_MAX}", rate.rate);
                return Err(Invalid::new("rates", why));
            }
        }
        Ok(())
    }

    /// Whether amounts in a currency can be counted in that of the plan.
    pub fn takes(&self, currency: Currency) -> bool {
        currency == self.currency || self.rate(currency).is_some()
    }

    fn rate(&self, from: Currency) -> Option<Decimal> {
        self.rates.iter().find(|rate| rate.from == from).map(|rate| rate.rate)
    }
}

impl Unknown {
    /// The name of the line, if it is in one.
    pub fn line(&self) -> Option<&str> {
        match self {
            Self::Kind { .. } => None,
            Self::Factor { line, .. } | Self::ExchangeRate { line, .. } => Some(line.as_str()),
        }
    }
}

/// More than any currency is worth in another.
const RATE_MAX: Decimal = Decimal::from_parts(100_000, 0, 0, false, 0);

impl MoneySpan {
    pub fn zero(currency: Currency) -> Self {
        Self { low: Money::zero(currency), high: Money::zero(currency) }
    }

    fn plus(self, other: Self) -> Result<Self, Invalid> {
        Ok(Self { low: self.low.plus(other.low)?, high: self.high.plus(other.high)? })
    }

    fn times(self, factor: Decimal) -> Result<Self, Invalid> {
        Ok(Self { low: self.low.times(factor)?, high: self.high.times(factor)? })
    }

    /// By a divisor that is above zero.
    fn divided(self, divisor: Decimal) -> Self {
        let divided = |money: Money| Money::new(money.amount / divisor, money.currency);
        Self { low: divided(self.low), high: divided(self.high) }
    }

    pub fn middle(self) -> Money {
        Money::new((self.low.amount + self.high.amount) / Decimal::TWO, self.low.currency)
    }
}

/// Kinds nobody has said anything usable about.
pub fn missing(costs: &BTreeMap<CostKind, Fact<Cost>>) -> Vec<CostKind> {
    CostKind::ALL
        .into_iter()
        .filter(|kind| !costs.get(kind).is_some_and(|cost| cost.value.is_given()))
        .collect()
}

/// `None` while something is missing: a partial sum would look like a total.
pub fn totals(
    costs: &BTreeMap<CostKind, Fact<Cost>>,
    plan: &Plan,
) -> Result<Option<Totals>, Invalid> {
    let (kinds, unknown) = statement::kinds(&|kind| costs.get(&kind).map(|f| &f.value), plan)?;
    if !unknown.is_empty() {
        return Ok(None);
    }
    let subtotal = statement::subtotal(&kinds, plan)?;
    let reserve = subtotal.times(plan.reserve.ratio())?;
    let months = Decimal::from(plan.term_months);
    Ok(Some(Totals {
        per_month: subtotal.divided(months),
        reserve_per_month: reserve.divided(months),
        for_term: subtotal.plus(reserve)?,
    }))
}

/// What keeps the total from being worked out, beyond kinds that say nothing.
pub fn unknown(
    costs: &BTreeMap<CostKind, Fact<Cost>>,
    plan: &Plan,
) -> Result<Vec<Unknown>, Invalid> {
    Ok(statement::kinds(&|kind| costs.get(&kind).map(|fact| &fact.value), plan)?.1)
}
