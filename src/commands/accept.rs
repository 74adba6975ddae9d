//! `sixgate accept`: is this the machine that was promised? Useful on a rented machine on its first
//! day, without a server.
//!
//! The rule: the verdict is the one that the procurement would reach from the same files. It exits
//! with 0 for a pass, 1 for a fail, 2 when it cannot be told.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use sixgate_engine::import;
use sixgate_workflows::{
    locale::Locale,
    percent::Percent,
    poc::{
        Baseline,
        drift::{Drift, TOLERANCE, drift},
        promise::Promise,
        reading::Reading,
        verdict::{Check, Outcome, Readings, Verdict, judge},
    },
    text::Name,
    texts,
};

use super::read::opened;
use crate::arguments::AcceptArguments;
use crate::failure::CANNOT_TELL;
use crate::output;

/// A file that says something about a machine.
struct Evidence {
    name: Name,
    complete: bool,
    reading: Reading,
}

#[derive(Serialize)]
struct Report<'a> {
    overall: Outcome,
    promise: &'a Promise,
    #[serde(flatten)]
    verdict: &'a Verdict,
    /// To be kept, and given to a later run with `--baseline`.
    baseline: &'a Option<Baseline>,
    drift: &'a [Drift],
    files: Vec<&'a Name>,
}

/// The part of an earlier report that a later run is compared with.
#[derive(Deserialize)]
struct Earlier {
    baseline: Option<Baseline>,
}

pub(crate) fn execute(arguments: &AcceptArguments) -> anyhow::Result<ExitCode> {
    let promise = promise(&arguments.promise)?;
    let evidence =
        arguments.files.iter().map(|file| read(file)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut readings = Readings::default();
    for file in &evidence {
        readings.add_from(&file.name, &file.reading, file.complete);
    }
    let verdict = judge(&promise, &readings, &promise.expects());
    let baseline = Baseline::of(evidence.iter().map(|file| &file.reading));
    let drift = match &arguments.baseline {
        Some(file) => {
            let now = baseline.clone().unwrap_or_default();
            drift(&earlier(file)?, &now, arguments.tolerance.unwrap_or(TOLERANCE))
        }
        None => Vec::new(),
    };
    let overall = overall(verdict.overall, &drift);
    match arguments.json {
        true => output::json(&Report {
            overall,
            promise: &promise,
            verdict: &verdict,
            baseline: &baseline,
            drift: &drift,
            files: evidence.iter().map(|file| &file.name).collect(),
        })?,
        false => output::line(told(&verdict, &drift, overall, arguments.locale))?,
    }
    Ok(match overall {
        Outcome::Pass => ExitCode::SUCCESS,
        Outcome::Fail => ExitCode::FAILURE,
        Outcome::Inconclusive => ExitCode::from(CANNOT_TELL),
    })
}

/// A machine that changed is not accepted, whatever it was promised to be.
fn overall(verdict: Outcome, drift: &[Drift]) -> Outcome {
    let any = |outcome| verdict == outcome || drift.iter().any(|drift| drift.outcome == outcome);
    if any(Outcome::Fail) {
        Outcome::Fail
    } else if any(Outcome::Inconclusive) {
        Outcome::Inconclusive
    } else {
        Outcome::Pass
    }
}

fn promise(file: &Path) -> anyhow::Result<Promise> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("could not read the promise {}", file.display()))?;
    toml::from_str(&text)
        .with_context(|| format!("{} is no promise; see the README for one", file.display()))
}

fn earlier(file: &Path) -> anyhow::Result<Baseline> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("could not read the baseline {}", file.display()))?;
    let report: Earlier = serde_json::from_str(&text)
        .with_context(|| format!("{} is no report of `accept --json`", file.display()))?;
    report.baseline.with_context(|| format!("the report {} has no baseline", file.display()))
}

fn read(file: &Path) -> anyhow::Result<Evidence> {
    let shown = file.display();
    let input = opened(file).with_context(|| format!("could not read {shown}"))?;
    let document = sixgate_evidence::read_auto_from(input)
        .map_err(|refused| anyhow::anyhow!("{shown}: {refused}"))?;
    let reading = import::machine_reading(&document)
        .map_err(|invalid| anyhow::anyhow!("{shown}: {invalid}"))?;
    let name = file.file_name().map_or("-".into(), |name| name.to_string_lossy());
    let name = name.chars().take(Name::CHARACTERS_MAX).collect::<String>();
    let name = Name::new(&name).unwrap_or_else(|_| Name::new("-").expect("a dash is a name"));
    Ok(Evidence { name, complete: document.complete, reading })
}

fn told(verdict: &Verdict, drift: &[Drift], overall: Outcome, locale: Locale) -> String {
    let mut lines: Vec<String> =
        verdict.checks.iter().map(|check| check_told(check, locale)).collect();
    lines.extend(drift.iter().map(|drift| drift_told(drift, locale)));
    let word = said("outcome", overall.id(), locale);
    lines.push(format!("{} {word}", mark(overall)));
    lines.join("\n")
}

fn check_told(check: &Check, locale: Locale) -> String {
    let label = said("check", check.name.id(), locale);
    let measured = check.measured.as_deref().unwrap_or("–");
    let mut line = format!("{} {label}: {measured} ({})", mark(check.outcome), check.promised);
    if let Some(which) = &check.of {
        line.push_str(&format!(" [{which}]"));
    }
    if let Some(because) = check.because {
        let why = said("because", because.id(), locale);
        line.push_str(&format!("\n    {why}"));
    }
    let quoted = check.detail.as_ref().filter(|_| check.outcome != Outcome::Pass);
    if let Some(words) = quoted {
        line.push_str(&format!("\n    {words}"));
    }
    if check.outcome != Outcome::Pass {
        let rule = said("rule", check.name.id(), locale);
        let file = check.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
        line.push_str(&format!("\n    {file}{rule}"));
    }
    line
}

fn drift_told(drift: &Drift, locale: Locale) -> String {
    let label = said("figure", drift.figure.id(), locale);
    let change = drift.change_percent.map(|change| format!(" ({change:+} %)")).unwrap_or_default();
    format!(
        "{} {label}: {} → {}{change}",
        mark(drift.outcome),
        drift.before.map_or("–".to_owned(), |figure| figure.to_string()),
        drift.now.map_or("–".to_owned(), |figure| figure.to_string())
    )
}

fn said(heading: &str, id: &str, locale: Locale) -> String {
    texts::text(&format!("{heading}.{id}"), locale).to_owned()
}

fn mark(outcome: Outcome) -> char {
    match outcome {
        Outcome::Pass => '✓',
        Outcome::Fail => '✗',
        Outcome::Inconclusive => '?',
    }
}

/// For the command line: a share of change that counts as noise.
pub(crate) fn tolerance(text: &str) -> Result<Percent, String> {
    let number = text.parse().map_err(|_| format!("`{text}` is not a number of percent"))?;
    Percent::new(number).map_err(|invalid| invalid.to_string())
}
