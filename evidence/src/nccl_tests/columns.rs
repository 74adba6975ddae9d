//! The columns of the table, from its header line or, where that is lost, from the shape of a row.
//!
//! Builds differ: no `root`, no `redop`, `error` for `#wrong`, extra columns of statistics.
//! A row that does not fit is no row.

use super::{Half, Row};
use crate::text::without_middle_tags;

/// Positions of time, algbw, busbw and wrong in one half.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    width: usize,
    size: usize,
    redop: Option<usize>,
    halves: Vec<[usize; 4]>,
    /// Old builds print the largest deviation here, which is no count.
    wrong_is_a_count: bool,
}

impl Columns {
    pub(super) fn from_header(line: &str) -> Option<Self> {
        let names: Vec<&str> = line.trim_start_matches(['#', ' ']).split_whitespace().collect();
        let size = names.iter().position(|name| *name == "size")?;
        let times = positions(&names, &["time", "cputime"]);
        let algbws = positions(&names, &["algbw"]);
        let busbws = positions(&names, &["busbw"]);
        let wrongs = positions(&names, &["#wrong", "wrong", "error"]);
        let same = times.len() == algbws.len()
            && times.len() == busbws.len()
            && times.len() == wrongs.len();
        if times.is_empty() || !same {
            return None;
        }
        let halves =
            (0..times.len()).map(|at| [times[at], algbws[at], busbws[at], wrongs[at]]).collect();
        Some(Self {
            width: names.len(),
            size,
            redop: names.iter().position(|name| *name == "redop"),
            halves,
            wrong_is_a_count: !names.contains(&"error"),
        })
    }

    /// Without a header: the size, the count, the type, maybe a redop, maybe a root, then two halves of four.
    fn from_shape(cells: &[&str]) -> Option<Self> {
        let is_word = |at: usize| {
            cells
                .get(at)
                .is_some_and(|cell| cell.starts_with(|first: char| first.is_ascii_alphabetic()))
        };
        if !is_word(2) || cells.get(1)?.parse::<u64>().is_err() {
            return None;
        }
        let redop = is_word(3).then_some(3);
        let after_words = if redop.is_some() { 4 } else { 3 };
        let first = after_words + usize::from(cells.len() == after_words + 9);
        if cells.len() != first + 8 {
            return None;
        }
        let half = |at: usize| [at, at + 1, at + 2, at + 3];
        let wrong_is_a_count = !cells[first + 3].contains(['e', '.']);
        Some(Self {
            width: cells.len(),
            size: 0,
            redop,
            halves: vec![half(first), half(first + 4)],
            wrong_is_a_count,
        })
    }

    fn row(&self, cells: &[&str]) -> Option<(Row, Option<String>)> {
        if cells.len() != self.width {
            return None;
        }
        let half = |at: &[usize; 4]| Half {
            time_us: number(cells[at[0]]),
            algbw_gb_s: number(cells[at[1]]),
            busbw_gb_s: number(cells[at[2]]),
            wrong: if self.wrong_is_a_count { count(cells[at[3]]) } else { None },
        };
        let out_of_place = half(self.halves.first()?);
        out_of_place.time_us?;
        let in_place = self.halves.get(1).map(half);
        let redop = self.redop.map(|at| cells[at].to_owned());
        Some((Row { size_bytes: cells[self.size].parse().ok()?, out_of_place, in_place }, redop))
    }
}

/// A table row and the redop it names.
pub(super) fn row(line: &str, columns: Option<&Columns>) -> Option<(Row, Option<String>)> {
    if !line.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plain = without_middle_tags(line);
    let all: Vec<&str> = plain.split_whitespace().collect();
    // With `-T` a time stands before the size.
    let is_time = |cell: &&&str| cell.contains([':', '-']) && !cell.starts_with('-');
    let cells = &all[all.iter().take_while(is_time).count()..];
    columns
        .and_then(|columns| columns.row(cells))
        .or_else(|| Columns::from_shape(cells).and_then(|columns| columns.row(cells)))
}

fn positions(names: &[&str], wanted: &[&str]) -> Vec<usize> {
    (0..names.len()).filter(|at| wanted.contains(&names[*at])).collect()
}

fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Counts may be written `1e+06`.
fn count(cell: &str) -> Option<u64> {
    cell.parse().ok().or_else(|| {
        let number =
            number(cell).filter(|number| number.fract() == 0.0 && (0.0..1e15).contains(number))?;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 1e15")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let whole = number as u64;
        Some(whole)
    })
}
