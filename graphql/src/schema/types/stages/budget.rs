//! Stage 2: the total cost of ownership.

use async_graphql::{Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::read::Seen;
use sixgate_workflows::budget::{self, tco};

use crate::schema::{
    scalars::{CostKind, Currency},
    types::{estimate::Estimate, history::EventLink, money::MoneySpan, owning::Compared},
};

pub(crate) struct Budget(pub Seen);

#[derive(SimpleObject)]
pub(crate) struct BudgetPlan {
    term_months: u32,
    reserve_percent: Decimal,
    currency: Currency,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Cost {
    kind: CostKind,
    /// `null` when it is an explicit zero.
    per_month: Option<Estimate>,
    /// What the amount is based on, or why it is zero.
    basis: String,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Totals {
    per_month: MoneySpan,
    reserve_per_month: MoneySpan,
    /// All kinds and the reserve, over the term.
    for_term: MoneySpan,
}

#[Object]
impl Budget {
    async fn plan(&self) -> Option<BudgetPlan> {
        let fact = self.0.state().budget.plan.as_ref()?;
        Some(BudgetPlan {
            term_months: fact.value.term_months,
            reserve_percent: fact.value.reserve.value(),
            currency: fact.value.currency.into(),
            event: EventLink(fact.stamp),
        })
    }

    async fn costs(&self) -> Vec<Cost> {
        let costs = self.0.state().budget.costs.iter();
        costs
            .map(|(kind, fact)| {
                let (per_month, basis) = match &fact.value {
                    tco::Cost::Amount { per_month, basis, .. } => (Some(per_month.into()), basis),
                    tco::Cost::Zero { reason } => (None, reason),
                };
                Cost {
                    kind: (*kind).into(),
                    per_month,
                    basis: basis.to_string(),
                    event: EventLink(fact.stamp),
                }
            })
            .collect()
    }

    /// Kinds that nobody has said anything usable about.
    async fn missing(&self) -> Vec<CostKind> {
        tco::missing(&self.0.state().budget.costs).into_iter().map(Into::into).collect()
    }

    /// `null` while a kind is missing: a partial sum would look like a total.
    async fn totals(&self) -> Option<Totals> {
        let totals = self.0.state().budget.totals()?;
        Some(Totals {
            per_month: totals.per_month.into(),
            reserve_per_month: totals.reserve_per_month.into(),
            for_term: totals.for_term.into(),
        })
    }

    /// The comparison of owning and renting that the budget was decided by, if one was recorded.
    async fn compared(&self) -> Option<Compared> {
        let fact = self.0.state().budget.compared.clone()?;
        Some(Compared { compared: fact.value, event: EventLink(fact.stamp) })
    }

    /// Whether the manager signs, too.
    async fn exceeds_limit(&self) -> bool {
        budget::exceeds_limit(self.0.state())
    }
}
