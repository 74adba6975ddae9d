//! Reads dated price points, as csv or as a sheet of an Excel workbook.
//!
//! The header is `card,basis,term,low,high,currency,tax,region,source,date`:
//!
//! | column | what |
//! |---|---|
//! | `card` | the card, by any name |
//! | `basis` | `on_demand`, `reserved`, `spot` |
//! | `term` | what one price pays for one card: `hour`, `month`, `year`, `package:720` (hours) |
//! | `low`, `high` | the price; `high` may be empty |
//! | `tax` | `net`, the percentage that the price includes, or empty when nobody said |
//! | `region` | may be empty |
//! | `source`, `date` | who says so, and of which day (`2026-11-09`) |
//!
//! Rule: a row without a price, or with one still to be determined, is left out with a warning: a
//! missing price is unknown and never zero. Whether the card exists, and what a price is worth, is
//! not judged here.

use crate::document::Warnings;
use crate::table::{Row, Table};
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning, decimal};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    pub points: Vec<PricePoint>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PricePoint {
    /// Of the file, to say which row is meant.
    pub line: u64,
    pub card: String,
    pub basis: PointBasis,
    pub term: PointTerm,
    pub low: Decimal,
    pub high: Decimal,
    pub currency: String,
    pub tax: PointTax,
    pub region: Option<String>,
    pub source: String,
    pub date: NaiveDate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointBasis {
    OnDemand,
    Reserved,
    Spot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointTerm {
    Hour,
    Month,
    Year,
    Package { hours: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointTax {
    Net,
    Included { percent: Decimal },
    NotSaid,
}

const COLUMNS: [&str; 10] =
    ["card", "basis", "term", "low", "high", "currency", "tax", "region", "source", "date"];
const NOT_YET: [&str; 6] = ["", "-", "tbd", "n/a", "待定", "面议"];
const ROWS_MAX: usize = 10_000;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let header = "the header card,basis,term,low,high,currency,tax,region,source,date";
    let other = || Refused::not_this_kind(Kind::Prices, header);
    let table = Table::open(text).ok_or_else(other)?;
    let column = |name: &str| table.names().iter().position(|n| n.eq_ignore_ascii_case(name));
    let columns = COLUMNS.map(column);
    if columns.contains(&None) {
        return Err(other());
    }
    text.refuse_long_lines()?;
    let mut warnings = Warnings::default();
    let mut points = Vec::new();
    let mut cut = None;
    let mut rows = table.rows().peekable();
    while let Some(row) = rows.next() {
        if row.has_wrong_length && rows.peek().is_none() && !text.ends_with_newline() {
            cut = Some(format!("the last row, line {}, is cut", row.line));
        } else if row.has_wrong_length {
            let advice = "give every row the ten cells of the header";
            return Err(bad(&row, "row", "it has another number of cells than the header", advice));
        } else if row.filled_cells() > 0 {
            if points.len() == ROWS_MAX {
                return Err(bad(&row, "row", "there are more than 10000 prices", "split the file"));
            }
            points.extend(point(&row, &columns.map(|at| row.cell(at)), &mut warnings)?);
        }
    }
    let nothing = points.is_empty().then(|| "the file has no price".to_owned());
    let facts = Facts::Prices(Box::new(Prices { points }));
    Ok(Document::new(Kind::Prices, facts, cut.or(nothing), warnings.into_vec()))
}

fn point(
    row: &Row,
    [card, basis, term, low, high, currency, tax, region, source, date]: &[&str; 10],
    warnings: &mut Warnings,
) -> Result<Option<PricePoint>, Refused> {
    if NOT_YET.contains(&low.to_lowercase().as_str()) {
        let said = format!("{card} has no price here; it is left out, not taken as zero");
        warnings.push(Warning::at("price_missing", row.line, said));
        return Ok(None);
    }
    let low = price(row, "low", low)?;
    let high = match high.is_empty() {
        true => low,
        false => price(row, "high", high)?,
    };
    for (name, cell) in [("card", card), ("currency", currency), ("source", source)] {
        if cell.is_empty() {
            return Err(bad(row, name, "it is empty", "say it in every row"));
        }
    }
    if high < low {
        return Err(bad(row, "high", "it is below `low`", "write the lower price under `low`"));
    }
    Ok(Some(PricePoint {
        line: row.line,
        card: (*card).to_owned(),
        basis: PointBasis::parse(basis).ok_or_else(|| {
            bad(row, "basis", "it is unknown", "write on_demand, reserved or spot")
        })?,
        term: PointTerm::parse(term).ok_or_else(|| {
            bad(row, "term", "it is unknown", "write hour, month, year or package:720")
        })?,
        low,
        high,
        currency: (*currency).to_owned(),
        tax: PointTax::parse(tax).ok_or_else(|| {
            bad(row, "tax", "it is unknown", "write net, a percentage such as 6, or nothing")
        })?,
        region: (!region.is_empty()).then(|| (*region).to_owned()),
        source: (*source).to_owned(),
        date: date
            .parse()
            .map_err(|_| bad(row, "date", "it is no date", "write it as 2026-11-09"))?,
    }))
}

fn price(row: &Row, field: &'static str, cell: &str) -> Result<Decimal, Refused> {
    let price = decimal::parse(cell)
        .ok_or_else(|| bad(row, field, "it is no number", "write the price in figures"))?;
    match price > Decimal::ZERO {
        true => Ok(price),
        false => Err(bad(row, field, "it is not above zero", "leave out what is not known")),
    }
}

impl PointBasis {
    fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
            "on_demand" | "按需" => Some(Self::OnDemand),
            "reserved" | "预留" => Some(Self::Reserved),
            "spot" | "竞价" => Some(Self::Spot),
            _ => None,
        }
    }
}

impl PointTerm {
    fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase().replace('：', ":");
        match text.as_str() {
            "hour" | "时" | "小时" => Some(Self::Hour),
            "month" | "月" => Some(Self::Month),
            "year" | "年" => Some(Self::Year),
            other => {
                let hours = other.strip_prefix("package:").or(other.strip_prefix("套餐:"))?;
                let hours = hours.trim().parse().ok().filter(|hours| *hours > 0)?;
                Some(Self::Package { hours })
            }
        }
    }
}

impl PointTax {
    fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().trim_end_matches('%').trim() {
            "" => Some(Self::NotSaid),
            "net" | "不含税" => Some(Self::Net),
            percent => {
                let percent = decimal::parse(percent)?;
                let is_rate = (Decimal::ZERO..=Decimal::ONE_HUNDRED).contains(&percent);
                is_rate.then_some(Self::Included { percent })
            }
        }
    }
}

fn bad(row: &Row, field: &'static str, what: &str, advice: &str) -> Refused {
    Refused::new("bad_value", what, advice).in_field(field).on_line(row.line)
}
