//! Reads the text that the nccl-tests programs print, old and new.
//!
//! A run counts as complete only by its end marker, and two runs in one file are never mixed.
//! The JSON form (`-J`) is not read yet, and no bandwidth is judged.

mod columns;
mod ranks;
mod run;

use crate::document::Warnings;
use crate::text::{Line, Text};
use crate::{Document, Facts, Kind, Refused, Warning};
use run::Run;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NcclTests {
    pub collective: Option<String>,
    pub version: Option<String>,
    pub ranks: Option<u32>,
    pub ranks_from: Option<RanksFrom>,
    pub hosts: Vec<String>,
    pub rows: Vec<Row>,
    pub avg_busbw_gb_s: Option<f64>,
    pub peak_busbw_gb_s: Option<f64>,
    pub peak_size_bytes: Option<u64>,
    pub out_of_bounds: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RanksFrom {
    Devices,
    Ratio,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub size_bytes: u64,
    pub out_of_place: Half,
    pub in_place: Option<Half>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Half {
    pub time_us: Option<f64>,
    pub algbw_gb_s: Option<f64>,
    pub busbw_gb_s: Option<f64>,
    /// Null when the run did not check the data or printed the old error figure.
    pub wrong: Option<u64>,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    text.refuse_long_lines()?;
    if text.content().trim_start().starts_with('{')
        && text.content().contains("\"average_bus_bandwidth\"")
    {
        return Err(Refused::new(
            "form_not_supported",
            "this is the JSON of nccl-tests -J, which is not read yet",
            "upload the text that the program printed",
        ));
    }
    let mut runs = runs_in(text);
    let Some(best) = best_of(&runs) else {
        return Err(Refused::not_this_kind(
            Kind::NcclTests,
            "a header, a device list or a table of nccl-tests",
        ));
    };
    let mut warnings = Warnings::default();
    if runs.len() > 1 {
        let said = format!(
            "the file has {} runs; the one from line {} is given, the others are not mixed in",
            runs.len(),
            runs[best].first_line
        );
        warnings.push(Warning::at("several_runs", runs[best].first_line, said));
    }
    let (facts, incomplete_because) = runs.swap_remove(best).finish(&mut warnings);
    Ok(Document::new(
        Kind::NcclTests,
        Facts::NcclTests(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

/// Lines with different launcher prefixes come from different processes, so they never share a run.
fn runs_in(text: &Text) -> Vec<Run> {
    let mut open: HashMap<&str, Run> = HashMap::new();
    let mut runs = Vec::new();
    for line in text.lines() {
        if !open.contains_key(line.prefix) && open.len() == PROCESSES_MAX {
            continue;
        }
        let run = open.entry(line.prefix).or_default();
        let line = without_task_number(line);
        if run.is_over_before(line.text) {
            runs.push(std::mem::take(run));
        }
        run.line(line);
    }
    runs.extend(open.into_values());
    runs.retain(Run::says_something);
    runs.sort_by_key(|run| run.first_line);
    runs
}

const PROCESSES_MAX: usize = 1024;

/// `srun -l` writes `0: ` before each line.
fn without_task_number(line: Line<'_>) -> Line<'_> {
    match line.text.split_once(": ") {
        Some((task, rest))
            if !task.is_empty() && task.trim().bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Line { text: rest, ..line }
        }
        _ => line,
    }
}

/// The complete one, else the one with the most rows, else the last.
fn best_of(runs: &[Run]) -> Option<usize> {
    (0..runs.len()).max_by_key(|at| (runs[*at].is_complete(), runs[*at].rows.len(), *at))
}
