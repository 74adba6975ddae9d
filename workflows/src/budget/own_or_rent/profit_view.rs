//! Owning as a profit and loss statement shows it: the purchase spread over the years.
//!
//! The rule: depreciation stands in place of the purchase and the sale, never beside them, so over
//! the horizon this view and the cash view have the same total. What the machines sell for above or
//! below their book value is the gain or loss of the year of the sale.

use rust_decimal::Decimal;
use serde::Serialize;

use super::{
    cash::{Cash, Part},
    input::{Input, Values},
};

/// Expenses of the months of one year from the order on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Year {
    /// The first is 1; the last one may have fewer than twelve months.
    pub year: u32,
    pub running: Decimal,
    pub depreciation: Decimal,
    /// Book value less what the sale brings, in the last year; negative is a gain.
    pub loss_on_sale: Decimal,
}

impl Year {
    pub fn total(&self) -> Decimal {
        self.running + self.depreciation + self.loss_on_sale
    }
}

/// Straight-line, from the delivery on, down to what the machines are to sell for.
///
/// Nothing when the years of depreciation are not known.
pub fn years(cash: &Cash, values: &Values, horizon_months: u32) -> Option<Vec<Year>> {
    let life = *values.get(&Input::DepreciationYears)? * Decimal::from(12);
    let parts = cash.parts();
    let of = |wanted: Part| -> Decimal {
        parts.iter().filter(|(part, _)| *part == wanted).map(|(_, amount)| *amount).sum()
    };
    let sold = -of(Part::Residual);
    let bought = of(Part::Purchase) + of(Part::Spares) + cash.vat_at_once();
    let horizon = Decimal::from(horizon_months);
    // Of what loses value, the part that is written off by the end of a month.
    let written_off = |month: Decimal| {
        let age = (month - cash.delivered).max(Decimal::ZERO).min(life);
        (bought - sold) * age / life
    };
    let running = |month: Decimal| cash.paid_until(month) - bought;
    let mut years = Vec::new();
    for year in 1..=horizon_months.div_ceil(12) {
        let begin = Decimal::from((year - 1) * 12);
        let end = Decimal::from(year * 12).min(horizon);
        let before = if year == 1 { Decimal::ZERO } else { running(begin) };
        let book_value = bought - written_off(horizon);
        let is_last = end == horizon;
        years.push(Year {
            year,
            running: running(end) - before,
            depreciation: written_off(end) - written_off(begin),
            loss_on_sale: if is_last { book_value - sold } else { Decimal::ZERO },
        });
    }
    Some(years)
}
