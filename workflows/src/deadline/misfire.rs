//! What becomes of an occurrence whose time passed while nobody looked.
//!
//! The rule: every occurrence that has come is fired or is missed for a reason that can be recorded;
//! none vanishes. Of a series at most one fires at a time, the newest, so a long downtime is one mail
//! and not a year of them. What a rule would have done before it held is no occurrence of it: the
//! time from which it holds is part of every key, so editing a rule fires nothing of the past, and a
//! clock that is set back meets keys that exist.

use chrono::{DateTime, Duration, Utc};

use super::NoticeKind;
use crate::calendar::schedule::{Occurrence, Schedule};

/// By kind of notice; see [`NoticeKind::misfire`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfire {
    /// The newest fires, however late, unless it is older than the greatest age.
    FireOnce { max_age: Duration },
    /// It fires within the grace or not at all.
    Skip { grace: Duration },
    /// It tells of a state: as long as that holds, the newest fires at any age.
    LevelTriggered,
}

/// What an occurrence comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    NotYet,
    /// `late` by more than a scheduler's usual delay: the text should say when it was due.
    Fire {
        late: bool,
    },
    Missed {
        reason: MissedReason,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissedReason {
    /// A newer one of the same series has come as well.
    Superseded,
    TooOld,
    PastGrace,
}

impl MissedReason {
    pub const ALL: [Self; 3] = [Self::Superseded, Self::TooOld, Self::PastGrace];

    pub fn id(self) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::TooOld => "too_old",
            Self::PastGrace => "past_grace",
        }
    }
}

impl Misfire {
    /// Up to here nobody would call it late.
    pub const USUAL_DELAY: Duration = Duration::minutes(5);

    /// Of the newest occurrence of a series.
    pub fn decide(self, due: DateTime<Utc>, now: DateTime<Utc>) -> Decision {
        if now < due {
            return Decision::NotYet;
        }
        let age = now - due;
        let missed = match self {
            Self::FireOnce { max_age } if age > max_age => Some(MissedReason::TooOld),
            Self::Skip { grace } if age > grace => Some(MissedReason::PastGrace),
            Self::FireOnce { .. } | Self::Skip { .. } | Self::LevelTriggered => None,
        };
        match missed {
            Some(reason) => Decision::Missed { reason },
            None => Decision::Fire { late: age > Self::USUAL_DELAY },
        }
    }
}

/// A schedule whose occurrences are settled one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    pub schedule: Schedule<'a>,
    pub misfire: Misfire,
    /// When the rule, as it is now, came into force.
    pub effective_from: DateTime<Utc>,
}

/// What has come since an occurrence was last settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// In order; the last of them is the newest.
    pub come: Vec<(Occurrence, Decision)>,
    /// Missed ones before those in `come`, which would be too many to name.
    pub unnamed: u32,
    /// The index to go on after.
    pub settled_up_to: Option<u32>,
    pub next: Option<DateTime<Utc>>,
}

impl Series<'_> {
    /// More missed ones than this are only counted.
    pub const NAMED_MAX: u32 = 1_000;

    /// The key of one firing: the series, since when its rule holds, and what the rule says.
    pub fn key(&self, name: &str, occurrence: &Occurrence) -> String {
        let since = self.effective_from.format("%Y-%m-%dT%H:%M:%SZ");
        format!("{name}:{since}:{}", occurrence.by_rule().format("%Y-%m-%dT%H:%M"))
    }

    /// After the index that was settled last; `None` as long as none was.
    pub fn settle(&self, settled: Option<u32>, now: DateTime<Utc>) -> Settlement {
        let schedule = &self.schedule;
        // Nothing that was due before the rule held is an occurrence of it.
        let before_rule = self.effective_from - Duration::nanoseconds(1);
        let in_force = schedule.from_newest(before_rule).find(|o| o.instant >= self.effective_from);
        let after_settled = settled.map_or(0, |index| index.saturating_add(1));
        let Some(start) = in_force.map(|first| first.index.max(after_settled)) else {
            return Settlement { come: Vec::new(), unnamed: 0, settled_up_to: settled, next: None };
        };
        let mut newest = schedule.from_newest(now);
        let newest_come = newest.next().filter(|o| o.instant <= now && o.index >= start);
        let Some(newest_come) = newest_come else {
            let next = schedule.from_index(start).find(|o| o.instant > now).map(|o| o.instant);
            return Settlement { come: Vec::new(), unnamed: 0, settled_up_to: settled, next };
        };
        let named_from = newest_come.index.saturating_sub(Self::NAMED_MAX).max(start);
        let mut come: Vec<_> = schedule
            .from_index(named_from)
            .take_while(|occurrence| occurrence.index < newest_come.index)
            .map(|o| (o, Decision::Missed { reason: MissedReason::Superseded }))
            .collect();
        come.push((newest_come, self.misfire.decide(newest_come.instant, now)));
        let next = newest.find(|occurrence| occurrence.instant > now);
        Settlement {
            come,
            unnamed: named_from - start,
            settled_up_to: Some(newest_come.index),
            next: next.map(|occurrence| occurrence.instant),
        }
    }
}

impl NoticeKind {
    /// What tells of a state is told as long as the state holds, and a date that comes near is one:
    /// a contract that ends in eighty days is news at any time before. What belongs to a date itself
    /// is told late rather than not at all, until the next of its kind takes its place.
    pub fn misfire(self) -> Misfire {
        match self {
            Self::SignOffWanted
            | Self::SignOffVoided
            | Self::StageOverdue
            | Self::QuoteValidity
            | Self::QualificationExpiry
            | Self::TrialEnd
            | Self::ContractExpiry
            | Self::SlaIncident
            | Self::SlaBreach
            | Self::SlaClaim
            | Self::SupplierSplit
            | Self::TooFewSuppliers
            | Self::BudgetBurn
            | Self::BudgetForecast
            | Self::RentToOwn
            | Self::ReviewMoved
            | Self::ReviewCancelled => Misfire::LevelTriggered,
            Self::ReviewInvitation | Self::ReviewPack | Self::ReviewChaser => {
                Misfire::FireOnce { max_age: Duration::days(92) }
            }
            Self::SlaStatement => Misfire::FireOnce { max_age: Duration::days(31) },
            Self::WeeklyReconciliation => Misfire::FireOnce { max_age: Duration::days(7) },
        }
    }
}
