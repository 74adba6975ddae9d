//! Stage 3, shortlist (供应商筛选): three to five candidates, checked, quoted and scored.
//!
//! It is left when the number is right, every candidate's qualifications were reviewed and are
//! valid, every candidate was scored by enough people, and every quote can be compared. A missing
//! hard requirement disqualifies and says which.

pub mod quote;
pub mod score;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use self::{
    quote::Quote,
    score::{ScoreCriterion, Scores},
};
use crate::{
    context::{Context, local_date},
    evidence::EvidenceFile,
    gate::{Criterion, CriterionRule, Reason},
    ids::{PersonId, SupplierId},
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
    supplier::Qualification,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    AddCandidate {
        supplier: SupplierId,
    },
    DropCandidate {
        supplier: SupplierId,
        reason: Text,
    },
    /// Copies what the registry holds today; a gap in the hard requirements disqualifies.
    ReviewQualifications {
        supplier: SupplierId,
    },
    RecordQuote {
        supplier: SupplierId,
        quote: Box<Quote>,
        source: Option<EvidenceFile>,
    },
    /// The actor's own marks; marking again replaces them.
    ScoreCandidate {
        supplier: SupplierId,
        scores: Scores,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    CandidateAdded {
        supplier: SupplierId,
        name: Name,
    },
    CandidateDropped {
        supplier: SupplierId,
        reason: Text,
    },
    QualificationsReviewed {
        supplier: SupplierId,
        /// Last valid day of each certificate found.
        valid_until: BTreeMap<Qualification, NaiveDate>,
        /// Hard requirements without a valid certificate; not empty means disqualified.
        missing: BTreeSet<Qualification>,
    },
    QuoteRecorded {
        supplier: SupplierId,
        quote: Box<Quote>,
        source: Option<EvidenceFile>,
    },
    CandidateScored {
        supplier: SupplierId,
        evaluator: PersonId,
        scores: Scores,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub candidates: BTreeMap<SupplierId, Candidate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    pub name: Name,
    pub review: Option<Fact<Review>>,
    pub quote: Option<Fact<Quote>>,
    pub quote_source: Option<EvidenceFile>,
    pub scores: BTreeMap<PersonId, Scores>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub valid_until: BTreeMap<Qualification, NaiveDate>,
    pub missing: BTreeSet<Qualification>,
}

impl Review {
    /// The last day on which all reviewed certificates are valid.
    pub fn expires_on(&self) -> Option<NaiveDate> {
        self.valid_until.values().min().copied()
    }

    pub fn is_qualified_on(&self, day: NaiveDate) -> bool {
        self.missing.is_empty() && self.expires_on().is_none_or(|last| day <= last)
    }
}

impl Candidate {
    pub fn is_disqualified(&self) -> bool {
        self.review.as_ref().is_some_and(|review| !review.value.missing.is_empty())
    }

    pub fn is_qualified_on(&self, day: NaiveDate) -> bool {
        self.review.as_ref().is_some_and(|review| review.value.is_qualified_on(day))
    }
}

impl State {
    pub fn candidate(&self, supplier: SupplierId) -> Result<&Candidate, Rejection> {
        self.candidates.get(&supplier).ok_or(Rejection::NoSuchCandidate { supplier })
    }

    /// Candidates still in the running.
    pub fn running(&self) -> impl Iterator<Item = (&SupplierId, &Candidate)> {
        self.candidates.iter().filter(|(_, candidate)| !candidate.is_disqualified())
    }
}

pub fn decide(
    procurement: &Procurement,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let shortlist = &procurement.shortlist;
    match command {
        Command::AddCandidate { supplier } => add_candidate(procurement, supplier, context),
        Command::DropCandidate { supplier, reason } => {
            shortlist.candidate(supplier)?;
            Ok(vec![Event::CandidateDropped { supplier, reason }])
        }
        Command::ReviewQualifications { supplier } => {
            shortlist.candidate(supplier)?;
            review(procurement, supplier, context)
        }
        Command::RecordQuote { supplier, quote, source } => {
            shortlist.candidate(supplier)?;
            quote.check()?;
            if quote.valid_until < context.today() {
                return Err(Rejection::AlreadyExpired { expires_on: quote.valid_until });
            }
            Ok(vec![Event::QuoteRecorded { supplier, quote, source }])
        }
        Command::ScoreCandidate { supplier, scores } => {
            shortlist.candidate(supplier)?;
            let evaluator = context.actor.id.person().ok_or(Rejection::NotAPerson)?;
            let unmarked = |criterion: &ScoreCriterion| !scores.contains_key(criterion);
            match procurement.policy.score_weights.keys().copied().find(unmarked) {
                Some(criterion) => Err(Rejection::ScoreMissing { criterion }),
                None => Ok(vec![Event::CandidateScored { supplier, evaluator, scores }]),
            }
        }
    }
}

fn add_candidate(
    procurement: &Procurement,
    supplier: SupplierId,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let known = context.suppliers.get(&supplier).ok_or(Rejection::NoSuchSupplier { supplier })?;
    if known.withdrawn.is_some() {
        return Err(Rejection::SupplierWithdrawn { supplier });
    }
    if procurement.shortlist.candidates.contains_key(&supplier) {
        return Err(Rejection::AlreadyACandidate { supplier });
    }
    let most = procurement.policy.candidates_max;
    if procurement.shortlist.running().count() >= most {
        return Err(Rejection::TooManyCandidates { most });
    }
    Ok(vec![Event::CandidateAdded { supplier, name: known.name.clone() }])
}

fn review(
    procurement: &Procurement,
    supplier: SupplierId,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let known = context.suppliers.get(&supplier).ok_or(Rejection::NoSuchSupplier { supplier })?;
    let today = context.today();
    let valid_until: BTreeMap<_, _> = known
        .certificates
        .iter()
        .map(|(qualification, certificate)| (*qualification, certificate.value.expires_on))
        .filter(|(_, last)| *last >= today)
        .collect();
    let missing = procurement
        .policy
        .required_qualifications
        .iter()
        .filter(|required| !valid_until.contains_key(required))
        .copied()
        .collect();
    Ok(vec![Event::QualificationsReviewed { supplier, valid_until, missing }])
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::CandidateAdded { supplier, name } => {
            let candidate = Candidate {
                name: name.clone(),
                review: None,
                quote: None,
                quote_source: None,
                scores: BTreeMap::new(),
            };
            state.candidates.insert(*supplier, candidate);
        }
        Event::CandidateDropped { supplier, .. } => {
            state.candidates.remove(supplier);
        }
        Event::QualificationsReviewed { supplier, valid_until, missing } => {
            if let Some(candidate) = state.candidates.get_mut(supplier) {
                let review = Review { valid_until: valid_until.clone(), missing: missing.clone() };
                candidate.review = Some(Fact::new(review, stamp));
            }
        }
        Event::QuoteRecorded { supplier, quote, source } => {
            if let Some(candidate) = state.candidates.get_mut(supplier) {
                candidate.quote = Some(Fact::new((**quote).clone(), stamp));
                candidate.quote_source.clone_from(source);
            }
        }
        Event::CandidateScored { supplier, evaluator, scores } => {
            if let Some(candidate) = state.candidates.get_mut(supplier) {
                candidate.scores.insert(*evaluator, scores.clone());
            }
        }
    }
}

pub const CRITERIA: &[CriterionRule] = &[
    (Criterion::CandidateCount, |procurement, _| candidate_count(procurement)),
    (Criterion::QualificationsChecked, |procurement, moment| {
        let today = local_date(moment.now, moment.zone);
        each_running(procurement, "qualifications_open", |candidate| {
            candidate.is_qualified_on(today)
        })
    }),
    (Criterion::CandidatesScored, |procurement, _| {
        each_running(procurement, "scores_open", |candidate| {
            candidate.scores.len() >= procurement.policy.evaluators_min
        })
    }),
    (Criterion::QuotesComparable, |procurement, moment| {
        let today = local_date(moment.now, moment.zone);
        each_running(procurement, "quotes_not_comparable", |candidate| {
            candidate.quote.as_ref().is_some_and(|quote| {
                quote.value.unanswered().is_empty() && quote.value.valid_until >= today
            })
        })
    }),
];

fn candidate_count(procurement: &Procurement) -> Result<(), Reason> {
    let (least, most) = (procurement.policy.candidates_min, procurement.policy.candidates_max);
    let count = procurement.shortlist.running().count();
    match (least..=most).contains(&count) {
        true => Ok(()),
        false => Err(Reason::new("candidate_count")
            .with("count", count)
            .with("least", least)
            .with("most", most)),
    }
}

/// An empty list of candidates meets nothing: there is no evidence.
fn each_running(
    procurement: &Procurement,
    open: &'static str,
    done: impl Fn(&Candidate) -> bool,
) -> Result<(), Reason> {
    if procurement.shortlist.running().next().is_none() {
        return Err(Reason::new("no_candidates"));
    }
    let missing: Vec<&str> = procurement
        .shortlist
        .running()
        .filter(|(_, candidate)| !done(candidate))
        .map(|(_, candidate)| candidate.name.as_str())
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Reason::new(open).with("suppliers", missing.join(", "))),
    }
}
