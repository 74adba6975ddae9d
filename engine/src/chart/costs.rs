//! The total cost of ownership as a chart: each kind and the reserve, per month.
//!
//! A kind that nobody has said anything about is unknown, and so is then the reserve, which is a
//! share of all kinds.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::tco::{
        Cost, CostKind, Plan,
        statement::{Statement, statement},
    },
    locale::Locale,
    recorded::Fact,
    texts,
};

use super::{StackChart, Unit, Value, stack::Bar, words::word};

pub fn per_month(
    plan: &Plan,
    costs: &BTreeMap<CostKind, Fact<Cost>>,
    locale: Locale,
) -> StackChart {
    let statement = statement(&|kind| costs.get(&kind).map(|fact| &fact.value), plan, None).ok();
    of_statement(plan, statement.as_ref(), locale)
}

/// Of a statement that was worked out; without one everything is unknown.
pub fn of_statement(plan: &Plan, statement: Option<&Statement>, locale: Locale) -> StackChart {
    let named = |kind: CostKind| texts::text(&format!("kinds.{}", kind.id()), locale).to_owned();
    let kinds = statement.map(|statement| statement.kinds.as_slice()).unwrap_or_default();
    let months = Decimal::from(plan.term_months.max(1));
    let said = |kind: CostKind| {
        let stated = kinds.iter().find(|stated| stated.kind == kind);
        stated.and_then(|stated| stated.for_term).map_or(Value::Unknown, |span| {
            Value::between(span.low.amount / months, span.high.amount / months)
        })
    };
    let figures = statement.and_then(|statement| statement.figures.as_ref());
    let reserve = figures.map_or(Value::Unknown, |figures| {
        let reserve = figures.reserve;
        Value::between(reserve.low.amount / months, reserve.high.amount / months)
    });
    StackChart {
        locale,
        title: word("costs.title", locale),
        unit: Unit::Money(plan.currency),
        parts: CostKind::ALL
            .map(named)
            .into_iter()
            .chain([word("costs.reserve", locale)])
            .collect(),
        bars: vec![Bar {
            name: word("costs.month", locale),
            values: CostKind::ALL.map(said).into_iter().chain([reserve]).collect(),
        }],
        limit: None,
    }
}
