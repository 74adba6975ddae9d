//! The total cost of ownership as a chart: each kind and the reserve, per month.
//!
//! A kind that nobody has said anything about is unknown, and so is then the reserve, which is a
//! share of all kinds.

use std::collections::BTreeMap;

use sixgate_workflows::{
    budget::tco::{self, Cost, CostKind, Plan},
    locale::Locale,
    recorded::Fact,
    texts,
};

use super::{StackChart, Unit, Value, memory::estimated, stack::Bar, words::word};

pub fn per_month(
    plan: &Plan,
    costs: &BTreeMap<CostKind, Fact<Cost>>,
    locale: Locale,
) -> StackChart {
    let named = |kind: CostKind| texts::text(&format!("kinds.{}", kind.id()), locale).to_owned();
    let said = |kind: CostKind| match costs.get(&kind).map(|fact| &fact.value) {
        Some(Cost::Amount { currency, per_month, .. }) if *currency == plan.currency => {
            estimated(per_month)
        }
        Some(Cost::Zero { .. }) => Value::Known(rust_decimal::Decimal::ZERO),
        Some(Cost::Amount { .. }) | None => Value::Unknown,
    };
    let totals = tco::totals(costs, plan).ok().flatten();
    let reserve = totals.map_or(Value::Unknown, |totals| {
        let reserve = totals.reserve_per_month;
        Value::between(reserve.low.amount, reserve.high.amount)
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
