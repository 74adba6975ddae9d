//! How figures are written: thousands apart, as many digits as matter, with their unit.

use rust_decimal::{Decimal, RoundingStrategy};
use sixgate_workflows::{locale::Locale, money::Currency, texts};

use super::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Gib,
    Money(Currency),
    MoneyPerCardHour(Currency),
    Cards,
    Hours,
    Months,
    Percent,
    /// A bare number, whose meaning the chart's title says.
    Plain,
}

impl Unit {
    /// What an axis is headed with.
    pub fn heading(self, locale: Locale) -> String {
        match self {
            Self::Gib => "GiB".to_owned(),
            Self::Money(currency) => currency.code().to_owned(),
            Self::MoneyPerCardHour(currency) => {
                texts::filled("chart.unit.money_per_card_hour", locale, |_| Some(currency.code()))
            }
            Self::Cards => texts::text("chart.unit.cards", locale).to_owned(),
            Self::Hours => texts::text("chart.unit.hours", locale).to_owned(),
            Self::Months => texts::text("chart.unit.months", locale).to_owned(),
            Self::Percent => "%".to_owned(),
            Self::Plain => String::new(),
        }
    }

    /// A figure with its unit.
    pub fn figure(self, figure: Decimal, locale: Locale) -> String {
        self.around(&number(figure), locale)
    }

    /// A value with its unit: a range by its two ends, the unknown in words.
    pub fn value(self, value: Value, locale: Locale) -> String {
        match value {
            Value::Known(known) => self.figure(known, locale),
            Value::Range { low, high } => {
                let (low, high) = (number(low), number(high));
                // Two ends that are written alike say no more than one.
                let written = if low == high { low } else { format!("{low} – {high}") };
                self.around(&written, locale)
            }
            Value::Unknown => texts::text("chart.unknown", locale).to_owned(),
        }
    }

    fn around(self, written: &str, locale: Locale) -> String {
        match self {
            Self::Plain => written.to_owned(),
            Self::Money(_) | Self::MoneyPerCardHour(_) => {
                format!("{} {written}", self.heading(locale))
            }
            Self::Gib | Self::Cards | Self::Hours | Self::Months | Self::Percent => {
                format!("{written} {}", self.heading(locale))
            }
        }
    }
}

/// Without places from a thousand on, with three digits that matter below one.
pub(super) fn number(figure: Decimal) -> String {
    let size = figure.abs();
    let places = if size >= Decimal::ONE_THOUSAND {
        0
    } else if size >= Decimal::ONE_HUNDRED {
        1
    } else {
        2
    };
    let rounded = if size < Decimal::ONE {
        figure.round_sf(3).unwrap_or(figure)
    } else {
        figure.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
    };
    grouped(rounded)
}

/// Every digit, the thousands apart.
pub(super) fn grouped(figure: Decimal) -> String {
    let written = figure.abs().normalize().to_string();
    let (whole, places) = written.split_once('.').unwrap_or((&written, ""));
    let mut out = String::with_capacity(written.len() + 8);
    if figure.is_sign_negative() && !figure.is_zero() {
        out.push('−');
    }
    for (index, digit) in whole.char_indices() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !places.is_empty() {
        out.push('.');
        out.push_str(places);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        number(text.parse().unwrap())
    }

    #[test]
    fn thousands_stand_apart_and_digits_that_do_not_matter_are_left_out() {
        assert_eq!(written("1234567.891"), "1,234,568");
        assert_eq!(written("1000"), "1,000");
        assert_eq!(written("999.96"), "1,000");
        assert_eq!(written("123.456"), "123.5");
        assert_eq!(written("14.904"), "14.9");
        assert_eq!(written("-1200"), "−1,200");
        assert_eq!(written("0.00012345"), "0.000123");
        assert_eq!(written("0"), "0");
        assert_eq!(written("-0.0"), "0");
    }

    #[test]
    fn a_value_names_its_unit_and_both_ends_and_is_never_zero_for_want_of_knowledge() {
        let cny = Unit::Money(Currency::Cny);
        let range = Value::Range { low: Decimal::from(1_200), high: Decimal::from(1_800) };
        assert_eq!(cny.value(range, Locale::En), "CNY 1,200 – 1,800");
        assert_eq!(Unit::Gib.value(Value::Known(Decimal::TEN), Locale::ZhCn), "10 GiB");
        assert_eq!(Unit::Cards.value(Value::Known(Decimal::TEN), Locale::ZhCn), "10 张卡");
        assert_eq!(cny.value(Value::Unknown, Locale::ZhCn), "未知");
        assert_eq!(cny.value(Value::Unknown, Locale::En), "unknown");
    }
}
