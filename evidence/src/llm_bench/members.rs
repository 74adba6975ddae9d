//! The flat JSON objects of `vllm bench serve` and of `SGLang`, which differ in a few names.
//!
//! Arrays of single requests are passed over.
//! `SGLang` says neither how many requests were issued nor how many failed.

use super::{Found, Latency, LlmBench, why_incomplete};
use crate::document::Warnings;
use crate::json::tree::whole;
use crate::json::{self, Scalar};
use std::collections::HashMap;

type Members = HashMap<String, Scalar>;

pub(super) fn find(content: &str, _warnings: &mut Warnings) -> Vec<Found> {
    if !content.contains("\"request_throughput\"") {
        return Vec::new();
    }
    json::objects(content)
        .iter()
        .filter_map(|object| {
            let members: Members = serde_json::from_str(&object.json).ok()?;
            let facts = facts(&members)?;
            let incomplete_because = why_incomplete(object.cut, &facts);
            Some(Found { line: object.line, incomplete_because, facts })
        })
        .collect()
}

fn facts(members: &Members) -> Option<LlmBench> {
    // The metrics of aiperf have the same name and are objects.
    members.get("request_throughput")?.number()?;
    let has = |name: &str| members.contains_key(name);
    let tool = if has("num_prompts") || has("model_id") {
        "vllm"
    } else if has("mean_e2e_latency_ms") || has("total_output_tokens_retokenized") {
        "sglang"
    } else {
        return None;
    };
    let number = |name: &str| members.get(name).and_then(Scalar::number);
    let count = |name: &str| number(name).and_then(whole);
    let latency = |metric: &str| {
        let of = |statistic: &str| number(&format!("{statistic}_{metric}_ms"));
        Latency {
            mean: of("mean"),
            median: of("median").or_else(|| of("p50")),
            p90: of("p90"),
            p95: of("p95"),
            p99: of("p99"),
        }
    };
    let text = |name: &str| members.get(name).and_then(Scalar::text).map(str::to_owned);
    Some(LlmBench {
        tool: tool.to_owned(),
        model: text("model_id").or_else(|| text("model")),
        issued: count("num_prompts"),
        completed: count("completed"),
        failed: count("failed"),
        duration_s: number("duration"),
        requests_s: number("request_throughput"),
        output_tokens_s: number("output_throughput"),
        total_tokens_s: number("total_token_throughput").or_else(|| number("total_throughput")),
        input_tokens: count("total_input_tokens"),
        output_tokens: count("total_output_tokens"),
        // Unlimited is written "inf" or Infinity, and replayed traffic "trace": neither is a number.
        request_rate: number("request_rate"),
        max_concurrency: count("max_concurrency"),
        ttft_ms: latency("ttft"),
        tpot_ms: latency("tpot"),
        itl_ms: latency("itl"),
        e2e_ms: if tool == "vllm" { latency("e2el") } else { latency("e2e_latency") },
    })
}
