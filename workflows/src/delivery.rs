//! How mail reaches a person: at once or in a daily digest, not in their quiet hours, not too much.
//!
//! The rule: preferences are a person's own and are asked right before sending, so a change holds
//! for what already waits. What must be said cannot be muted; only kinds that merely inform can.
//! Times of day are those of the person's zone.

pub mod plan;
pub mod rules;

use std::collections::BTreeSet;

use chrono::{DateTime, Days, NaiveTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{calendar, deadline::NoticeKind, invalid::Invalid};

/// What a person wishes. Urgent letters keep to none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delivery {
    #[serde(default)]
    pub frequency: Frequency,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<QuietHours>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub muted: BTreeSet<NoticeKind>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Frequency {
    #[default]
    Immediate,
    /// All that has come since the day before, in one letter.
    Daily { at: NaiveTime },
}

/// From a time of day until another, across midnight where that is the earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "QuietHoursAsWritten")]
pub struct QuietHours {
    from: NaiveTime,
    until: NaiveTime,
}

#[derive(Deserialize)]
struct QuietHoursAsWritten {
    from: NaiveTime,
    until: NaiveTime,
}

impl TryFrom<QuietHoursAsWritten> for QuietHours {
    type Error = Invalid;

    fn try_from(written: QuietHoursAsWritten) -> Result<Self, Invalid> {
        Self::new(written.from, written.until)
    }
}

impl QuietHours {
    /// Equal times would be either no hours or all of them.
    pub fn new(from: NaiveTime, until: NaiveTime) -> Result<Self, Invalid> {
        match from == until {
            true => Err(Invalid::new("quiet hours", "they must not end when they begin")),
            false => Ok(Self { from, until }),
        }
    }

    pub fn from(self) -> NaiveTime {
        self.from
    }

    pub fn until(self) -> NaiveTime {
        self.until
    }

    /// When they end, if an instant is within them. Where clocks are set back, an end that comes
    /// twice is the first of the two.
    pub fn end(self, at: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
        let local = at.with_timezone(&zone).naive_local();
        let (day, time) = (local.date(), local.time());
        let crosses_midnight = self.until < self.from;
        let last_day = match (crosses_midnight, time >= self.from, time < self.until) {
            (false, true, true) | (true, false, true) => day,
            (true, true, _) => day.checked_add_days(Days::new(1))?,
            (false, false, _) | (false, true, false) | (true, false, false) => return None,
        };
        let end = calendar::instant(last_day.and_time(self.until), zone);
        (end > at).then_some(end)
    }
}

impl Delivery {
    pub fn check(&self) -> Result<(), Invalid> {
        match self.muted.iter().find(|kind| !kind.is_optional()) {
            Some(kind) => {
                let why = format!("`{}` must be said and cannot be muted", kind.id());
                Err(Invalid::new("muted", why))
            }
            None => Ok(()),
        }
    }
}

impl Frequency {
    /// When a letter goes out that was queued at a time.
    fn release(self, queued_at: DateTime<Utc>, zone: Tz) -> DateTime<Utc> {
        match self {
            Self::Immediate => queued_at,
            Self::Daily { at } => {
                let day = queued_at.with_timezone(&zone).date_naive();
                let days = day.iter_days().take(3);
                let mut times = days.map(|day| calendar::instant(day.and_time(at), zone));
                times.find(|time| *time >= queued_at).unwrap_or(queued_at)
            }
        }
    }
}

impl NoticeKind {
    /// It informs, and nothing goes wrong when nobody reads it. What asks for a signature, tells of a
    /// fault, or of money and rights that are lost by waiting, goes to whoever holds the function.
    pub fn is_optional(self) -> bool {
        match self {
            Self::ReviewPack
            | Self::SlaStatement
            | Self::WeeklyReconciliation
            | Self::RentToOwn => true,
            Self::SignOffWanted
            | Self::SignOffVoided
            | Self::StageOverdue
            | Self::QuoteValidity
            | Self::QualificationExpiry
            | Self::TrialEnd
            | Self::ContractExpiry
            | Self::ReviewInvitation
            | Self::ReviewMoved
            | Self::ReviewCancelled
            | Self::ReviewChaser
            | Self::SlaIncident
            | Self::SlaBreach
            | Self::SupplierSplit
            | Self::TooFewSuppliers
            | Self::BudgetBurn
            | Self::BudgetForecast
            | Self::SlaClaim => false,
        }
    }
}
