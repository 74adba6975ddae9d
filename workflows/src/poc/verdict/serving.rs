//! Are the company's own requests answered as promised?
//!
//! A latency is promised at a load. Kept at a heavier one it is kept, missed at a lighter one it is
//! missed; the other two say nothing.

use rust_decimal::Decimal;

use super::{
    check::{Because, CheckName},
    sheet::{Rests, Sheet},
};
use crate::{
    percent::Percent,
    poc::{
        promise::Promise,
        reading::{RequestRate, ServingReading},
    },
};

pub(super) fn check(promise: &Promise, reading: Option<&ServingReading>, sheet: &mut Sheet<'_>) {
    if let Some(least) = promise.success_min {
        sheet.figure(
            CheckName::SuccessRate,
            reading.and_then(success_rate),
            format!("≥ {least}"),
            Rests::OnWholeRun,
            |rate| *rate >= least,
        );
    }
    // Of a run in which nothing succeeded, a latency of zero is no latency.
    let answered = reading.filter(|run| run.completed > 0);
    let at_most = [
        (
            CheckName::FirstToken,
            promise.first_token_p99_ms_max,
            answered.and_then(|run| run.first_token_p99_ms),
        ),
        (
            CheckName::PerToken,
            promise.per_token_p99_ms_max,
            answered.and_then(|run| run.per_token_p99_ms),
        ),
    ];
    for (name, most, measured) in at_most {
        let Some(most) = most else { continue };
        let promised = format!("≤ {most} ms");
        at_load(promise, reading, sheet, name, measured, promised, |ms| *ms <= most);
    }
    if let Some(least) = promise.output_tokens_s_min {
        let measured = answered.and_then(|run| run.output_tokens_s);
        let promised = format!("≥ {least} tokens/s");
        at_load(promise, reading, sheet, CheckName::OutputRate, measured, promised, |rate| {
            *rate >= least
        });
    }
}

fn at_load(
    promise: &Promise,
    reading: Option<&ServingReading>,
    sheet: &mut Sheet<'_>,
    name: CheckName,
    measured: Option<Decimal>,
    promised: String,
    good: impl Fn(&Decimal) -> bool,
) {
    let Some(load) = &promise.serving_load else {
        sheet.figure(name, measured, promised, Rests::OnWholeRun, good);
        return;
    };
    let (mut rests, mut missed_counts) = (Rests::OnWholeRun, true);
    if let Some(wanted) = load.requests_s {
        match reading.and_then(|run| run.load) {
            Some(RequestRate::Unlimited) => missed_counts = false,
            Some(RequestRate::PerSecond(sent)) if sent > wanted => missed_counts = false,
            Some(RequestRate::PerSecond(sent)) if sent == wanted => {}
            Some(RequestRate::PerSecond(_)) => rests = Rests::Not(Because::ConditionsDiffer),
            None => (rests, missed_counts) = (Rests::Not(Because::ConditionsDiffer), false),
        }
    }
    let few =
        load.requests_min.is_some_and(|least| reading.is_some_and(|run| run.completed < least));
    if few {
        rests = Rests::Not(Because::TooFewSamples);
    }
    match measured {
        Some(figure) if !good(&figure) && !missed_counts => {
            sheet.open(name, Because::ConditionsDiffer, Some(figure.to_string()), promised);
        }
        Some(_) | None => {
            sheet.figure(name, measured, promised, rests, good);
        }
    }
}

/// `None` when the tool does not say how many requests were issued, or says fewer than completed.
fn success_rate(run: &ServingReading) -> Option<Percent> {
    let issued = run.issued.filter(|issued| *issued > 0)?;
    let rate = Decimal::from(run.completed) / Decimal::from(issued) * Decimal::ONE_HUNDRED;
    Percent::new(rate.round_dp(3)).ok()
}
