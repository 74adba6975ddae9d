//! What is due and when, as a function of a procurement's state.
//!
//! Nothing is ever scheduled "from now": a due time follows from an anchor in the state, the zone
//! and an index, and each firing has a key of its own. So a restart, a replay or a clock that jumps
//! can neither lose a deadline nor fire it twice. Series that repeat are level-triggered: only the
//! newest occurrence that has come is due, older ones that were missed are not sent after it.

pub mod clock;
mod course;
pub mod meeting;
pub mod misfire;
mod operation;
mod spending;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use self::misfire::Decision;
use crate::{
    calendar::{self, Quarter, working_days::Counted},
    checklist::{self, Item},
    context::local_date,
    function::Function,
    gate::Moment,
    ids::{IncidentId, ProcurementId, SupplierId},
    procurement::Procurement,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    SignOffWanted,
    SignOffVoided,
    StageOverdue,
    QuoteValidity,
    QualificationExpiry,
    TrialEnd,
    ContractExpiry,
    ReviewInvitation,
    ReviewPack,
    ReviewChaser,
    SlaIncident,
    SlaBreach,
    SlaStatement,
    SupplierSplit,
    TooFewSuppliers,
    WeeklyReconciliation,
    BudgetBurn,
    SlaClaim,
    BudgetForecast,
    RentToOwn,
    ReviewMoved,
    ReviewCancelled,
}

impl NoticeKind {
    pub const ALL: [Self; 22] = [
        Self::SignOffWanted,
        Self::SignOffVoided,
        Self::StageOverdue,
        Self::QuoteValidity,
        Self::QualificationExpiry,
        Self::TrialEnd,
        Self::ContractExpiry,
        Self::ReviewInvitation,
        Self::ReviewPack,
        Self::ReviewChaser,
        Self::SlaIncident,
        Self::SlaBreach,
        Self::SlaStatement,
        Self::SupplierSplit,
        Self::TooFewSuppliers,
        Self::WeeklyReconciliation,
        Self::BudgetBurn,
        Self::SlaClaim,
        Self::BudgetForecast,
        Self::RentToOwn,
        Self::ReviewMoved,
        Self::ReviewCancelled,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::SignOffWanted => "sign_off_wanted",
            Self::SignOffVoided => "sign_off_voided",
            Self::StageOverdue => "stage_overdue",
            Self::QuoteValidity => "quote_validity",
            Self::QualificationExpiry => "qualification_expiry",
            Self::TrialEnd => "trial_end",
            Self::ContractExpiry => "contract_expiry",
            Self::ReviewInvitation => "review_invitation",
            Self::ReviewPack => "review_pack",
            Self::ReviewChaser => "review_chaser",
            Self::SlaIncident => "sla_incident",
            Self::SlaBreach => "sla_breach",
            Self::SlaStatement => "sla_statement",
            Self::SupplierSplit => "supplier_split",
            Self::TooFewSuppliers => "too_few_suppliers",
            Self::WeeklyReconciliation => "weekly_reconciliation",
            Self::BudgetBurn => "budget_burn",
            Self::SlaClaim => "sla_claim",
            Self::BudgetForecast => "budget_forecast",
            Self::RentToOwn => "rent_to_own",
            Self::ReviewMoved => "review_moved",
            Self::ReviewCancelled => "review_cancelled",
        }
    }
}

/// Something that is due, for whom, and the figures its text is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// Unique to this one firing.
    pub key: String,
    pub kind: NoticeKind,
    pub procurement: ProcurementId,
    pub due: DateTime<Utc>,
    pub to: BTreeSet<Function>,
    pub details: BTreeMap<&'static str, String>,
    /// For invitations: the day of the meeting.
    pub meeting_on: Option<NaiveDate>,
    /// By which holidays it is due, where working days are counted.
    pub counted: Option<Counted>,
    pub about: About,
}

/// What of the procurement it is about, so that a letter can look up more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    Procurement,
    Supplier(SupplierId),
    Incident(IncidentId),
    /// A month by its first day.
    Month(NaiveDate),
    MonthOf(SupplierId, NaiveDate),
    Quarter(Quarter),
    /// The week before this day.
    WeekBefore(NaiveDate),
}

impl Deadline {
    fn new(
        procurement: &Procurement,
        kind: NoticeKind,
        anchor: impl std::fmt::Display,
        due: DateTime<Utc>,
        to: impl IntoIterator<Item = Function>,
    ) -> Self {
        let details = [("title", procurement.title.to_string())].into();
        Self {
            key: format!("{}:{}:{anchor}", procurement.id, kind.id()),
            kind,
            procurement: procurement.id,
            due,
            to: to.into_iter().collect(),
            details,
            meeting_on: None,
            counted: None,
            about: About::Procurement,
        }
    }

    /// What it comes to at a time, by the policy of its kind.
    pub fn decision(&self, now: DateTime<Utc>) -> Decision {
        self.kind.misfire().decide(self.due, now)
    }

    /// For what counts working days: names the table of the year it is due in.
    fn counting(mut self, procurement: &Procurement, moment: Moment) -> Self {
        let year = local_date(self.due, moment.zone).year();
        self.counted = procurement.policy.working_days.counted(year);
        self
    }

    fn about(mut self, about: About) -> Self {
        self.about = about;
        self
    }

    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.details.insert(name, value.to_string());
        self
    }
}

/// What is due at the moment, and the next of each series after it. Unless active, only what calls off
/// a meeting that people were invited to.
///
/// A newer policy holds from when it was adopted: what was due before that stays what it was by the
/// policy before, so that editing a policy fires nothing of the past; what is due since then has a key
/// that names the adoption, so that it is not taken for one that fired by the old one.
pub fn deadlines(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    if !procurement.is_active() {
        return meeting::called_off_by_end(procurement, moment);
    }
    let mut deadlines = by_policy(procurement, moment);
    if let Some(adoption) = &procurement.adoption {
        deadlines.retain(|deadline| deadline.due >= adoption.latest.at);
        let before = Procurement { policy: (*adoption.before).clone(), ..procurement.clone() };
        let past = by_policy(&before, moment);
        deadlines.extend(past.into_iter().filter(|past| past.due < adoption.latest.at));
        for deadline in &mut deadlines {
            let stamps = adoption.earlier.iter().chain([&adoption.latest]);
            if let Some(since) = stamps.rev().find(|stamp| stamp.at <= deadline.due) {
                deadline.key = format!("{}:since{}", deadline.key, since.position);
            }
        }
    }
    deadlines.retain(|deadline| match deadline.decision(moment.now) {
        Decision::NotYet | Decision::Fire { .. } => true,
        Decision::Missed { .. } => false,
    });
    deadlines.sort_by(|a, b| (a.due, &a.key).cmp(&(b.due, &b.key)));
    deadlines
}

fn by_policy(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let mut deadlines = course::deadlines(procurement, moment);
    deadlines.extend(operation::deadlines(procurement, moment));
    deadlines.extend(meeting::deadlines(procurement, moment));
    deadlines
}

/// When evidence that carries a met item becomes too old.
pub fn lapses(procurement: &Procurement, moment: Moment) -> Vec<(Item, DateTime<Utc>)> {
    if !procurement.is_active() {
        return Vec::new();
    }
    Item::ALL
        .into_iter()
        .filter(|item| procurement.standings.get(item).is_some_and(|standing| standing.met))
        .filter_map(|item| Some((item, checklist::lapses_at(procurement, item, moment)?)))
        .collect()
}

/// Of a series in the order of time: the newest that has come and the next one.
fn newest_and_next(
    series: impl IntoIterator<Item = Deadline>,
    now: DateTime<Utc>,
) -> impl Iterator<Item = Deadline> {
    let mut newest = None;
    let mut next = None;
    for deadline in series {
        if deadline.due > now {
            next = Some(deadline);
            break;
        }
        newest = Some(deadline);
    }
    newest.into_iter().chain(next)
}

/// The mornings `days` before a last day, the earliest first.
fn countdown(
    days: &BTreeSet<u32>,
    last_day: NaiveDate,
    moment: Moment,
) -> impl Iterator<Item = (u32, DateTime<Utc>)> {
    days.iter()
        .rev()
        .map(move |days| {
            (*days, calendar::morning(calendar::days_before(last_day, *days), moment.zone))
        })
        .filter(move |_| moment.now.with_timezone(&moment.zone).date_naive() <= last_day)
}
