//! Reads the JSON of fio (`json`, `json+`), alone or after the messages that fio prints into the same file.
//!
//! Bandwidths and rates of jobs add up; of percentiles only the worst says something about all.
//! A direction in which nothing was moved was not tested. Whether the conditions suit a promise is not asked.

mod direction;

use crate::document::Warnings;
use crate::json::{self, tree};
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
pub use direction::FioDirection;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fio {
    pub version: Option<String>,
    pub jobs: Vec<FioJob>,
    pub totals: FioTotals,
    /// What fio complained about, and jobs that ended with an error number.
    pub errors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FioJob {
    pub name: Option<String>,
    /// errno; 0 is none.
    pub error: Option<i64>,
    /// The longest of the directions.
    pub runtime_ms: Option<u64>,
    /// Past the page cache; null when neither the job nor the file's global options say.
    pub direct: Option<bool>,
    pub read: Option<FioDirection>,
    pub write: Option<FioDirection>,
    pub trim: Option<FioDirection>,
    /// All directions as one, when they were asked for together.
    pub mixed: Option<FioDirection>,
    /// The options under which the figures hold: `rw`, `bs`, `iodepth`, `numjobs`, …, as written.
    pub options: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FioTotals {
    pub read: Option<FioDirection>,
    pub write: Option<FioDirection>,
    pub trim: Option<FioDirection>,
    pub mixed: Option<FioDirection>,
}

const CONDITIONS: [&str; 12] = [
    "rw",
    "readwrite",
    "bs",
    "blocksize",
    "iodepth",
    "numjobs",
    "ioengine",
    "direct",
    "size",
    "runtime",
    "rwmixread",
    "time_based",
];
const ERRORS_MAX: usize = 100;
const JOBS_MAX: usize = 10_000;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let mut errors: Vec<String> = Vec::new();
    for line in text.lines().map(|line| line.text.trim()).filter(|line| is_complaint(line)) {
        if errors.len() < ERRORS_MAX {
            errors.push(line.chars().take(300).collect());
        }
    }
    let mut warnings = Warnings::default();
    let document = best_document(text, &mut warnings);
    let (mut facts, incomplete_because) = match document {
        Some((cut, document)) => {
            let facts = facts(&document);
            let because = if cut {
                Some("the JSON object is cut".to_owned())
            } else {
                facts.jobs.is_empty().then(|| "fio lists no job".to_owned())
            };
            (facts, because)
        }
        None if errors.is_empty() => {
            let looked_for = "the JSON of fio --output-format=json";
            return Err(Refused::not_this_kind(Kind::Fio, looked_for));
        }
        None => (Fio::default(), Some("fio printed errors and no result".to_owned())),
    };
    errors.append(&mut facts.errors);
    facts.errors = errors;
    Ok(Document::new(
        Kind::Fio,
        Facts::Fio(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

/// `fio: pid=5509, err=5/file:io_u.c:1896, func=io_u error, …`; other messages of fio are notes.
fn is_complaint(line: &str) -> bool {
    line.starts_with("fio: ") && (line.contains("err=") || line.contains("error"))
}

/// The whole one with the most jobs, of several such the last: fio repeats itself with `--status-interval`.
fn best_document(text: &Text, warnings: &mut Warnings) -> Option<(bool, Value)> {
    if !text.content().contains("\"fio version\"") {
        return None;
    }
    let found: Vec<(bool, u64, Value)> = json::objects(text.content())
        .iter()
        .filter_map(|object| {
            let tree = tree::tree(&object.json, &["bins", "disk_util"])?;
            tree.get("fio version")?;
            Some((object.cut, object.line, tree))
        })
        .collect();
    let count = found.len();
    let (cut, line, document) = found
        .into_iter()
        .enumerate()
        .max_by_key(|(at, (cut, _, document))| (!cut, jobs(document).count(), *at))?
        .1;
    if count > 1 {
        let said = format!("the file has {count} results; this one is given");
        warnings.push(Warning::at("several_documents", line, said));
    }
    Some((cut, document))
}

/// A client of several servers lists them elsewhere, with their sum as one more entry.
fn jobs(document: &Value) -> impl Iterator<Item = &Value> {
    let list = |name: &str| document.get(name).and_then(Value::as_array);
    let jobs = list("jobs").or_else(|| list("client_stats"));
    let is_sum = |job: &Value| job.get("jobname").and_then(Value::as_str) == Some("All clients");
    jobs.into_iter().flatten().filter(move |job| !is_sum(job)).take(JOBS_MAX)
}

fn facts(document: &Value) -> Fio {
    let version = tree::text_at(document, &["fio version"]);
    let is_old = version.as_deref().is_some_and(|version| version.starts_with("fio-2"));
    let global = document.get("global options");
    let jobs: Vec<FioJob> = jobs(document).map(|value| job(value, global, is_old)).collect();
    let failed = |job: &FioJob| {
        let error = job.error.filter(|error| *error != 0)?;
        Some(format!("job {}: error {error}", job.name.as_deref().unwrap_or("without a name")))
    };
    let errors = jobs.iter().filter_map(failed).take(ERRORS_MAX).collect();
    let total =
        |of: fn(&FioJob) -> Option<&FioDirection>| direction::total(jobs.iter().filter_map(of));
    let totals = FioTotals {
        read: total(|job| job.read.as_ref()),
        write: total(|job| job.write.as_ref()),
        trim: total(|job| job.trim.as_ref()),
        mixed: total(|job| job.mixed.as_ref()),
    };
    Fio { version, jobs, totals, errors }
}

fn job(value: &Value, global: Option<&Value>, is_old: bool) -> FioJob {
    let own = value.get("job options");
    let mut options = BTreeMap::new();
    for name in CONDITIONS {
        let said = [own, global].into_iter().flatten().find_map(|place| place.get(name));
        if let Some(said) = said {
            let said = said.as_str().map_or_else(|| said.to_string(), str::to_owned);
            options.insert(name.to_owned(), said);
        }
    }
    let direct = options.get("direct").map(|direct| direct != "0");
    let runtime = |name: &&str| tree::count_at(value, &[name, "runtime"]);
    FioJob {
        name: tree::text_at(value, &["jobname"]),
        error: value.get("error").and_then(Value::as_i64),
        runtime_ms: ["read", "write", "trim", "mixed"].iter().filter_map(runtime).max(),
        direct,
        read: FioDirection::parse(value.get("read"), is_old),
        write: FioDirection::parse(value.get("write"), is_old),
        trim: FioDirection::parse(value.get("trim"), is_old),
        mixed: FioDirection::parse(value.get("mixed"), is_old),
        options,
    }
}
