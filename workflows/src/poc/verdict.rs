//! Acceptance: the promise against what was measured, check by check.
//!
//! Every check passes, fails or is inconclusive. Missing, cut short or unreadable is inconclusive:
//! never a pass and never a zero. One failed check fails the whole; an inconclusive one keeps it
//! from passing.
//!
//! Thresholds come from the promise. The few that ship with the product are those of public
//! documents, and each names its source in the catalogue under `rule.<check>`.

mod cards;
mod check;
mod collective;
mod diagnostics;
mod identity;
mod kernel_log;
mod memory_growth;
mod network;
mod reference;
mod serving;
mod sheet;
mod storage;
mod stress;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::check::{Because, Check, CheckName, Outcome};
use self::sheet::Sheet;
pub use super::promise::Promise;
use super::reading::{Reading, ReadingKind};
use crate::text::Name;

/// Named in every verdict, so that an old one can be told from a newer way of judging.
pub const RULE_VERSION: u16 = 2;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub overall: Outcome,
    pub rule_version: u16,
    pub checks: Vec<Check>,
}

/// A reading, and how far it can be relied on.
#[derive(Clone, Copy, Debug)]
struct Given<'a> {
    reading: &'a Reading,
    complete: bool,
    file: Option<&'a Name>,
}

/// Everything that was measured.
#[derive(Clone, Debug, Default)]
pub struct Readings<'a>(Vec<Given<'a>>);

impl<'a> Readings<'a> {
    pub fn add(&mut self, reading: &'a Reading, complete: bool) {
        self.give(Given { reading, complete, file: None });
    }

    /// As [`Self::add`], with the file to be named beside the figure.
    pub fn add_from(&mut self, file: &'a Name, reading: &'a Reading, complete: bool) {
        self.give(Given { reading, complete, file: Some(file) });
    }

    fn give(&mut self, given: Given<'a>) {
        self.0.push(given);
    }
}

/// Checks everything that was measured, and everything that has to be.
pub fn judge(
    promise: &Promise,
    readings: &Readings<'_>,
    required: &BTreeSet<ReadingKind>,
) -> Verdict {
    let mut checks: Vec<Check> = Vec::new();
    for kind in ReadingKind::ALL {
        let of_kind: Vec<_> =
            readings.0.iter().filter(|given| given.reading.kind() == kind).collect();
        for given in &of_kind {
            let mut sheet = Sheet::of(given.file, given.complete);
            judge_one(promise, given.reading, &mut sheet);
            sheet.into_checks().into_iter().for_each(|check| merge(&mut checks, check));
        }
        if of_kind.is_empty() && required.contains(&kind) {
            let mut sheet = Sheet::without_evidence();
            judge_none(promise, kind, &mut sheet);
            sheet.into_checks().into_iter().for_each(|check| merge(&mut checks, check));
        }
    }
    checks.sort_by_key(|check| check.name);
    let any = |outcome| checks.iter().any(|check: &Check| check.outcome == outcome);
    let overall = if any(Outcome::Fail) {
        Outcome::Fail
    } else if any(Outcome::Inconclusive) || checks.is_empty() {
        Outcome::Inconclusive
    } else {
        Outcome::Pass
    };
    Verdict { overall, rule_version: RULE_VERSION, checks }
}

fn judge_one(promise: &Promise, reading: &Reading, sheet: &mut Sheet<'_>) {
    match reading {
        Reading::Cards(reading) => cards::check(promise, Some(reading), sheet),
        Reading::Collective(reading) => collective::check(promise, Some(reading), sheet),
        Reading::Serving(reading) => serving::check(promise, Some(reading), sheet),
        Reading::Network(reading) => network::check(promise, Some(reading), sheet),
        Reading::Storage(reading) => storage::check(promise, Some(reading), sheet),
        Reading::Stress(reading) => stress::check(promise, Some(reading), sheet),
        Reading::Diagnostics(reading) => diagnostics::check(Some(reading), sheet),
        Reading::KernelLog(reading) => kernel_log::check(Some(reading), sheet),
        Reading::Telemetry(reading) => cards::check_telemetry(promise, Some(reading), sheet),
        Reading::Reference(reading) => reference::check(promise, Some(reading), sheet),
    }
}

fn judge_none(promise: &Promise, kind: ReadingKind, sheet: &mut Sheet<'_>) {
    match kind {
        ReadingKind::Cards => cards::check(promise, None, sheet),
        ReadingKind::Collective => collective::check(promise, None, sheet),
        ReadingKind::Serving => serving::check(promise, None, sheet),
        ReadingKind::Network => network::check(promise, None, sheet),
        ReadingKind::Storage => storage::check(promise, None, sheet),
        ReadingKind::Stress => stress::check(promise, None, sheet),
        ReadingKind::Diagnostics => diagnostics::check(None, sheet),
        ReadingKind::KernelLog => kernel_log::check(None, sheet),
        ReadingKind::Telemetry => cards::check_telemetry(promise, None, sheet),
        ReadingKind::Reference => reference::check(promise, None, sheet),
    }
}

/// Several files may speak about the same thing. What one of them refutes is refuted, and what one
/// of them was cut short in is open, whatever the others say; otherwise one good file suffices.
fn merge(checks: &mut Vec<Check>, new: Check) {
    let weight = |check: &Check| match (check.outcome, check.because) {
        (Outcome::Fail, _) => 3,
        (Outcome::Inconclusive, Some(Because::CutShort)) => 2,
        (Outcome::Pass, _) => 1,
        (Outcome::Inconclusive, _) => 0,
    };
    let same = checks.iter_mut().find(|known| known.name == new.name && known.of == new.of);
    match same {
        Some(known) if weight(&new) > weight(known) => *known = new,
        Some(_) => {}
        None => checks.push(new),
    }
}

/// The kinds a candidate still owes, of those that are asked for.
pub fn missing_kinds<'a>(
    required: impl IntoIterator<Item = &'a ReadingKind>,
    present: impl Fn(ReadingKind) -> bool,
) -> Vec<ReadingKind> {
    required.into_iter().copied().filter(|kind| !present(*kind)).collect()
}
