//! What fio measured, with the conditions under which it did.
//!
//! The rule: parallel jobs of one name are one measurement, their rates added and their worst
//! latency kept, since percentiles cannot be averaged. A condition that the file does not name is
//! unknown, except where the tool has a default that it leaves out.

use rust_decimal::Decimal;
use sixgate_evidence::{Fio, FioDirection, FioJob};
use sixgate_workflows::{
    invalid::Invalid,
    poc::reading::{StorageJob, StorageOperation, StorageReading},
};

use super::{figure, machine::Options, shortened};

const MIB: f64 = 1024.0 * 1024.0;
const NS_PER_MS: f64 = 1_000_000.0;

pub(super) fn reading(facts: &Fio) -> Result<StorageReading, Invalid> {
    let mut jobs = Vec::new();
    let mut names: Vec<Option<&str>> = facts.jobs.iter().map(|job| job.name.as_deref()).collect();
    names.dedup();
    for name in names {
        let same: Vec<_> = facts.jobs.iter().filter(|job| job.name.as_deref() == name).collect();
        for is_read in [true, false] {
            let of = |job: &&FioJob| if is_read { job.read.clone() } else { job.write.clone() };
            let parts: Vec<FioDirection> = same.iter().filter_map(of).collect();
            if !parts.is_empty() {
                jobs.push(together(name, &same, &parts, is_read)?);
            }
        }
    }
    Ok(StorageReading { jobs })
}

fn together(
    name: Option<&str>,
    jobs: &[&FioJob],
    parts: &[FioDirection],
    is_read: bool,
) -> Result<StorageJob, Invalid> {
    let options = &jobs[0].options;
    let sum = |values: Vec<Option<f64>>| values.into_iter().sum::<Option<f64>>();
    let worst = parts.iter().filter_map(|part| part.clat_p99_ns).max_by(f64::total_cmp);
    let bytes_s = sum(parts.iter().map(|part| part.bandwidth_bytes_s).collect());
    let error = jobs.iter().filter_map(|job| job.error).find(|error| *error != 0);
    let seconds = jobs.iter().filter_map(|job| job.runtime_ms).min();
    Ok(StorageJob {
        name: shortened(name.unwrap_or("fio"))?,
        operation: operation(options, is_read),
        block_bytes: options.get("bs").and_then(|text| bytes(text)),
        queue_depth: number(options, "iodepth"),
        jobs: number(options, "numjobs"),
        direct: jobs
            .iter()
            .map(|job| job.direct)
            .reduce(|a, b| a.filter(|a| b == Some(*a)))
            .flatten(),
        seconds: seconds.map(|ms| Decimal::from(ms) / Decimal::ONE_THOUSAND),
        error: error.map_or(0, |error| u32::try_from(error.unsigned_abs()).unwrap_or(u32::MAX)),
        mib_s: figure("bandwidth", bytes_s.map(|rate| rate / MIB))?,
        operations_s: figure("iops", sum(parts.iter().map(|part| part.iops).collect()))?,
        latency_p99_ms: figure("clat_p99_ns", worst.map(|ns| ns / NS_PER_MS))?,
    })
}

fn operation(options: &Options, is_read: bool) -> Option<StorageOperation> {
    let random = match options.get("rw").or_else(|| options.get("readwrite"))?.as_str() {
        "read" | "write" | "rw" | "readwrite" => false,
        "randread" | "randwrite" | "randrw" => true,
        _ => return None,
    };
    Some(match (random, is_read) {
        (false, true) => StorageOperation::Read,
        (false, false) => StorageOperation::Write,
        (true, true) => StorageOperation::RandomRead,
        (true, false) => StorageOperation::RandomWrite,
    })
}

/// One job at a depth of one is what fio does when nothing else is asked of it.
fn number(options: &Options, name: &str) -> Option<u32> {
    match options.get(name) {
        Some(text) => text.parse().ok(),
        None => Some(1),
    }
}

/// `4k`, `1M` or plain bytes; fio counts in powers of two.
fn bytes(text: &str) -> Option<u64> {
    let text = text.split(',').next()?.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_sizes_are_powers_of_two() {
        assert_eq!(bytes("4k"), Some(4_096));
        assert_eq!(bytes("1M,1M"), Some(1 << 20));
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("4x"), None);
    }
}
