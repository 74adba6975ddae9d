//! Does the volume read and write as promised, under the promised conditions?
//!
//! A run of another block size, depth or number of jobs measures something else, and one through
//! the page cache measures the memory of the machine.

use super::{
    check::{Because, CheckName},
    sheet::{Rests, Sheet},
};
use crate::{
    poc::{
        promise::{Promise, StoragePromise},
        reading::{StorageJob, StorageReading},
    },
    text::Name,
};

pub(super) fn check(promise: &Promise, reading: Option<&StorageReading>, sheet: &mut Sheet<'_>) {
    if let Some(run) = reading {
        let failed = run.jobs.iter().filter(|job| job.error != 0);
        let names: Vec<_> =
            failed.map(|job| format!("{}: error {}", job.name, job.error)).collect();
        let count = (!run.jobs.is_empty()).then_some(names.len());
        sheet
            .figure(CheckName::StorageErrors, count, 0, Rests::OnWholeRun, |failed| *failed == 0)
            .detail(names.join("; "));
    }
    for wanted in &promise.storage {
        one(wanted, reading, sheet);
    }
}

fn one(wanted: &StoragePromise, reading: Option<&StorageReading>, sheet: &mut Sheet<'_>) {
    let jobs = reading.map(|run| run.jobs.as_slice()).unwrap_or_default();
    let job = jobs.iter().find(|job| is_the_promised(job, wanted));
    let why_not = if job.is_none() && !jobs.is_empty() {
        Some(Because::ConditionsDiffer)
    } else {
        job.and_then(|job| doubt(job, wanted))
    };
    let rests = why_not.map_or(Rests::OnWholeRun, Rests::Not);
    let conditions = format!(
        "{} {} B, depth {}, {} jobs",
        wanted.operation.id(),
        wanted.block_bytes,
        wanted.queue_depth,
        wanted.jobs
    );
    let seen = job.map(|job| job.name.clone());
    let mut figure =
        |name, promised: Option<_>, unit: &str, measured: Option<_>, at_least: bool| {
            let Some(promised) = promised else { return };
            let sign = if at_least { "≥" } else { "≤" };
            let text = format!("{sign} {promised} {unit}");
            let check = match (measured, why_not) {
                (None, Some(because)) => sheet.open(name, because, None, text),
                (measured, _) => sheet.figure(name, measured, text, rests, |figure| {
                    if at_least { *figure >= promised } else { *figure <= promised }
                }),
            };
            check.of(&conditions).detail(seen.as_ref().map(Name::as_str).unwrap_or_default());
        };
    let bandwidth = job.and_then(|job| job.mib_s);
    figure(CheckName::StorageBandwidth, wanted.mib_s_min, "MiB/s", bandwidth, true);
    let operations = job.and_then(|job| job.operations_s);
    figure(CheckName::StorageOperations, wanted.operations_s_min, "1/s", operations, true);
    let latency = job.and_then(|job| job.latency_p99_ms);
    figure(CheckName::StorageLatency, wanted.latency_p99_ms_max, "ms", latency, false);
}

fn is_the_promised(job: &StorageJob, wanted: &StoragePromise) -> bool {
    job.operation == Some(wanted.operation)
        && job.block_bytes == Some(wanted.block_bytes)
        && job.queue_depth == Some(wanted.queue_depth)
        && job.jobs == Some(wanted.jobs)
}

fn doubt(job: &StorageJob, wanted: &StoragePromise) -> Option<Because> {
    let short =
        wanted.seconds_min.is_some_and(|least| job.seconds.is_none_or(|seconds| seconds < least));
    (job.direct != Some(true) || short).then_some(Because::ConditionsDiffer)
}
