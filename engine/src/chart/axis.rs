//! Where a value lies on the page, and the round marks beside it.
//!
//! Marks are whole multiples of 1, 2 or 5 times a power of ten, or whole days, months and years.
//! Their number is bounded by the room that their labels have.

use chrono::{Datelike, Months, NaiveDate};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::unit::grouped;

/// A straight scale from values to places on the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// A place on a scale and what is written there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: Decimal,
    pub(super) label: String,
}

/// A day as a number on a scale of days.
pub fn day(date: NaiveDate) -> Decimal {
    Decimal::from(date.num_days_from_ce())
}

/// The day that a number on a scale of days stands for.
pub(super) fn date_written(at: Decimal) -> String {
    at.to_i64().and_then(date).map_or_else(|| grouped(at), |date| date.to_string())
}

fn date(days: i64) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt(i32::try_from(days).ok()?)
}

impl Scale {
    /// From the least to the greatest of some values; one value alone lies in the middle.
    pub(super) fn over(values: impl IntoIterator<Item = Decimal>, from: f64, to: f64) -> Self {
        let mut ends = None;
        for value in values.into_iter().map(float) {
            let (low, high) = ends.unwrap_or((value, value));
            ends = Some((f64::min(low, value), f64::max(high, value)));
        }
        let (mut low, mut high) = ends.unwrap_or((0.0, 1.0));
        if high <= low {
            let around = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
            (low, high) = (low - around, high + around);
        }
        Self { low, high, from, to }
    }

    /// The same from zero, or past it when some values are below; with air at the far ends.
    pub(super) fn from_zero(values: impl IntoIterator<Item = Decimal>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (0.0, 0.0);
        for value in values.into_iter().map(float) {
            (low, high) = (f64::min(low, value), f64::max(high, value));
        }
        if high - low <= 0.0 {
            high = 1.0;
        }
        let air = (high - low) * 0.04;
        let low = if low < 0.0 { low - air } else { low };
        let high = if high > 0.0 { high + air } else { high };
        Self { low, high, from, to }
    }

    pub(super) fn place(&self, value: Decimal) -> f64 {
        let part = (float(value) - self.low) / (self.high - self.low);
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Round numbers within the scale, so many at most, two whenever the digits allow.
    pub(super) fn numbers(&self, at_most: usize) -> Vec<Tick> {
        let rough = (self.high - self.low) / at_most.max(1) as f64;
        let exponent = rough.log10().floor();
        for (times, exponent) in
            (0..4).flat_map(|more| [1_i64, 2, 5].map(|times| (times, exponent + f64::from(more))))
        {
            let step = times as f64 * 10_f64.powf(exponent);
            let (first, last) = ((self.low / step).ceil(), (self.high / step).floor());
            if step < rough || last - first + 1.0 > at_most as f64 {
                continue;
            }
            let (Some(first), Some(last), Some(exponent)) =
                (first.to_i64(), last.to_i64(), exponent.to_i32())
            else {
                continue;
            };
            return (first..=last)
                .filter_map(|multiple| round_number(multiple.checked_mul(times)?, exponent))
                .map(|at| Tick { at, label: grouped(at) })
                .collect();
        }
        Vec::new()
    }

    /// Days, or firsts of months or years, so many at most.
    pub(super) fn days(&self, at_most: usize) -> Vec<Tick> {
        const EVERY: [(u32, u32); 12] = [
            (1, 0),
            (2, 0),
            (7, 0),
            (14, 0),
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 6),
            (0, 12),
            (0, 24),
            (0, 60),
            (0, 120),
        ];
        let ends =
            self.low.ceil().to_i64().and_then(date).zip(self.high.floor().to_i64().and_then(date));
        let Some((first, last)) = ends else { return Vec::new() };
        for (days, months) in EVERY {
            let span = (last - first).num_days();
            let step = i64::from(days) + 30 * i64::from(months);
            if span / step > i64::try_from(at_most).unwrap_or(i64::MAX) * 2 {
                continue;
            }
            let ticks = calendar_marks(first, last, days, months);
            if ticks.len() <= at_most {
                return ticks;
            }
        }
        Vec::new()
    }
}

fn calendar_marks(first: NaiveDate, last: NaiveDate, days: u32, months: u32) -> Vec<Tick> {
    let written = |date: NaiveDate| match months {
        0 => date.format("%Y-%m-%d"),
        1..12 => date.format("%Y-%m"),
        12.. => date.format("%Y"),
    };
    let start = match months {
        0 => Some(first),
        _ => {
            let into = i64::from(first.year()) * 12 + i64::from(first.month0());
            let round = into.div_euclid(i64::from(months)) * i64::from(months);
            let year = i32::try_from(round.div_euclid(12)).ok();
            let month = u32::try_from(round.rem_euclid(12)).ok();
            year.zip(month).and_then(|(year, month)| NaiveDate::from_ymd_opt(year, month + 1, 1))
        }
    };
    let next = |date: &NaiveDate| match months {
        0 => date.checked_add_days(chrono::Days::new(days.into())),
        _ => date.checked_add_months(Months::new(months)),
    };
    std::iter::successors(start, next)
        .skip_while(|date| *date < first)
        .take_while(|date| *date <= last)
        .map(|date| Tick { at: day(date), label: written(date).to_string() })
        .collect()
}

fn round_number(digits: i64, exponent: i32) -> Option<Decimal> {
    match u32::try_from(exponent) {
        Ok(zeros) => {
            let factor = 10_i128.checked_pow(zeros)?;
            Decimal::try_from_i128_with_scale(i128::from(digits).checked_mul(factor)?, 0).ok()
        }
        Err(_) => Decimal::try_from_i128_with_scale(digits.into(), exponent.unsigned_abs()).ok(),
    }
}

/// Decimals are finite and far within what a float reaches.
pub(super) fn float(value: Decimal) -> f64 {
    value.to_f64().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<Tick>) -> Vec<String> {
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    fn numbers(values: &[i64], at_most: usize) -> Vec<String> {
        let values = values.iter().map(|value| Decimal::from(*value));
        labels(Scale::from_zero(values, 0.0, 100.0).numbers(at_most))
    }

    #[test]
    fn marks_are_round_and_no_more_than_there_is_room_for() {
        assert_eq!(numbers(&[80], 6), ["0", "20", "40", "60", "80"]);
        assert_eq!(numbers(&[1_730_000], 5), ["0", "500,000", "1,000,000", "1,500,000"]);
        assert_eq!(numbers(&[-30, 20], 6), ["−30", "−20", "−10", "0", "10", "20"]);
        assert_eq!(numbers(&[], 3), ["0", "0.5", "1"]);
        for most in 2..12 {
            for value in [1, 3, 7, 99, 101, 8_760, 1_234_567_890] {
                let found = numbers(&[value], most);
                assert!((1..=most).contains(&found.len()), "{value} in {most}: {found:?}");
            }
        }
    }

    #[test]
    fn the_greatest_and_the_least_decimals_still_have_places() {
        for value in [Decimal::MAX, Decimal::MIN, Decimal::new(1, 28), Decimal::ZERO] {
            for scale in [Scale::from_zero([value], 0.0, 100.0), Scale::over([value], 0.0, 100.0)] {
                assert!((0.0..=100.0).contains(&scale.place(value)), "{value}");
                assert!(scale.numbers(5).len() <= 5);
                assert!(scale.days(5).len() <= 5);
            }
        }
    }

    #[test]
    fn days_are_marked_by_days_months_or_years() {
        let ticks = |from: &str, to: &str, most| {
            let ends = [from, to].map(|text| day(text.parse().unwrap()));
            labels(Scale::over(ends, 0.0, 100.0).days(most))
        };
        assert_eq!(
            ticks("2026-02-27", "2026-03-01", 5),
            ["2026-02-27", "2026-02-28", "2026-03-01"]
        );
        assert_eq!(
            ticks("2026-01-15", "2026-05-02", 5),
            ["2026-02", "2026-03", "2026-04", "2026-05"]
        );
        assert_eq!(
            ticks("2025-11-30", "2026-12-01", 4),
            ["2026-01", "2026-04", "2026-07", "2026-10"]
        );
        assert_eq!(ticks("2025-11-30", "2026-12-01", 3), ["2026-01", "2026-07"]);
        assert_eq!(ticks("2019-06-01", "2026-06-01", 4), ["2020", "2022", "2024", "2026"]);
    }
}
