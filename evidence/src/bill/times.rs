//! Dates and times as the formats write them, and the period that they span.
//!
//! The same text is not read twice in a row, since a month of rows has one period.
//! An order of day and month is taken from the format or the profile, never guessed.

use crate::document::Warnings;
use crate::{Moment, Warning};
use chrono::{DateTime, FixedOffset, Months, NaiveDate, NaiveTime, TimeDelta, Timelike};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `2026-04-01`, with or without a time and a zone.
    Iso,
    MonthDayYear,
    DayMonthYear,
    /// `2026-04` or `202604` for the whole month.
    Month,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Reader {
    pub(super) form: Form,
    /// Of times without one.
    pub(super) zone: Option<FixedOffset>,
}

impl Reader {
    pub(super) fn read(&self, cell: &[u8]) -> Option<Moment> {
        let text = std::str::from_utf8(cell).ok().filter(|text| text.len() <= 40)?;
        let moment = match self.form {
            Form::Iso => Moment::parse(text).or_else(|| compact(text))?,
            Form::MonthDayYear => by_slashes(text, |first, second| (first, second))?,
            Form::DayMonthYear => by_slashes(text, |first, second| (second, first))?,
            Form::Month => month(text)?,
        };
        Some(match (moment, self.zone) {
            (Moment::Local(local), Some(zone)) => {
                local.and_local_timezone(zone).single().map_or(moment, Moment::Zoned)
            }
            (Moment::Local(_) | Moment::Zoned(_), _) => moment,
        })
    }
}

fn at_midnight(day: NaiveDate) -> Moment {
    Moment::Local(day.and_time(NaiveTime::MIN))
}

/// `20260401`.
fn compact(text: &str) -> Option<Moment> {
    let day = (text.len() == 8).then(|| NaiveDate::parse_from_str(text, "%Y%m%d").ok())??;
    Some(at_midnight(day))
}

fn month(text: &str) -> Option<Moment> {
    let digits: String = text.chars().filter(|digit| !matches!(digit, '-' | '/' | '.')).collect();
    let is_month = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let day =
        is_month.then(|| NaiveDate::parse_from_str(&format!("{digits}01"), "%Y%m%d").ok())??;
    Some(at_midnight(day))
}

fn by_slashes(text: &str, order: impl Fn(u32, u32) -> (u32, u32)) -> Option<Moment> {
    let mut parts = text.split(['/', '-', '.']);
    let first = parts.next()?;
    // A file opened in a spreadsheet may have been rewritten in the unmistakable order.
    if first.len() == 4 {
        return Moment::parse(text);
    }
    let second = parts.next()?.parse().ok()?;
    let year: i32 = parts.next().filter(|year| matches!(year.len(), 2 | 4))?.parse().ok()?;
    let (month, day) = order(first.parse().ok()?, second);
    let year = if year < 100 { year + 2000 } else { year };
    let none_left = parts.next().is_none();
    NaiveDate::from_ymd_opt(year, month, day).filter(|_| none_left).map(at_midnight)
}

/// Earliest start and latest end, the end exclusive.
#[derive(Default)]
pub(super) struct Span {
    pub(super) start: Option<Moment>,
    pub(super) end: Option<Moment>,
}

impl Span {
    pub(super) fn starts(&mut self, at: Moment) {
        if self.start.is_none_or(|known| at.clock() < known.clock()) {
            self.start = Some(at);
        }
    }

    pub(super) fn ends(&mut self, at: Moment) {
        if self.end.is_none_or(|known| at.clock() > known.clock()) {
            self.end = Some(at);
        }
    }
}

/// What the last day or second of a period, or its month, is followed by.
pub(super) fn after_month(start: Moment) -> Option<Moment> {
    Some(match start {
        Moment::Zoned(zoned) => Moment::Zoned(zoned.checked_add_months(Months::new(1))?),
        Moment::Local(local) => Moment::Local(local.checked_add_months(Months::new(1))?),
    })
}

/// Some exporters write the last second or the last day of a period; a period here ends where the next begins.
pub(super) fn exclusive(
    end: Moment,
    last_day_is_in: bool,
    line: u64,
    warnings: &mut Warnings,
) -> Moment {
    let clock = end.clock();
    let delta = if clock.second() == 59 && clock.minute() == 59 {
        warnings.once(Warning::at("inclusive_end", line, "the period ends with its last second"));
        TimeDelta::seconds(1)
    } else if last_day_is_in && local_time(end) == NaiveTime::MIN {
        warnings.once(Warning::at("inclusive_end", line, "the period ends with its last day"));
        TimeDelta::days(1)
    } else {
        return end;
    };
    match end {
        Moment::Zoned(zoned) => zoned.checked_add_signed(delta).map_or(end, Moment::Zoned),
        Moment::Local(local) => local.checked_add_signed(delta).map_or(end, Moment::Local),
    }
}

fn local_time(moment: Moment) -> NaiveTime {
    match moment {
        Moment::Zoned(zoned) => zoned.naive_local().time(),
        Moment::Local(local) => local.time(),
    }
}

/// Whether a cell is `2026-04-01T00:00:00Z` with every part in its range, told without reading it; `Some(false)` when
/// only the zone is missing, `None` when it has to be read.
pub(super) fn plain_instant(cell: &[u8]) -> Option<bool> {
    const SHAPE: &[u8; 19] = b"0000-00-00T00:00:00";
    let clock = cell.strip_suffix(b"Z").unwrap_or(cell);
    let clock = clock.strip_suffix(b".000").unwrap_or(clock);
    let has_shape = clock.len() == SHAPE.len()
        && clock.iter().zip(SHAPE).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b' '),
            sign => byte == sign,
        });
    let two = |at: usize| (clock[at] - b'0') * 10 + (clock[at + 1] - b'0');
    let is_plain = has_shape
        && (1..=12).contains(&two(5))
        && (1..=28).contains(&two(8))
        && two(11) < 24
        && two(14) < 60
        && two(17) < 60;
    is_plain.then(|| cell.ends_with(b"Z"))
}

/// `+08:00` as profiles write a zone.
pub(super) fn zone(text: &str) -> Option<FixedOffset> {
    DateTime::parse_from_rfc3339(&format!("2000-01-01T00:00:00{text}"))
        .ok()
        .map(|time| *time.offset())
}

#[cfg(test)]
mod tests {
    use super::{Form, Reader, plain_instant};

    fn read(form: Form, text: &str) -> Option<String> {
        Reader { form, zone: None }.read(text.as_bytes()).map(|moment| moment.clock().to_string())
    }

    #[test]
    fn each_form_reads_its_own_order() {
        assert_eq!(read(Form::MonthDayYear, "9/2/2023").as_deref(), Some("2023-09-02 00:00:00"));
        assert_eq!(read(Form::DayMonthYear, "9/2/23").as_deref(), Some("2023-02-09 00:00:00"));
        assert_eq!(read(Form::Month, "202602").as_deref(), Some("2026-02-01 00:00:00"));
        assert_eq!(read(Form::Iso, "20260201").as_deref(), Some("2026-02-01 00:00:00"));
        assert_eq!(read(Form::MonthDayYear, "13/01/2023"), None);
        assert_eq!(read(Form::Iso, "4/1/26"), None);
        assert_eq!(read(Form::Month, "2026-13"), None);
    }

    #[test]
    fn an_impossible_hour_is_no_plain_instant() {
        assert_eq!(plain_instant(b"2026-04-01T23:59:59Z"), Some(true));
        assert_eq!(plain_instant(b"2026-04-01T23:59:59.000Z"), Some(true));
        assert_eq!(plain_instant(b"2026-04-01 23:59:59"), Some(false));
        for text in [
            "2026-04-01T30:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-04-01T00:00Z",
            "2026-04-01X00:00:00Z",
            "",
        ] {
            assert_eq!(plain_instant(text.as_bytes()), None, "{text}");
        }
    }
}
