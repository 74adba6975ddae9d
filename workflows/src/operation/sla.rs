//! Availability of a calendar month from recorded interruptions.
//!
//! An interruption is a P0: what is slow or degraded but reachable is no downtime in any public SLA.
//! Interruptions that overlap count once. What a contract's credit table makes of the figure is the
//! subject of its own rules; here is only what happened.

use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::{Deserialize, Serialize};

use crate::{calendar, percent::Percent, text::Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    P0,
    P1,
    P2,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    pub severity: Severity,
    pub started_at: DateTime<Utc>,
    pub what: Text,
    pub responded_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Availability {
    pub total_minutes: Decimal,
    pub down_minutes: Decimal,
    pub percent: Decimal,
}

/// Of the calendar month that holds `day`, in `zone`. An interruption that goes on counts up to
/// `now`. `None` for a month beyond what the calendar knows.
pub fn availability<'a>(
    incidents: impl IntoIterator<Item = &'a Incident>,
    day: NaiveDate,
    zone: Tz,
    now: DateTime<Utc>,
) -> Option<Availability> {
    let (from, until) = month(day, zone)?;
    let seconds_down: i64 = interruptions(incidents, from, until, now)
        .iter()
        .map(|(start, end)| (*end - *start).num_seconds())
        .sum();
    let sixty = Decimal::from(60);
    let total_minutes = Decimal::from((until - from).num_seconds()) / sixty;
    let down_minutes = Decimal::from(seconds_down) / sixty;
    let up = Decimal::ONE - down_minutes / total_minutes;
    let percent = (up * Decimal::ONE_HUNDRED).round_dp(6);
    Some(Availability { total_minutes, down_minutes: down_minutes.round_dp(2), percent })
}

/// The instant from which the month can no longer reach the promised availability, if it has come.
pub fn missed_at<'a>(
    incidents: impl IntoIterator<Item = &'a Incident>,
    day: NaiveDate,
    zone: Tz,
    now: DateTime<Utc>,
    promised: Percent,
) -> Option<DateTime<Utc>> {
    let (from, until) = month(day, zone)?;
    let total = Decimal::from((until - from).num_seconds());
    let allowed = (total * (Decimal::ONE - promised.ratio())).floor().to_i64()?;
    let mut left = allowed;
    for (start, end) in interruptions(incidents, from, until, now) {
        let seconds = (end - start).num_seconds();
        if seconds > left {
            return Some(start + Duration::seconds(left + 1));
        }
        left -= seconds;
    }
    None
}

fn month(day: NaiveDate, zone: Tz) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let first = day.with_day(1)?;
    let next = first.checked_add_months(Months::new(1))?;
    let midnight = |day: NaiveDate| calendar::instant(day.and_time(NaiveTime::MIN), zone);
    Some((midnight(first), midnight(next)))
}

/// Within the window, in order, without overlaps.
fn interruptions<'a>(
    incidents: impl IntoIterator<Item = &'a Incident>,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Vec<(DateTime<Utc>, DateTime<Utc>)> {
    let mut down: Vec<_> = incidents
        .into_iter()
        .filter(|incident| incident.severity == Severity::P0)
        .map(|incident| {
            (incident.started_at.max(from), incident.ended_at.unwrap_or(now).min(until))
        })
        .collect();
    down.sort_unstable();
    let mut counted_until = from;
    let mut separate = Vec::new();
    for (start, end) in down {
        let start = start.max(counted_until);
        if start < end {
            separate.push((start, end));
            counted_until = end;
        }
    }
    separate
}
