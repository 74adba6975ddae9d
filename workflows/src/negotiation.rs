//! Stage 5, negotiation (商务谈判与签约): terms clause by clause, legal review, award, contract.
//!
//! It is left when the awarded suppliers' terms are complete and reviewed by legal as they stand, a
//! contract is signed with each, and a scaling plan exists. An online user agreement is never a
//! contract.

pub mod award;
pub mod terms;

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::{
    award::Award,
    terms::{ContractForm, Terms},
};
use crate::{
    context::Context,
    evidence::EvidenceFile,
    function::Function,
    gate::{Criterion, CriterionRule, Reason},
    ids::SupplierId,
    invalid::Invalid,
    money::Money,
    poc::verdict::Outcome,
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
    text::Text,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    RecordTerms {
        supplier: SupplierId,
        terms: Box<Terms>,
    },
    /// Legal's word on the terms as they stand; newer terms need a new one.
    ReviewTerms {
        supplier: SupplierId,
        review: LegalReview,
    },
    DecideAward {
        awards: Vec<Award>,
        reason: Text,
    },
    RecordContract {
        supplier: SupplierId,
        contract: Box<Contract>,
    },
    PlanScaling {
        plan: Box<ScalingPlan>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    TermsRecorded { supplier: SupplierId, terms: Box<Terms> },
    TermsReviewed { supplier: SupplierId, review: LegalReview },
    AwardDecided { awards: Vec<Award>, reason: Text },
    ContractRecorded { supplier: SupplierId, contract: Box<Contract> },
    ScalingPlanned { plan: Box<ScalingPlan> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum LegalReview {
    Approved,
    Objected { objection: Text },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    pub signed_on: NaiveDate,
    pub starts_on: NaiveDate,
    /// The last day.
    pub ends_on: NaiveDate,
    pub cards: u32,
    pub value_per_month: Money,
    pub document: EvidenceFile,
}

/// How capacity grows with the business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalingPlan {
    pub base_cards: u32,
    pub burst_cards: u32,
    /// What makes the burst start, such as a queue length.
    pub trigger: Text,
    pub lead_days: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub offers: BTreeMap<SupplierId, Offer>,
    pub awards: Option<Fact<Vec<Award>>>,
    pub contracts: BTreeMap<SupplierId, Fact<Contract>>,
    pub scaling: Option<Fact<ScalingPlan>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub terms: Fact<Terms>,
    pub review: Option<Fact<LegalReview>>,
}

impl Offer {
    pub fn is_approved(&self) -> bool {
        self.review.as_ref().is_some_and(|review| review.value == LegalReview::Approved)
    }
}

impl State {
    pub fn awarded(&self) -> &[Award] {
        self.awards.as_ref().map_or(&[], |fact| fact.value.as_slice())
    }

    fn offer(&self, supplier: SupplierId) -> Result<&Offer, Rejection> {
        self.offers.get(&supplier).ok_or(Rejection::TermsMissing { supplier })
    }
}

pub fn decide(
    procurement: &Procurement,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let negotiation = &procurement.negotiation;
    match command {
        Command::RecordTerms { supplier, terms } => {
            accepted(procurement, supplier)?;
            if terms.form == ContractForm::OnlineAgreement {
                return Err(Rejection::OnlineAgreement { supplier });
            }
            if terms.term_months == 0 || terms.term_months > 120 {
                return Err(Invalid::new("term", "must be 1 to 120 months").into());
            }
            if terms.price_per_month < Decimal::ZERO || terms.list_price_per_month < Decimal::ZERO {
                return Err(Invalid::new("price", "must not be negative").into());
            }
            Ok(vec![Event::TermsRecorded { supplier, terms }])
        }
        Command::ReviewTerms { supplier, review } => {
            negotiation.offer(supplier)?;
            if !context.actor.acts_as(Function::Legal) {
                return Err(Rejection::FunctionMissing { function: Function::Legal });
            }
            Ok(vec![Event::TermsReviewed { supplier, review }])
        }
        Command::DecideAward { awards, reason } => {
            for award in &awards {
                accepted(procurement, award.supplier)?;
                negotiation.offer(award.supplier)?;
            }
            if !awards.is_empty() {
                award::check(&awards, &procurement.policy)?;
            }
            Ok(vec![Event::AwardDecided { awards, reason }])
        }
        Command::RecordContract { supplier, contract } => {
            if !negotiation.awarded().iter().any(|award| award.supplier == supplier) {
                return Err(Rejection::NotAwarded { supplier });
            }
            if contract.ends_on < contract.starts_on {
                return Err(Invalid::new("contract", "ends before it starts").into());
            }
            if contract.cards == 0 || contract.value_per_month.is_negative() {
                return Err(Invalid::new("contract", "needs cards and a value").into());
            }
            Ok(vec![Event::ContractRecorded { supplier, contract }])
        }
        Command::PlanScaling { plan } => Ok(vec![Event::ScalingPlanned { plan }]),
    }
}

/// Only a finalist whose machines passed may be negotiated with, and only while it is a candidate
/// that meets the hard requirements: a way back may have dropped or disqualified it.
fn accepted(procurement: &Procurement, supplier: SupplierId) -> Result<(), Rejection> {
    let finalist = procurement.poc.finalist(supplier)?;
    if procurement.shortlist.candidate(supplier)?.is_disqualified() {
        return Err(Rejection::NotQualified { supplier });
    }
    match finalist.outcome() {
        Some(Outcome::Pass) => Ok(()),
        Some(Outcome::Fail | Outcome::Inconclusive) | None => {
            Err(Rejection::NotAccepted { supplier })
        }
    }
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::TermsRecorded { supplier, terms } => {
            // A review holds for the terms it read and for no others.
            let offer = Offer { terms: Fact::new((**terms).clone(), stamp), review: None };
            state.offers.insert(*supplier, offer);
        }
        Event::TermsReviewed { supplier, review } => {
            if let Some(offer) = state.offers.get_mut(supplier) {
                offer.review = Some(Fact::new(review.clone(), stamp));
            }
        }
        Event::AwardDecided { awards, .. } => {
            state.contracts.retain(|supplier, _| awards.iter().any(|a| a.supplier == *supplier));
            state.awards = Some(Fact::new(awards.clone(), stamp));
        }
        Event::ContractRecorded { supplier, contract } => {
            state.contracts.insert(*supplier, Fact::new((**contract).clone(), stamp));
        }
        Event::ScalingPlanned { plan } => {
            state.scaling = Some(Fact::new((**plan).clone(), stamp));
        }
    }
}

pub const CRITERIA: &[CriterionRule] = &[
    (Criterion::AwardDecided, |procurement, _| award_decided(&procurement.negotiation)),
    (Criterion::TermsComplete, |procurement, _| terms_complete(procurement)),
    (Criterion::LegalReviewed, |procurement, _| {
        each_awarded(procurement, "legal_review_open", |state, supplier| {
            state.offers.get(&supplier).is_some_and(Offer::is_approved)
        })
    }),
    (Criterion::ContractsSigned, |procurement, _| {
        each_awarded(procurement, "contracts_open", |state, supplier| {
            state.contracts.contains_key(&supplier)
        })
    }),
    (Criterion::ScalingPlanned, |procurement, _| match procurement.negotiation.scaling {
        Some(_) => Ok(()),
        None => Err(Reason::new("scaling_plan_missing")),
    }),
];

fn award_decided(state: &State) -> Result<(), Reason> {
    match state.awarded().is_empty() {
        true => Err(Reason::new("award_open")),
        false => Ok(()),
    }
}

fn terms_complete(procurement: &Procurement) -> Result<(), Reason> {
    let state = &procurement.negotiation;
    award_decided(state)?;
    for award in state.awarded() {
        let name = procurement.supplier_name(award.supplier);
        let Some(offer) = state.offers.get(&award.supplier) else {
            return Err(Reason::new("terms_open").with("suppliers", name));
        };
        let shortfalls = offer.terms.value.shortfalls(&procurement.policy);
        if !shortfalls.is_empty() {
            return Err(Reason::new("terms_fall_short")
                .with("supplier", name)
                .with("clauses", shortfalls.join(", ")));
        }
    }
    Ok(())
}

/// Without an award there is nobody to whom anything could apply, which meets nothing.
pub fn each_awarded(
    procurement: &Procurement,
    open: &'static str,
    done: impl Fn(&State, SupplierId) -> bool,
) -> Result<(), Reason> {
    let state = &procurement.negotiation;
    award_decided(state)?;
    let missing: Vec<&str> = state
        .awarded()
        .iter()
        .filter(|award| !done(state, award.supplier))
        .map(|award| procurement.supplier_name(award.supplier))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Reason::new(open).with("suppliers", missing.join(", "))),
    }
}
