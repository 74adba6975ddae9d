//! The sums of a bill, exact and one currency at a time.
//!
//! Every data row counts with the sign the file gives it; a cell that cannot be read makes the bill incomplete.
//! Tax, credits and corrections are parts of the billed sum, not additions to it.

mod report;
mod tally;

use super::amount::{Amount, Reading};
use super::cards::CardHours;
use super::layout::{Currency, Layout};
use super::rows::Row;
use super::times::{self, Form, Span};
use crate::document::Warnings;
use crate::{Moment, Warning};
use rust_decimal::Decimal;
use std::collections::BTreeSet;
use tally::{Sum, Tally};

pub(super) struct Totals<'a> {
    layout: &'a Layout,
    rows: u64,
    skipped_rows: u64,
    unread_amounts: u64,
    billed: Sum,
    effective: Sum,
    tax: Sum,
    credits: Sum,
    corrections: u64,
    corrections_billed: Sum,
    card_hours: Sum,
    by_category: Tally,
    by_currency: Tally,
    invoices: Tally,
    period: Span,
    charges: Span,
    /// The last cells read as times: start and end of the period, start and end of the charge.
    seen: [Seen; 4],
    periods: BTreeSet<Vec<u8>>,
    amortised_rows: u64,
    purchased_rows: u64,
    has_said_no_zone: bool,
    beside: Sum,
}

#[derive(Default)]
struct Seen {
    cell: Vec<u8>,
    moment: Option<Moment>,
}

const PERIODS_MAX: usize = 100;

impl<'a> Totals<'a> {
    pub(super) fn new(layout: &'a Layout) -> Self {
        Self {
            layout,
            rows: 0,
            skipped_rows: 0,
            unread_amounts: 0,
            billed: Sum::default(),
            effective: Sum::default(),
            tax: Sum::default(),
            credits: Sum::default(),
            corrections: 0,
            corrections_billed: Sum::default(),
            card_hours: Sum::default(),
            by_category: Tally::default(),
            by_currency: Tally::default(),
            invoices: Tally::default(),
            period: Span::default(),
            charges: Span::default(),
            seen: Default::default(),
            periods: BTreeSet::new(),
            amortised_rows: 0,
            purchased_rows: 0,
            has_said_no_zone: false,
            beside: Sum::default(),
        }
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn row_skipped(&mut self) {
        self.skipped_rows += 1;
    }

    pub(super) fn add(&mut self, row: &Row<'_>, warnings: &mut Warnings) {
        let layout = self.layout;
        self.rows += 1;
        let billed = self.amount(&layout.billed, "the invoiced amount", row, warnings);
        if let Some(billed) = billed {
            self.billed.add(billed);
        }
        if let Some(rule) = &layout.effective
            && let Some(effective) = self.amount(rule, "the effective cost", row, warnings)
        {
            self.effective.add(effective);
        }
        let category = layout.category.map_or(&b""[..], |column| row.cell(column));
        let category = if layout.is_null(category) { &b"none"[..] } else { category };
        self.add_parts(row, category, billed);
        self.add_card_hours(row, category, warnings);
        self.add_amortised(row, category, billed);
        self.add_times(row, warnings);
        if let Some((column, _)) = layout.beside
            && let Reading::Known(amount) = Amount::Column(column).read(row)
        {
            self.beside.add(amount);
        }
    }

    fn amount(
        &mut self,
        rule: &Amount,
        name: &str,
        row: &Row<'_>,
        warnings: &mut Warnings,
    ) -> Option<Decimal> {
        let reading = match (rule.read(row), rule) {
            // The profile knows words for nothing that are no numbers.
            (Reading::Unreadable, Amount::Column(column))
                if self.layout.is_null(row.cell(*column)) =>
            {
                Reading::Missing
            }
            (reading, _) => reading,
        };
        match reading {
            Reading::Known(amount) => Some(amount),
            Reading::Missing => {
                warnings.push(Warning::at(
                    "amount_missing",
                    row.line(),
                    format!("{name} is empty"),
                ));
                None
            }
            Reading::Unreadable => {
                self.unread_amounts += 1;
                warnings.push(Warning::at(
                    "bad_number",
                    row.line(),
                    format!("{name} is no number"),
                ));
                None
            }
        }
    }

    fn add_parts(&mut self, row: &Row<'_>, category: &[u8], billed: Option<Decimal>) {
        let layout = self.layout;
        let words = &layout.words;
        let class = words.correction_column.map_or(&b""[..], |column| row.cell(column));
        let is_correction = is_one_of(class, &words.correction);
        self.corrections += u64::from(is_correction);
        let billed = billed.unwrap_or_default();
        if is_correction {
            self.corrections_billed.add(billed);
        }
        if is_one_of(category, &words.tax) {
            self.tax.add(billed);
        } else if is_one_of(category, &words.credit) {
            self.credits.add(billed);
        }
        self.by_category.add(category, billed);
        if let Currency::Column(column) = layout.currency {
            let currency = row.cell(column);
            if !layout.is_null(currency) {
                self.by_currency.add(currency, billed);
            }
        }
        if let Some(column) = layout.invoice {
            let invoice = row.cell(column);
            if !layout.is_null(invoice) {
                self.invoices.add(invoice, billed);
            }
        }
    }

    /// Cards × hours of rows of use; the unused rest of a reservation has no consumed quantity.
    fn add_card_hours(&mut self, row: &Row<'_>, category: &[u8], warnings: &mut Warnings) {
        let usage = &self.layout.words.usage;
        if !usage.is_empty() && !is_one_of(category, usage) {
            return;
        }
        match self.layout.cards.read(row) {
            CardHours::Known(hours) => self.card_hours.add(hours),
            CardHours::None => {}
            CardHours::Unreadable => {
                warnings.push(Warning::at(
                    "bad_number",
                    row.line(),
                    "cards or hours are no number",
                ));
            }
        }
    }

    /// In invoiced costs, what a reservation covers is free and its purchase is not; in amortised costs it is the
    /// other way round.
    fn add_amortised(&mut self, row: &Row<'_>, category: &[u8], billed: Option<Decimal>) {
        let Some(amortised) = &self.layout.amortised else { return };
        let model = amortised.pricing_model.map_or(&b""[..], |column| row.cell(column));
        let is_covered = model.eq_ignore_ascii_case(b"reservation")
            || model.eq_ignore_ascii_case(b"savingsplan");
        let has_cost = billed.is_some_and(|billed| !billed.is_zero());
        let is_unused = category.len() > 6 && category[..6].eq_ignore_ascii_case(b"unused");
        if has_cost && (is_unused || (is_covered && category.eq_ignore_ascii_case(b"usage"))) {
            self.amortised_rows += 1;
        }
        if has_cost && is_covered && category.eq_ignore_ascii_case(b"purchase") {
            self.purchased_rows += 1;
        }
    }

    fn add_times(&mut self, row: &Row<'_>, warnings: &mut Warnings) {
        let layout = self.layout;
        let period = &layout.period;
        if let Some(column) = period.start {
            let start = self.time(0, column, row, warnings);
            if let Some((start, true)) = start {
                self.period.starts(start);
                if period.end.is_none()
                    && period.form == Form::Month
                    && let Some(end) = times::after_month(start)
                {
                    self.period.ends(end);
                }
                if self.periods.len() < PERIODS_MAX {
                    self.periods.insert(row.cell(column).to_vec());
                }
            }
        }
        if let Some(column) = period.end
            && let Some((end, true)) = self.time(1, column, row, warnings)
        {
            self.period.ends(times::exclusive(end, period.last_day_is_in, row.line(), warnings));
        }
        let places_charges = period.start.is_none();
        for (at, column) in [(2, layout.charge_start), (3, layout.charge_end)] {
            let Some(column) = column else { continue };
            // Where charges do not make the period, it is enough that they are times, with a zone or said to be without.
            if !places_charges
                && let Some(has_zone) = times::plain_instant(row.cell(column))
                && (has_zone || self.has_said_no_zone)
            {
                continue;
            }
            if let Some((moment, true)) = self.time(at, column, row, warnings) {
                if at == 2 {
                    self.charges.starts(moment);
                } else {
                    self.charges.ends(times::exclusive(moment, false, row.line(), warnings));
                }
            }
        }
    }

    /// The moment, and whether the cell is another one than in the row before.
    fn time(
        &mut self,
        at: usize,
        column: usize,
        row: &Row<'_>,
        warnings: &mut Warnings,
    ) -> Option<(Moment, bool)> {
        let cell = row.cell(column);
        let seen = &mut self.seen[at];
        if seen.cell == cell {
            return seen.moment.map(|moment| (moment, false));
        }
        if self.layout.is_null(cell) {
            return None;
        }
        let form = if at < 2 { self.layout.period.form } else { self.layout.times.form };
        let moment = times::Reader { form, zone: self.layout.times.zone }.read(cell);
        seen.cell.clear();
        seen.cell.extend_from_slice(cell);
        seen.moment = moment;
        match moment {
            None => {
                let said = "a time is none, or one whose order of day and month is unclear";
                warnings.push(Warning::at("bad_time", row.line(), said));
            }
            Some(moment) if !moment.has_zone() => {
                self.has_said_no_zone = true;
                warnings.once(Warning::at("no_zone", row.line(), "times have no zone"));
            }
            Some(_) => {}
        }
        moment.map(|moment| (moment, true))
    }
}

fn is_one_of(cell: &[u8], words: &[String]) -> bool {
    words.iter().any(|word| {
        // Chinese exports put the word into a longer phrase.
        let word = word.as_bytes();
        if word.is_ascii() {
            cell.eq_ignore_ascii_case(word)
        } else {
            cell.windows(word.len()).any(|part| part == word)
        }
    })
}
