//! From the sums to the facts: what is whole, what must not be added, what is said beside them.

use super::Totals;
use super::tally::{Sum, Tally};
use crate::Warning;
use crate::bill::Bill;
use crate::bill::layout::Currency;
use crate::bill::times::Span;
use crate::document::Warnings;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

impl Totals<'_> {
    pub(in crate::bill) fn why_incomplete(&self) -> Option<String> {
        let sums = [
            &self.billed,
            &self.effective,
            &self.tax,
            &self.credits,
            &self.corrections_billed,
            &self.card_hours,
        ];
        let tallies = [&self.by_category, &self.by_currency, &self.invoices];
        let overflowed = sums.iter().any(|sum| sum.overflowed())
            || tallies.iter().any(|tally| tally.overflowed());
        if self.rows == 0 {
            Some("the bill has no rows".to_owned())
        } else if self.unread_amounts > 0 {
            Some(format!(
                "{} amounts could not be read and are not in the sums",
                self.unread_amounts
            ))
        } else if self.skipped_rows > 0 {
            Some(format!("{} rows have another number of cells than the header", self.skipped_rows))
        } else if overflowed {
            Some("a sum has more than 28 digits, or there are too many invoices".to_owned())
        } else {
            None
        }
    }

    pub(in crate::bill) fn finish(mut self, warnings: &mut Warnings) -> Bill {
        let layout = self.layout;
        self.warn_of_what_is_beside(warnings);
        let (billed, effective) = self.costs(warnings);
        let period = self.take_period(warnings);
        let by_currency = self.take_by_currency();
        let currencies: Vec<String> = by_currency.keys().cloned().collect();
        let mixed = currencies.len() > 1;
        if mixed {
            let said = format!("amounts in {} are not added", currencies.join(", "));
            warnings.push(Warning::new("several_currencies", said));
        } else if currencies.is_empty() {
            warnings.push(Warning::new("no_currency", "the file names no currency"));
        }
        let unless_mixed = |sum: Option<Decimal>| sum.filter(|_| !mixed);
        let or_zero = |sum: &Sum| unless_mixed(Some(sum.known().unwrap_or_default()));
        let table_unless_mixed =
            |tally: Tally| if mixed { BTreeMap::new() } else { tally.into_table() };
        // A format that has rows of tax or credit and a file without any: the part is zero.
        let part = |words: &[String], sum: &Sum| if words.is_empty() { None } else { or_zero(sum) };
        let card_hours =
            self.card_hours.known().or_else(|| layout.cards.can_tell().then_some(Decimal::ZERO));
        Bill {
            format: layout.format.clone(),
            format_version: layout.version.clone(),
            rows: self.rows,
            currency: currencies.first().filter(|_| !mixed).cloned(),
            period_start: period.start,
            period_end: period.end,
            billed: unless_mixed(billed),
            effective: unless_mixed(effective),
            tax: part(&layout.words.tax, &self.tax),
            credits: part(&layout.words.credit, &self.credits),
            card_hours: card_hours.and_then(|hours| f64::try_from(hours).ok()),
            by_category: table_unless_mixed(self.by_category),
            by_currency,
            invoices: table_unless_mixed(self.invoices),
            corrections: self.corrections,
            corrections_billed: or_zero(&self.corrections_billed),
            currencies,
        }
    }

    fn warn_of_what_is_beside(&self, warnings: &mut Warnings) {
        if self.periods.len() > 1 {
            let said = format!("the file has {} billing periods", self.periods.len());
            warnings.push(Warning::new("several_periods", said));
        }
        if let (Some((_, name)), Some(sum)) = (self.layout.beside, self.beside.known())
            && !sum.is_zero()
        {
            let said = format!("{name} has {sum}, which is not in the billed sum");
            warnings.push(Warning::new("cost_beside", said));
        }
    }

    /// Billed and effective cost, neither where the two kinds of cost were put into one file.
    fn costs(&self, warnings: &mut Warnings) -> (Option<Decimal>, Option<Decimal>) {
        match (self.amortised_rows > 0, self.purchased_rows > 0) {
            (false, _) => (self.billed.known(), self.effective.known()),
            (true, false) => {
                let said =
                    "the costs are amortised: their sum is effective cost, and no invoice has it";
                warnings.push(Warning::new("amortised", said));
                (None, self.billed.known())
            }
            (true, true) => {
                let said = "the file mixes actual and amortised costs, which must not be added";
                warnings.push(Warning::new("actual_and_amortised", said));
                (None, None)
            }
        }
    }

    fn take_period(&mut self, warnings: &mut Warnings) -> Span {
        let period = &self.layout.period;
        if period.start.is_some() || period.end.is_some() {
            return std::mem::take(&mut self.period);
        }
        if self.charges.start.is_some() {
            let said = "the file names no billing period; the period is that of its charges";
            warnings.push(Warning::new("period_of_charges", said));
        }
        std::mem::take(&mut self.charges)
    }

    fn take_by_currency(&mut self) -> BTreeMap<String, Decimal> {
        let mut sums = std::mem::take(&mut self.by_currency).into_table();
        if let (Currency::Always(currency), Some(billed)) =
            (&self.layout.currency, self.billed.known())
        {
            sums.insert(currency.clone(), billed);
        }
        sums
    }
}
