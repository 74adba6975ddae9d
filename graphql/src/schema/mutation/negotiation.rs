//! Commands of stage 5.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::Error;
use sixgate_workflows::{
    invalid::Invalid,
    negotiation::{
        Command as Negotiation, Contract, LegalReview, ScalingPlan,
        award::Award,
        terms::{ClauseTerm, Terms},
    },
    percent::Percent,
    procurement::Command,
};

use super::{ProcurementPayload, procure};
use crate::schema::{
    input::{EvidenceFileInput, MoneyInput, ProcurementTarget, name, supplier, text},
    scalars::{Agreement, AwardRole, Clause, ContractForm, Currency},
};

#[derive(Default)]
pub(super) struct NegotiationMutation;

#[derive(InputObject)]
pub(super) struct RecordTermsInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    form: ContractForm,
    term_months: u32,
    currency: Currency,
    /// Of one card.
    list_price_per_month: Decimal,
    price_per_month: Decimal,
    availability_percent: Decimal,
    /// To a P0 fault.
    response_minutes: u32,
    clauses: Vec<ClauseInput>,
}

#[derive(InputObject)]
pub(super) struct ClauseInput {
    clause: Clause,
    agreement: Agreement,
    /// Where it stands, such as "§ 7.2".
    reference: Option<String>,
}

/// Without an objection the terms are approved.
#[derive(InputObject)]
pub(super) struct ReviewTermsInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    objection: Option<String>,
}

#[derive(InputObject)]
pub(super) struct DecideAwardInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// Empty awards nobody.
    awards: Vec<AwardInput>,
    reason: String,
}

#[derive(InputObject)]
pub(super) struct AwardInput {
    supplier_id: ID,
    role: AwardRole,
    share_percent: Decimal,
}

#[derive(InputObject)]
pub(super) struct RecordContractInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    signed_on: NaiveDate,
    starts_on: NaiveDate,
    /// The last day.
    ends_on: NaiveDate,
    cards: u32,
    value_per_month: MoneyInput,
    /// The signed document.
    document: EvidenceFileInput,
}

#[derive(InputObject)]
pub(super) struct PlanScalingInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    base_cards: u32,
    burst_cards: u32,
    /// What makes the burst start, such as a queue length.
    trigger: String,
    lead_days: u32,
}

impl RecordTermsInput {
    fn checked(&self) -> Result<Command, Invalid> {
        let clauses = self.clauses.iter().map(|term| {
            let reference = term.reference.as_deref().map(name).transpose()?;
            Ok((term.clause.into(), ClauseTerm { agreement: term.agreement.into(), reference }))
        });
        let terms = Terms {
            form: self.form.into(),
            term_months: self.term_months,
            currency: self.currency.into(),
            list_price_per_month: self.list_price_per_month,
            price_per_month: self.price_per_month,
            availability: Percent::new(self.availability_percent)?,
            response_minutes: self.response_minutes,
            clauses: clauses.collect::<Result<_, Invalid>>()?,
        };
        let supplier = supplier(&self.supplier_id)?;
        let terms = Box::new(terms);
        Ok(Command::Negotiation(Negotiation::RecordTerms { supplier, terms }))
    }
}

impl DecideAwardInput {
    fn checked(&self) -> Result<Command, Invalid> {
        let awards = self.awards.iter().map(|award| {
            Ok(Award {
                supplier: supplier(&award.supplier_id)?,
                role: award.role.into(),
                share: Percent::new(award.share_percent)?,
            })
        });
        Ok(Command::Negotiation(Negotiation::DecideAward {
            awards: awards.collect::<Result<_, Invalid>>()?,
            reason: text(&self.reason)?,
        }))
    }
}

impl RecordContractInput {
    fn checked(self) -> Result<Command, Invalid> {
        let contract = Contract {
            signed_on: self.signed_on,
            starts_on: self.starts_on,
            ends_on: self.ends_on,
            cards: self.cards,
            value_per_month: self.value_per_month.into(),
            document: self.document.checked()?,
        };
        let supplier = supplier(&self.supplier_id)?;
        let contract = Box::new(contract);
        Ok(Command::Negotiation(Negotiation::RecordContract { supplier, contract }))
    }
}

#[Object]
impl NegotiationMutation {
    async fn record_terms(
        &self,
        context: &Context<'_>,
        input: RecordTermsInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    /// Legal's word on the terms as they stand; newer terms need a new one.
    async fn review_terms(
        &self,
        context: &Context<'_>,
        input: ReviewTermsInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = || -> Result<Command, Error> {
            let review = match &input.objection {
                None => LegalReview::Approved,
                Some(objection) => LegalReview::Objected { objection: text(objection)? },
            };
            let supplier = supplier(&input.supplier_id)?;
            Ok(Command::Negotiation(Negotiation::ReviewTerms { supplier, review }))
        };
        procure(context, &input.target, command()).await
    }

    /// One, several or nobody.
    async fn decide_award(
        &self,
        context: &Context<'_>,
        input: DecideAwardInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    async fn record_contract(
        &self,
        context: &Context<'_>,
        input: RecordContractInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let target = input.target.clone();
        procure(context, &target, input.checked().map_err(Error::from)).await
    }

    async fn plan_scaling(
        &self,
        context: &Context<'_>,
        input: PlanScalingInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let plan = text(&input.trigger).map(|trigger| ScalingPlan {
            base_cards: input.base_cards,
            burst_cards: input.burst_cards,
            trigger,
            lead_days: input.lead_days,
        });
        let command = plan
            .map(|plan| Command::Negotiation(Negotiation::PlanScaling { plan: Box::new(plan) }));
        procure(context, &input.target, command.map_err(Error::from)).await
    }
}
