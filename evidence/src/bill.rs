//! Reads a FOCUS cost and usage file (csv, versions 1.0 to 1.3).
//!
//! `billed` is the exact sum of all data rows in one currency; unlike currencies are never added.
//! Nothing is reconciled here: invoices, contracts and card counts are compared elsewhere.

mod columns;
mod total;

use crate::document::Warnings;
use crate::table::{ROWS_MAX, Row, Table};
use crate::text::Text;
use crate::{Document, Facts, Kind, Moment, Refused, Warning};
use columns::Columns;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use total::Totals;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bill {
    pub format: String,
    pub format_version: String,
    pub rows: u64,
    /// Null when the file names none or several.
    pub currency: Option<String>,
    pub currencies: Vec<String>,
    pub period_start: Option<Moment>,
    /// Exclusive.
    pub period_end: Option<Moment>,
    pub billed: Option<Decimal>,
    pub effective: Option<Decimal>,
    pub tax: Option<Decimal>,
    pub credits: Option<Decimal>,
    /// Cards × consumed hours; null when no column tells cards.
    pub card_hours: Option<f64>,
    pub by_category: BTreeMap<String, Decimal>,
    pub by_currency: BTreeMap<String, Decimal>,
    pub invoices: BTreeMap<String, Decimal>,
    pub corrections: u64,
    pub corrections_billed: Option<Decimal>,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let header = "a header with BilledCost, EffectiveCost and ChargeCategory";
    let table = Table::open(text).ok_or_else(|| Refused::not_this_kind(Kind::Bill, header))?;
    let columns =
        Columns::find(&table).ok_or_else(|| Refused::not_this_kind(Kind::Bill, header))?;
    text.refuse_long_lines()?;
    let mut warnings = Warnings::default();
    columns.warn(&mut warnings);
    let width = table.names().len();
    let mut totals = Totals::default();
    let mut cut_row = None;
    for row in table.rows() {
        if totals.rows() >= ROWS_MAX {
            return Err(Refused::new(
                "too_many_rows",
                format!("the bill has more than {ROWS_MAX} rows"),
                "split it by month or by account",
            ));
        }
        cut_row = None;
        if row.has_wrong_length {
            let said = format!("a row does not have the {width} cells of the header");
            warnings.push(Warning::at("row_skipped", row.line, said));
            cut_row = Some(row.line);
            totals.row_skipped();
        } else if is_a_totals_row(&columns, &row) {
            warnings.push(Warning::at("totals_row", row.line, "a row of totals is not added"));
        } else {
            totals.add(&columns, &row, &mut warnings);
        }
    }
    let incomplete_because = match cut_row {
        Some(line) => Some(format!("the last row, line {line}, is cut")),
        None => totals.why_incomplete(),
    };
    let facts = totals.finish(&columns, &mut warnings);
    Ok(Document::new(
        Kind::Bill,
        Facts::Bill(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

/// Spreadsheets append one: it has an amount, but neither a category nor a period.
fn is_a_totals_row(columns: &Columns, row: &Row) -> bool {
    columns.text(row, columns.category).is_none()
        && columns.text(row, columns.period_start).is_none()
        && columns.text(row, columns.charge_start).is_none()
        && row.filled_cells() > 0
}
