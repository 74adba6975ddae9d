//! One run: its header, device list, table and footer.
//!
//! The run is complete when the average line came; everything else may be missing.
//! Columns are found elsewhere, and which run of several is given is decided elsewhere.

use super::columns::{self, Columns};
use super::{NcclTests, RanksFrom, Row, ranks};
use crate::Warning;
use crate::document::Warnings;
use crate::text::Line;
use std::collections::BTreeSet;

const COLLECTIVES: [&str; 11] = [
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "alltoall",
    "broadcast",
    "reduce",
    "sendrecv",
    "gather",
    "scatter",
    "hypercube",
    "alltoallv",
];

const ROWS_MAX: usize = 10_000;
const RANKS_MAX: usize = 100_000;
const HOSTS_MAX: usize = 1024;

#[derive(Default)]
pub(super) struct Run {
    pub(super) first_line: u64,
    pub(super) rows: Vec<Row>,
    collective: Option<String>,
    version: Option<String>,
    redop: Option<String>,
    columns: Option<Columns>,
    has_header: bool,
    ranks: BTreeSet<u32>,
    device_lines: u32,
    device_list_is_cut: bool,
    /// Several processes without a launcher's prefix wrote into one file.
    repeats_ranks: bool,
    hosts: Vec<String>,
    average: Option<f64>,
    out_of_bounds: Option<u64>,
    has_average_line: bool,
}

impl Run {
    /// A line that opens a run closes the one before, and so does a row after a footer.
    pub(super) fn is_over_before(&self, line: &str) -> bool {
        let begun = self.has_header || self.device_lines > 0 || !self.rows.is_empty();
        let opens = line.contains("nThread ")
            || line.contains("Collective test starting")
            || line.contains("# nccl-tests version");
        (opens && begun)
            || (self.has_average_line && columns::row(line, self.columns.as_ref()).is_some())
    }

    pub(super) fn says_something(&self) -> bool {
        self.has_header || self.device_lines > 0 || !self.rows.is_empty() || self.has_average_line
    }

    pub(super) fn is_complete(&self) -> bool {
        self.has_average_line && self.average.is_some()
    }

    pub(super) fn line(&mut self, line: Line<'_>) {
        let text = line.text.trim_start_matches(['#', ' ', '\t']).trim_end();
        if self.first_line == 0 && !text.is_empty() {
            self.first_line = line.number;
        }
        if let Some(version) = after(text, "nccl-tests version") {
            self.version = version.split_whitespace().next().map(str::to_owned);
        } else if text.contains("nThread ") && text.contains("minBytes") {
            self.has_header = true;
        } else if let Some(value) = after(text, "Out of bounds values") {
            self.out_of_bounds = first_word(value).and_then(|word| word.parse().ok());
        } else if let Some(value) = after(text, "Avg bus bandwidth") {
            self.has_average_line = true;
            self.average = first_word(value).and_then(finite);
        } else if let Some(device) = Device::parse(text) {
            self.device_lines = self.device_lines.saturating_add(1);
            self.repeats_ranks |= !self.ranks.insert(device.rank) && self.ranks.len() < RANKS_MAX;
            let room = self.hosts.len() < HOSTS_MAX;
            if let Some(host) = device.host.filter(|host| room && !self.hosts.contains(host)) {
                self.hosts.push(host);
            }
        } else if text == "..." && self.device_lines > 0 {
            self.device_list_is_cut = true;
        } else if let Some(columns) = Columns::from_header(line.text) {
            self.columns = Some(columns);
        } else if let Some((row, redop)) = columns::row(line.text, self.columns.as_ref()) {
            if self.rows.len() < ROWS_MAX {
                self.rows.push(row);
            }
            self.redop = redop;
        }
        self.collective = self.collective.take().or_else(|| collective_in(text));
    }

    pub(super) fn finish(self, warnings: &mut Warnings) -> (NcclTests, Option<String>) {
        let incomplete_because = self.why_incomplete();
        let (ranks, ranks_from) = self.count_ranks(warnings);
        if self.repeats_ranks {
            let said = "the same rank is listed twice: several runs print into one another";
            warnings.push(Warning::at("ranks_repeated", self.first_line, said));
        }
        let mut facts = NcclTests {
            collective: self.collective,
            version: self.version,
            ranks,
            ranks_from,
            hosts: self.hosts,
            rows: self.rows,
            avg_busbw_gb_s: self.average,
            peak_busbw_gb_s: None,
            peak_size_bytes: None,
            out_of_bounds: self.out_of_bounds,
        };
        facts.forget_bandwidth_of_one_rank(warnings);
        facts.find_peak();
        (facts, incomplete_because)
    }

    fn why_incomplete(&self) -> Option<String> {
        if self.is_complete() {
            return None;
        }
        let rows = self.rows.len();
        Some(format!(
            "the closing line \"Avg bus bandwidth\" is missing; {rows} rows were found before the end"
        ))
    }

    fn count_ranks(&self, warnings: &mut Warnings) -> (Option<u32>, Option<RanksFrom>) {
        let listed = u32::try_from(self.ranks.len()).ok().filter(|listed| *listed > 0);
        let inferred =
            ranks::from_ratio(&self.rows, self.collective.as_deref(), self.redop.as_deref());
        if let (Some(listed), Some(inferred)) = (listed, inferred)
            && listed != inferred
            && !self.device_list_is_cut
        {
            let said = format!("{listed} ranks are listed, the bandwidths are those of {inferred}");
            warnings.push(Warning::new("ranks_disagree", said));
        }
        match (listed, inferred) {
            (Some(_), Some(inferred)) if self.device_list_is_cut => {
                (Some(inferred), Some(RanksFrom::Ratio))
            }
            (Some(listed), _) => (Some(listed), Some(RanksFrom::Devices)),
            (None, Some(inferred)) => (Some(inferred), Some(RanksFrom::Ratio)),
            (None, None) => (None, None),
        }
    }
}

struct Device {
    rank: u32,
    host: Option<String>,
}

impl Device {
    /// `Rank  0 Group  0 Pid 123 on host device  0 [0000:04:00] NVIDIA H100`; old builds have no group.
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().take(16).collect();
        let from = words.iter().position(|word| *word == "Rank")?;
        let rank = words.get(from + 1)?.parse().ok()?;
        let pid = words.iter().position(|word| *word == "Pid")?;
        let on = words.iter().position(|word| *word == "on")?;
        if pid < from || on < pid {
            return None;
        }
        Some(Self { rank, host: words.get(on + 1).map(|host| (*host).to_owned()) })
    }
}

/// The program's name in a header or a command line: `all_reduce_perf`.
fn collective_in(text: &str) -> Option<String> {
    let word = text
        .split(|end: char| end.is_whitespace() || end == '/')
        .find_map(|word| word.strip_suffix("_perf"))?;
    COLLECTIVES.contains(&word).then(|| word.to_owned())
}

fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    text.find(label).map(|at| &text[at + label.len()..])
}

fn first_word(value: &str) -> Option<&str> {
    value.trim_start_matches([' ', ':']).split_whitespace().next()
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}
