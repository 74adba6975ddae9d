//! The block that `vllm bench serve` and `SGLang` print for people, and what a console tells about the settings.
//!
//! The block ends with a line of `=`; without it the text was cut.
//! How many requests were issued stands only in the command and in the progress bar.

use super::{Found, Latency, LlmBench};
use crate::Refused;
use crate::json::tree::whole;
use crate::text::Text;

const HEADING: &str = "Serving Benchmark Result";

pub(super) fn find(text: &Text) -> Result<Vec<Found>, Refused> {
    if !text.content().contains(HEADING) {
        return Ok(Vec::new());
    }
    text.refuse_long_lines()?;
    let mut found: Vec<Found> = Vec::new();
    for line in text.lines() {
        let content = line.text.trim();
        if content.contains(HEADING) {
            let because = Some("the line that closes the result is missing".to_owned());
            let facts = LlmBench { tool: "vllm".to_owned(), ..LlmBench::default() };
            found.push(Found { line: line.number, incomplete_because: because, facts });
            continue;
        }
        let Some(result) = found.last_mut().filter(|found| found.incomplete_because.is_some())
        else {
            continue;
        };
        let is_end = content.len() >= 20 && content.bytes().all(|byte| byte == b'=');
        if is_end {
            let has_figures = result.facts.completed.is_some() && result.facts.duration_s.is_some();
            result.incomplete_because =
                (!has_figures).then(|| "the result has no figures".to_owned());
        } else if let Some((label, value)) = content.rsplit_once(": ") {
            labelled(&mut result.facts, label.trim_end_matches([':', ' ']), value.trim());
        }
    }
    Ok(found)
}

fn labelled(facts: &mut LlmBench, label: &str, value: &str) {
    let number = value.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    let number = number.filter(|number| number.is_finite());
    let count = number.and_then(whole);
    match label.to_ascii_lowercase().as_str() {
        // vLLM does not name itself here.
        "backend" => facts.tool = "sglang".to_owned(),
        "successful requests" => facts.completed = count,
        "failed requests" => facts.failed = count,
        "traffic request rate" | "request rate configured (rps)" => facts.request_rate = number,
        "maximum request concurrency" | "max request concurrency" | "max reqeuest concurrency" => {
            facts.max_concurrency = count;
        }
        "benchmark duration (s)" => facts.duration_s = number,
        "total input tokens" => facts.input_tokens = count,
        "total generated tokens" => facts.output_tokens = count,
        "request throughput (req/s)" => facts.requests_s = number,
        "output token throughput (tok/s)" => facts.output_tokens_s = number,
        "total token throughput (tok/s)" => facts.total_tokens_s = number,
        lower => {
            if let Some((statistic, metric)) = latency_label(lower)
                && let Some(latency) = latency_of(facts, metric)
            {
                set(latency, statistic, number);
            }
        }
    }
}

/// `p99 ttft (ms)`, `median e2e latency (ms)`
fn latency_label(label: &str) -> Option<(&str, &str)> {
    label.strip_suffix("(ms)")?.trim().split_once(' ')
}

fn latency_of<'a>(facts: &'a mut LlmBench, metric: &str) -> Option<&'a mut Latency> {
    match metric {
        "ttft" => Some(&mut facts.ttft_ms),
        "tpot" => Some(&mut facts.tpot_ms),
        "itl" => Some(&mut facts.itl_ms),
        "e2el" | "e2e latency" => Some(&mut facts.e2e_ms),
        _ => None,
    }
}

fn set(latency: &mut Latency, statistic: &str, number: Option<f64>) {
    match statistic {
        "mean" => latency.mean = number,
        "median" | "p50" => latency.median = number,
        "p90" => latency.p90 = number,
        "p95" => latency.p95 = number,
        "p99" => latency.p99 = number,
        _ => {}
    }
}

/// Fills in from the console around a result what the result itself does not say.
pub(super) fn settings(text: &Text, facts: &mut LlmBench) {
    let content = text.content();
    let after = |label: &str| {
        let (_, rest) = content.split_once(label)?;
        rest.trim_start_matches([' ', '=']).split_whitespace().next()
    };
    let option = |name: &str| after(&format!("{name} ")).or_else(|| after(&format!("{name}=")));
    facts.issued = facts
        .issued
        .or_else(|| option("--num-prompts")?.parse().ok())
        .or_else(|| issued_by_bar(text));
    facts.model = facts.model.take().or_else(|| option("--model").map(str::to_owned));
    let has_text = content.contains(HEADING);
    if has_text && facts.request_rate.is_none() {
        let rate = after("Traffic request rate:").and_then(|rate| rate.parse().ok());
        facts.request_rate = rate.filter(|rate: &f64| rate.is_finite());
    }
}

/// `100%|██████████| 900/900 [00:20<00:00, 43.02it/s]`
fn issued_by_bar(text: &Text) -> Option<u64> {
    let bar = text.lines().filter(|line| line.text.contains("100%|")).last()?;
    let (_, rest) = bar.text.rsplit_once("| ")?;
    let (done, all) = rest.split_once(' ')?.0.split_once('/')?;
    (done == all).then(|| all.parse().ok())?
}
