//! A later run against the baseline: has the machine changed since it was accepted?
//!
//! The rule: figures are compared with what this very machine did, not with the promise, each in the
//! direction that hurts, within a tolerance. A figure that one of the two runs lacks is
//! inconclusive. Cutover and the quarterly review stop where they disagree.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Baseline, verdict::Outcome};
use crate::percent::Percent;

/// What shipped policies accept as noise between two runs.
pub const TOLERANCE: Percent = Percent::of(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaselineFigure {
    FirstToken,
    PerToken,
    OutputRate,
    CollectiveBandwidth,
    MemoryGrowth,
    NetworkBandwidth,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    pub figure: BaselineFigure,
    pub outcome: Outcome,
    pub before: Option<Decimal>,
    pub now: Option<Decimal>,
    /// Against the baseline, in percent; negative is less.
    pub change_percent: Option<Decimal>,
}

impl BaselineFigure {
    pub const ALL: [Self; 6] = [
        Self::FirstToken,
        Self::PerToken,
        Self::OutputRate,
        Self::CollectiveBandwidth,
        Self::MemoryGrowth,
        Self::NetworkBandwidth,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::FirstToken => "first_token",
            Self::PerToken => "per_token",
            Self::OutputRate => "output_rate",
            Self::CollectiveBandwidth => "collective_bandwidth",
            Self::MemoryGrowth => "memory_growth",
            Self::NetworkBandwidth => "network_bandwidth",
        }
    }

    fn more_is_better(self) -> bool {
        match self {
            Self::OutputRate | Self::CollectiveBandwidth | Self::NetworkBandwidth => true,
            Self::FirstToken | Self::PerToken | Self::MemoryGrowth => false,
        }
    }

    fn of(self, baseline: &Baseline) -> Option<Decimal> {
        match self {
            Self::FirstToken => baseline.first_token_p99_ms,
            Self::PerToken => baseline.per_token_p99_ms,
            Self::OutputRate => baseline.output_tokens_s,
            Self::CollectiveBandwidth => baseline.collective_gb_s,
            Self::MemoryGrowth => baseline.memory_growth_mib,
            Self::NetworkBandwidth => baseline.network_gbit_s,
        }
    }
}

/// Every figure that at least one of the two runs has.
pub fn drift(before: &Baseline, now: &Baseline, tolerance: Percent) -> Vec<Drift> {
    let pairs = BaselineFigure::ALL.map(|figure| (figure, figure.of(before), figure.of(now)));
    let known = pairs.into_iter().filter(|(_, before, now)| before.is_some() || now.is_some());
    known.map(|(figure, before, now)| compared(figure, before, now, tolerance)).collect()
}

fn compared(
    figure: BaselineFigure,
    before: Option<Decimal>,
    now: Option<Decimal>,
    tolerance: Percent,
) -> Drift {
    let change = before.zip(now).and_then(|(before, now)| change_percent(before, now));
    let outcome = match (before.zip(now), change) {
        (None, _) => Outcome::Inconclusive,
        (Some((before, now)), _) if before == now => Outcome::Pass,
        (Some((before, now)), None) => {
            // From nothing to something: only the direction can be told.
            if (now > before) == figure.more_is_better() { Outcome::Pass } else { Outcome::Fail }
        }
        (Some(_), Some(change)) => {
            let worse = if figure.more_is_better() { -change } else { change };
            if worse > tolerance.value() { Outcome::Fail } else { Outcome::Pass }
        }
    };
    Drift { figure, outcome, before, now, change_percent: change }
}

fn change_percent(before: Decimal, now: Decimal) -> Option<Decimal> {
    let share = (now - before).checked_div(before.abs())?;
    Some((share * Decimal::ONE_HUNDRED).round_dp(1).normalize())
}
