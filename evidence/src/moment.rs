//! Times as foreign files write them: with an offset when the file gives one, else the bare clock reading.
//!
//! A missing zone stays missing: nothing here guesses where a machine stood.
//! Dates written with slashes in the American or European order are not read, because the order cannot be told.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Moment {
    Zoned(DateTime<FixedOffset>),
    Local(NaiveDateTime),
}

const LOCAL_FORMATS: [&str; 4] =
    ["%Y/%m/%d %H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"];

impl Moment {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(local) = digit_by_digit(text) {
            return Some(Self::Local(local));
        }
        if let Ok(zoned) = DateTime::parse_from_rfc3339(text) {
            return Some(Self::Zoned(zoned));
        }
        if let Some(minutes_only) = text.strip_suffix('Z')
            && let Ok(zoned) = DateTime::parse_from_rfc3339(&format!("{minutes_only}:00Z"))
        {
            return Some(Self::Zoned(zoned));
        }
        LOCAL_FORMATS
            .iter()
            .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
            .or_else(|| {
                let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
                Some(day.and_time(NaiveTime::MIN))
            })
            .map(Self::Local)
    }

    pub(crate) fn from_unix_seconds(seconds: f64) -> Option<Self> {
        // Years 1970 to about 9999; anything else is no time of a measurement.
        if !(0.0..253_000_000_000.0).contains(&seconds) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked above")]
        let millis = (seconds * 1000.0).round() as i64;
        DateTime::from_timestamp_millis(millis).map(|utc| Self::Zoned(utc.fixed_offset()))
    }

    pub fn has_zone(self) -> bool {
        matches!(self, Self::Zoned(_))
    }

    /// The clock reading for ordering; zoned times compare by their instant in UTC.
    pub fn clock(self) -> NaiveDateTime {
        match self {
            Self::Zoned(zoned) => zoned.naive_utc(),
            Self::Local(local) => local,
        }
    }
}

/// The usual shape without a zone. Logs have millions of these, and a general parser takes most of the reading's time.
fn digit_by_digit(text: &str) -> Option<NaiveDateTime> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| {
        let digits = bytes.get(from..to)?;
        digits.iter().try_fold(0u32, |number, digit| {
            digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0'))
        })
    };
    let between_parts = *bytes.get(4)?;
    let fits = matches!(between_parts, b'/' | b'-')
        && bytes.get(7) == Some(&between_parts)
        && matches!(bytes.get(10), Some(b' ' | b'T'))
        && bytes.get(13) == Some(&b':')
        && bytes.get(16) == Some(&b':');
    if !fits {
        return None;
    }
    let nanoseconds = match bytes.get(19) {
        None => 0,
        Some(b'.') if (21..=29).contains(&bytes.len()) => {
            let unit = 10u32.pow(u32::try_from(29 - bytes.len()).ok()?);
            number(20, bytes.len())? * unit
        }
        Some(_) => return None,
    };
    let year = i32::try_from(number(0, 4)?).ok()?;
    NaiveDate::from_ymd_opt(year, number(5, 7)?, number(8, 10)?)?.and_hms_nano_opt(
        number(11, 13)?,
        number(14, 16)?,
        number(17, 19)?,
        nanoseconds,
    )
}

#[cfg(test)]
mod tests {
    use super::{LOCAL_FORMATS, digit_by_digit};
    use chrono::NaiveDateTime;

    #[test]
    fn the_short_way_agrees_with_the_general_one() {
        for text in [
            "2026/03/02 09:15:00.100",
            "2026-03-02 09:15:00",
            "2026-03-02T09:15:00.123456789",
            "2026-02-28 23:59:59.5",
        ] {
            let general = LOCAL_FORMATS
                .iter()
                .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
            assert!(general.is_some() && digit_by_digit(text) == general, "{text}");
        }
        for text in [
            "2026/02/30 09:15:00",
            "2026-03-02 24:15:00",
            "2026-03-02T09:15:00Z",
            "2026-03-02 09:15:00.",
            "2026-03/02 09:15:00",
            "卡卡卡卡卡卡卡",
        ] {
            assert_eq!(digit_by_digit(text), None, "{text}");
        }
    }
}
