//! An Excel workbook as the text that the same template has as csv or plain text.
//!
//! Rule: nothing is trusted before it is measured – how much it inflates to, how many parts, elements and cells it has –
//! and a formula counts only by the value that the spreadsheet program stored with it.
//! Colours, sizes, macros and hidden sheets' purpose are not looked at.

mod archive;
mod sheet;

use crate::{Refused, Warning};
use calamine::{Reader, Xlsx};
use std::io::Cursor;

pub(crate) const SIGNATURE: &[u8] = b"PK\x03\x04";

pub(crate) const FORMULA_WITHOUT_VALUE: &str = "formula_without_value";
const SHEETS_MAX: usize = 50;

/// One sheet that has cells, as rows of text.
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) struct Row {
    /// As the spreadsheet program counts it, from 1.
    pub(crate) number: u64,
    pub(crate) cells: Vec<String>,
}

/// Every sheet with cells, in the workbook's order.
pub(crate) fn sheets(bytes: &[u8]) -> Result<Vec<Sheet>, Refused> {
    archive::check(bytes)?;
    // The libraries below have been seen to count beyond their integers; what the check above does not foresee ends
    // as a refusal too.
    std::panic::catch_unwind(|| unchecked_sheets(bytes))
        .unwrap_or_else(|_| Err(broken("its parts contradict each other")))
}

fn unchecked_sheets(bytes: &[u8]) -> Result<Vec<Sheet>, Refused> {
    let mut book: Xlsx<_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(&error.to_string()))?;
    let names = book.sheet_names();
    if names.len() > SHEETS_MAX {
        return Err(too_large(&format!("the workbook has more than {SHEETS_MAX} sheets")));
    }
    let mut sheets = Vec::new();
    let mut cells_left = sheet::CELLS_MAX;
    for name in names {
        // A sheet may be a chart; it has no cells.
        let percents = match book.worksheet_cells_reader(&name) {
            Ok(mut reader) => sheet::percent_cells(&mut reader)?,
            Err(_) => continue,
        };
        // The cells' styles came in one pass, the cells come in another.
        let mut reader =
            book.worksheet_cells_reader(&name).map_err(|error| broken(&error.to_string()))?;
        let sheet = sheet::read(name, &mut reader, &percents, &mut cells_left)?;
        if !sheet.rows.is_empty() {
            sheets.push(sheet);
        }
    }
    Ok(sheets)
}

impl Sheet {
    /// As csv, each row on the line of its number, so that a warning names the row that people see.
    pub(crate) fn to_csv(&self) -> String {
        let width = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let mut text = String::new();
        let mut line = 1;
        for row in &self.rows {
            while line < row.number {
                text.push('\n');
                line += 1;
            }
            for at in 0..width {
                if at > 0 {
                    text.push(',');
                }
                let cell = row.cells.get(at).map_or("", String::as_str);
                if cell.contains([',', '"', '\n', '\r']) {
                    // A line end inside a cell would shift the numbers of all rows behind it.
                    let cell = cell.replace('"', "\"\"").replace(['\n', '\r'], " ");
                    text.extend(["\"", &cell, "\""]);
                } else {
                    text.push_str(cell);
                }
            }
            text.push('\n');
            line += 1;
        }
        text
    }

    /// As lines of plain text: a row's first cell may be a heading, and a label before its value gets a colon.
    pub(crate) fn to_lines(&self, is_heading: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        let mut line = 1;
        for row in &self.rows {
            while line < row.number {
                text.push('\n');
                line += 1;
            }
            // A line end inside a cell ends a clause; as a line of its own it would shift the numbers of all others.
            let cells = row.cells.iter().map(|cell| cell.trim().replace(['\n', '\r'], "; "));
            let mut cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
            if cells.first().is_some_and(|first| is_heading(bare(first))) {
                let heading = cells.remove(0);
                text.extend(["【", bare(&heading), "】"]);
            }
            match &cells[..] {
                [label, value] => {
                    let label = label.trim_end_matches([':', '：']);
                    text.extend([label, ": ", value]);
                }
                other => text.push_str(&other.join("; ")),
            }
            text.push('\n');
            line += 1;
        }
        text
    }
}

fn bare(heading: &str) -> &str {
    heading.trim_matches(['【', '】', '[', ']', '［', '］', ':', '：', ' '])
}

fn broken(why: &str) -> Refused {
    let why: String = why.chars().take(120).collect();
    Refused::new(
        "bad_workbook",
        format!("the workbook cannot be read: {why}"),
        "save it again as .xlsx, without a password, or as csv",
    )
}

fn too_large(what: &str) -> Refused {
    Refused::new("too_large", what, "keep only the sheet of the template, or save it as csv")
}
