//! Stage 2, budget (预算规划): the total cost, not the unit price, with a reserve for what gets
//! forgotten.
//!
//! It is left when all six cost kinds say something, the reserve is within the policy's band, and
//! finance signed; above the policy's limit the manager signs, too.

pub mod price_index;
pub mod tco;

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::tco::{Cost, CostKind, Plan, Totals};
use crate::{
    context::Context,
    gate::{Criterion, Finding, Reason},
    invalid::Invalid,
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    PlanBudget { plan: Plan },
    RecordCost { cost_kind: CostKind, cost: Cost },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    BudgetPlanned { plan: Plan },
    CostRecorded { cost_kind: CostKind, cost: Cost },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub plan: Option<Fact<Plan>>,
    pub costs: BTreeMap<CostKind, Fact<Cost>>,
}

impl State {
    /// `None` while the plan or a cost kind is missing, or currencies differ.
    pub fn totals(&self) -> Option<Totals> {
        let plan = self.plan.as_ref()?;
        tco::totals(&self.costs, &plan.value).ok().flatten()
    }
}

pub fn decide(
    procurement: &Procurement,
    command: Command,
    _context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let budget = &procurement.budget;
    match command {
        Command::PlanBudget { plan } => {
            if plan.term_months == 0 || plan.term_months > 120 {
                return Err(Invalid::new("term", "must be 1 to 120 months").into());
            }
            tco::totals(&budget.costs, &plan)?;
            Ok(vec![Event::BudgetPlanned { plan }])
        }
        Command::RecordCost { cost_kind, cost } => {
            if let Cost::Amount { currency, per_month, .. } = &cost {
                if per_month.low().is_some_and(|low| *low < Decimal::ZERO) {
                    return Err(Invalid::new("cost", "must not be negative").into());
                }
                let plan = budget.plan.as_ref().ok_or(Rejection::BudgetPlanMissing)?;
                if *currency != plan.value.currency {
                    return Err(Rejection::CurrencyDiffers {
                        given: *currency,
                        expected: plan.value.currency,
                    });
                }
            }
            Ok(vec![Event::CostRecorded { cost_kind, cost }])
        }
    }
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::BudgetPlanned { plan } => state.plan = Some(Fact::new(plan.clone(), stamp)),
        Event::CostRecorded { cost_kind, cost } => {
            state.costs.insert(*cost_kind, Fact::new(cost.clone(), stamp));
        }
    }
}

pub fn criteria(procurement: &Procurement) -> Vec<Finding> {
    vec![
        Finding::new(Criterion::TcoComplete, tco_complete(&procurement.budget)),
        Finding::new(Criterion::ReserveSet, reserve_set(procurement)),
    ]
}

fn tco_complete(budget: &State) -> Result<(), Reason> {
    let plan = &budget.plan.as_ref().ok_or(Reason::new("budget_plan_missing"))?.value;
    let missing = tco::missing(&budget.costs);
    if !missing.is_empty() {
        let kinds = missing.iter().map(|kind| kind.id()).collect::<Vec<_>>().join(", ");
        return Err(Reason::new("cost_kinds_missing").with("kinds", kinds));
    }
    match tco::totals(&budget.costs, plan) {
        Ok(_) => Ok(()),
        Err(invalid) => Err(Reason::new("cannot_be_calculated").with("why", invalid)),
    }
}

fn reserve_set(procurement: &Procurement) -> Result<(), Reason> {
    let plan = procurement.budget.plan.as_ref().ok_or(Reason::new("budget_plan_missing"))?;
    let band = procurement.policy.reserve;
    match band.holds(plan.value.reserve) {
        true => Ok(()),
        false => Err(Reason::new("reserve_outside_band")
            .with("reserve", plan.value.reserve)
            .with("band", band)),
    }
}

/// Whether the term's total, at its high end, needs the manager's signature as well.
///
/// A total that was waived is not known to stay below the limit.
pub fn exceeds_limit(procurement: &Procurement) -> bool {
    let limit = procurement.policy.budget_limit;
    let Some(totals) = procurement.budget.totals() else {
        return procurement.waivers.contains_key(&Criterion::TcoComplete);
    };
    let total = totals.for_term.high;
    // Another currency than the limit's cannot be compared, and what cannot be compared is not
    // waved through.
    total.currency != limit.currency || total.amount > limit.amount
}
