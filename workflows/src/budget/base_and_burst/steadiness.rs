//! How much a demand varies, and how much of that nobody could have foreseen.
//!
//! The rule: the coefficient of variation (standard deviation over mean) says how uneven a demand
//! is, which the base and the burst take care of. What makes a long contract a bet is the part that
//! the hour of the week does not explain, so the advice reads that one. It takes at least two
//! measured weeks; a stated shape repeats itself and shows nothing of it.

use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Serialize;

use super::demand::{Demand, Origin};
use crate::budget::root::root;

/// Both in percent of the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Variation {
    /// Absent when nothing is wanted at all.
    pub whole_percent: Option<Decimal>,
    /// About the mean of the same hour of the week; absent where it cannot be told.
    pub unexplained_percent: Option<Decimal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Steadiness {
    Steady,
    /// No long contract is advised.
    Volatile,
    CannotTell,
}

impl Steadiness {
    pub const ALL: [Self; 3] = [Self::Steady, Self::Volatile, Self::CannotTell];

    pub fn id(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Volatile => "volatile",
            Self::CannotTell => "cannot_tell",
        }
    }
}

impl Variation {
    const WEEKS_MIN: usize = 2;

    pub fn of(demand: &Demand) -> Self {
        let cards = demand.cards();
        let weekly = demand.origin() == Origin::Measured
            && cards.len() >= Self::WEEKS_MIN * Demand::HOURS_A_WEEK;
        let by_hour = |hour: usize| cards.iter().skip(hour).step_by(Demand::HOURS_A_WEEK);
        let total = demand.card_hours();
        Self {
            whole_percent: percent(squares(cards.iter()), cards.len(), total),
            unexplained_percent: weekly
                .then(|| (0..Demand::HOURS_A_WEEK).map(|hour| squares(by_hour(hour))).sum())
                .and_then(|squares| percent(squares, cards.len(), total)),
        }
    }

    pub fn judged(self, threshold_percent: Decimal) -> Steadiness {
        match self.unexplained_percent {
            None => Steadiness::CannotTell,
            Some(percent) if percent > threshold_percent => Steadiness::Volatile,
            Some(_) => Steadiness::Steady,
        }
    }
}

/// Sum of the squares about the mean: `Σd² − (Σd)² / n`.
fn squares<'a>(cards: impl Iterator<Item = &'a u32>) -> Decimal {
    let (mut count, mut sum, mut of_squares) = (0_u64, 0_u64, 0_u64);
    for cards in cards.copied().map(u64::from) {
        count += 1;
        sum += cards;
        of_squares += cards * cards;
    }
    let squared = Decimal::from(sum) * Decimal::from(sum);
    Decimal::from(of_squares) - squared.checked_div(Decimal::from(count)).unwrap_or_default()
}

/// The standard deviation in percent of the mean, to a tenth.
fn percent(squares: Decimal, hours: usize, total: u64) -> Option<Decimal> {
    let hours = Decimal::from(hours.to_u64()?);
    let mean = Decimal::from(total).checked_div(hours)?;
    let deviation = root(squares.checked_div(hours)?, 2);
    Some((Decimal::ONE_HUNDRED * deviation).checked_div(mean)?.round_dp(1))
}
