//! Stage 2: the total cost of ownership.

use async_graphql::{Context, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::{
    chart::{self, costs},
    read::Seen,
};
use sixgate_workflows::budget::{self, tco};

use crate::schema::{
    self,
    scalars::{CostKind, Currency, Language},
    types::{chart::Chart, estimate::Estimate, history::EventLink, money::MoneySpan},
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

    /// Every kind and the reserve per month; `null` before the budget is planned.
    async fn chart(&self, context: &Context<'_>, locale: Option<Language>) -> Option<Chart> {
        let budget = &self.0.state().budget;
        let plan = &budget.plan.as_ref()?.value;
        let chart = costs::per_month(plan, &budget.costs, schema::locale(context, locale));
        Some(Chart(chart::Chart::Stack(chart)))
    }

    /// Whether the manager signs, too.
    async fn exceeds_limit(&self) -> bool {
        budget::exceeds_limit(self.0.state())
    }
}
