//! The JSON that nccl-tests writes with `-J`.
//!
//! Its end marker is the average at the end; a run that was aborted leaves the list of results open.
//! A figure that is no number is written as the text `nan`.

use super::{Half, NcclTests, RanksFrom, Row, ranks};
use crate::Warning;
use crate::document::Warnings;
use crate::json::{self, tree};
use serde_json::Value;
use std::collections::BTreeSet;

const ROWS_MAX: usize = 100_000;

pub(super) fn find(content: &str, warnings: &mut Warnings) -> Option<(NcclTests, Option<String>)> {
    if !content.contains("\"nccl_version\"") {
        return None;
    }
    let mut found: Vec<(bool, u64, NcclTests)> = json::objects(content)
        .iter()
        .filter_map(|object| {
            let document = tree::tree(&object.json, &["env", "config"])?;
            document.get("nccl_version")?;
            Some((object.cut, object.line, facts(&document)))
        })
        .collect();
    let best = (0..found.len()).max_by_key(|at| (!found[*at].0, found[*at].2.rows.len(), *at))?;
    if found.len() > 1 {
        let said = format!("the file has {} runs; this one is given", found.len());
        warnings.push(Warning::at("several_runs", found[best].1, said));
    }
    let (cut, _, mut facts) = found.swap_remove(best);
    let because = if cut {
        Some("the JSON object is cut".to_owned())
    } else {
        facts.avg_busbw_gb_s.is_none().then(|| "the run gives no average".to_owned())
    };
    facts.forget_bandwidth_of_one_rank(warnings);
    facts.find_peak();
    Some((facts, because))
}

fn facts(document: &Value) -> NcclTests {
    let list = |name: &str| document.get(name).and_then(Value::as_array).into_iter().flatten();
    let collective = list("args").find_map(|word| {
        let name = word.as_str()?.rsplit('/').next()?;
        name.strip_suffix("_perf").map(str::to_owned)
    });
    let rows: Vec<Row> = list("results").filter_map(row).take(ROWS_MAX).collect();
    let redop = list("results").next().and_then(|row| tree::text_at(row, &["redop"]));
    let listed: BTreeSet<u64> =
        list("devices").filter_map(|device| tree::count_at(device, &["rank"])).collect();
    let listed = u32::try_from(listed.len()).ok().filter(|listed| *listed > 0);
    let inferred = ranks::from_ratio(&rows, collective.as_deref(), redop.as_deref());
    let mut hosts = Vec::new();
    for device in list("devices") {
        let host = ["host", "hostname"].iter().find_map(|name| tree::text_at(device, &[name]));
        if let Some(host) = host.filter(|host| !hosts.contains(host)) {
            hosts.push(host);
        }
    }
    NcclTests {
        collective,
        version: tree::text_at(document, &["version"]),
        ranks: listed.or(inferred),
        ranks_from: listed
            .map(|_| RanksFrom::Devices)
            .or_else(|| inferred.map(|_| RanksFrom::Ratio)),
        hosts,
        rows,
        avg_busbw_gb_s: tree::number_at(document, &["average_bus_bandwidth", "bandwidth"]),
        peak_busbw_gb_s: None,
        peak_size_bytes: None,
        out_of_bounds: tree::count_at(document, &["out_of_bounds", "count"]),
    }
}

fn row(value: &Value) -> Option<Row> {
    Some(Row {
        size_bytes: tree::count_at(value, &["size"])?,
        out_of_place: half(value.get("out_of_place")?),
        in_place: value.get("in_place").filter(|half| half.is_object()).map(half),
    })
}

fn half(value: &Value) -> Half {
    Half {
        time_us: tree::number_at(value, &["time"]),
        algbw_gb_s: tree::number_at(value, &["alg_bw"]),
        busbw_gb_s: tree::number_at(value, &["bus_bw"]),
        wrong: tree::count_at(value, &["nwrong"]),
    }
}
