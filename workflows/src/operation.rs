//! Stage 6, operation (上线与管理): usage, bills, interruptions, reviews, and how it ends.
//!
//! It is left when monitoring is live, two suppliers are kept, the reviews are planned, and it is
//! decided whether the capacity is renewed, switched or retired. Feeds grow old: a criterion that
//! was met turns unmet when its feed is older than the policy allows.

pub mod sla;
pub mod split;
pub mod usage;

use std::collections::BTreeMap;

use chrono::{DateTime, Days, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use self::{
    sla::{Incident, Severity},
    usage::{Bill, Usage},
};
use crate::{
    calendar::{self, Quarter},
    context::{Context, local_date},
    evidence::EvidenceFile,
    gate::{Criterion, CriterionRule, Moment, Reason},
    ids::{IncidentId, PersonId, SupplierId},
    invalid::Invalid,
    negotiation::each_awarded,
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    RecordUsage {
        supplier: SupplierId,
        usage: Usage,
        source: Option<EvidenceFile>,
    },
    RecordBill {
        supplier: SupplierId,
        bill: Bill,
        source: Option<EvidenceFile>,
    },
    /// What the availability probe saw; the sign that SLA tracking is alive.
    RecordAvailability {
        supplier: SupplierId,
        until: DateTime<Utc>,
        down_minutes: u32,
    },
    ReportIncident {
        incident: IncidentId,
        supplier: SupplierId,
        severity: Severity,
        started_at: DateTime<Utc>,
        what: Text,
    },
    ResolveIncident {
        incident: IncidentId,
        responded_at: DateTime<Utc>,
        ended_at: DateTime<Utc>,
    },
    PlanReviews {
        first: Quarter,
        optimisation: Text,
    },
    /// When and where a review is held, in place of the last working day of its quarter.
    ScheduleReview {
        quarter: Quarter,
        meeting: Meeting,
    },
    RecordReview {
        quarter: Quarter,
        review: Review,
    },
    DecideOutcome {
        outcome: Outcome,
        reason: Text,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    UsageRecorded {
        supplier: SupplierId,
        usage: Usage,
        source: Option<EvidenceFile>,
    },
    BillRecorded {
        supplier: SupplierId,
        bill: Bill,
        source: Option<EvidenceFile>,
    },
    AvailabilityRecorded {
        supplier: SupplierId,
        until: DateTime<Utc>,
        down_minutes: u32,
    },
    IncidentReported {
        incident: IncidentId,
        supplier: SupplierId,
        severity: Severity,
        started_at: DateTime<Utc>,
        what: Text,
    },
    IncidentResolved {
        incident: IncidentId,
        responded_at: DateTime<Utc>,
        ended_at: DateTime<Utc>,
    },
    ReviewsPlanned {
        first: Quarter,
        optimisation: Text,
    },
    ReviewScheduled {
        quarter: Quarter,
        meeting: Meeting,
    },
    ReviewRecorded {
        quarter: Quarter,
        review: Review,
    },
    OutcomeDecided {
        outcome: Outcome,
        reason: Text,
    },
}

/// An hour of talking, from when on and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    pub starts_at: DateTime<Utc>,
    /// A room, or how to dial in.
    pub place: Option<Name>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    pub held_on: NaiveDate,
    pub findings: Text,
    pub actions: Vec<Action>,
}

/// Something that the review decided, with somebody who does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    pub what: Text,
    pub owner: PersonId,
    pub due_on: NaiveDate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Renewed,
    Switched,
    Retired,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub usage: BTreeMap<SupplierId, Vec<Fact<Usage>>>,
    pub bills: BTreeMap<SupplierId, Vec<Fact<Bill>>>,
    /// The newest probe report of each supplier, by the time it reaches up to.
    pub availability: BTreeMap<SupplierId, Fact<DateTime<Utc>>>,
    pub incidents: BTreeMap<IncidentId, (SupplierId, Fact<Incident>)>,
    pub first_review: Option<Fact<Quarter>>,
    /// What the first was before the reviews were planned anew, to begin later.
    #[serde(default)]
    pub first_review_before: Option<Quarter>,
    pub reviews: BTreeMap<Quarter, Fact<Review>>,
    /// When and where, each time that it was said anew.
    #[serde(default)]
    pub meetings: BTreeMap<Quarter, Vec<Fact<Meeting>>>,
    pub outcome: Option<Fact<Outcome>>,
}

pub fn decide(
    procurement: &Procurement,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let operation = &procurement.operation;
    match command {
        Command::RecordUsage { supplier, usage, source } => {
            contracted(procurement, supplier)?;
            usage.check()?;
            not_ahead(usage.until, context)?;
            let feeds = operation.usage.get(&supplier).map_or(&[][..], Vec::as_slice);
            let overlaps =
                |feed: &Fact<Usage>| feed.value.from < usage.until && usage.from < feed.value.until;
            if feeds.iter().any(overlaps) {
                return Err(Rejection::UsageOverlaps { from: usage.from, until: usage.until });
            }
            Ok(vec![Event::UsageRecorded { supplier, usage, source }])
        }
        Command::RecordBill { supplier, bill, source } => {
            contracted(procurement, supplier)?;
            bill.check()?;
            Ok(vec![Event::BillRecorded { supplier, bill, source }])
        }
        Command::RecordAvailability { supplier, until, down_minutes } => {
            contracted(procurement, supplier)?;
            not_ahead(until, context)?;
            Ok(vec![Event::AvailabilityRecorded { supplier, until, down_minutes }])
        }
        Command::ReportIncident { incident, supplier, severity, started_at, what } => {
            contracted(procurement, supplier)?;
            not_ahead(started_at, context)?;
            if operation.incidents.contains_key(&incident) {
                return Err(Rejection::IncidentKnown { incident });
            }
            Ok(vec![Event::IncidentReported { incident, supplier, severity, started_at, what }])
        }
        Command::ResolveIncident { incident, responded_at, ended_at } => {
            resolve(operation, incident, responded_at, ended_at, context)
        }
        Command::PlanReviews { first, optimisation } => {
            Ok(vec![Event::ReviewsPlanned { first, optimisation }])
        }
        Command::ScheduleReview { quarter, meeting } => {
            schedule(operation, quarter, meeting, context)
        }
        Command::RecordReview { quarter, review } => {
            if operation.first_review.as_ref().is_none_or(|first| quarter < first.value) {
                return Err(Rejection::ReviewNotPlanned { quarter });
            }
            Ok(vec![Event::ReviewRecorded { quarter, review }])
        }
        Command::DecideOutcome { outcome, reason } => {
            Ok(vec![Event::OutcomeDecided { outcome, reason }])
        }
    }
}

fn schedule(
    operation: &State,
    quarter: Quarter,
    meeting: Meeting,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    if operation.first_review.as_ref().is_none_or(|first| quarter < first.value) {
        return Err(Rejection::ReviewNotPlanned { quarter });
    }
    if operation.reviews.contains_key(&quarter) {
        return Err(Invalid::new("meeting", format!("{quarter} has been reviewed")).into());
    }
    let day = local_date(meeting.starts_at, context.zone);
    let last_day = calendar::days_after(quarter.last_day(), MEETING_DAYS_MAX);
    if meeting.starts_at <= context.now || day > last_day {
        let why = format!("must lie ahead, and on {last_day} at the latest");
        return Err(Invalid::new("meeting", why).into());
    }
    match operation.meeting(quarter) {
        Some(known) if *known == meeting => Err(Rejection::NothingChanges),
        Some(_) | None => Ok(vec![Event::ReviewScheduled { quarter, meeting }]),
    }
}

/// Later than this after its quarter, it is the next quarter's review.
const MEETING_DAYS_MAX: u32 = 92;

impl State {
    /// When and where the review of a quarter is held, if somebody has said so.
    pub fn meeting(&self, quarter: Quarter) -> Option<&Meeting> {
        self.meetings.get(&quarter)?.last().map(|fact| &fact.value)
    }
}

fn contracted(procurement: &Procurement, supplier: SupplierId) -> Result<(), Rejection> {
    match procurement.negotiation.contracts.contains_key(&supplier) {
        true => Ok(()),
        false => Err(Rejection::NoContract { supplier }),
    }
}

fn not_ahead(instant: DateTime<Utc>, context: &Context) -> Result<(), Rejection> {
    match instant > context.now {
        true => Err(Invalid::new("time", format!("{instant} has not come yet")).into()),
        false => Ok(()),
    }
}

fn resolve(
    operation: &State,
    incident: IncidentId,
    responded_at: DateTime<Utc>,
    ended_at: DateTime<Utc>,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let (_, known) =
        operation.incidents.get(&incident).ok_or(Rejection::NoSuchIncident { incident })?;
    let started_at = known.value.started_at;
    if responded_at < started_at || ended_at < responded_at {
        return Err(Invalid::new("incident", "start, response and end must be in order").into());
    }
    not_ahead(ended_at, context)?;
    Ok(vec![Event::IncidentResolved { incident, responded_at, ended_at }])
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::UsageRecorded { supplier, usage, .. } => {
            state.usage.entry(*supplier).or_default().push(Fact::new(usage.clone(), stamp));
        }
        Event::BillRecorded { supplier, bill, .. } => {
            state.bills.entry(*supplier).or_default().push(Fact::new(bill.clone(), stamp));
        }
        Event::AvailabilityRecorded { supplier, until, .. } => {
            let newest = state.availability.get(supplier).map(|known| known.value);
            if newest.is_none_or(|newest| newest < *until) {
                state.availability.insert(*supplier, Fact::new(*until, stamp));
            }
        }
        Event::IncidentReported { incident, supplier, severity, started_at, what } => {
            let reported = Incident {
                severity: *severity,
                started_at: *started_at,
                what: what.clone(),
                responded_at: None,
                ended_at: None,
            };
            state.incidents.insert(*incident, (*supplier, Fact::new(reported, stamp)));
        }
        Event::IncidentResolved { incident, responded_at, ended_at } => {
            if let Some((_, known)) = state.incidents.get_mut(incident) {
                known.value.responded_at = Some(*responded_at);
                known.value.ended_at = Some(*ended_at);
            }
        }
        Event::ReviewsPlanned { first, .. } => {
            let before = state.first_review.as_ref().map(|before| before.value);
            state.first_review_before = before.filter(|before| before < first);
            state.first_review = Some(Fact::new(*first, stamp));
        }
        Event::ReviewScheduled { quarter, meeting } => {
            state.meetings.entry(*quarter).or_default().push(Fact::new(meeting.clone(), stamp));
        }
        Event::ReviewRecorded { quarter, review } => {
            state.reviews.insert(*quarter, Fact::new(review.clone(), stamp));
        }
        Event::OutcomeDecided { outcome, .. } => {
            state.outcome = Some(Fact::new(*outcome, stamp));
        }
    }
}

pub const CRITERIA: &[CriterionRule] = &[
    (Criterion::MonitoringLive, monitoring_live),
    (Criterion::TwoSuppliers, two_suppliers),
    (Criterion::ReviewsPlanned, |procurement, _| match procurement.operation.first_review {
        Some(_) => Ok(()),
        None => Err(Reason::new("reviews_not_planned")),
    }),
    (Criterion::OutcomeDecided, |procurement, _| match procurement.operation.outcome {
        Some(_) => Ok(()),
        None => Err(Reason::new("outcome_open")),
    }),
];

fn monitoring_live(procurement: &Procurement, moment: Moment) -> Result<(), Reason> {
    let days_max = procurement.policy.feed_days_max;
    let oldest = moment.now.checked_sub_days(Days::new(u64::from(days_max))).unwrap_or(moment.now);
    let operation = &procurement.operation;
    each_awarded(procurement, "feeds_old_or_missing", |_, supplier| {
        let used = operation
            .usage
            .get(&supplier)
            .is_some_and(|feeds| feeds.iter().any(|feed| feed.value.until >= oldest));
        let probed =
            operation.availability.get(&supplier).is_some_and(|until| until.value >= oldest);
        used && probed
    })
    .map_err(|reason| reason.with("days", days_max))
}

fn two_suppliers(procurement: &Procurement, moment: Moment) -> Result<(), Reason> {
    let least = procurement.policy.qualified_suppliers_min;
    let kept = qualified_suppliers(procurement, local_date(moment.now, moment.zone));
    match kept >= least {
        true => Ok(()),
        false => Err(Reason::new("too_few_suppliers").with("kept", kept).with("least", least)),
    }
}

/// Suppliers under contract whose reviewed qualifications are valid on the day.
pub fn qualified_suppliers(procurement: &Procurement, day: NaiveDate) -> usize {
    procurement
        .negotiation
        .contracts
        .iter()
        .filter(|(supplier, contract)| {
            contract.value.ends_on >= day
                && procurement
                    .shortlist
                    .candidates
                    .get(supplier)
                    .is_some_and(|candidate| candidate.is_qualified_on(day))
        })
        .count()
}
