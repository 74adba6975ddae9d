//! What fio measured in one direction: reading, writing, trimming.
//!
//! `bw_bytes` is in bytes a second, `bw` in KiB a second; latencies of fio 2 are in microseconds.
//! A block of zeros is a direction that was not tested.

use crate::json::tree::{at, count_at, number, number_at};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FioDirection {
    pub bandwidth_bytes_s: Option<f64>,
    pub iops: Option<f64>,
    /// Completion latency; where fio was told to rank the whole latency, that one.
    pub clat_p99_ns: Option<f64>,
    pub bytes: Option<u64>,
}

impl FioDirection {
    pub(super) fn parse(value: Option<&Value>, is_old: bool) -> Option<Self> {
        let value = value?;
        let moved = ["total_ios", "io_bytes", "bw_bytes", "bw"];
        if !moved.iter().any(|name| number_at(value, &[name]).is_some_and(|moved| moved > 0.0)) {
            return None;
        }
        let bytes = count_at(value, &["io_bytes"]);
        let kibibytes = |of: Option<f64>| of.map(|kibibytes| kibibytes * 1024.0);
        Some(Self {
            bandwidth_bytes_s: number_at(value, &["bw_bytes"])
                .or_else(|| kibibytes(number_at(value, &["bw"]))),
            iops: number_at(value, &["iops"]),
            clat_p99_ns: p99(value),
            bytes: if is_old { bytes.and_then(|kib| kib.checked_mul(1024)) } else { bytes },
        })
    }
}

fn p99(value: &Value) -> Option<f64> {
    let of = |name: &str| {
        let percentiles = at(value, &[name, "percentile"])?.as_object()?;
        let is_p99 = |name: &str| name.parse::<f64>().is_ok_and(|percent| percent == 99.0);
        let (_, figure) = percentiles.iter().find(|(name, _)| is_p99(name))?;
        number(figure).filter(|figure| *figure > 0.0)
    };
    let old = |name: &str| of(name).map(|microseconds| microseconds * 1e3);
    of("clat_ns").or_else(|| of("lat_ns")).or_else(|| old("clat")).or_else(|| old("lat"))
}

pub(super) fn total<'a>(parts: impl Iterator<Item = &'a FioDirection>) -> Option<FioDirection> {
    let plus = |one: Option<f64>, other: Option<f64>| Some(one? + other?);
    parts.cloned().reduce(|sum, part| FioDirection {
        bandwidth_bytes_s: plus(sum.bandwidth_bytes_s, part.bandwidth_bytes_s),
        iops: plus(sum.iops, part.iops),
        clat_p99_ns: match (sum.clat_p99_ns, part.clat_p99_ns) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        },
        bytes: sum.bytes.zip(part.bytes).and_then(|(one, other)| one.checked_add(other)),
    })
}
