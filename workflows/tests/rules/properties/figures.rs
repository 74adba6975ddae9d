//! The algebra of money, estimates, totals and working days.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use proptest::prelude::*;
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::tco::{Cost, CostKind, Plan, totals},
    calendar::{Quarter, days_after, months_after, working_days::WorkingDays},
    estimate::Estimate,
    money::{Currency, Money},
    percent::Percent,
    recorded::Fact,
};

use super::config;
use crate::{
    fixture::{amount, day},
    organisation::stamp,
};

fn cents() -> impl Strategy<Value = Decimal> {
    (0_i64..1_000_000_000_000).prop_map(|cents| Decimal::new(cents, 2))
}

fn yuan() -> impl Strategy<Value = Money> {
    cents().prop_map(|amount| Money::new(amount, Currency::Cny))
}

fn estimate() -> impl Strategy<Value = Estimate<Decimal>> {
    prop_oneof![
        cents().prop_map(Estimate::known),
        (cents(), cents()).prop_map(|(a, b)| Estimate::range(a.min(b), a.max(b)).unwrap()),
    ]
}

fn costs() -> impl Strategy<Value = BTreeMap<CostKind, Fact<Cost>>> {
    prop::collection::vec(estimate(), CostKind::ALL.len()).prop_map(|estimates| {
        let kinds = CostKind::ALL.into_iter().zip(estimates);
        kinds.map(|(kind, estimate)| (kind, Fact::new(amount(estimate), stamp()))).collect()
    })
}

fn plan() -> impl Strategy<Value = Plan> {
    (1_u32..=120, 0_u32..=100).prop_map(|(term_months, reserve)| {
        Plan::new(term_months, Percent::of(reserve), Currency::Cny)
    })
}

fn date() -> impl Strategy<Value = NaiveDate> {
    (0_u32..40_000).prop_map(|offset| days_after(day("2000-01-01"), offset))
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn sums_of_money_do_not_depend_on_the_order(a in yuan(), b in yuan(), c in yuan()) {
        prop_assert_eq!(a.plus(b), b.plus(a));
        prop_assert_eq!(a.plus(b).unwrap().plus(c), a.plus(b.plus(c).unwrap()));
        prop_assert_eq!(a.plus(Money::zero(Currency::Cny)), Ok(a));
    }

    #[test]
    fn a_factor_is_spread_over_a_sum(a in yuan(), b in yuan(), factor in 0_u32..10_000) {
        let factor = Decimal::from(factor);
        let together = a.plus(b).unwrap().times(factor);
        prop_assert_eq!(together, a.times(factor).unwrap().plus(b.times(factor).unwrap()));
    }

    #[test]
    fn rounding_moves_by_at_most_half_a_cent(units in any::<i64>(), scale in 0_u32..12) {
        let money = Money::new(Decimal::new(units, scale), Currency::Cny);
        let rounded = money.rounded();
        prop_assert!((rounded.amount - money.amount).abs() <= Decimal::new(5, 3));
        prop_assert_eq!(rounded.rounded(), rounded);
    }

    #[test]
    fn money_survives_json(a in yuan()) {
        let json = serde_json::to_string(&a).unwrap();
        prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), a);
    }

    #[test]
    fn unlike_currencies_are_never_added(a in cents(), i in 0..6_usize, j in 0..6_usize) {
        let (one, other) = (Currency::ALL[i], Currency::ALL[j]);
        prop_assert_eq!(Money::new(a, one).plus(Money::new(a, other)).is_ok(), i == j);
    }

    #[test]
    fn totals_keep_their_ends_in_order_and_add_up(costs in costs(), plan in plan()) {
        let totals = totals(&costs, &plan).unwrap().unwrap();
        for span in [totals.per_month, totals.reserve_per_month, totals.for_term] {
            prop_assert!(span.low.amount <= span.high.amount);
        }
        let sum: Decimal = costs.values().map(|fact| match &fact.value {
            Cost::Amount { per_month, .. } => *per_month.high().unwrap(),
            Cost::Lines { .. } | Cost::Zero { .. } => Decimal::ZERO,
        }).sum();
        prop_assert_eq!(totals.per_month.high.amount, sum);
        let with_reserve = sum + totals.reserve_per_month.high.amount;
        let months = Decimal::from(plan.term_months);
        prop_assert_eq!(totals.for_term.high.amount, with_reserve * months);
    }

    #[test]
    fn a_dearer_kind_never_makes_the_total_cheaper(
        costs in costs(), plan in plan(), kind in 0..6_usize, more in cents(),
    ) {
        let before = totals(&costs, &plan).unwrap().unwrap();
        let mut dearer = costs.clone();
        let fact = dearer.get_mut(&CostKind::ALL[kind]).unwrap();
        if let Cost::Amount { per_month, .. } = &mut fact.value {
            *per_month = per_month.try_map(|amount| Ok::<_, ()>(*amount + more)).unwrap();
        }
        let after = totals(&dearer, &plan).unwrap().unwrap();
        prop_assert!(after.for_term.low.amount >= before.for_term.low.amount);
        prop_assert!(after.for_term.high.amount >= before.for_term.high.amount);
    }

    #[test]
    fn a_kind_left_out_makes_no_total(costs in costs(), plan in plan(), kind in 0..6_usize) {
        let mut partial = costs;
        partial.remove(&CostKind::ALL[kind]);
        prop_assert_eq!(totals(&partial, &plan), Ok(None));
    }

    #[test]
    fn estimates_survive_json_and_are_never_upside_down(a in cents(), b in cents()) {
        let range = Estimate::range(a, b);
        prop_assert_eq!(range.is_ok(), a <= b);
        if let Ok(range) = range {
            let json = serde_json::to_string(&range).unwrap();
            prop_assert_eq!(serde_json::from_str::<Estimate<Decimal>>(&json).unwrap(), range);
        }
    }

    #[test]
    fn working_days_add_up(start in date(), first in 0_u32..60, second in 0_u32..60) {
        let at_once = WorkingDays::default().after(start, first + second);
        prop_assert_eq!(WorkingDays::default().after(WorkingDays::default().after(start, first), second), at_once);
        prop_assert!(WorkingDays::default().after(start, first) <= at_once);
    }

    #[test]
    fn quarters_follow_each_other(start in date()) {
        let quarter = Quarter::of(start);
        prop_assert!(quarter < quarter.next());
        prop_assert!(start <= quarter.last_day() && quarter.last_day() < quarter.next().last_day());
        prop_assert_eq!(Quarter::of(months_after(quarter.last_day(), 3)), quarter.next());
    }

    #[test]
    fn percentages_lie_between_zero_and_a_hundred(units in -20_000_i64..20_000) {
        let value = Decimal::new(units, 2);
        let is_percentage = value >= Decimal::ZERO && value <= Decimal::ONE_HUNDRED;
        prop_assert_eq!(Percent::new(value).is_ok(), is_percentage);
        let json = serde_json::json!(value);
        prop_assert_eq!(serde_json::from_value::<Percent>(json).is_ok(), is_percentage);
    }
}
