//! The algebra of the total cost: sums of parts, of cash, of factors, and directions.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*};
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::tco::{
        CostKind, Plan,
        line::{Line, Paid, Per, Vat},
    },
    estimate::Estimate,
    money::Currency,
    percent::Percent,
};

use super::config;
use crate::tco::{line, stated};

fn estimate(most: u32) -> impl Strategy<Value = Estimate<Decimal>> {
    (0..=most, 0..=most).prop_map(|(one, other)| {
        let (low, high) = (one.min(other), one.max(other));
        Estimate::range(Decimal::new(low.into(), 2), Decimal::new(high.into(), 2)).unwrap()
    })
}

fn per() -> impl Strategy<Value = Per> {
    prop_oneof![
        Just(Per::Once),
        Just(Per::Day),
        Just(Per::Month),
        Just(Per::Year),
        Just(Per::Term),
        (estimate(10_000), estimate(74_400))
            .prop_map(|(cards, hours_per_month)| Per::CardHour { cards, hours_per_month }),
    ]
}

fn vat() -> impl Strategy<Value = Vat> {
    let rated = (0_u32..=20, any::<bool>(), any::<bool>());
    prop_oneof![
        Just(Vat::NotStated),
        rated.prop_map(|(rate, recoverable, included)| match included {
            true => Vat::Included { rate: Percent::of(rate), recoverable },
            false => Vat::Added { rate: Percent::of(rate), recoverable },
        }),
    ]
}

fn a_line() -> impl Strategy<Value = Line> {
    let paid = prop_oneof![Just(Paid::InArrears), Just(Paid::InAdvance), Just(Paid::AtStart)];
    (estimate(10_000_000), per(), vat(), paid).prop_map(|(amount, per, vat, paid)| Line {
        vat,
        paid,
        ..line(amount, per)
    })
}

fn lines() -> impl Strategy<Value = BTreeMap<CostKind, Vec<Line>>> {
    let kind = (0..CostKind::ALL.len()).prop_map(|place| CostKind::ALL[place]);
    proptest::collection::btree_map(kind, vec(a_line(), 1..4), 1..6)
}

fn plan() -> impl Strategy<Value = Plan> {
    (1_u32..=120, 0_u32..=30, 0_u32..=25).prop_map(|(months, reserve, rate)| Plan {
        discount_rate: Some(Percent::of(rate)),
        ..Plan::new(months, Percent::of(reserve), Currency::Cny)
    })
}

/// Divisions by months and taxes leave something behind the 20th digit.
fn near(one: Decimal, other: Decimal) -> bool {
    (one - other).abs() <= Decimal::new(1, 6)
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn the_total_is_the_sum_of_its_parts_and_of_its_cash(lines in lines(), plan in plan()) {
        let stated = stated(lines, &plan);
        let figures = stated.figures.clone().unwrap();
        let kinds: Decimal =
            stated.kinds.iter().map(|kind| kind.for_term.unwrap().high.amount).sum();
        prop_assert!(near(kinds, figures.subtotal.high.amount));
        let total = figures.total;
        prop_assert!(near(figures.subtotal.low.amount + figures.reserve.low.amount, total.low.amount));
        let cash: Decimal = figures.cash.iter().map(|month| month.paid.high.amount).sum();
        prop_assert!(near(cash, total.high.amount));
        let last = figures.cash.last().unwrap().until_then;
        prop_assert!(near(last.low.amount, total.low.amount));
        prop_assert!(total.low.amount <= total.high.amount);
        prop_assert!(figures.present_value.unwrap().high.amount <= total.high.amount + Decimal::ONE);
        for kind in &stated.kinds {
            for line in &kind.lines {
                let product: Decimal = line.factors.iter().map(|factor| factor.high).product();
                prop_assert!(near(product, line.for_term.unwrap().high.amount));
            }
        }
    }

    #[test]
    fn no_cost_makes_the_total_smaller(lines in lines(), more in a_line(), plan in plan()) {
        let before = stated(lines.clone(), &plan).figures.unwrap().total;
        let mut with_more = lines;
        with_more.entry(CostKind::Storage).or_default().push(more);
        let after = stated(with_more, &plan).figures.unwrap().total;
        prop_assert!(after.low.amount >= before.low.amount && after.high.amount >= before.high.amount);
    }

    #[test]
    fn a_range_holds_every_point_in_it(lines in lines(), plan in plan()) {
        let whole = stated(lines.clone(), &plan).figures.unwrap().total;
        let mut at_low = lines;
        for line in at_low.values_mut().flatten() {
            line.amount = Estimate::known(*line.amount.low().unwrap());
        }
        let point = stated(at_low, &plan).figures.unwrap().total;
        prop_assert!(near(point.low.amount, whole.low.amount));
        prop_assert!(point.high.amount <= whole.high.amount);
    }
}
