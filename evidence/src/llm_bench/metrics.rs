//! The JSON of genai-perf and aiperf: an object for each metric, with its unit beside its figures.
//!
//! Units are read, never assumed: early versions write nanoseconds, later ones milliseconds.
//! The time between tokens stays that; the tools have no time per output token of their own.

use super::{Found, Latency, LlmBench, why_incomplete};
use crate::Warning;
use crate::document::Warnings;
use crate::json::tree::{at, number_at, text_at, tree, whole};
use crate::json::{self};
use serde_json::Value;

pub(super) fn find(content: &str, warnings: &mut Warnings) -> Vec<Found> {
    if !content.contains("\"request_throughput\"") && !content.contains("\"request_latency\"") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for object in json::objects(content) {
        let Some(document) = tree(&object.json, &["records", "experiments"]) else { continue };
        let is_metric = |name: &str| at(&document, &[name, "avg"]).is_some();
        if !is_metric("request_throughput") && !is_metric("request_latency") {
            continue;
        }
        let facts = facts(&document, warnings);
        let was_cancelled = document.get("was_cancelled").and_then(Value::as_bool) == Some(true);
        let incomplete_because = if was_cancelled {
            Some("the run was cancelled".to_owned())
        } else {
            why_incomplete(object.cut, &facts)
        };
        found.push(Found { line: object.line, incomplete_because, facts });
    }
    found
}

fn facts(document: &Value, warnings: &mut Warnings) -> LlmBench {
    let average = |name: &str| number_at(document, &[name, "avg"]);
    let count = |name: &str| average(name).and_then(whole);
    let has = |name: &str| document.get(name).is_some();
    let tool = if has("was_cancelled") || has("error_summary") || has("aiperf_version") {
        "aiperf"
    } else if has("input_config") {
        "genai-perf"
    } else {
        "aiperf or genai-perf"
    };
    let (completed, failed) = (count("request_count"), count("error_request_count"));
    let config =
        |path: &[&str]| at(document, &["input_config"]).and_then(|config| at(config, path));
    let asked =
        [&["loadgen", "request_count"][..], &["request_count"]].into_iter().find_map(config);
    let issued = match (completed, failed) {
        (Some(completed), Some(failed)) => completed.checked_add(failed),
        _ => asked.and_then(crate::json::tree::number).and_then(whole),
    };
    let mut latency = |name: &str| latency(document, name, warnings);
    let (ttft_ms, itl_ms, e2e_ms) = (
        latency("time_to_first_token"),
        latency("inter_token_latency"),
        latency("request_latency"),
    );
    let model = [&["endpoint", "model_names"][..], &["model_names"], &["model"]]
        .into_iter()
        .find_map(config)
        .and_then(|names| names.get(0).unwrap_or(names).as_str())
        .map(str::to_owned);
    let of_load = |name: &str| config(&["loadgen", name]).and_then(crate::json::tree::number);
    LlmBench {
        tool: tool.to_owned(),
        model,
        issued,
        completed,
        failed,
        duration_s: average("benchmark_duration").and_then(|duration| {
            Some(
                duration * milliseconds_per(&text_at(document, &["benchmark_duration", "unit"])?)?
                    / 1e3,
            )
        }),
        requests_s: average("request_throughput"),
        output_tokens_s: average("output_token_throughput"),
        total_tokens_s: average("total_token_throughput"),
        input_tokens: count("total_isl").or_else(|| count("total_input_tokens")),
        output_tokens: count("total_osl").or_else(|| count("total_output_tokens")),
        request_rate: of_load("request_rate"),
        max_concurrency: of_load("concurrency").and_then(whole),
        ttft_ms,
        tpot_ms: Latency::default(),
        itl_ms,
        e2e_ms,
    }
}

fn latency(document: &Value, name: &str, warnings: &mut Warnings) -> Latency {
    let Some(metric) = document.get(name) else { return Latency::default() };
    let unit = text_at(metric, &["unit"]).unwrap_or_default();
    let Some(factor) = milliseconds_per(&unit) else {
        let said = format!("{name} is in a unit that is not known and is left out");
        warnings.push(Warning::new("unit_unknown", said));
        return Latency::default();
    };
    let of = |statistic: &str| number_at(metric, &[statistic]).map(|figure| figure * factor);
    Latency { mean: of("avg"), median: of("p50"), p90: of("p90"), p95: of("p95"), p99: of("p99") }
}

fn milliseconds_per(unit: &str) -> Option<f64> {
    match unit {
        "ns" | "nanoseconds" => Some(1e-6),
        "us" | "µs" | "microseconds" => Some(1e-3),
        "ms" | "milliseconds" => Some(1.0),
        "s" | "sec" | "seconds" => Some(1e3),
        _ => None,
    }
}
