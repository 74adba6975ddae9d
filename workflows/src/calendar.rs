//! Days, quarters and local times, as pure functions of their arguments.
//!
//! A local time that a zone skips becomes the first instant after the gap; one that happens twice
//! becomes the first of the two. Months are counted from the anchor and clamped, never from the
//! previous occurrence. What recurs is in `rule` and `schedule`, what is worked in `working_days`.

pub mod fiscal;
pub mod holidays;
pub mod rule;
pub mod schedule;
pub mod working_days;

use std::{fmt, str::FromStr};

use chrono::{
    DateTime, Datelike, Days, Duration, MappedLocalTime, Months, NaiveDate, NaiveDateTime,
    NaiveTime, TimeZone, Utc,
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

/// A calendar quarter, written `2026-Q1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Quarter {
    year: i32,
    /// 1 to 4.
    number: u32,
}

impl Quarter {
    pub fn new(year: i32, number: u32) -> Result<Self, Invalid> {
        if (2_000..=2_200).contains(&year) && (1..=4).contains(&number) {
            Ok(Self { year, number })
        } else {
            Err(Invalid::new("quarter", "must be 2000-Q1 to 2200-Q4"))
        }
    }

    pub fn of(day: NaiveDate) -> Self {
        Self { year: day.year(), number: (day.month0() / 3) + 1 }
    }

    pub fn last_day(self) -> NaiveDate {
        let next = self.next();
        let first = NaiveDate::from_ymd_opt(next.year, (next.number - 1) * 3 + 1, 1)
            .expect("the first day of a quarter is a date");
        first.pred_opt().expect("a quarter does not start at the beginning of time")
    }

    pub fn next(self) -> Self {
        match self.number {
            4 => Self { year: self.year + 1, number: 1 },
            number => Self { year: self.year, number: number + 1 },
        }
    }
}

impl fmt::Display for Quarter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-Q{}", self.year, self.number)
    }
}

impl FromStr for Quarter {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let parts = text
            .split_once("-Q")
            .and_then(|(year, number)| Some((year.parse().ok()?, number.parse().ok()?)));
        let (year, number) = parts.ok_or_else(|| {
            Invalid::new("quarter", format!("`{text}` is not of the form 2026-Q1"))
        })?;
        Self::new(year, number)
    }
}

impl TryFrom<String> for Quarter {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<Quarter> for String {
    fn from(quarter: Quarter) -> Self {
        quarter.to_string()
    }
}

/// The instant of a local time.
pub fn instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(time) => time.with_timezone(&Utc),
        MappedLocalTime::Ambiguous(first, _) => first.with_timezone(&Utc),
        MappedLocalTime::None => after_gap(local, zone),
    }
}

/// The latest instant whose local reading is before the gap lies just under the answer. Gaps are at
/// most a day long (Apia 2011), and every offset is a whole number of seconds.
fn after_gap(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    let guess = Utc.from_utc_datetime(&local);
    let margin = Duration::days(3);
    let around = guess.checked_sub_signed(margin).zip(guess.checked_add_signed(margin));
    // At the very ends of the calendar there is no gap, only nothing to convert to.
    let Some((mut before, mut after)) = around else { return guess };
    while after - before > Duration::seconds(1) {
        let middle = before + (after - before) / 2;
        if middle.with_timezone(&zone).naive_local() < local {
            before = middle;
        } else {
            after = middle;
        }
    }
    let whole_seconds = after.timestamp();
    DateTime::from_timestamp(whole_seconds, 0).unwrap_or(after)
}

/// Nine in the morning: when reminders that are due on a day go out.
pub fn morning(day: NaiveDate, zone: Tz) -> DateTime<Utc> {
    instant(day.and_time(nine()), zone)
}

fn nine() -> NaiveTime {
    NaiveTime::from_hms_opt(9, 0, 0).expect("nine o'clock is a time")
}

pub fn days_after(day: NaiveDate, days: u32) -> NaiveDate {
    day.checked_add_days(Days::new(u64::from(days))).unwrap_or(NaiveDate::MAX)
}

pub fn days_before(day: NaiveDate, days: u32) -> NaiveDate {
    day.checked_sub_days(Days::new(u64::from(days))).unwrap_or(NaiveDate::MIN)
}

/// The day `months` later, clamped to the month's end.
pub fn months_after(anchor: NaiveDate, months: u32) -> NaiveDate {
    anchor.checked_add_months(Months::new(months)).unwrap_or(NaiveDate::MAX)
}

/// Months counted without a break since the year 0.
fn month_number(day: NaiveDate) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month0())
}

fn last_day_of_month(number: i64) -> Option<NaiveDate> {
    let year = i32::try_from(number.div_euclid(12)).ok()?;
    let month = u32::try_from(number.rem_euclid(12)).ok()? + 1;
    NaiveDate::from_ymd_opt(year, month, 1)?.checked_add_months(Months::new(1))?.pred_opt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_quarter_ends_on_its_last_day() {
        let ends = ["2026-03-31", "2026-06-30", "2026-09-30", "2026-12-31"];
        for (number, end) in (1..=4).zip(ends) {
            assert_eq!(Quarter::new(2026, number).unwrap().last_day(), date(end));
        }
        assert_eq!("2026-Q4".parse::<Quarter>().unwrap().next().to_string(), "2027-Q1");
        assert!("2026-Q5".parse::<Quarter>().is_err());
    }

    #[test]
    fn months_are_clamped_from_the_anchor() {
        let anchor = date("2026-01-31");
        let days: Vec<_> = (1..=4).map(|n| months_after(anchor, n).to_string()).collect();
        assert_eq!(days, ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]);
    }

    #[test]
    fn a_skipped_local_time_becomes_the_first_instant_after_the_gap() {
        let local = |text: &str| text.parse::<NaiveDateTime>().unwrap();
        let cases = [
            (chrono_tz::America::New_York, "2026-03-08T02:30:00", "2026-03-08T07:00:00Z"),
            (chrono_tz::Africa::Cairo, "2026-04-24T00:00:00", "2026-04-23T22:00:00Z"),
            (chrono_tz::Australia::Lord_Howe, "2026-10-04T02:15:00", "2026-10-03T15:30:00Z"),
            (chrono_tz::Pacific::Apia, "2011-12-30T12:00:00", "2011-12-30T10:00:00Z"),
        ];
        for (zone, text, expected) in cases {
            assert_eq!(instant(local(text), zone), expected.parse::<DateTime<Utc>>().unwrap());
        }
    }

    #[test]
    fn a_local_time_that_happens_twice_is_the_first() {
        let local = "2026-11-01T01:30:00".parse::<NaiveDateTime>().unwrap();
        let first = "2026-11-01T05:30:00Z".parse::<DateTime<Utc>>().unwrap();
        assert_eq!(instant(local, chrono_tz::America::New_York), first);
    }
}
