//! Reads `mlperf_log_summary.txt` of the load generator of `MLPerf`.
//!
//! The line about errors is the last one and alone makes the file whole; a summary without a result is not one.
//! VALID beside an error stays as it is: to weigh them is not the reader's work.

use crate::document::Warnings;
use crate::text::{Line, Text};
use crate::{Document, Facts, Kind, Refused, Warning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mlperf {
    pub sut: Option<String>,
    pub scenario: Option<String>,
    pub mode: Option<String>,
    pub result: Option<MlperfResult>,
    /// The first figure printed for the scenario.
    pub metric: Option<MlperfMetric>,
    /// Satisfied or not: `performance_constraints`, `min_duration`, `min_queries`, `early_stopping`.
    pub constraints: BTreeMap<String, bool>,
    pub errors: Option<u64>,
    pub warnings: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MlperfResult {
    Valid,
    Invalid,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MlperfMetric {
    /// As printed, without the unit.
    pub name: String,
    /// Null where the file has no number, as in `-nan`.
    pub value: Option<f64>,
    /// `samples/s`, `queries/s` or `ns`.
    pub unit: String,
    pub tokens_s: Option<f64>,
}

#[derive(Default)]
struct Summary {
    first_line: u64,
    facts: Mlperf,
    is_past_figures: bool,
    is_inferred: bool,
}

const SUMMARIES_MAX: usize = 10_000;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let content = text.content();
    let has_title = content.contains("MLPerf Results Summary");
    let is_summary = has_title
        || content.contains("SUT name") && content.contains("Scenario")
        || content.contains("encountered during test.");
    if !is_summary {
        let looked_for = "the summary of the MLPerf load generator";
        return Err(Refused::not_this_kind(Kind::Mlperf, looked_for));
    }
    text.refuse_long_lines()?;
    let mut warnings = Warnings::default();
    let mut summaries = vec![Summary::default()];
    for line in text.lines() {
        let last = summaries.len() - 1;
        let begins = line.text.contains("MLPerf Results Summary");
        if begins && summaries[last].says_something() && summaries.len() < SUMMARIES_MAX {
            summaries.push(Summary::default());
        }
        let last = summaries.len() - 1;
        summaries[last].line(line);
    }
    let score =
        |summary: &Summary| (summary.facts.errors.is_some(), summary.facts.result.is_some());
    let best = (0..summaries.len()).max_by_key(|at| (score(&summaries[*at]), *at)).unwrap_or(0);
    if summaries.len() > 1 {
        let said = format!("the file has {} summaries; this one is given", summaries.len());
        warnings.push(Warning::at("several_documents", summaries[best].first_line, said));
    }
    let facts = summaries.swap_remove(best).facts;
    let incomplete_because = if facts.result.is_none() {
        Some("the file has no result; a run for accuracy writes none".to_owned())
    } else {
        facts.errors.is_none().then(|| "the closing line about errors is missing".to_owned())
    };
    Ok(Document::new(
        Kind::Mlperf,
        Facts::Mlperf(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

impl Summary {
    fn says_something(&self) -> bool {
        self.facts.sut.is_some() || self.facts.result.is_some() || self.facts.errors.is_some()
    }

    fn line(&mut self, line: Line<'_>) {
        let text = line.text.trim();
        if self.first_line == 0 && !text.is_empty() {
            self.first_line = line.number;
        }
        if text.starts_with("Additional Stats") || text.starts_with("Test Parameters") {
            self.is_past_figures = true;
        } else if let Some(count) = encountered(text, "warning") {
            self.facts.warnings = Some(count);
        } else if let Some(count) = encountered(text, "error") {
            self.facts.errors = Some(count);
        } else if let Some((label, value)) = text.split_once(':') {
            self.labelled(label.trim(), value.trim());
        }
    }

    fn labelled(&mut self, label: &str, value: &str) {
        let facts = &mut self.facts;
        let said = || Some(value.to_owned()).filter(|value| !value.is_empty());
        match label {
            "SUT name" => facts.sut = said(),
            "Scenario" => facts.scenario = said(),
            "Mode" => facts.mode = said(),
            "Result is" => facts.result = result(value),
            _ => {
                if let Some(name) = label.strip_suffix(" satisfied") {
                    let name = name.trim().to_ascii_lowercase().replace(' ', "_");
                    if let Some(yes) = yes(value) {
                        facts.constraints.insert(name, yes);
                    }
                } else if !self.is_past_figures && facts.result.is_none() {
                    self.figure(label, value);
                }
            }
        }
    }

    /// `Samples per second: 114.7`, `90.0th percentile latency (ns) : 1234`, `Completed tokens per second: 43.45`.
    fn figure(&mut self, label: &str, value: &str) {
        let lower = label.to_ascii_lowercase();
        let number = value.split_whitespace().next().and_then(|word| word.parse().ok());
        let number = number.filter(|number: &f64| number.is_finite());
        let is_inferred = lower.contains("(inferred)");
        if lower.contains("tokens per second") {
            if let Some(metric) = &mut self.facts.metric
                && (metric.tokens_s.is_none() || (self.is_inferred && !is_inferred))
            {
                metric.tokens_s = number;
            }
            return;
        }
        let unit = if lower.contains("samples per second") {
            "samples/s"
        } else if lower.contains("queries per second") || lower.starts_with("qps") {
            "queries/s"
        } else if lower.contains("percentile latency (ns)") {
            "ns"
        } else {
            return;
        };
        // What was inferred gives way to what was measured.
        if self.facts.metric.is_none() || (self.is_inferred && !is_inferred) {
            let name = label.replace("(inferred)", "").replace("(ns)", "").trim().to_owned();
            let metric =
                MlperfMetric { name, value: number, unit: unit.to_owned(), tokens_s: None };
            self.facts.metric = Some(metric);
            self.is_inferred = is_inferred;
        }
    }
}

fn result(value: &str) -> Option<MlperfResult> {
    match value.to_ascii_uppercase().as_str() {
        "VALID" => Some(MlperfResult::Valid),
        "INVALID" => Some(MlperfResult::Invalid),
        _ => None,
    }
}

/// `Yes`, and `NO` in capitals.
fn yes(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// `No errors encountered during test.`, `1 ERROR encountered. See detailed log.`
fn encountered(text: &str, what: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split_whitespace();
    let (count, noun, verb) = (words.next()?, words.next()?, words.next()?);
    if noun.trim_end_matches('s') != what || !verb.starts_with("encountered") {
        return None;
    }
    if count == "no" { Some(0) } else { count.parse().ok() }
}
