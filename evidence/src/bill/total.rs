//! The sums of a bill, exact and one currency at a time.
//!
//! Every data row counts with the sign the file gives it; a cell that cannot be read makes the bill incomplete.
//! Tax, credits and corrections are parts of the billed sum, not additions to it.

use super::Bill;
use super::columns::Columns;
use crate::document::Warnings;
use crate::table::Row;
use crate::{Moment, Warning, decimal};
use chrono::{TimeDelta, Timelike};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Totals {
    rows: u64,
    skipped_rows: u64,
    unread_amounts: u64,
    overflowed: bool,
    billed: Decimal,
    effective: Decimal,
    tax: Decimal,
    credits: Decimal,
    corrections: u64,
    corrections_billed: Decimal,
    card_hours: Option<Decimal>,
    by_category: BTreeMap<String, Decimal>,
    by_currency: BTreeMap<String, Decimal>,
    invoices: BTreeMap<String, Decimal>,
    period_start: Option<Moment>,
    period_end: Option<Moment>,
    periods: std::collections::BTreeSet<String>,
}

const KEYS_MAX: usize = 100_000;

impl Totals {
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn row_skipped(&mut self) {
        self.skipped_rows += 1;
    }

    pub(super) fn add(&mut self, columns: &Columns, row: &Row, warnings: &mut Warnings) {
        self.rows += 1;
        let billed = self.amount(columns, row, (columns.billed, "BilledCost"), warnings);
        let effective = self.amount(columns, row, (columns.effective, "EffectiveCost"), warnings);
        self.overflowed |= !plus(&mut self.billed, billed);
        self.overflowed |= !plus(&mut self.effective, effective);
        let category = columns.text(row, columns.category).unwrap_or("");
        match category {
            "Tax" => self.overflowed |= !plus(&mut self.tax, billed),
            "Credit" => self.overflowed |= !plus(&mut self.credits, billed),
            _ => {}
        }
        let category = if category.is_empty() { "none" } else { category };
        self.overflowed |= !plus_at(&mut self.by_category, category, billed);
        if let Some(currency) = columns.text(row, columns.currency) {
            self.overflowed |= !plus_at(&mut self.by_currency, currency, billed);
        }
        if let Some(invoice) = columns.text(row, columns.invoice) {
            self.overflowed |= !plus_at(&mut self.invoices, invoice, billed);
        }
        if columns.text(row, columns.class).is_some_and(|class| class == "Correction") {
            self.corrections += 1;
            self.overflowed |= !plus(&mut self.corrections_billed, billed);
        }
        self.add_card_hours(columns, row, category, warnings);
        self.add_periods(columns, row, warnings);
    }

    fn amount(
        &mut self,
        columns: &Columns,
        row: &Row,
        (column, name): (Option<usize>, &str),
        warnings: &mut Warnings,
    ) -> Decimal {
        let Some(text) = columns.text(row, column) else {
            warnings.push(Warning::at("amount_missing", row.line, format!("{name} is empty")));
            return Decimal::ZERO;
        };
        decimal::parse(text).unwrap_or_else(|| {
            self.unread_amounts += 1;
            warnings.push(Warning::at("bad_number", row.line, format!("{name} is no number")));
            Decimal::ZERO
        })
    }

    /// Cards × hours of usage rows; the unused rest of a reservation has no consumed quantity.
    fn add_card_hours(
        &mut self,
        columns: &Columns,
        row: &Row,
        category: &str,
        warnings: &mut Warnings,
    ) {
        let Some(column) = columns.card_count else { return };
        let known = self.card_hours.get_or_insert(Decimal::ZERO);
        let unit = columns.text(row, columns.consumed_unit).unwrap_or("");
        let in_hours = matches!(unit.to_ascii_lowercase().as_str(), "hours" | "hour");
        if category != "Usage" || !in_hours {
            return;
        }
        let cards = columns.text(row, Some(column)).map(decimal::parse);
        let consumed = columns.text(row, columns.consumed).map(decimal::parse);
        let (Some(cards), Some(consumed)) = (cards, consumed) else { return };
        let product = cards.zip(consumed).and_then(|(cards, hours)| cards.checked_mul(hours));
        match product {
            Some(hours) => self.overflowed |= !plus(known, hours),
            None => {
                warnings.push(Warning::at("bad_number", row.line, "cards or hours are no number"))
            }
        }
    }

    fn add_periods(&mut self, columns: &Columns, row: &Row, warnings: &mut Warnings) {
        let mut time = |column: Option<usize>, name: &str| {
            let text = columns.text(row, column)?;
            let moment = Moment::parse(text);
            match moment {
                None => {
                    let said = format!(
                        "{name} is no date, or one whose order of day and month is unclear"
                    );
                    warnings.push(Warning::at("bad_time", row.line, said));
                }
                Some(moment) if !moment.has_zone() => {
                    warnings.once(Warning::at("no_zone", row.line, "times have no zone"));
                }
                Some(_) => {}
            }
            moment
        };
        let start = time(columns.period_start, "BillingPeriodStart");
        let end = time(columns.period_end, "BillingPeriodEnd");
        time(columns.charge_start, "ChargePeriodStart");
        time(columns.charge_end, "ChargePeriodEnd");
        if let Some(start) = start {
            let earlier = self.period_start.is_none_or(|known| start.clock() < known.clock());
            self.period_start = if earlier { Some(start) } else { self.period_start };
        }
        if let Some(end) = end {
            let end = exclusive(end, row.line, warnings);
            let later = self.period_end.is_none_or(|known| end.clock() > known.clock());
            self.period_end = if later { Some(end) } else { self.period_end };
        }
        if let Some(text) = columns.text(row, columns.period_start)
            && self.periods.len() < 100
        {
            self.periods.insert(text.to_owned());
        }
    }

    pub(super) fn why_incomplete(&self) -> Option<String> {
        if self.rows == 0 {
            Some("the bill has no rows".to_owned())
        } else if self.unread_amounts > 0 {
            Some(format!(
                "{} amounts could not be read and are not in the sums",
                self.unread_amounts
            ))
        } else if self.skipped_rows > 0 {
            Some(format!("{} rows have another number of cells than the header", self.skipped_rows))
        } else if self.overflowed {
            Some("a sum has more than 28 digits".to_owned())
        } else {
            None
        }
    }

    pub(super) fn finish(self, columns: &Columns, warnings: &mut Warnings) -> Bill {
        if self.periods.len() > 1 {
            let said = format!("the file has {} billing periods", self.periods.len());
            warnings.push(Warning::new("several_periods", said));
        }
        let currencies: Vec<String> = self.by_currency.keys().cloned().collect();
        let mixed = currencies.len() > 1;
        if mixed {
            let said = format!("amounts in {} are not added", currencies.join(", "));
            warnings.push(Warning::new("several_currencies", said));
        } else if currencies.is_empty() {
            warnings.push(Warning::new("no_currency", "the file names no currency"));
        }
        let summed = |sum: Decimal| (!mixed).then(|| sum.normalize());
        let table = |sums: BTreeMap<String, Decimal>| {
            sums.into_iter().map(|(key, sum)| (key, sum.normalize())).collect::<BTreeMap<_, _>>()
        };
        let unless_mixed =
            |sums: BTreeMap<String, Decimal>| if mixed { BTreeMap::new() } else { table(sums) };
        Bill {
            format: "focus".to_owned(),
            format_version: columns.version.to_owned(),
            rows: self.rows,
            currency: currencies.first().filter(|_| !mixed).cloned(),
            currencies,
            period_start: self.period_start,
            period_end: self.period_end,
            billed: summed(self.billed),
            effective: summed(self.effective),
            tax: summed(self.tax),
            credits: summed(self.credits),
            card_hours: self.card_hours.and_then(|hours| f64::try_from(hours).ok()),
            by_category: unless_mixed(self.by_category),
            by_currency: table(self.by_currency),
            invoices: unless_mixed(self.invoices),
            corrections: self.corrections,
            corrections_billed: summed(self.corrections_billed),
        }
    }
}

/// False when the sum does not fit; the sum then stays as it was.
fn plus(sum: &mut Decimal, amount: Decimal) -> bool {
    match sum.checked_add(amount) {
        Some(next) => {
            *sum = next;
            true
        }
        None => false,
    }
}

fn plus_at(sums: &mut BTreeMap<String, Decimal>, key: &str, amount: Decimal) -> bool {
    if let Some(sum) = sums.get_mut(key) {
        return plus(sum, amount);
    }
    let has_room = sums.len() < KEYS_MAX;
    if has_room {
        sums.insert(key.to_owned(), amount);
    }
    has_room
}

/// Some exporters write the last second of a period; a period here ends where the next begins.
fn exclusive(end: Moment, line: u64, warnings: &mut Warnings) -> Moment {
    let clock = end.clock();
    if clock.second() != 59 || clock.minute() != 59 {
        return end;
    }
    warnings.once(Warning::at("inclusive_end", line, "the period ends with its last second"));
    let second = TimeDelta::seconds(1);
    match end {
        Moment::Zoned(zoned) => zoned.checked_add_signed(second).map_or(end, Moment::Zoned),
        Moment::Local(local) => local.checked_add_signed(second).map_or(end, Moment::Local),
    }
}
