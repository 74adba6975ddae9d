//! Stage 2, budget (预算规划): the total cost, not the unit price, with a reserve for what gets
//! forgotten.
//!
//! It is left when all six cost kinds say something, the reserve is within the policy's band, and
//! finance signed; above the policy's limit the manager signs, too.

pub mod assumptions;
pub mod base_and_burst;
pub mod moved;
pub mod own_or_rent;
pub mod price_index;
mod root;
pub mod tco;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use self::{
    moved::Basis,
    own_or_rent::{Choice, Question, compared::Compared},
    tco::{
        Cost, CostKind, Plan, Totals, Unknown,
        statement::{Statement, Usage, statement},
    },
};
use crate::{
    context::Context,
    gate::{Criterion, CriterionRule, Reason},
    invalid::Invalid,
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
    text::Text,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    PlanBudget {
        plan: Plan,
    },
    RecordCost {
        cost_kind: CostKind,
        cost: Cost,
    },
    /// Compares owning with renting, and says which of them the budget is for and why.
    CompareOwning {
        question: Box<Question>,
        chosen: Choice,
        reason: Text,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    BudgetPlanned { plan: Plan },
    CostRecorded { cost_kind: CostKind, cost: Cost },
    OwningCompared { compared: Box<Compared> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub plan: Option<Fact<Plan>>,
    pub costs: BTreeMap<CostKind, Fact<Cost>>,
    /// The newest one; earlier ones stay in the history.
    #[serde(default)]
    pub compared: Option<Fact<Compared>>,
    /// What the newest approval rests on.
    #[serde(default)]
    pub approved: Option<Fact<Box<Basis>>>,
}

impl State {
    /// `None` before there is a plan, and where a figure would be too large.
    pub fn statement(&self, usage: Option<&Usage>) -> Option<Statement> {
        let plan = &self.plan.as_ref()?.value;
        statement(&|kind| self.costs.get(&kind).map(|fact| &fact.value), plan, usage).ok()
    }

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
            plan.check()?;
            if tco::missing(&budget.costs).is_empty() {
                keeps_its_currencies(budget, &plan)?;
            }
            tco::totals(&budget.costs, &plan)?;
            Ok(vec![Event::BudgetPlanned { plan }])
        }
        Command::RecordCost { cost_kind, cost } => {
            cost.check()?;
            can_be_summed(budget, cost_kind, &cost)?;
            Ok(vec![Event::CostRecorded { cost_kind, cost }])
        }
        Command::CompareOwning { question, chosen, reason } => {
            let comparison = own_or_rent::compare(*question, &procurement.policy)?;
            let compared = Box::new(Compared::new(comparison, chosen, reason)?);
            Ok(vec![Event::OwningCompared { compared }])
        }
    }
}

/// A plan in another currency than what was recorded would lose its total.
fn keeps_its_currencies(budget: &State, plan: &Plan) -> Result<(), Invalid> {
    for fact in budget.costs.values() {
        if let Cost::Amount { currency, .. } = &fact.value
            && !plan.takes(*currency)
        {
            let (own, wanted) = (currency.code(), plan.currency.code());
            return Err(Invalid::new("cost", format!("{own} in a plan in {wanted}")));
        }
    }
    Ok(())
}

/// Lines in a currency without a rate are taken, since the rate may come later. What would not fit
/// into a decimal is refused.
fn can_be_summed(budget: &State, kind: CostKind, cost: &Cost) -> Result<(), Rejection> {
    if let Cost::Zero { .. } = cost {
        return Ok(());
    }
    let plan = &budget.plan.as_ref().ok_or(Rejection::BudgetPlanMissing)?.value;
    match cost {
        Cost::Amount { currency, .. } if !plan.takes(*currency) => {
            Err(Rejection::CurrencyDiffers { given: *currency, expected: plan.currency })
        }
        Cost::Amount { .. } | Cost::Lines { .. } | Cost::Zero { .. } => {
            statement(&|of| (of == kind).then_some(cost), plan, None)?;
            Ok(())
        }
    }
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::BudgetPlanned { plan } => state.plan = Some(Fact::new(plan.clone(), stamp)),
        Event::CostRecorded { cost_kind, cost } => {
            state.costs.insert(*cost_kind, Fact::new(cost.clone(), stamp));
        }
        Event::OwningCompared { compared } => {
            state.compared = Some(Fact::new((**compared).clone(), stamp));
        }
    }
}

pub const CRITERIA: &[CriterionRule] = &[
    (Criterion::TcoComplete, |procurement, _| tco_complete(&procurement.budget)),
    (Criterion::ReserveSet, |procurement, _| reserve_set(procurement)),
];

fn tco_complete(budget: &State) -> Result<(), Reason> {
    let plan = &budget.plan.as_ref().ok_or(Reason::new("budget_plan_missing"))?.value;
    let missing = tco::missing(&budget.costs);
    if !missing.is_empty() {
        let kinds = missing.iter().map(|kind| kind.id()).collect::<Vec<_>>().join(", ");
        return Err(Reason::new("cost_kinds_missing").with("kinds", kinds));
    }
    match tco::unknown(&budget.costs, plan) {
        Ok(unknown) if unknown.is_empty() => Ok(()),
        Ok(unknown) => {
            let lines: BTreeSet<_> = unknown.iter().filter_map(Unknown::line).collect();
            let lines = lines.into_iter().collect::<Vec<_>>().join(", ");
            Err(Reason::new("cost_lines_unknown").with("lines", lines))
        }
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
