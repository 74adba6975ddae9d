//! What the organisation says about mail: what is urgent, how much is too much, when to give up on
//! an address.
//!
//! The rule: it is part of the policy, but of the newest one, since a person's mail is not about one
//! procurement. A document that does not name these figures means the defaults.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use crate::{deadline::NoticeKind, invalid::Invalid};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailRules {
    /// Of kinds that are otherwise than by default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub urgency: BTreeMap<NoticeKind, Urgency>,
    /// How many hours after it was due a letter is still of use; without, as long as it holds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub useful_hours: BTreeMap<NoticeKind, u32>,
    /// How long a letter waits for others to share a digest with; 0 sends each by itself.
    pub digest_window_minutes: u32,
    /// To one person; what is above goes into one digest.
    pub letters_an_hour_max: u32,
    /// In a row, after which nothing is sent to an address until an administrator wants it.
    pub refusals_max: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    Normal,
    /// Passes quiet hours and does not wait for a digest.
    Urgent,
}

impl Default for MailRules {
    fn default() -> Self {
        Self {
            urgency: BTreeMap::new(),
            useful_hours: BTreeMap::new(),
            digest_window_minutes: 0,
            letters_an_hour_max: 20,
            refusals_max: 3,
        }
    }
}

impl MailRules {
    const DAY_MINUTES: u32 = 1_440;
    const COUNT_MAX: u32 = 1_000;

    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub fn urgency(&self, kind: NoticeKind) -> Urgency {
        let by_default = match kind {
            NoticeKind::SlaIncident | NoticeKind::SlaBreach => Urgency::Urgent,
            NoticeKind::SignOffWanted
            | NoticeKind::SignOffVoided
            | NoticeKind::StageOverdue
            | NoticeKind::QuoteValidity
            | NoticeKind::QualificationExpiry
            | NoticeKind::TrialEnd
            | NoticeKind::ContractExpiry
            | NoticeKind::ReviewInvitation
            | NoticeKind::ReviewMoved
            | NoticeKind::ReviewCancelled
            | NoticeKind::ReviewPack
            | NoticeKind::ReviewChaser
            | NoticeKind::SlaStatement
            | NoticeKind::SupplierSplit
            | NoticeKind::TooFewSuppliers
            | NoticeKind::WeeklyReconciliation
            | NoticeKind::BudgetBurn
            | NoticeKind::SlaClaim
            | NoticeKind::BudgetForecast
            | NoticeKind::RentToOwn => Urgency::Normal,
        };
        self.urgency.get(&kind).copied().unwrap_or(by_default)
    }

    /// Until when a letter about something that was due is worth sending.
    pub fn useful_until(&self, kind: NoticeKind, due: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.useful_hours.get(&kind).map(|hours| due + Duration::hours(i64::from(*hours)))
    }

    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("mail", why));
        if self.digest_window_minutes > Self::DAY_MINUTES {
            return refuse("letters wait at most a day for others");
        }
        let counts = [self.letters_an_hour_max, self.refusals_max];
        if counts.iter().any(|count| *count == 0 || *count > Self::COUNT_MAX) {
            return refuse("a number of letters must be 1 to 1000");
        }
        if self.useful_hours.values().any(|hours| *hours == 0 || *hours > 24 * 366) {
            return refuse("a letter is of use for an hour up to a year");
        }
        Ok(())
    }
}
