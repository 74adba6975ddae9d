//! Commands of stage 2.

use async_graphql::{Context, InputObject, Object};
use rust_decimal::Decimal;
use sixgate_engine::Error;
use sixgate_workflows::{
    budget::{
        Command as Budget,
        tco::{Cost, Plan},
    },
    invalid::Invalid,
    percent::Percent,
    procurement::Command,
};

use super::{ProcurementPayload, procure};
use crate::schema::{
    calculator::OwnOrRentInput,
    input::{EstimateInput, ProcurementTarget, text},
    scalars::{Choice, CostKind, Currency},
};

#[derive(Default)]
pub(super) struct BudgetMutation;

#[derive(InputObject)]
pub(super) struct PlanBudgetInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    term_months: u32,
    /// Of the total, for what gets forgotten.
    reserve_percent: Decimal,
    currency: Currency,
}

/// Give an amount with what it is based on, or say that it is zero and why.
#[derive(InputObject)]
pub(super) struct RecordCostInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    kind: CostKind,
    per_month: Option<EstimateInput>,
    currency: Option<Currency>,
    basis: Option<String>,
    zero_because: Option<String>,
}

/// Compares owning with renting and says which of them the budget is for.
#[derive(InputObject)]
pub(super) struct CompareOwningInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    question: OwnOrRentInput,
    /// One that can be priced.
    chosen: Choice,
    reason: String,
}

impl CompareOwningInput {
    fn checked(&self) -> Result<Command, Invalid> {
        Ok(Command::Budget(Budget::CompareOwning {
            question: Box::new(self.question.checked()?),
            chosen: self.chosen.into(),
            reason: text(&self.reason)?,
        }))
    }
}

impl RecordCostInput {
    fn checked(&self) -> Result<Command, Invalid> {
        let cost = match (&self.per_month, self.currency, &self.basis, &self.zero_because) {
            (Some(per_month), Some(currency), Some(basis), None) => Cost::Amount {
                currency: currency.into(),
                per_month: per_month.checked()?,
                basis: text(basis)?,
            },
            (None, None, None, Some(reason)) => Cost::Zero { reason: text(reason)? },
            _ => {
                let why = "give `perMonth`, `currency` and `basis`, or `zeroBecause`";
                return Err(Invalid::new("cost", why));
            }
        };
        Ok(Command::Budget(Budget::RecordCost { cost_kind: self.kind.into(), cost }))
    }
}

#[Object]
impl BudgetMutation {
    async fn plan_budget(
        &self,
        context: &Context<'_>,
        input: PlanBudgetInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let planned = Percent::new(input.reserve_percent).map(|reserve| {
            let (term_months, currency) = (input.term_months, input.currency.into());
            Command::Budget(Budget::PlanBudget { plan: Plan { term_months, reserve, currency } })
        });
        procure(context, &input.target, planned.map_err(Error::from)).await
    }

    async fn compare_owning(
        &self,
        context: &Context<'_>,
        input: CompareOwningInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    async fn record_cost(
        &self,
        context: &Context<'_>,
        input: RecordCostInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }
}
