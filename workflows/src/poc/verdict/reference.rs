//! A published benchmark, which judges its own validity.

use super::{
    check::{Because, CheckName, Outcome},
    sheet::{Rests, Sheet},
};
use crate::poc::{promise::Promise, reading::ReferenceReading};

pub(super) fn check(promise: &Promise, reading: Option<&ReferenceReading>, sheet: &mut Sheet<'_>) {
    let Some(wanted) = &promise.reference else { return };
    let scenario = reading.and_then(|run| run.scenario.as_ref());
    let same =
        scenario.is_some_and(|seen| seen.as_str().eq_ignore_ascii_case(wanted.scenario.as_str()));
    let speed = reading.and_then(|run| run.performance);
    let name = CheckName::ReferenceValid;
    let sound = reading.and_then(|run| Some(run.valid? && run.errors? == 0));
    let words = |sound: bool| Some(if sound { "valid" } else { "invalid" }.to_owned());
    match (sound, speed) {
        (_, Some(false)) => {
            sheet
                .open(name, Because::ConditionsDiffer, words(true), "valid")
                .detail("accuracy run");
        }
        (Some(true), Some(true)) if same => {
            sheet.figure(name, words(true), "valid", Rests::OnWholeRun, |_| true);
        }
        (Some(true), Some(true)) => {
            sheet.open(name, Because::ConditionsDiffer, words(true), "valid");
        }
        (Some(false), Some(true)) => {
            sheet.decided(name, Outcome::Fail, words(false), "valid");
        }
        (None, _) | (_, None) => {
            sheet.open(name, Because::NoReading, None, "valid");
        }
    }
    let less_is_better = reading.is_some_and(|run| run.is_latency);
    let sign = if less_is_better { "≤" } else { "≥" };
    let rests = match same && speed == Some(true) {
        true => Rests::OnWholeRun,
        false => Rests::Not(Because::ConditionsDiffer),
    };
    let figure = reading.filter(|_| same).and_then(|run| run.figure);
    let promised = format!("{sign} {} ({})", wanted.figure, wanted.scenario);
    sheet.figure(CheckName::ReferenceFigure, figure, promised, rests, |figure| {
        if less_is_better { *figure <= wanted.figure } else { *figure >= wanted.figure }
    });
}
