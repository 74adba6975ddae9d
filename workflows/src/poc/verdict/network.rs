//! Does one node send another what was promised?
//!
//! A nominal 400 Gbit/s is never measured in full, and no public document says how much of it must
//! be: the promise states a measured figure.

use super::{
    check::{Because, CheckName, Outcome},
    sheet::{Rests, Sheet},
};
use crate::poc::{promise::Promise, reading::NetworkReading};

pub(super) fn check(promise: &Promise, reading: Option<&NetworkReading>, sheet: &mut Sheet<'_>) {
    if let Some(words) = reading.and_then(|run| run.error.as_ref()) {
        let measured = Some("no connection".to_owned());
        sheet
            .decided(CheckName::NetworkReached, Outcome::Fail, measured, "connection")
            .detail(words.as_str());
        return;
    }
    let Some(network) = &promise.network else { return };
    let long_enough = match (network.seconds_min, reading.and_then(|run| run.seconds)) {
        (None, _) => true,
        (Some(least), seconds) => seconds.is_some_and(|seconds| seconds >= least),
    };
    let rests = if long_enough { Rests::OnWholeRun } else { Rests::Not(Because::ConditionsDiffer) };
    if let Some(least) = network.gbit_s_min {
        sheet.figure(
            CheckName::NetworkBandwidth,
            reading.and_then(|run| run.gbit_s),
            format!("≥ {least} Gbit/s"),
            rests,
            |rate| *rate >= least,
        );
    }
    if let Some(most) = network.latency_us_max {
        sheet.figure(
            CheckName::NetworkLatency,
            reading.and_then(|run| run.latency_us),
            format!("≤ {most} µs"),
            rests,
            |latency| *latency <= most,
        );
    }
}
