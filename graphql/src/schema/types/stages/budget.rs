//! Stage 2: the total cost of ownership.

use async_graphql::{Context, Object, SimpleObject};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::{
    chart::{self, costs},
    read::Seen,
};
use sixgate_workflows::budget::{
    self, moved,
    tco::{self, statement::Usage},
};

use crate::schema::{
    self,
    scalars::{CostKind, Currency, Language},
    types::{
        chart::Chart,
        estimate::Estimate,
        history::EventLink,
        money::MoneySpan,
        owning::Compared,
        tco::{MovedFigure, TcoStatement},
    },
};

pub(crate) struct Budget(pub Seen);

#[derive(SimpleObject)]
pub(crate) struct BudgetPlan {
    term_months: u32,
    reserve_percent: Decimal,
    currency: Currency,
    rates: Vec<ExchangeRate>,
    /// What money costs in a year.
    discount_rate_percent: Option<Decimal>,
    event: EventLink,
}

/// One unit of a currency in that of the plan.
#[derive(SimpleObject)]
pub(crate) struct ExchangeRate {
    from: Currency,
    rate: Decimal,
    on: NaiveDate,
    source: String,
}

#[derive(SimpleObject)]
pub(crate) struct Cost {
    kind: CostKind,
    /// `null` when it is an explicit zero, or stated in lines; see `statement`.
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
            rates: fact
                .value
                .rates
                .iter()
                .map(|rate| ExchangeRate {
                    from: rate.from.into(),
                    rate: rate.rate,
                    on: rate.on,
                    source: rate.source.to_string(),
                })
                .collect(),
            discount_rate_percent: fact.value.discount_rate.map(|rate| rate.value()),
            event: EventLink(fact.stamp),
        })
    }

    async fn costs(&self) -> Vec<Cost> {
        let costs = self.0.state().budget.costs.iter();
        costs
            .map(|(kind, fact)| {
                let (per_month, basis) = match &fact.value {
                    tco::Cost::Amount { per_month, basis, .. } => {
                        (Some(per_month.into()), basis.to_string())
                    }
                    tco::Cost::Lines { lines } => {
                        let names: Vec<_> = lines.iter().map(|line| line.name.as_str()).collect();
                        (None, names.join("; "))
                    }
                    tco::Cost::Zero { reason } => (None, reason.to_string()),
                };
                Cost { kind: (*kind).into(), per_month, basis, event: EventLink(fact.stamp) }
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

    /// What everything costs over the term and why; `null` before there is a plan.
    async fn statement(&self) -> Option<TcoStatement> {
        let state = self.0.state();
        let usage = state.needs.brief.as_ref().map(|fact| Usage::of(&fact.value));
        state.budget.statement(usage.as_ref()).map(TcoStatement)
    }

    /// What differs from what was approved when the budget's gate was passed.
    async fn moved_since_approval(&self) -> Vec<MovedFigure> {
        moved::moved(self.0.state()).into_iter().map(MovedFigure).collect()
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
