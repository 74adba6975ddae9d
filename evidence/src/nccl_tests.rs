//! Reads what the nccl-tests programs print, old and new, and the JSON of `-J`.
//!
//! A run counts as complete only by its end marker, and two runs in one file are never mixed.
//! A text may be a stream of any length. No bandwidth is judged.

mod columns;
mod ranks;
mod run;
mod tree;

use crate::document::Warnings;
use crate::text::{Line, Lines, Text};
use crate::{Document, Facts, Kind, Refused, Warning};
use memchr::memmem::Finder;
use run::Run;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::LazyLock;

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
    let mut warnings = Warnings::default();
    match tree::find(text.content(), &mut warnings) {
        Some((facts, because)) => {
            let mut document = document(facts, because, warnings);
            document.warnings.extend(text.warnings().iter().cloned());
            Ok(document)
        }
        None => {
            text.refuse_long_lines()?;
            read_lines(Lines::of(text))
        }
    }
}

/// Whether the file is the JSON of `-J`, which is read as a whole.
pub(crate) fn is_json(text: &Text) -> bool {
    text.content().contains("\"nccl_version\"")
}

pub(crate) fn read_lines(mut lines: Lines<'_>) -> Result<Document, Refused> {
    let mut runs = Runs::default();
    while let Some(line) = lines.next()? {
        runs.line(line);
    }
    let mut warnings = Warnings::default();
    let Some(best) = runs.finish(&mut warnings) else {
        return Err(Refused::not_this_kind(
            Kind::NcclTests,
            "a header, a device list or a table of nccl-tests",
        ));
    };
    let (facts, incomplete_because) = best.finish(&mut warnings);
    let mut document = document(facts, incomplete_because, warnings);
    document.warnings.extend(lines.warnings());
    Ok(document)
}

fn document(facts: NcclTests, because: Option<String>, warnings: Warnings) -> Document {
    Document::new(Kind::NcclTests, Facts::NcclTests(Box::new(facts)), because, warnings.into_vec())
}

/// The runs of a file, of which only the best is kept.
/// Lines with different launcher prefixes come from different processes, so they never share a run.
#[derive(Default)]
struct Runs {
    open: HashMap<String, Run>,
    best: Option<Run>,
    count: u64,
}

const PROCESSES_MAX: usize = 1024;

static LIBRARY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" NCCL INFO "));

impl Runs {
    fn line(&mut self, line: Line<'_>) {
        // With debugging on, nearly all of a log is this.
        if LIBRARY.find(line.text.as_bytes()).is_some() {
            return;
        }
        if !self.open.contains_key(line.prefix) {
            if self.open.len() == PROCESSES_MAX {
                return;
            }
            self.open.insert(line.prefix.to_owned(), Run::default());
        }
        let Some(run) = self.open.get_mut(line.prefix) else { return };
        if run.is_over_before(line.text) {
            let over = std::mem::take(run);
            run.line(line);
            self.compare(over);
        } else {
            run.line(line);
        }
    }

    /// The complete one, else the one with the most rows, else the last.
    fn compare(&mut self, run: Run) {
        if !run.says_something() {
            return;
        }
        self.count += 1;
        let score = |run: &Run| (run.is_complete(), run.rows.len(), run.first_line);
        if self.best.as_ref().is_none_or(|best| score(best) < score(&run)) {
            self.best = Some(run);
        }
    }

    fn finish(mut self, warnings: &mut Warnings) -> Option<Run> {
        for run in std::mem::take(&mut self.open).into_values() {
            self.compare(run);
        }
        let best = self.best?;
        if self.count > 1 {
            let said = format!(
                "the file has {} runs; the one from line {} is given, the others are not mixed in",
                self.count, best.first_line
            );
            warnings.push(Warning::at("several_runs", best.first_line, said));
        }
        Some(best)
    }
}

impl NcclTests {
    /// Over both halves of all rows.
    fn find_peak(&mut self) {
        let peak = self
            .rows
            .iter()
            .flat_map(|row| {
                row.halves().filter_map(|half| Some((half.busbw_gb_s?, row.size_bytes)))
            })
            .max_by(|one, other| one.0.total_cmp(&other.0));
        self.peak_busbw_gb_s = peak.map(|(busbw, _)| busbw);
        self.peak_size_bytes = peak.map(|(_, size)| size);
    }

    /// A single rank moves nothing between cards, so its zero bandwidth is no reading.
    fn forget_bandwidth_of_one_rank(&mut self, warnings: &mut Warnings) {
        if self.ranks != Some(1) {
            return;
        }
        let said = "one rank moves nothing between cards; bandwidth 0 is no reading";
        warnings.push(Warning::new("single_rank", said));
        self.avg_busbw_gb_s = None;
        for row in &mut self.rows {
            row.out_of_place.busbw_gb_s = None;
            if let Some(half) = &mut row.in_place {
                half.busbw_gb_s = None;
            }
        }
    }
}

impl Row {
    fn halves(&self) -> impl Iterator<Item = &Half> {
        std::iter::once(&self.out_of_place).chain(&self.in_place)
    }
}
