//! Reads a supplier's quote in the product's own template, as csv or as a sheet of an Excel workbook.
//!
//! The template has the columns `row,key,value,unit,quantity,note`, and one of these in `row`:
//!
//! | row | key | value | unit | quantity | note |
//! |---|---|---|---|---|---|
//! | `quote` | `supplier`, `currency`, `valid_until`, `tax_included`, `tax_percent` | the text, `2026-03-31`, `yes`/`no`, `6` | | | |
//! | `line` | card model | unit price | `card-hour`, `card-day`, `card-month`, `card-year` | cards | `reserved` or `on_demand`, then free text after `:` |
//! | `list` | card model | list price, for the reserved lines of that card and unit | the unit of the line | | |
//! | `answer` | `exclusive`, `bandwidth`, `bandwidth_overage`, `storage`, `storage_limits`, `overtime`, `disconnection` | free text | | | |
//!
//! Rule: prices stay exact and in the supplier's own unit, and an answer that is blank or 待定 is missing.
//! Units are not aligned and quotes are not compared here.

use crate::document::Warnings;
use crate::table::{Row, Table};
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning, decimal};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    pub supplier: Option<String>,
    pub currency: Option<String>,
    pub valid_until: Option<NaiveDate>,
    pub tax_included: Option<bool>,
    pub tax_percent: Option<Decimal>,
    pub lines: Vec<QuoteLine>,
    pub answers: BTreeMap<String, String>,
    pub missing: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuoteLine {
    pub card: String,
    pub unit_price: Decimal,
    pub unit: Unit,
    pub quantity: Option<u32>,
    pub basis: Option<Basis>,
    pub list_price: Option<Decimal>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    CardHour,
    CardDay,
    CardMonth,
    CardYear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    Reserved,
    OnDemand,
}

const COLUMNS: [&str; 6] = ["row", "key", "value", "unit", "quantity", "note"];
const ANSWERS: [&str; 7] = [
    "exclusive",
    "bandwidth",
    "bandwidth_overage",
    "storage",
    "storage_limits",
    "overtime",
    "disconnection",
];
const NOT_YET: [&str; 5] = ["待定", "待确认", "tbd", "-", "n/a"];
const LINES_MAX: usize = 10_000;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let header = "the header row,key,value,unit,quantity,note";
    let table = Table::open(text).ok_or_else(|| Refused::not_this_kind(Kind::Quote, header))?;
    let columns =
        Columns::find(&table).ok_or_else(|| Refused::not_this_kind(Kind::Quote, header))?;
    text.refuse_long_lines()?;
    let mut reading = Reading::new(columns);
    let mut rows = table.rows().peekable();
    while let Some(row) = rows.next() {
        let is_cut = row.has_wrong_length && rows.peek().is_none() && !text.ends_with_newline();
        if is_cut {
            reading.cut_row = Some(row.line);
        } else if row.filled_cells() > 0 {
            reading.row(&row)?;
        }
    }
    let (facts, incomplete_because, warnings) = reading.finish();
    Ok(Document::new(Kind::Quote, Facts::Quote(Box::new(facts)), incomplete_because, warnings))
}

struct Columns {
    row: Option<usize>,
    key: Option<usize>,
    value: Option<usize>,
    unit: Option<usize>,
    quantity: Option<usize>,
    note: Option<usize>,
}

impl Columns {
    fn find(table: &Table<'_>) -> Option<Self> {
        let column =
            |name: &str| table.names().iter().position(|known| known.eq_ignore_ascii_case(name));
        if COLUMNS.iter().any(|name| column(name).is_none()) {
            return None;
        }
        Some(Self {
            row: column("row"),
            key: column("key"),
            value: column("value"),
            unit: column("unit"),
            quantity: column("quantity"),
            note: column("note"),
        })
    }
}

struct Reading {
    columns: Columns,
    facts: Quote,
    list_prices: Vec<(String, Unit, Decimal, u64)>,
    warnings: Warnings,
    cut_row: Option<u64>,
}

impl Reading {
    fn new(columns: Columns) -> Self {
        let facts = Quote {
            supplier: None,
            currency: None,
            valid_until: None,
            tax_included: None,
            tax_percent: None,
            lines: Vec::new(),
            answers: BTreeMap::new(),
            missing: Vec::new(),
        };
        Self {
            columns,
            facts,
            list_prices: Vec::new(),
            warnings: Warnings::default(),
            cut_row: None,
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), Refused> {
        let key = row.cell(self.columns.key);
        let value = row.cell(self.columns.value);
        match row.cell(self.columns.row).to_ascii_lowercase().as_str() {
            "quote" => self.term(row, key, value)?,
            "line" => self.line(row, key, value)?,
            "list" => {
                let unit = self.unit(row)?;
                let price = amount(row, value, "value")?;
                self.list_prices.push((key.to_owned(), unit, price, row.line));
            }
            "answer" if ANSWERS.contains(&key) => self.answer(row, key, value),
            "answer" => self.unknown(row, "answer", key),
            other => self.unknown(row, "row", other),
        }
        Ok(())
    }

    fn unknown(&mut self, row: &Row, what: &str, given: &str) {
        let given: String = given.chars().take(40).collect();
        let said = format!("the template has no {what} {given:?}");
        self.warnings.push(Warning::at("unknown_row", row.line, said));
    }

    fn term(&mut self, row: &Row, key: &str, value: &str) -> Result<(), Refused> {
        if is_open(value) {
            return Ok(());
        }
        match key {
            "supplier" => self.facts.supplier = Some(value.to_owned()),
            "currency" => self.facts.currency = Some(value.to_ascii_uppercase()),
            "valid_until" => {
                let day = NaiveDate::parse_from_str(value, "%Y-%m-%d")
                    .or_else(|_| NaiveDate::parse_from_str(value, "%Y/%m/%d"))
                    .map_err(|_| {
                        bad(row, "value", "valid_until is no date", "write it as 2026-03-31")
                    })?;
                self.facts.valid_until = Some(day);
            }
            "tax_included" => {
                let yes = yes_or_no(value).ok_or_else(|| {
                    bad(row, "value", "tax_included is neither yes nor no", "write yes or no")
                })?;
                self.facts.tax_included = Some(yes);
            }
            "tax_percent" => {
                self.facts.tax_percent =
                    Some(amount(row, value.trim_end_matches(['%', '％']), "value")?);
            }
            other => self.unknown(row, "key", other),
        }
        Ok(())
    }

    fn line(&mut self, row: &Row, card: &str, price: &str) -> Result<(), Refused> {
        if self.facts.lines.len() == LINES_MAX {
            let said = format!("the quote has more than {LINES_MAX} lines");
            return Err(Refused::new("too_many_rows", said, "split it"));
        }
        let quantity = row.cell(self.columns.quantity);
        let quantity = if is_open(quantity) {
            None
        } else {
            Some(quantity.parse().map_err(|_| {
                bad(row, "quantity", "the quantity is no whole number", "write the number of cards")
            })?)
        };
        let (basis, note) = basis_and_note(row.cell(self.columns.note));
        if basis.is_none() {
            let said = "the line does not say whether it is reserved or on demand";
            self.warnings.push(Warning::at("no_basis", row.line, said));
        }
        let line = QuoteLine {
            card: card.to_owned(),
            unit_price: amount(row, price, "value")?,
            unit: self.unit(row)?,
            quantity,
            basis,
            list_price: None,
            note,
        };
        self.facts.lines.push(line);
        Ok(())
    }

    fn unit(&self, row: &Row) -> Result<Unit, Refused> {
        Unit::parse(row.cell(self.columns.unit)).ok_or_else(|| {
            bad(
                row,
                "unit",
                "the unit is unknown",
                "write card-hour, card-day, card-month or card-year",
            )
        })
    }

    fn answer(&mut self, row: &Row, key: &str, value: &str) {
        if is_open(value) {
            return;
        }
        if self.facts.answers.insert(key.to_owned(), value.to_owned()).is_some() {
            let said = format!("{key} is answered twice; the later answer is given");
            self.warnings.push(Warning::at("answered_twice", row.line, said));
        }
    }

    fn finish(mut self) -> (Quote, Option<String>, Vec<Warning>) {
        for (card, unit, price, line) in std::mem::take(&mut self.list_prices) {
            let mut fitting = 0;
            // A discount off list is what a reservation earns, so the on-demand lines get it only when alone.
            let has_reserved = self
                .facts
                .lines
                .iter()
                .any(|one| one.card == card && one.basis == Some(Basis::Reserved));
            for quoted in &mut self.facts.lines {
                let is_meant = !has_reserved || quoted.basis == Some(Basis::Reserved);
                if quoted.card == card && quoted.unit == unit && is_meant {
                    quoted.list_price = Some(price);
                    fitting += 1;
                }
            }
            if fitting == 0 {
                let said = format!("no line quotes {card} in the unit of its list price");
                self.warnings.push(Warning::at("list_price_unused", line, said));
            }
        }
        let answers = &self.facts.answers;
        self.facts.missing = ANSWERS
            .iter()
            .filter(|key| !answers.contains_key(**key))
            .map(|key| (*key).to_owned())
            .collect();
        let incomplete_because = if let Some(line) = self.cut_row {
            Some(format!("the last row, line {line}, is cut"))
        } else if self.facts.lines.is_empty() {
            Some("the quote has no line with a price".to_owned())
        } else if self.facts.supplier.is_none() || self.facts.currency.is_none() {
            Some("the quote does not name its supplier or its currency".to_owned())
        } else {
            None
        };
        (self.facts, incomplete_because, self.warnings.into_vec())
    }
}

impl Unit {
    fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().replace(['_', ' '], "-").as_str() {
            "card-hour" | "卡时" => Some(Self::CardHour),
            "card-day" | "卡天" => Some(Self::CardDay),
            "card-month" | "卡月" => Some(Self::CardMonth),
            "card-year" | "卡年" => Some(Self::CardYear),
            _ => None,
        }
    }
}

/// `reserved: at least 12 months` is the basis and a note.
fn basis_and_note(text: &str) -> (Option<Basis>, Option<String>) {
    let words = [
        ("reserved", Basis::Reserved),
        ("预留", Basis::Reserved),
        ("on_demand", Basis::OnDemand),
        ("on-demand", Basis::OnDemand),
        ("按需", Basis::OnDemand),
    ];
    for (word, basis) in words {
        if let Some(rest) = text.strip_prefix(word) {
            let note = rest.trim_start_matches([':', '：', ';', '；', ',', '，', ' ']);
            return (Some(basis), (!note.is_empty()).then(|| note.to_owned()));
        }
    }
    (None, (!text.is_empty()).then(|| text.to_owned()))
}

fn is_open(value: &str) -> bool {
    value.is_empty() || NOT_YET.iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn yes_or_no(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "true" | "是" | "含税" => Some(true),
        "no" | "false" | "否" | "不含税" => Some(false),
        _ => None,
    }
}

fn amount(row: &Row, text: &str, field: &str) -> Result<Decimal, Refused> {
    let number = decimal::parse(text).filter(|number| !number.is_sign_negative());
    number.ok_or_else(|| {
        bad(
            row,
            field,
            "the amount is no number",
            "write it like 12800.50, without a currency sign",
        )
    })
}

fn bad(row: &Row, field: &str, what: &str, advice: &str) -> Refused {
    Refused::new("bad_value", what, advice).on_line(row.line).in_field(field)
}
