//! Reads a bill: FOCUS 1.0 to 1.3, AWS CUR, Azure, OCI and Alibaba Cloud exports as csv, any other csv by a declared profile.
//!
//! Rule: `billed` is the exact sum of the invoice column over all data rows of one currency; what a format does not state
//! is null, rows of totals are never added, and unlike currencies neither.
//! Nothing is reconciled here: invoices, contracts and card counts are compared elsewhere.

mod amount;
mod cards;
mod layout;
mod profile;
mod rows;
mod times;
mod total;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Moment, Refused, Warning};
use layout::Layout;
pub use profile::BillProfile;
use rows::Rows;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use total::Totals;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bill {
    /// `focus`, `aws-cur`, `azure`, `oci`, `alibaba`, or the word of the profile.
    pub format: String,
    pub format_version: Option<String>,
    pub rows: u64,
    /// Null when the file names none or several.
    pub currency: Option<String>,
    pub currencies: Vec<String>,
    pub period_start: Option<Moment>,
    /// Exclusive.
    pub period_end: Option<Moment>,
    /// Null for unlike currencies, and for a file of amortised costs, which no invoice has.
    pub billed: Option<Decimal>,
    /// Null when the format does not state it.
    pub effective: Option<Decimal>,
    /// Part of `billed`; null when the format has no rows of tax.
    pub tax: Option<Decimal>,
    /// Part of `billed`; null when the format has no rows of credit.
    pub credits: Option<Decimal>,
    /// Null when neither a column nor a unit nor a rule of the profile tells cards.
    pub card_hours: Option<f64>,
    pub by_category: BTreeMap<String, Decimal>,
    pub by_currency: BTreeMap<String, Decimal>,
    pub invoices: BTreeMap<String, Decimal>,
    pub corrections: u64,
    pub corrections_billed: Option<Decimal>,
}

const LOOKED_FOR: &str = "the header of a FOCUS, AWS, Azure, OCI or Alibaba Cloud bill";
const ROWS_MAX: u64 = 50_000_000;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    stream(text.content().as_bytes(), None)
}

/// Reads a bill in UTF-8 of any length in constant memory, by a profile where the format is the supplier's own.
///
/// # Errors
/// `not_this_kind` when the header is of no known format and no profile names its columns; `profile_column` when it
/// has no column that the profile names; `not_utf8`, `too_many_rows`, `line_too_long`, `unreadable` for the file itself.
pub fn stream_bill(reader: impl Read, profile: Option<&BillProfile>) -> Result<Document, Refused> {
    stream(reader, profile)
}

/// As [`stream_bill`] for a file in memory, in any encoding that is read elsewhere.
///
/// # Errors
/// Those of [`stream_bill`], and `empty`, `not_text`, `too_large`.
pub fn read_bill(bytes: &[u8], profile: &BillProfile) -> Result<Document, Refused> {
    let text = Text::decode(bytes)?;
    let mut document = stream(text.content().as_bytes(), Some(profile))?;
    document.warnings.extend(text.warnings().iter().cloned());
    Ok(document)
}

fn stream(reader: impl Read, profile: Option<&BillProfile>) -> Result<Document, Refused> {
    let mut rows = Rows::open(reader, profile.and_then(BillProfile::delimiter))?
        .ok_or_else(|| Refused::not_this_kind(Kind::Bill, LOOKED_FOR))?;
    let mut warnings = Warnings::default();
    let layout = Layout::find(rows.names(), profile, &mut warnings)?
        .ok_or_else(|| Refused::not_this_kind(Kind::Bill, LOOKED_FOR))?;
    let mut totals = Totals::new(&layout);
    let mut cut_row = None;
    while let Some(row) = rows.next_row()? {
        if totals.rows() >= ROWS_MAX {
            return Err(Refused::new(
                "too_many_rows",
                format!("the bill has more than {ROWS_MAX} rows"),
                "split it by month or by account",
            ));
        }
        cut_row = None;
        if layout.is_a_totals_row(&row) {
            warnings.push(Warning::at("totals_row", row.line(), "a row of totals is not added"));
        } else if row.has_wrong_length() {
            let said = format!("a row does not have the {} cells of the header", row.width());
            warnings.push(Warning::at("row_skipped", row.line(), said));
            cut_row = Some(row.line());
            totals.row_skipped();
        } else {
            totals.add(&row, &mut warnings);
        }
    }
    let incomplete_because = match cut_row {
        Some(line) => Some(format!("the last row, line {line}, is cut")),
        None => totals.why_incomplete(),
    };
    let facts = totals.finish(&mut warnings);
    Ok(Document::new(
        Kind::Bill,
        Facts::Bill(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}
