//! The cells of one sheet, in the order of the file, without a grid: one cell far off costs one cell.
//!
//! Numbers are written as the spreadsheet program shows them, with fifteen digits, since it keeps no more.

use super::{FORMULA_WITHOUT_VALUE, Row, Sheet, broken, too_large};
use crate::document::Warnings;
use crate::{Refused, Warning};
use calamine::{DataRef, ExcelDateTime, Style, XlsxCellReader};
use std::collections::HashSet;
use std::io::{Read, Seek};

pub(super) const CELLS_MAX: usize = 300_000;
const COLUMNS_MAX: u32 = 512;
const ROWS_MAX: u32 = 200_000;
/// Cells with the empty ones before them.
const PLACES_MAX: usize = 2_000_000;

/// Row and column of the cells whose number is shown in percent: 0.06 in such a cell is 6 %.
pub(super) fn percent_cells<S: Read + Seek>(
    reader: &mut XlsxCellReader<'_, S>,
) -> Result<HashSet<(u32, u32)>, Refused> {
    let is_percent = |style: &Style| {
        style.number_format.as_ref().is_some_and(|format| format.format_code.contains('%'))
    };
    let percents: Vec<bool> = reader.styles().iter().map(is_percent).collect();
    let mut cells = HashSet::new();
    if !percents.contains(&true) {
        return Ok(cells);
    }
    while let Some((row, column, style)) =
        reader.next_style_id().map_err(|error| broken(&error.to_string()))?
    {
        if percents.get(style) == Some(&true) {
            cells.insert((row, column));
        }
        if cells.len() > CELLS_MAX {
            return Err(too_large(&format!("the workbook has more than {CELLS_MAX} cells")));
        }
    }
    Ok(cells)
}

pub(super) fn read<S: Read + Seek>(
    name: String,
    reader: &mut XlsxCellReader<'_, S>,
    percents: &HashSet<(u32, u32)>,
    cells_left: &mut usize,
) -> Result<Sheet, Refused> {
    let mut rows: Vec<Row> = Vec::new();
    let mut warnings = Warnings::default();
    let mut width = 0;
    loop {
        let record =
            reader.next_cell_with_formula_metadata().map_err(|error| broken(&error.to_string()))?;
        let Some(record) = record else { break };
        *cells_left = cells_left
            .checked_sub(1)
            .ok_or_else(|| too_large(&format!("the workbook has more than {CELLS_MAX} cells")))?;
        let (row, column) = record.pos;
        let number = u64::from(row) + 1;
        let text = match &record.value {
            DataRef::Empty => {
                if record.formula.is_some() {
                    let said = "a formula has no stored value; open and save the file in the spreadsheet program";
                    warnings.push(Warning::at(FORMULA_WITHOUT_VALUE, number, said));
                }
                continue;
            }
            DataRef::Error(_) => {
                warnings.push(Warning::at(
                    "cell_error",
                    number,
                    "a cell has an error instead of a value",
                ));
                continue;
            }
            DataRef::Float(number) if percents.contains(&record.pos) => {
                format!("{}%", number_shown(number * 100.0))
            }
            value @ (DataRef::Int(_)
            | DataRef::Float(_)
            | DataRef::String(_)
            | DataRef::SharedString(_)
            | DataRef::Bool(_)
            | DataRef::DateTime(_)
            | DataRef::DateTimeIso(_)
            | DataRef::DurationIso(_)) => shown(value),
        };
        if text.trim().is_empty() {
            continue;
        }
        if column >= COLUMNS_MAX || row >= ROWS_MAX {
            let said = format!("a cell lies beyond row {ROWS_MAX} or column {COLUMNS_MAX}");
            return Err(too_large(&said).on_line(number));
        }
        let is_same_row = rows.last().is_some_and(|last| last.number == number);
        if !is_same_row {
            if rows.last().is_some_and(|last| last.number > number) {
                return Err(broken("the rows of a sheet are not in order").on_line(number));
            }
            rows.push(Row { number, cells: Vec::new() });
        }
        if rows.len() * width.max(column as usize + 1) > PLACES_MAX {
            return Err(too_large(&format!("a sheet spans more than {PLACES_MAX} cells")));
        }
        if let Some(last) = rows.last_mut() {
            let at = column as usize;
            width = width.max(at + 1);
            if last.cells.len() <= at {
                last.cells.resize(at + 1, String::new());
            }
            last.cells[at] = text;
        }
    }
    Ok(Sheet { name, rows, warnings: warnings.into_vec() })
}

fn shown(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number_shown(*number),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        DataRef::DateTime(time) => time_shown(time),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

fn number_shown(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    // Binary fractions like 0.30000000000000004 are not what anybody typed.
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    rounded.to_string()
}

fn time_shown(time: &ExcelDateTime) -> String {
    if !time.is_datetime() {
        return number_shown(time.as_f64());
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    if (hour, minute, second) == (0, 0, 0) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::number_shown;

    #[test]
    fn numbers_are_written_as_they_are_shown() {
        assert_eq!(number_shown(0.1 + 0.2), "0.3");
        assert_eq!(number_shown(12_800.5), "12800.5");
        assert_eq!(number_shown(1e21), "1000000000000000000000");
        assert_eq!(number_shown(f64::NAN), "");
    }
}
