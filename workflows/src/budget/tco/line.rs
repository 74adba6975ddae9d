//! One line of a cost: an amount as a supplier or a colleague states it, and what it multiplies with.
//!
//! The rule: nothing is converted in anybody's head. Per what the amount is, in which currency, with
//! or without VAT and when it is paid are fields of the line, and the product of the factors shown
//! is the result. What is to be determined stays unknown; it is never zero.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Plan, Unknown};
use crate::{estimate::Estimate, invalid::Invalid, money::Currency, percent::Percent, text::Text};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub name: Text,
    pub amount: Estimate<Decimal>,
    pub currency: Currency,
    pub per: Per,
    #[serde(default)]
    pub vat: Vat,
    #[serde(default)]
    pub paid: Paid,
    /// Where the amount comes from: a quote, a bill, an assumption.
    pub basis: Text,
}

/// What one amount is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum Per {
    Once,
    Day,
    Month,
    Year,
    Term,
    /// An hour of one card. Suppliers count 720, 730 or calendar hours to a month, so it is said.
    CardHour {
        cards: Estimate<Decimal>,
        hours_per_month: Estimate<Decimal>,
    },
    /// An hour of one card that is lost: half an interval between checkpoints is computed again
    /// after each interruption, and the restart takes its time.
    LostCardHour {
        cards: Estimate<Decimal>,
        interruptions_per_month: Estimate<Decimal>,
        checkpoint_interval_hours: Estimate<Decimal>,
        restart_hours: Estimate<Decimal>,
    },
}

/// A recoverable tax is no cost; one that is not recoverable is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum Vat {
    /// The amount is taken as the cost.
    #[default]
    NotStated,
    /// The amount holds the tax.
    Included { rate: Percent, recoverable: bool },
    /// The tax comes on top of the amount.
    Added { rate: Percent, recoverable: bool },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paid {
    /// At the end of each month.
    #[default]
    InArrears,
    /// At the beginning of each month.
    InAdvance,
    /// All of it before the first month.
    AtStart,
}

/// One factor of a product, at its low and its high end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Factor {
    pub name: FactorName,
    pub low: Decimal,
    pub high: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactorName {
    Amount,
    Cards,
    HoursPerMonth,
    InterruptionsPerMonth,
    HoursLostEach,
    Days,
    Months,
    Years,
    Vat,
    ExchangeRate,
}

impl FactorName {
    pub const ALL: [Self; 10] = [
        Self::Amount,
        Self::Cards,
        Self::HoursPerMonth,
        Self::InterruptionsPerMonth,
        Self::HoursLostEach,
        Self::Days,
        Self::Months,
        Self::Years,
        Self::Vat,
        Self::ExchangeRate,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Amount => "amount",
            Self::Cards => "cards",
            Self::HoursPerMonth => "hours_per_month",
            Self::InterruptionsPerMonth => "interruptions_per_month",
            Self::HoursLostEach => "hours_lost_each",
            Self::Days => "days",
            Self::Months => "months",
            Self::Years => "years",
            Self::Vat => "vat",
            Self::ExchangeRate => "exchange_rate",
        }
    }
}

const MONTHS_PER_YEAR: Decimal = Decimal::from_parts(12, 0, 0, false, 0);
const DAYS_PER_YEAR: Decimal = Decimal::from_parts(365, 0, 0, false, 0);
/// The longest month there is.
const HOURS_PER_MONTH_MAX: Decimal = Decimal::from_parts(744, 0, 0, false, 0);
/// Far above any price, and small enough that a product of all factors stays a decimal.
const VALUE_MAX: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

impl Line {
    /// Refuses what cannot be: negative or absurdly large values, months of more than 744 hours.
    pub fn check(&self) -> Result<(), Invalid> {
        within("amount", &self.amount, VALUE_MAX)?;
        match &self.per {
            Per::Once | Per::Day | Per::Month | Per::Year | Per::Term => Ok(()),
            Per::CardHour { cards, hours_per_month } => {
                within("cards", cards, VALUE_MAX)?;
                within("hours_per_month", hours_per_month, HOURS_PER_MONTH_MAX)
            }
            Per::LostCardHour {
                cards,
                interruptions_per_month,
                checkpoint_interval_hours,
                restart_hours,
            } => {
                within("cards", cards, VALUE_MAX)?;
                within("interruptions_per_month", interruptions_per_month, VALUE_MAX)?;
                within(
                    "checkpoint_interval_hours",
                    checkpoint_interval_hours,
                    HOURS_PER_MONTH_MAX,
                )?;
                within("restart_hours", restart_hours, HOURS_PER_MONTH_MAX)
            }
        }
    }

    /// Whether everything in it is known, exactly or as a range.
    pub fn is_given(&self) -> bool {
        let rest: &[&Estimate<Decimal>] = match &self.per {
            Per::Once | Per::Day | Per::Month | Per::Year | Per::Term => &[],
            Per::CardHour { cards, hours_per_month } => &[cards, hours_per_month],
            Per::LostCardHour {
                cards,
                interruptions_per_month,
                checkpoint_interval_hours,
                restart_hours,
            } => &[cards, interruptions_per_month, checkpoint_interval_hours, restart_hours],
        };
        self.amount.is_given() && rest.iter().all(|estimate| estimate.is_given())
    }

    /// Whether it is paid in every month.
    pub fn recurs(&self) -> bool {
        match (&self.per, self.paid) {
            (Per::Once, _) | (_, Paid::AtStart) => false,
            (
                Per::Day
                | Per::Month
                | Per::Year
                | Per::Term
                | Per::CardHour { .. }
                | Per::LostCardHour { .. },
                Paid::InArrears | Paid::InAdvance,
            ) => true,
        }
    }

    /// What the cost over the term is the product of, in the plan's currency.
    pub(super) fn factors(&self, plan: &Plan) -> Result<Vec<Factor>, Unknown> {
        let months = Decimal::from(plan.term_months);
        let mut factors = vec![self.factor(FactorName::Amount, &self.amount)?];
        let exactly = |name, value| Factor { name, low: value, high: value };
        match &self.per {
            Per::Once | Per::Term => {}
            Per::Month => factors.push(exactly(FactorName::Months, months)),
            Per::Year => factors.push(exactly(FactorName::Years, months / MONTHS_PER_YEAR)),
            Per::Day => {
                factors.push(exactly(FactorName::Days, months * DAYS_PER_YEAR / MONTHS_PER_YEAR));
            }
            Per::CardHour { cards, hours_per_month } => {
                factors.push(self.factor(FactorName::Cards, cards)?);
                factors.push(self.factor(FactorName::HoursPerMonth, hours_per_month)?);
                factors.push(exactly(FactorName::Months, months));
            }
            Per::LostCardHour {
                cards,
                interruptions_per_month,
                checkpoint_interval_hours,
                restart_hours,
            } => {
                let interval = self.factor(FactorName::HoursLostEach, checkpoint_interval_hours)?;
                let restart = self.factor(FactorName::HoursLostEach, restart_hours)?;
                factors.push(self.factor(FactorName::Cards, cards)?);
                factors
                    .push(self.factor(FactorName::InterruptionsPerMonth, interruptions_per_month)?);
                factors.push(Factor {
                    name: FactorName::HoursLostEach,
                    low: interval.low / Decimal::TWO + restart.low,
                    high: interval.high / Decimal::TWO + restart.high,
                });
                factors.push(exactly(FactorName::Months, months));
            }
        }
        if let Some(factor) = self.vat.factor() {
            factors.push(exactly(FactorName::Vat, factor));
        }
        if self.currency != plan.currency {
            let rate = plan.rate(self.currency).ok_or_else(|| Unknown::ExchangeRate {
                line: self.name.clone(),
                currency: self.currency,
            })?;
            factors.push(exactly(FactorName::ExchangeRate, rate));
        }
        Ok(factors)
    }

    fn factor(&self, name: FactorName, estimate: &Estimate<Decimal>) -> Result<Factor, Unknown> {
        match (estimate.low(), estimate.high()) {
            (Some(low), Some(high)) => Ok(Factor { name, low: *low, high: *high }),
            (Some(_) | None, _) => Err(Unknown::Factor { line: self.name.clone(), factor: name }),
        }
    }
}

impl Vat {
    /// What an amount is multiplied with to become a cost; nothing where it is the cost already.
    fn factor(self) -> Option<Decimal> {
        match self {
            Self::Included { rate, recoverable: true } => {
                Some(Decimal::ONE / (Decimal::ONE + rate.ratio()))
            }
            Self::Added { rate, recoverable: false } => Some(Decimal::ONE + rate.ratio()),
            Self::NotStated
            | Self::Included { recoverable: false, .. }
            | Self::Added { recoverable: true, .. } => None,
        }
    }
}

fn within(field: &'static str, estimate: &Estimate<Decimal>, most: Decimal) -> Result<(), Invalid> {
    let outside = |value: &&Decimal| **value < Decimal::ZERO || **value > most;
    match [estimate.low(), estimate.high()].into_iter().flatten().find(outside) {
        Some(value) => Err(Invalid::new(field, format!("{value} is not between 0 and {most}"))),
        None => Ok(()),
    }
}
