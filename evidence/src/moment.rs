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
