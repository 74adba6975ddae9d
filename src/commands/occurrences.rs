//! `sixgate occurrences`: when a recurrence rule takes place.
//!
//! The rule: it shows exactly what deadlines are computed by, whatever day it is asked on. What is
//! counted without a table of holidays is said on standard error, so that the list stays a list.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Context;
use chrono::Datelike;
use serde::Serialize;
use sixgate_workflows::calendar::{
    fiscal::FiscalYear,
    holidays,
    schedule::{Occurrence, Schedule},
    working_days::WorkingDays,
};

use crate::arguments::OccurrencesArguments;
use crate::output;

const LISTED_MAX: usize = 10_000;
const FILE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Serialize)]
struct Line {
    nominal: String,
    instant: String,
    shifted_from: Option<String>,
}

pub(crate) fn execute(arguments: &OccurrencesArguments) -> anyhow::Result<ExitCode> {
    let OccurrencesArguments { rule, zone, from, to, .. } = *arguments;
    anyhow::ensure!(from <= to, "the span ends on {to}, before it starts on {from}");
    for day in [from, to].into_iter().chain(arguments.anchor) {
        let known = (1_900..=2_200).contains(&day.year());
        anyhow::ensure!(known, "{day} is not within the years 1900 to 2200");
    }
    let working_days = working_days(arguments)?;
    let anchor = arguments.anchor.unwrap_or(from);
    let mut schedule = Schedule::new(rule, anchor, zone, &working_days);
    schedule.fiscal = FiscalYear::starting_in(arguments.fiscal_start)?;
    schedule.shift = arguments.shift.into();
    let found: Vec<_> = schedule.between(from, to).take(LISTED_MAX + 1).collect();
    anyhow::ensure!(
        found.len() <= LISTED_MAX,
        "there are more than {LISTED_MAX} occurrences; ask for a shorter span"
    );
    if schedule.counts_working_days() {
        warn_of_uncovered_years(&working_days, &found);
    }
    match arguments.json {
        true => output::json(&found.iter().map(line).collect::<Vec<_>>())?,
        false => table(arguments, &found)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn working_days(arguments: &OccurrencesArguments) -> anyhow::Result<WorkingDays> {
    let tables = match &arguments.tables {
        None => Vec::new(),
        Some(file) => {
            let told = || format!("could not read {}", file.display());
            let bytes = super::read::content(file, FILE_BYTES_MAX).with_context(told)?;
            let text = String::from_utf8(bytes).with_context(told)?;
            holidays::read(&text).with_context(told)?
        }
    };
    let Some(region) = arguments.calendar.clone() else { return Ok(WorkingDays::default()) };
    Ok(WorkingDays::of(region, tables)?)
}

fn warn_of_uncovered_years(working_days: &WorkingDays, found: &[Occurrence]) {
    let days = found.iter().flat_map(|found| [found.nominal, found.by_rule()]);
    let years: BTreeSet<i32> = days.map(|day| day.year()).collect();
    let uncovered: Vec<String> = years
        .into_iter()
        .filter(|year| !working_days.is_covered(*year))
        .map(|year| year.to_string())
        .collect();
    if let (Some(region), false) = (&working_days.region, uncovered.is_empty()) {
        eprintln!(
            "warning: no holidays of {region} are known for {}; counted Monday to Friday",
            uncovered.join(", ")
        );
    }
}

fn line(occurrence: &Occurrence) -> Line {
    let local = |time: chrono::NaiveDateTime| time.format("%Y-%m-%dT%H:%M").to_string();
    Line {
        nominal: local(occurrence.nominal),
        instant: occurrence.instant.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        shifted_from: occurrence.shifted_from.map(local),
    }
}

fn table(arguments: &OccurrencesArguments, found: &[Occurrence]) -> anyhow::Result<()> {
    let OccurrencesArguments { rule, zone, from, to, .. } = arguments;
    if found.is_empty() {
        return output::line(format!("{rule} does not take place from {from} to {to}"));
    }
    for occurrence in found {
        let mut text = format!(
            "{}  {}",
            occurrence.nominal.format("%a %Y-%m-%d %H:%M"),
            occurrence.instant.format("%Y-%m-%dT%H:%M:%SZ")
        );
        if let Some(day) = occurrence.shifted_from {
            text.push_str(&format!("  shifted from {}", day.format("%a %Y-%m-%d")));
        }
        let wall = occurrence.instant.with_timezone(zone).naive_local();
        if wall != occurrence.nominal {
            text.push_str(&format!("  the clock leaps to {}", wall.format("%Y-%m-%d %H:%M")));
        }
        output::line(text)?;
    }
    Ok(())
}
