//! Reads the results of benchmarks of LLM serving: vLLM and `SGLang` as JSON and as text, genai-perf and aiperf.
//!
//! A run without a success has no latencies: the zeros that a tool writes then are not readings.
//! Latencies are in milliseconds, from whatever unit the file names; settings are not compared with a promise.

mod console;
mod members;
mod metrics;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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

/// One result of the file, with what decides between several.
struct Found {
    line: u64,
    incomplete_because: Option<String>,
    facts: LlmBench,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let mut warnings = Warnings::default();
    // A console often repeats what its JSON says more exactly.
    let mut found = members::find(text.content(), &mut warnings);
    if found.is_empty() {
        found = metrics::find(text.content(), &mut warnings);
    }
    if !found.iter().any(|found| found.incomplete_because.is_none()) {
        found.extend(console::find(text)?);
    }
    // Of several whole results the last is given: the tools append.
    let best = (0..found.len()).max_by_key(|at| (found[*at].incomplete_because.is_none(), *at));
    let Some(best) = best else {
        let looked_for = "a result of vLLM, SGLang, genai-perf or aiperf";
        return Err(Refused::not_this_kind(Kind::LlmBench, looked_for));
    };
    if found.len() > 1 {
        let line = found[best].line;
        let said = format!("the file has {} results; this one is given", found.len());
        warnings.push(Warning::at("several_documents", line, said));
    }
    let Found { incomplete_because, mut facts, .. } = found.swap_remove(best);
    console::settings(text, &mut facts);
    if facts.completed == Some(0) {
        let said = "no request succeeded; the latencies of 0 are no readings";
        warnings.push(Warning::new("no_success", said));
        let none = Latency::default();
        (facts.ttft_ms, facts.tpot_ms, facts.itl_ms, facts.e2e_ms) = (none, none, none, none);
    }
    Ok(Document::new(
        Kind::LlmBench,
        Facts::LlmBench(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

/// A result that does not say how much was done in what time is none.
fn why_incomplete(cut: bool, facts: &LlmBench) -> Option<String> {
    if cut {
        return Some("the JSON object is cut".to_owned());
    }
    (facts.completed.is_none() || facts.duration_s.is_none() && facts.requests_s.is_none()).then(
        || "the result does not say how many requests were completed, or in what time".to_owned(),
    )
}
