//! Acceptance: the promise against what was measured, check by check.
//!
//! Every check passes, fails or is inconclusive. Missing, cut short or unreadable is inconclusive:
//! never a pass and never a zero. One failed check fails the whole; an inconclusive one keeps it
//! from passing.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::reading::{CardsReading, CollectiveReading, Reading, ReadingKind, ServingReading};
use crate::{percent::Percent, text::Name};

/// Named in every verdict, so that an old one can be told from a newer way of judging.
pub const RULE_VERSION: u16 = 1;

/// What the supplier promised, at the conditions of the test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// Must occur in the name that the tool prints, such as `H100`.
    pub card: Name,
    pub cards: u32,
    pub memory_mib_min: Decimal,
    pub collective_gb_s_min: Decimal,
    pub first_token_p99_ms_max: Decimal,
    pub success_min: Percent,
    pub memory_growth_mib_max: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    Identity,
    CardCount,
    Memory,
    DroppedOut,
    Throttling,
    MemoryGrowth,
    CollectiveRanks,
    CollectiveBandwidth,
    CollectiveCorrect,
    SuccessRate,
    FirstToken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    Inconclusive,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub name: CheckName,
    pub outcome: Outcome,
    /// `None` when there was no reading.
    pub measured: Option<String>,
    pub promised: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub overall: Outcome,
    pub rule_version: u16,
    pub checks: Vec<Check>,
}

/// Thermal and hardware slowdowns: 0x8 hardware, 0x20 software thermal, 0x40 hardware thermal, 0x80
/// power brake. 0x4, the power cap, is normal at full power (NVML clock event reasons).
const SLOWDOWN_MASK: u64 = 0x8 | 0x20 | 0x40 | 0x80;

impl CheckName {
    pub const ALL: [Self; 11] = [
        Self::Identity,
        Self::CardCount,
        Self::Memory,
        Self::DroppedOut,
        Self::Throttling,
        Self::MemoryGrowth,
        Self::CollectiveRanks,
        Self::CollectiveBandwidth,
        Self::CollectiveCorrect,
        Self::SuccessRate,
        Self::FirstToken,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::CardCount => "card_count",
            Self::Memory => "memory",
            Self::DroppedOut => "dropped_out",
            Self::Throttling => "throttling",
            Self::MemoryGrowth => "memory_growth",
            Self::CollectiveRanks => "collective_ranks",
            Self::CollectiveBandwidth => "collective_bandwidth",
            Self::CollectiveCorrect => "collective_correct",
            Self::SuccessRate => "success_rate",
            Self::FirstToken => "first_token",
        }
    }
}

/// The newest reading of each kind, with whether its file was complete.
#[derive(Clone, Copy, Debug, Default)]
pub struct Readings<'a> {
    cards: Option<(&'a CardsReading, bool)>,
    collective: Option<(&'a CollectiveReading, bool)>,
    serving: Option<(&'a ServingReading, bool)>,
}

impl<'a> Readings<'a> {
    pub fn add(&mut self, reading: &'a Reading, complete: bool) {
        match reading {
            Reading::Cards(cards) => self.cards = Some((cards, complete)),
            Reading::Collective(collective) => self.collective = Some((collective, complete)),
            Reading::Serving(serving) => self.serving = Some((serving, complete)),
        }
    }
}

/// Checks everything that was measured, and everything that has to be.
pub fn judge(
    promise: &Promise,
    readings: &Readings<'_>,
    required: &BTreeSet<ReadingKind>,
) -> Verdict {
    let mut checks = Vec::new();
    if readings.cards.is_some() || required.contains(&ReadingKind::Cards) {
        check_cards(promise, readings.cards, &mut checks);
    }
    if readings.collective.is_some() || required.contains(&ReadingKind::Collective) {
        check_collective(promise, readings.collective, &mut checks);
    }
    if readings.serving.is_some() || required.contains(&ReadingKind::Serving) {
        check_serving(promise, readings.serving, &mut checks);
    }
    let any = |outcome| checks.iter().any(|check: &Check| check.outcome == outcome);
    let overall = if any(Outcome::Fail) {
        Outcome::Fail
    } else if any(Outcome::Inconclusive) {
        Outcome::Inconclusive
    } else {
        Outcome::Pass
    };
    Verdict { overall, rule_version: RULE_VERSION, checks }
}

/// A check on a figure: without a figure, or with a good one from a file cut short, nobody knows. A
/// bad figure is bad even in a file cut short.
fn check<T: ToString>(
    name: CheckName,
    measured: Option<T>,
    promised: impl ToString,
    complete: bool,
    good: impl Fn(&T) -> bool,
) -> Check {
    let outcome = match measured.as_ref().map(good) {
        Some(true) if complete => Outcome::Pass,
        Some(true) | None => Outcome::Inconclusive,
        Some(false) => Outcome::Fail,
    };
    Check {
        name,
        outcome,
        measured: measured.map(|value| value.to_string()),
        promised: promised.to_string(),
    }
}

fn check_cards(promise: &Promise, reading: Option<(&CardsReading, bool)>, checks: &mut Vec<Check>) {
    let complete = reading.is_some_and(|(_, complete)| complete);
    let reading = reading.map(|(reading, _)| reading);
    let names = reading
        .filter(|cards| !cards.names.is_empty())
        .map(|cards| cards.names.iter().map(Name::as_str).collect::<Vec<_>>().join(", "));
    let all_match = reading.is_some_and(|cards| {
        cards.names.iter().all(|name| is_card(name.as_str(), promise.card.as_str()))
    });
    checks.extend([
        check(CheckName::Identity, names, &promise.card, true, |_| all_match),
        check(
            CheckName::CardCount,
            reading.map(|cards| cards.cards),
            promise.cards,
            true,
            |cards| *cards == promise.cards,
        ),
        check(
            CheckName::Memory,
            reading.and_then(|cards| cards.memory_mib),
            format!("≥ {} MiB", promise.memory_mib_min),
            true,
            |mib| *mib >= promise.memory_mib_min,
        ),
        check(CheckName::DroppedOut, reading.map(|cards| cards.lost), 0, complete, |lost| {
            *lost == 0
        }),
        check(
            CheckName::Throttling,
            reading.and_then(|cards| cards.throttle_mask).map(Mask),
            "no slowdown",
            complete,
            |mask| mask.0 & SLOWDOWN_MASK == 0,
        ),
        check(
            CheckName::MemoryGrowth,
            reading.and_then(|cards| cards.memory_growth_mib),
            format!("≤ {} MiB", promise.memory_growth_mib_max),
            complete,
            |growth| *growth <= promise.memory_growth_mib_max,
        ),
    ]);
}

/// A bit mask as the driver's tools print it.
struct Mask(u64);

impl std::fmt::Display for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// Whole words, so that `A10` is not found in `A100`.
fn is_card(printed: &str, promised: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect()
    };
    let (printed, promised) = (words(printed), words(promised));
    !promised.is_empty() && promised.iter().all(|word| printed.contains(word))
}

fn check_collective(
    promise: &Promise,
    reading: Option<(&CollectiveReading, bool)>,
    checks: &mut Vec<Check>,
) {
    let complete = reading.is_some_and(|(_, complete)| complete);
    let reading = reading.map(|(reading, _)| reading);
    checks.extend([
        check(
            CheckName::CollectiveRanks,
            reading.and_then(|run| run.ranks),
            promise.cards,
            complete,
            |ranks| *ranks == promise.cards,
        ),
        check(
            CheckName::CollectiveBandwidth,
            reading.and_then(|run| run.peak_gb_s),
            format!("≥ {} GB/s", promise.collective_gb_s_min),
            complete,
            |peak| *peak >= promise.collective_gb_s_min,
        ),
        check(
            CheckName::CollectiveCorrect,
            reading.and_then(|run| run.out_of_bounds),
            0,
            complete,
            |wrong| *wrong == 0,
        ),
    ]);
}

fn check_serving(
    promise: &Promise,
    reading: Option<(&ServingReading, bool)>,
    checks: &mut Vec<Check>,
) {
    let complete = reading.is_some_and(|(_, complete)| complete);
    let reading = reading.map(|(reading, _)| reading);
    checks.extend([
        check(
            CheckName::SuccessRate,
            reading.and_then(success_rate),
            format!("≥ {}", promise.success_min),
            complete,
            |rate| *rate >= promise.success_min,
        ),
        check(
            CheckName::FirstToken,
            reading.and_then(|run| run.first_token_p99_ms),
            format!("≤ {} ms", promise.first_token_p99_ms_max),
            complete,
            |p99| *p99 <= promise.first_token_p99_ms_max,
        ),
    ]);
}

/// `None` when the tool does not say how many requests were issued, or says fewer than completed.
fn success_rate(run: &ServingReading) -> Option<Percent> {
    let issued = run.issued.filter(|issued| *issued > 0)?;
    let rate = Decimal::from(run.completed) / Decimal::from(issued) * Decimal::ONE_HUNDRED;
    Percent::new(rate.round_dp(3)).ok()
}

/// The kinds a candidate still owes, of those the policy asks for.
pub fn missing_kinds<'a>(
    required: impl IntoIterator<Item = &'a ReadingKind>,
    present: impl Fn(ReadingKind) -> bool,
) -> Vec<ReadingKind> {
    required.into_iter().copied().filter(|kind| !present(*kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_recognised_by_whole_words() {
        assert!(is_card("NVIDIA H100 80GB HBM3", "H100"));
        assert!(is_card("NVIDIA A100-SXM4-40GB", "A100"));
        assert!(!is_card("NVIDIA A100-SXM4-40GB", "A10"));
        assert!(!is_card("NVIDIA H100", ""));
    }
}
