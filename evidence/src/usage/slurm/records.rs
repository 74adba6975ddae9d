//! The table that sacct prints: a header, a delimiter of one or more signs, records that may run over several lines.
//!
//! A comment may hold line ends, so a row that is too short goes on in the next lines, within a bound.

use crate::Warning;
use crate::document::Warnings;
use crate::text::{Line, Text};

pub(super) struct Columns {
    delimiter: String,
    width: usize,
    pub(super) job: usize,
    pub(super) job_raw: Option<usize>,
    pub(super) start: Option<usize>,
    pub(super) end: Option<usize>,
    pub(super) elapsed: Option<usize>,
    pub(super) elapsed_raw: Option<usize>,
    pub(super) suspended: Option<usize>,
    pub(super) resources: Option<usize>,
    header_line: u64,
}

pub(super) struct Record<'a> {
    pub(super) line: u64,
    cells: Vec<&'a str>,
}

pub(super) struct Records<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
    columns: &'a Columns,
    cut_line: Option<u64>,
    ends_whole: bool,
}

const LINES_OF_RECORD_MAX: usize = 50;
const HEADER_LINES_MAX: usize = 20;

impl Columns {
    /// `None` when the first lines have no header of sacct.
    pub(super) fn find(text: &Text) -> Option<Self> {
        text.lines().take(HEADER_LINES_MAX).find_map(|line| {
            let first = line.text.find('|')?;
            let rest = &line.text[first..];
            let length = rest.find(|sign: char| sign.is_ascii_alphanumeric()).unwrap_or(1);
            let delimiter = &rest[..length];
            let names: Vec<&str> = cells(line.text, delimiter);
            let column =
                |name: &str| names.iter().position(|known| known.eq_ignore_ascii_case(name));
            let job = column("JobID").or_else(|| column("JobIDRaw"))?;
            let times = [
                column("Start"),
                column("End"),
                column("Elapsed"),
                column("ElapsedRaw"),
                column("State"),
            ];
            if times.iter().flatten().count() < 2 {
                return None;
            }
            Some(Self {
                delimiter: delimiter.to_owned(),
                width: names.len(),
                job,
                job_raw: column("JobIDRaw"),
                start: column("Start"),
                end: column("End"),
                elapsed: column("Elapsed"),
                elapsed_raw: column("ElapsedRaw"),
                suspended: column("Suspended"),
                resources: column("AllocTRES").or_else(|| column("AllocGRES")),
                header_line: line.number,
            })
        })
    }
}

/// With `-p` the line ends with a delimiter too.
fn cells<'a>(line: &'a str, delimiter: &str) -> Vec<&'a str> {
    line.strip_suffix(delimiter).unwrap_or(line).split(delimiter).map(str::trim).collect()
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a Text, columns: &'a Columns) -> Self {
        let lines = text
            .lines()
            .filter(|line| line.number > columns.header_line && !line.text.trim().is_empty());
        Self {
            lines: lines.collect(),
            at: 0,
            columns,
            cut_line: None,
            ends_whole: text.ends_with_newline(),
        }
    }

    pub(super) fn next_record(&mut self, warnings: &mut Warnings) -> Option<Record<'a>> {
        loop {
            let first = *self.lines.get(self.at)?;
            let mut cells = cells(first.text, &self.columns.delimiter);
            let mut taken = 1;
            // The part of a comment before a line end is cut off; what follows goes on with the same cell.
            while cells.len() < self.columns.width && taken < LINES_OF_RECORD_MAX {
                let Some(next) = self.lines.get(self.at + taken) else { break };
                let more = self::cells(next.text, &self.columns.delimiter);
                if cells.len() + more.len() - 1 > self.columns.width {
                    break;
                }
                cells.extend(more.into_iter().skip(1));
                taken += 1;
            }
            // Printed again in a log of several calls.
            let is_header =
                cells.get(self.columns.job).is_some_and(|cell| cell.eq_ignore_ascii_case("JobID"));
            self.at += taken;
            if cells.len() == self.columns.width {
                if is_header {
                    continue;
                }
                return Some(Record { line: first.number, cells });
            }
            // A row that could not be put together costs itself, not the lines that were tried with it.
            self.at = self.at - taken + 1;
            if self.at >= self.lines.len() && !self.ends_whole {
                self.cut_line = Some(first.number);
            }
            let said = "a row does not have the cells of the header";
            warnings.push(Warning::at("row_skipped", first.number, said));
        }
    }

    pub(super) fn cut_line(&self) -> Option<u64> {
        self.cut_line
    }
}

impl<'a> Record<'a> {
    pub(super) fn cell(&self, column: usize) -> &'a str {
        self.cells.get(column).copied().unwrap_or("")
    }

    /// `None` when the column or the cell's content does not exist.
    pub(super) fn cell_of(&self, column: Option<usize>) -> Option<&'a str> {
        column.map(|column| self.cell(column)).filter(|cell| !cell.is_empty())
    }
}

/// Cards in `cpu=8,gres/gpu=4,gres/gpu:a40=4`: the entry without a type counts all types, so they are not added to it.
pub(super) fn cards(resources: &str, line: u64, warnings: &mut Warnings) -> Option<u64> {
    let (mut untyped, mut typed) = (None, None::<u64>);
    for entry in resources.split(',') {
        // The older column writes `gpu:4` and `gpu:a40:4`.
        let Some((name, count)) = entry.rsplit_once('=').or_else(|| entry.rsplit_once(':')) else {
            continue;
        };
        let name = name.trim().strip_prefix("gres/").unwrap_or(name.trim());
        let (family, is_typed) = match name.split_once(':') {
            Some((family, _)) => (family, true),
            None => (name, false),
        };
        if !matches!(family, "gpu" | "npu" | "dcu") {
            continue;
        }
        let Ok(count) = count.trim().parse::<u64>() else {
            warnings.push(Warning::at("bad_number", line, "a number of cards is none"));
            continue;
        };
        let count = count.min(1_000_000);
        if is_typed {
            typed = Some(typed.unwrap_or(0).saturating_add(count));
        } else {
            untyped = Some(count);
        }
    }
    untyped.or(typed)
}

/// `[DD-[HH:]]MM:SS` in seconds.
pub(super) fn elapsed(text: &str) -> Option<u64> {
    let (days, clock) = text.split_once('-').unwrap_or(("0", text));
    let clock = clock.split('.').next()?;
    let parts: Vec<u64> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (hours, minutes, seconds) = match parts[..] {
        [hours, minutes, seconds] => (hours, minutes, seconds),
        [minutes, seconds] => (0, minutes, seconds),
        _ => return None,
    };
    let days: u64 = days.parse().ok().filter(|days| *days < 100_000)?;
    (hours < 100_000 && minutes < 60 && seconds < 60)
        .then(|| days * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::{cards, elapsed};
    use crate::document::Warnings;

    #[test]
    fn elapsed_times_have_days_or_not() {
        assert_eq!(elapsed("1-01:50:50"), Some(93_050));
        assert_eq!(elapsed("02:03"), Some(123));
        assert_eq!(elapsed("00:30:00.123"), Some(1800));
        for text in ["", "UNLIMITED", "1", "1:2:3:4", "00:61"] {
            assert_eq!(elapsed(text), None, "{text}");
        }
    }

    #[test]
    fn types_of_cards_are_not_added_to_their_sum() {
        let count = |text: &str| cards(text, 1, &mut Warnings::default());
        assert_eq!(count("cpu=8,gres/gpu=16,gres/gpu:h100=16,node=2"), Some(16));
        assert_eq!(count("gres/gpu:a40=1,gres/gpu:h100=2"), Some(3));
        assert_eq!(count("gpu:a40:4"), Some(4));
        assert_eq!(count("gres/npu=8"), Some(8));
        assert_eq!(count("cpu=8,mem=4G,gres/shard=4"), None);
        assert_eq!(count("gres/gpu=0"), Some(0));
    }
}
