//! Stage 5: offers, award, contracts, scaling.

use async_graphql::{Object, SimpleObject};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::read::Seen;
use sixgate_workflows::negotiation as rules;

use super::{EvidenceFile, SupplierReference, supplier};
use crate::schema::{
    scalars::{Agreement, AwardRole, Clause, ContractForm},
    types::{history::EventLink, money::Money},
};

pub(crate) struct Negotiation(pub Seen);

#[derive(SimpleObject)]
pub(crate) struct Offer {
    supplier: SupplierReference,
    form: ContractForm,
    term_months: u32,
    list_price_per_month: Money,
    price_per_month: Money,
    /// Against the list price.
    discount_percent: Option<Decimal>,
    /// Whether that lies in the band that a yearly term usually earns.
    discount_in_band: Option<bool>,
    availability_percent: Decimal,
    response_minutes: u32,
    clauses: Vec<ClauseTerm>,
    /// Clauses and figures that fall short of the policy, by id.
    shortfalls: Vec<String>,
    legal_review: Option<LegalReview>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct ClauseTerm {
    clause: Clause,
    agreement: Agreement,
    reference: Option<String>,
}

#[derive(SimpleObject)]
pub(crate) struct LegalReview {
    approved: bool,
    objection: Option<String>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Award {
    supplier: SupplierReference,
    role: AwardRole,
    share_percent: Decimal,
}

#[derive(SimpleObject)]
pub(crate) struct Contract {
    supplier: SupplierReference,
    signed_on: NaiveDate,
    starts_on: NaiveDate,
    /// The last day.
    ends_on: NaiveDate,
    cards: u32,
    value_per_month: Money,
    document: EvidenceFile,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct ScalingPlan {
    base_cards: u32,
    burst_cards: u32,
    trigger: String,
    lead_days: u32,
    event: EventLink,
}

#[Object]
impl Negotiation {
    #[graphql(complexity = "3 * child_complexity")]
    async fn offers(&self) -> Vec<Offer> {
        let state = self.0.state();
        let offers = state.negotiation.offers.iter();
        offers
            .map(|(id, offer)| {
                let terms = &offer.terms.value;
                let money = |amount| sixgate_workflows::money::Money::new(amount, terms.currency);
                let discount = terms.discount();
                Offer {
                    supplier: supplier(state, *id),
                    form: terms.form.into(),
                    term_months: terms.term_months,
                    list_price_per_month: money(terms.list_price_per_month).into(),
                    price_per_month: money(terms.price_per_month).into(),
                    discount_percent: discount.map(|discount| discount.value()),
                    discount_in_band: discount.map(|d| state.policy.annual_discount.holds(d)),
                    availability_percent: terms.availability.value(),
                    response_minutes: terms.response_minutes,
                    clauses: clauses(terms),
                    shortfalls: terms
                        .shortfalls(&state.policy)
                        .into_iter()
                        .map(Into::into)
                        .collect(),
                    legal_review: legal_review(offer),
                    event: EventLink(offer.terms.stamp),
                }
            })
            .collect()
    }

    async fn awards(&self) -> Vec<Award> {
        let state = self.0.state();
        let awards = state.negotiation.awarded().iter();
        awards
            .map(|award| Award {
                supplier: supplier(state, award.supplier),
                role: award.role.into(),
                share_percent: award.share.value(),
            })
            .collect()
    }

    async fn contracts(&self) -> Vec<Contract> {
        let state = self.0.state();
        let contracts = state.negotiation.contracts.iter();
        contracts
            .map(|(id, fact)| Contract {
                supplier: supplier(state, *id),
                signed_on: fact.value.signed_on,
                starts_on: fact.value.starts_on,
                ends_on: fact.value.ends_on,
                cards: fact.value.cards,
                value_per_month: fact.value.value_per_month.into(),
                document: (&fact.value.document).into(),
                event: EventLink(fact.stamp),
            })
            .collect()
    }

    async fn scaling_plan(&self) -> Option<ScalingPlan> {
        let fact = self.0.state().negotiation.scaling.as_ref()?;
        Some(ScalingPlan {
            base_cards: fact.value.base_cards,
            burst_cards: fact.value.burst_cards,
            trigger: fact.value.trigger.to_string(),
            lead_days: fact.value.lead_days,
            event: EventLink(fact.stamp),
        })
    }
}

fn clauses(terms: &rules::terms::Terms) -> Vec<ClauseTerm> {
    let clauses = terms.clauses.iter();
    clauses
        .map(|(clause, term)| ClauseTerm {
            clause: (*clause).into(),
            agreement: term.agreement.into(),
            reference: term.reference.as_ref().map(|reference| reference.to_string()),
        })
        .collect()
}

fn legal_review(offer: &rules::Offer) -> Option<LegalReview> {
    let fact = offer.review.as_ref()?;
    let objection = match &fact.value {
        rules::LegalReview::Approved => None,
        rules::LegalReview::Objected { objection } => Some(objection.to_string()),
    };
    Some(LegalReview { approved: objection.is_none(), objection, event: EventLink(fact.stamp) })
}
