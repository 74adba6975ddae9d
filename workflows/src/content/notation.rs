//! How days, times, money and numbers are written for a reader.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use rust_decimal::{Decimal, RoundingStrategy};

use super::{By, Desk};
use crate::{
    calendar,
    context::local_date,
    locale::Locale::{self, En, ZhCn},
    money::Money,
    percent::Percent,
    procurement::Procurement,
    texts,
};

const WEEKDAYS: [&str; 7] = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"];

impl<'a> Desk<'a> {
    pub(super) fn procurement(&self) -> &'a Procurement {
        self.source.procurement
    }

    pub(super) fn locale(&self) -> Locale {
        self.reader.locale
    }

    pub(super) fn text<'k>(&self, key: &'k str) -> &'k str {
        texts::text(key, self.reader.locale)
    }

    pub(super) fn filled(&self, key: &str, words: &[(&str, &str)]) -> String {
        let word =
            |name: &str| words.iter().find(|(known, _)| *known == name).map(|(_, word)| *word);
        texts::filled(key, self.reader.locale, word)
    }

    /// Today and the first instant of a day, where the organisation is.
    pub(super) fn today(&self) -> NaiveDate {
        local_date(self.source.moment.now, self.source.moment.zone)
    }

    pub(super) fn midnight(&self, day: NaiveDate) -> DateTime<Utc> {
        calendar::instant(day.and_time(NaiveTime::MIN), self.source.moment.zone)
    }

    /// The day that the deadline was due on, where the organisation is.
    pub(super) fn due_day(&self) -> NaiveDate {
        local_date(self.source.deadline.due, self.source.moment.zone)
    }

    /// A day if it has not passed; otherwise there is no time left.
    pub(super) fn in_time(&self, day: NaiveDate) -> By {
        if day >= self.today() { By::Day(day) } else { By::AtOnce }
    }

    pub(super) fn by(&self, by: By) -> String {
        match by {
            By::Day(day) => self.filled("mail.by_day", &[("day", &self.day(day))]),
            By::Instant(instant) => self.filled("mail.by_day", &[("day", &self.instant(instant))]),
            By::At(instant) => self.instant(instant),
            By::AtOnce => self.text("mail.at_once").to_owned(),
        }
    }

    pub(super) fn day(&self, day: NaiveDate) -> String {
        match self.locale() {
            En => day.format("%a %-d %b %Y").to_string(),
            ZhCn => {
                let weekday = WEEKDAYS
                    .get(usize::try_from(day.weekday().num_days_from_monday()).unwrap_or_default())
                    .copied()
                    .unwrap_or_default();
                format!("{}年{}月{}日（{weekday}）", day.year(), day.month(), day.day())
            }
        }
    }

    /// With the reader's zone, since a letter may be read elsewhere.
    pub(super) fn instant(&self, instant: DateTime<Utc>) -> String {
        let zone = self.reader.zone;
        let local = instant.with_timezone(&zone);
        let (day, time) = (self.day(local.date_naive()), local.format("%H:%M"));
        match self.locale() {
            En => format!("{day} {time} ({})", zone.name()),
            ZhCn => format!("{day}{time}（{}）", zone.name()),
        }
    }

    pub(super) fn month(&self, month: NaiveDate) -> String {
        match self.locale() {
            En => month.format("%B %Y").to_string(),
            ZhCn => format!("{}年{}月", month.year(), month.month()),
        }
    }

    /// Both days included.
    pub(super) fn span(&self, first: NaiveDate, last: NaiveDate) -> String {
        format!("{} – {}", self.day(first), self.day(last))
    }

    /// The days of a half-open window, where the organisation is.
    pub(super) fn window(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> String {
        let zone = self.source.moment.zone;
        let last = local_date(until - chrono::Duration::nanoseconds(1), zone);
        self.span(local_date(from, zone), last)
    }

    pub(super) fn days_left(&self, last_day: NaiveDate) -> String {
        (last_day - self.today()).num_days().max(0).to_string()
    }

    pub(super) fn money(&self, money: Money) -> String {
        let amount = money.rounded().amount;
        format!("{} {}", money.currency.code(), grouped(&format!("{amount:.2}")))
    }

    /// With at most one place after the point.
    pub(super) fn number(&self, number: Decimal) -> String {
        grouped(&rounded(number, 1).normalize().to_string())
    }

    pub(super) fn percent(&self, percent: Decimal) -> String {
        format!("{} %", rounded(percent, 1).normalize())
    }

    /// Availability is judged by its third nine, so it is never rounded up to a whole.
    pub(super) fn availability(&self, percent: Decimal) -> String {
        let cut = percent.round_dp_with_strategy(3, RoundingStrategy::ToZero);
        format!("{} %", cut.normalize())
    }
}

fn rounded(number: Decimal, places: u32) -> Decimal {
    number.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}

/// A comma between thousands.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.trim_start_matches('-');
    let mut text = String::from(if whole.starts_with('-') { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text.push_str(rest);
    text
}

/// `part` of `whole`, in percent; `None` when there is no whole.
pub(super) fn percent_of(part: Decimal, whole: Decimal) -> Option<Decimal> {
    if whole <= Decimal::ZERO {
        return None;
    }
    part.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(whole)
}

/// Minutes of a month that a promise leaves.
pub(super) fn minutes_allowed(total: Decimal, promised: Percent) -> Decimal {
    total * (Decimal::ONE - promised.ratio())
}

pub(super) fn day_before(day: NaiveDate) -> NaiveDate {
    day.checked_sub_days(Days::new(1)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        let cases = [
            ("0.00", "0.00"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-1234567.5", "-1,234,567.5"),
            ("-100.25", "-100.25"),
        ];
        for (plain, expected) in cases {
            assert_eq!(grouped(plain), expected);
        }
    }
}
