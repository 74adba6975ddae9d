//! Do all cards work at full power to the end, without errors?
//!
//! The tool calls a card sound that did no work at all, and counts its errors anew at every summary;
//! so work is asked for, not only the tool's verdict.

use rust_decimal::Decimal;

use super::{
    check::{Because, CheckName, Outcome},
    sheet::{Rests, Sheet},
};
use crate::{
    percent::Percent,
    poc::{
        promise::Promise,
        reading::{StressCard, StressReading},
    },
};

pub(super) fn check(promise: &Promise, reading: Option<&StressReading>, sheet: &mut Sheet<'_>) {
    finished(promise, reading, sheet);
    errors(reading, sheet);
    let Some(stress) = &promise.stress else { return };
    let cards = reading.map(|run| run.cards.as_slice()).unwrap_or_default();
    let rates: Option<Vec<Decimal>> = cards.iter().map(|card| card.gflops).collect();
    let mut rates = rates.filter(|rates| !rates.is_empty()).unwrap_or_default();
    rates.sort_unstable();
    let slowest = rates.first().copied();
    if let Some(least) = stress.gflops_min {
        let promised = format!("≥ {least} GFLOP/s");
        sheet.figure(CheckName::StressRate, slowest, promised, Rests::OnWholeRun, |rate| {
            *rate >= least
        });
    }
    if let Some(least) = stress.slowest_of_median_min {
        let share = slowest.and_then(|slowest| share_of_median(slowest, &rates));
        let promised = format!("≥ {least}");
        sheet.figure(CheckName::StressSpread, share, promised, Rests::OnWholeRun, |share| {
            *share >= least
        });
    }
}

fn finished(promise: &Promise, reading: Option<&StressReading>, sheet: &mut Sheet<'_>) {
    let promised = format!("{} cards", promise.cards);
    let Some(run) = reading else {
        sheet.open(CheckName::StressFinished, Because::NoEvidence, None, promised);
        return;
    };
    let measured = Some(format!("{} cards", run.cards.len()));
    if run.cards.iter().any(|card| card.died) {
        let died = run.cards.iter().filter(|card| card.died).count();
        let words = format!("{died} died");
        sheet.decided(CheckName::StressFinished, Outcome::Fail, measured, promised).detail(words);
    } else if !run.finished || !sheet.complete() {
        sheet.open(CheckName::StressFinished, Because::CutShort, measured, promised);
    } else if run.cards.iter().any(|card| card.gflops.is_none_or(|rate| rate <= Decimal::ZERO)) {
        sheet.open(CheckName::StressFinished, Because::NothingExecuted, measured, promised);
    } else {
        let all = u32::try_from(run.cards.len()) == Ok(promise.cards);
        let outcome = if all { Outcome::Pass } else { Outcome::Fail };
        sheet.decided(CheckName::StressFinished, outcome, measured, promised);
    }
}

fn errors(reading: Option<&StressReading>, sheet: &mut Sheet<'_>) {
    let count = |card: &StressCard| match card.faulty {
        Some(true) => Some(card.errors.unwrap_or(1).max(1)),
        Some(false) | None => card.errors,
    };
    let all = reading.filter(|run| !run.cards.is_empty());
    let known: Option<Vec<u64>> = all.and_then(|run| run.cards.iter().map(count).collect());
    // One card with errors is enough, whatever the others say.
    let some = all.map(|run| run.cards.iter().filter_map(count).sum::<u64>());
    let sum = known.map(|errors| errors.iter().sum()).or(some.filter(|errors| *errors > 0));
    sheet.figure(CheckName::StressErrors, sum, 0, Rests::OnWholeRun, |errors: &u64| *errors == 0);
}

fn share_of_median(slowest: Decimal, sorted: &[Decimal]) -> Option<Percent> {
    let median = sorted.get(sorted.len() / 2).filter(|median| **median > Decimal::ZERO)?;
    Percent::new((slowest / median * Decimal::ONE_HUNDRED).round_dp(1)).ok()
}
