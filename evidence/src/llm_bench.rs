//! Reads the result of `vllm bench serve`: the JSON object, alone or inside a console log.
//!
//! A run without a success has no latencies: the zeros the tool writes then are not readings.
//! Text results and the files of `SGLang` and `aiperf` are refused for now.

use crate::document::Warnings;
use crate::json::{self, Embedded, Scalar};
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LlmBench {
    pub tool: String,
    pub model: Option<String>,
    pub issued: Option<u64>,
    pub completed: Option<u64>,
    pub failed: Option<u64>,
    pub duration_s: Option<f64>,
    pub requests_s: Option<f64>,
    pub output_tokens_s: Option<f64>,
    pub total_tokens_s: Option<f64>,
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// Null means unlimited, or that the file does not say.
    pub request_rate: Option<f64>,
    pub max_concurrency: Option<u64>,
    pub ttft_ms: Latency,
    pub tpot_ms: Latency,
    pub itl_ms: Latency,
    pub e2e_ms: Latency,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    pub mean: Option<f64>,
    pub median: Option<f64>,
    pub p90: Option<f64>,
    pub p95: Option<f64>,
    pub p99: Option<f64>,
}

const TEXT_HEADING: &str = "Serving Benchmark Result";

/// The plain members of a result by name; arrays of single requests are passed over.
type Members = HashMap<String, Scalar>;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    if !text.content().contains("request_throughput") {
        return Err(why_not(text));
    }
    let embedded = json::objects(text.content());
    let results: Vec<(&Embedded<'_>, Members)> = embedded
        .iter()
        .filter_map(|object| Some((object, serde_json::from_str::<Members>(&object.json).ok()?)))
        .filter(|(_, members)| is_vllm(members))
        .collect();
    // Of several results the last whole one is given: the tool appends.
    let Some((object, members)) =
        results.iter().rev().find(|(object, _)| !object.cut).or_else(|| results.last())
    else {
        return Err(why_not(text));
    };
    let mut warnings = Warnings::default();
    if results.len() > 1 {
        let said = format!(
            "the file has {} results; the one on line {} is given",
            results.len(),
            object.line
        );
        warnings.push(Warning::at("several_documents", object.line, said));
    }
    let facts = facts(members, &mut warnings);
    let incomplete_because = if object.cut {
        Some("the JSON object is cut".to_owned())
    } else if facts.completed.is_none() || facts.duration_s.is_none() {
        Some("the result does not say how many requests were completed, or in what time".to_owned())
    } else {
        None
    };
    Ok(Document::new(
        Kind::LlmBench,
        Facts::LlmBench(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

fn is_vllm(members: &Members) -> bool {
    let names_prompts = members.contains_key("num_prompts") || members.contains_key("model_id");
    members.contains_key("request_throughput") && names_prompts
}

fn why_not(text: &Text) -> Refused {
    let content = text.content();
    let form = if content.contains("\"mean_e2e_latency_ms\"") {
        "a result of SGLang"
    } else if content.contains(TEXT_HEADING) {
        "the text of a serving benchmark"
    } else if content.contains("\"request_throughput\"")
        && content.contains("\"time_to_first_token\"")
    {
        "a result of aiperf or genai-perf"
    } else {
        return Refused::not_this_kind(Kind::LlmBench, "a JSON result of vllm bench serve");
    };
    Refused::new(
        "form_not_supported",
        format!("this is {form}, which is not read yet"),
        "run vllm bench serve with --save-result and upload the JSON",
    )
}

fn facts(members: &Members, warnings: &mut Warnings) -> LlmBench {
    let number = |name: &str| members.get(name).and_then(Scalar::number);
    let count = |name: &str| number(name).and_then(whole);
    let completed = count("completed");
    let no_success = completed == Some(0);
    if no_success {
        let said = "no request succeeded; the latencies of 0 are no readings";
        warnings.push(Warning::new("no_success", said));
    }
    let latency = |metric: &str| {
        let of =
            |statistic: &str| number(&format!("{statistic}_{metric}_ms")).filter(|_| !no_success);
        Latency {
            mean: of("mean"),
            median: of("median").or_else(|| of("p50")),
            p90: of("p90"),
            p95: of("p95"),
            p99: of("p99"),
        }
    };
    LlmBench {
        tool: "vllm".to_owned(),
        model: ["model_id", "model"]
            .iter()
            .find_map(|name| members.get(*name)?.text())
            .map(str::to_owned),
        issued: count("num_prompts"),
        completed,
        failed: count("failed"),
        duration_s: number("duration"),
        requests_s: number("request_throughput"),
        output_tokens_s: number("output_throughput"),
        total_tokens_s: number("total_token_throughput"),
        input_tokens: count("total_input_tokens"),
        output_tokens: count("total_output_tokens"),
        // Unlimited is written "inf", which is no number.
        request_rate: number("request_rate"),
        max_concurrency: count("max_concurrency"),
        ttft_ms: latency("ttft"),
        tpot_ms: latency("tpot"),
        itl_ms: latency("itl"),
        e2e_ms: latency("e2el"),
    }
}

fn whole(number: f64) -> Option<u64> {
    if number.fract() != 0.0 || !(0.0..9e15).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 9e15")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let whole = number as u64;
    Some(whole)
}
