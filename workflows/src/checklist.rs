//! The ten-point checklist, computed from what was recorded and never ticked.
//!
//! An item is met when its own rule holds. It is waived when every criterion that keeps it unmet is
//! waived. Before its stage is reached it is not yet due.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    gate::{self, Criterion, Moment, Reason},
    ids::SupplierId,
    negotiation::{State as Negotiation, each_awarded, terms::Clause},
    procurement::Procurement,
    recorded::Stamp,
    stage::Stage,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    NeedsAssessed,
    TcoModelled,
    CandidatesScreened,
    PocCompleted,
    SlaReviewed,
    PaymentAndInvoice,
    ScalingPlanned,
    MonitoringLive,
    TwoSuppliers,
    ReviewPlanned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Met,
    Unmet,
    Waived,
    NotYetDue,
}

/// Whether the rule held after an event, since which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    pub met: bool,
    pub since: Stamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub item: Item,
    pub status: Status,
    /// `None` while not yet due.
    pub since: Option<DateTime<Utc>>,
    /// The event that brought the status about; `None` when time alone did, or nothing yet.
    pub because: Option<Stamp>,
    /// Why it is unmet or waived.
    pub reason: Option<Reason>,
    /// Where the evidence stands in the log.
    pub evidence: Vec<Stamp>,
}

impl Item {
    pub const ALL: [Self; 10] = [
        Self::NeedsAssessed,
        Self::TcoModelled,
        Self::CandidatesScreened,
        Self::PocCompleted,
        Self::SlaReviewed,
        Self::PaymentAndInvoice,
        Self::ScalingPlanned,
        Self::MonitoringLive,
        Self::TwoSuppliers,
        Self::ReviewPlanned,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::NeedsAssessed => "needs_assessed",
            Self::TcoModelled => "tco_modelled",
            Self::CandidatesScreened => "candidates_screened",
            Self::PocCompleted => "poc_completed",
            Self::SlaReviewed => "sla_reviewed",
            Self::PaymentAndInvoice => "payment_and_invoice",
            Self::ScalingPlanned => "scaling_planned",
            Self::MonitoringLive => "monitoring_live",
            Self::TwoSuppliers => "two_suppliers",
            Self::ReviewPlanned => "review_planned",
        }
    }

    pub fn stage(self) -> Stage {
        match self {
            Self::NeedsAssessed => Stage::Needs,
            Self::TcoModelled => Stage::Budget,
            Self::CandidatesScreened => Stage::Shortlist,
            Self::PocCompleted => Stage::Poc,
            Self::SlaReviewed | Self::PaymentAndInvoice | Self::ScalingPlanned => {
                Stage::Negotiation
            }
            Self::MonitoringLive | Self::TwoSuppliers | Self::ReviewPlanned => Stage::Operation,
        }
    }

    /// The gate's criteria that say the same; waiving them waives the item.
    fn criteria(self) -> &'static [Criterion] {
        match self {
            Self::NeedsAssessed => {
                &[Criterion::UseKnown, Criterion::ModelKnown, Criterion::ConcurrencyKnown]
            }
            Self::TcoModelled => &[Criterion::TcoComplete],
            Self::CandidatesScreened => {
                &[Criterion::CandidateCount, Criterion::QualificationsChecked]
            }
            Self::PocCompleted => {
                &[Criterion::FinalistCount, Criterion::EvidenceComplete, Criterion::VerdictsReached]
            }
            Self::SlaReviewed => &[Criterion::LegalReviewed, Criterion::TermsComplete],
            Self::PaymentAndInvoice => &[Criterion::TermsComplete],
            Self::ScalingPlanned => &[Criterion::ScalingPlanned],
            Self::MonitoringLive => &[Criterion::MonitoringLive],
            Self::TwoSuppliers => &[Criterion::TwoSuppliers],
            Self::ReviewPlanned => &[Criterion::ReviewsPlanned],
        }
    }

    fn evidence(self, procurement: &Procurement) -> Vec<Stamp> {
        let negotiation = &procurement.negotiation;
        match self {
            Self::NeedsAssessed => procurement.needs.brief.iter().map(|fact| fact.stamp).collect(),
            Self::TcoModelled => procurement.budget.costs.values().map(|fact| fact.stamp).collect(),
            Self::CandidatesScreened => procurement
                .shortlist
                .candidates
                .values()
                .filter_map(|candidate| candidate.review.as_ref().map(|fact| fact.stamp))
                .collect(),
            Self::PocCompleted => procurement
                .poc
                .finalists
                .values()
                .flat_map(|finalist| finalist.evidence.iter().map(|fact| fact.stamp))
                .collect(),
            Self::SlaReviewed | Self::PaymentAndInvoice => negotiation
                .offers
                .values()
                .flat_map(|offer| {
                    [Some(offer.terms.stamp), offer.review.as_ref().map(|fact| fact.stamp)]
                })
                .flatten()
                .collect(),
            Self::ScalingPlanned => negotiation.scaling.iter().map(|fact| fact.stamp).collect(),
            Self::MonitoringLive => procurement
                .operation
                .usage
                .values()
                .filter_map(|feeds| feeds.last().map(|fact| fact.stamp))
                .chain(procurement.operation.availability.values().map(|fact| fact.stamp))
                .collect(),
            Self::TwoSuppliers => negotiation.contracts.values().map(|fact| fact.stamp).collect(),
            Self::ReviewPlanned => {
                procurement.operation.first_review.iter().map(|fact| fact.stamp).collect()
            }
        }
    }
}

/// Whether the item's rule holds at the moment, and if not, why.
pub fn rule(procurement: &Procurement, item: Item, moment: Moment) -> Result<(), Reason> {
    let clauses_agreed = |wanted: &'static [Clause]| {
        each_awarded(procurement, "clauses_open", |state, supplier| agreed(state, supplier, wanted))
    };
    match item {
        Item::SlaReviewed => {
            gate::met(procurement, item.stage(), &[Criterion::LegalReviewed], moment)?;
            clauses_agreed(&[
                Clause::Availability,
                Clause::Response,
                Clause::DataOwnership,
                Clause::DataDestruction,
            ])
        }
        Item::PaymentAndInvoice => {
            clauses_agreed(&[Clause::CorporateTransfer, Clause::SpecialVatInvoice])
        }
        Item::NeedsAssessed
        | Item::TcoModelled
        | Item::CandidatesScreened
        | Item::PocCompleted
        | Item::ScalingPlanned
        | Item::MonitoringLive
        | Item::TwoSuppliers
        | Item::ReviewPlanned => gate::met(procurement, item.stage(), item.criteria(), moment),
    }
}

fn agreed(state: &Negotiation, supplier: SupplierId, wanted: &[Clause]) -> bool {
    state
        .offers
        .get(&supplier)
        .is_some_and(|offer| wanted.iter().all(|clause| offer.terms.value.is_agreed(*clause)))
}

/// All ten, in the order of the stages. A procurement that has ended is shown as it ended.
pub fn checklist(procurement: &Procurement, moment: Moment) -> Vec<Entry> {
    let moment = Moment { now: procurement.ended_at().unwrap_or(moment.now), ..moment };
    Item::ALL.into_iter().map(|item| entry(procurement, item, moment)).collect()
}

fn entry(procurement: &Procurement, item: Item, moment: Moment) -> Entry {
    let outcome = rule(procurement, item, moment);
    let met = outcome.is_ok();
    let status = match (met, procurement.stage < item.stage()) {
        (true, _) => Status::Met,
        (false, true) => Status::NotYetDue,
        (false, false) if is_waived(procurement, item, moment) => Status::Waived,
        (false, false) => Status::Unmet,
    };
    let standing = procurement.standings.get(&item).filter(|standing| standing.met == met);
    let lapsed = standing.is_none().then(|| lapses_at(procurement, item, moment)).flatten();
    let due = status != Status::NotYetDue;
    Entry {
        item,
        status,
        since: standing.map(|standing| standing.since.at).or(lapsed).filter(|_| due),
        because: standing.map(|standing| standing.since).filter(|_| due),
        reason: outcome.err().filter(|_| due),
        evidence: item.evidence(procurement),
    }
}

fn is_waived(procurement: &Procurement, item: Item, moment: Moment) -> bool {
    let unmet: Vec<_> = gate::findings(procurement, item.stage(), moment)
        .into_iter()
        .filter(|finding| item.criteria().contains(&finding.criterion) && finding.outcome.is_err())
        .collect();
    !unmet.is_empty() && unmet.iter().all(|finding| finding.waiver.is_some())
}

/// When evidence that grows old stops carrying the item; `None` when it cannot or there is none.
pub fn lapses_at(procurement: &Procurement, item: Item, moment: Moment) -> Option<DateTime<Utc>> {
    match item {
        Item::MonitoringLive => feeds_lapse_at(procurement),
        Item::TwoSuppliers => {
            let contracts = procurement.negotiation.contracts.iter();
            let days = contracts.filter_map(|(supplier, contract)| {
                let candidate = procurement.shortlist.candidates.get(supplier)?;
                let review = &candidate.review.as_ref()?.value;
                let last = review.expires_on().unwrap_or(NaiveDate::MAX);
                // A disqualified one was never among those that count.
                review.missing.is_empty().then_some(contract.value.ends_on.min(last))
            });
            day_after_enough(days.collect(), procurement.policy.qualified_suppliers_min, moment)
        }
        Item::CandidatesScreened => {
            let days = procurement
                .shortlist
                .running()
                .filter_map(|(_, candidate)| candidate.review.as_ref()?.value.expires_on());
            days.min().and_then(|day| day.succ_opt()).map(|day| start_of(day, moment))
        }
        Item::NeedsAssessed
        | Item::TcoModelled
        | Item::PocCompleted
        | Item::SlaReviewed
        | Item::PaymentAndInvoice
        | Item::ScalingPlanned
        | Item::ReviewPlanned => None,
    }
}

fn feeds_lapse_at(procurement: &Procurement) -> Option<DateTime<Utc>> {
    let keeps = chrono::Duration::days(i64::from(procurement.policy.feed_days_max));
    let operation = &procurement.operation;
    procurement
        .negotiation
        .awarded()
        .iter()
        .map(|award| {
            let feeds = operation.usage.get(&award.supplier)?;
            let used = feeds.iter().map(|feed| feed.value.until).max()?;
            let probed = operation.availability.get(&award.supplier)?.value;
            used.min(probed).checked_add_signed(keeps)
        })
        .min()
        .flatten()
        // At that very instant the feed is still young enough.
        .and_then(|last| last.checked_add_signed(chrono::Duration::seconds(1)))
}

/// With the last valid day of each, the day on which fewer than `least` are left.
fn day_after_enough(
    mut last_days: Vec<NaiveDate>,
    least: usize,
    moment: Moment,
) -> Option<DateTime<Utc>> {
    last_days.sort_unstable();
    let falls_short = last_days.len().checked_sub(least)?;
    last_days.get(falls_short)?.succ_opt().map(|day| start_of(day, moment))
}

fn start_of(day: NaiveDate, moment: Moment) -> DateTime<Utc> {
    crate::calendar::instant(day.and_time(chrono::NaiveTime::MIN), moment.zone)
}

/// Counts by status, for boards and the demo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub met: usize,
    pub waived: usize,
    pub unmet: usize,
    pub not_yet_due: usize,
}

pub fn counts(entries: &[Entry]) -> Counts {
    let count = |status| entries.iter().filter(|entry| entry.status == status).count();
    Counts {
        met: count(Status::Met),
        waived: count(Status::Waived),
        unmet: count(Status::Unmet),
        not_yet_due: count(Status::NotYetDue),
    }
}
