//! The algebra of owning and renting: sums, directions, ranges, and equality at the break-even.

use proptest::{collection::vec, prelude::*};
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::own_or_rent::{
        Billing, Choice, Question,
        break_even::{BreakEven, UseBreakEven},
        cash::{Cash, useful_card_hours_month},
        input::{Input, Values},
        span,
    },
    estimate::Estimate,
};

use super::config;
use crate::own_or_rent::{compared, costs, small};

/// The small case with each input moved between half and twice, as far as its bounds go.
fn questions() -> impl Strategy<Value = Question> {
    let moved = vec(50_u32..=200, Input::ALL.len());
    let ranged = vec(0..Input::ALL.len(), 0..6);
    (moved, ranged, 5_u32..40, any::<bool>(), any::<bool>()).prop_map(
        |(moved, ranged, horizon_months, always, vat_recoverable)| {
            let billing = if always { Billing::Always } else { Billing::Used };
            let mut question = Question { horizon_months, billing, vat_recoverable, ..small() };
            for (place, (input, percent)) in Input::ALL.iter().zip(moved).enumerate() {
                let Some(base) = small().inputs.get(input).and_then(|base| base.low().copied())
                else {
                    continue;
                };
                let (least, most) = match *input == Input::BaseNodes {
                    // Never more than all.
                    true => (Decimal::new(1, 1), Decimal::ONE),
                    false => input.unit().bounds(),
                };
                let value = (base * Decimal::new(percent.into(), 2)).clamp(least, most);
                let estimate = match ranged.contains(&place) {
                    true => Estimate::range(value.min(base), value.max(base)).unwrap(),
                    false => Estimate::known(value),
                };
                question.inputs.insert(*input, estimate);
            }
            share_out(&mut question, ranged.contains(&0));
            question
        },
    )
}

/// A peak that leaves the base no more than it can do.
fn share_out(question: &mut Question, is_range: bool) {
    let low = |(input, estimate): (&Input, &Estimate<Decimal>)| Some((*input, *estimate.low()?));
    let lowest: Values = question.inputs.iter().filter_map(low).collect();
    let used = useful_card_hours_month(&lowest).unwrap();
    let burst = match is_range {
        true => Estimate::range(used / Decimal::TWO, used).unwrap(),
        false => Estimate::known(used),
    };
    question.inputs.insert(Input::BurstCardHoursMonth, burst);
}

fn every_corner(question: &Question) -> Vec<Values> {
    let mut corners = vec![Values::new()];
    for (input, estimate) in &question.inputs {
        let (low, high) = (*estimate.low().unwrap(), *estimate.high().unwrap());
        let ends = if low == high { vec![low] } else { vec![low, high] };
        corners = corners
            .into_iter()
            .flat_map(|corner| {
                ends.iter().map(move |end| {
                    let mut corner = corner.clone();
                    corner.insert(*input, *end);
                    corner
                })
            })
            .collect();
    }
    corners
}

fn near(one: Decimal, other: Decimal) -> bool {
    (one - other).abs() < Decimal::new(1, 9)
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_range_is_what_trying_every_corner_finds(question in questions()) {
        let corners = every_corner(&question);
        for choice in Choice::ALL {
            let of = |values: &Values| Some(Cash::of(choice, &question, values)?.total());
            let span = span::span(&question.inputs, of).unwrap();
            prop_assert_eq!(span.low, corners.iter().filter_map(of).min().unwrap());
            prop_assert_eq!(span.high, corners.iter().filter_map(of).max().unwrap());
            prop_assert!(span.low <= span.middle && span.middle <= span.high);
        }
        let comparison = compared(question.clone());
        let rank = |values: &Values| {
            let own = Cash::of(Choice::Own, &question, values)?;
            let rent = Cash::of(Choice::Rent, &question, values)?;
            let even = BreakEven::of(&own, &rent, question.horizon_months);
            Some((BreakEven::rank(&own, &rent, question.horizon_months), even.month()))
        };
        let found = comparison.against_renting[&Choice::Own].month;
        prop_assert_eq!(found.low.month(), corners.iter().filter_map(rank).min().unwrap().1);
        let last = corners.iter().filter_map(rank).max().unwrap();
        prop_assert_eq!((found.high.month(), found.high == BreakEven::Never), (last.1, last.0.0 == 3));
        let rank = |values: &Values| {
            let dearer = |hours: i64| {
                let mut at = values.clone();
                at.insert(Input::HoursADay, hours.into());
                let total = |choice| Cash::of(choice, &question, &at).unwrap().total();
                total(Choice::Own) - total(Choice::Rent)
            };
            UseBreakEven::rank(dearer(0), dearer(24))
        };
        let class = |even: UseBreakEven| match even {
            UseBreakEven::Always => (0, None),
            UseBreakEven::HoursADay(hours) => (1, Some(hours)),
            UseBreakEven::Never => (2, None),
        };
        let plain = |(class, value): (u8, Decimal)| (class, (class == 1).then_some(value));
        let found = comparison.use_break_even.unwrap();
        prop_assert_eq!(class(found.low), plain(corners.iter().map(rank).min().unwrap()));
        prop_assert_eq!(class(found.high), plain(corners.iter().map(rank).max().unwrap()));
    }

    #[test]
    fn shares_and_values_of_a_range_are_what_trying_every_corner_finds(question in questions()) {
        let corners = every_corner(&question);
        let comparison = compared(question.clone());
        let months = Decimal::from(question.horizon_months);
        for choice in Choice::ALL {
            let cash = |values: &Values| Cash::of(choice, &question, values).unwrap();
            let unit = |values: &Values| {
                cash(values).total() / (useful_card_hours_month(values).unwrap() * months)
            };
            let present = |values: &Values| cash(values).present(values[&Input::DiscountPercent]);
            let costs = costs(&comparison, choice);
            let found = costs.per_useful_card_hour.unwrap();
            prop_assert_eq!(found.low, corners.iter().map(unit).min().unwrap());
            prop_assert_eq!(found.high, corners.iter().map(unit).max().unwrap());
            let found = costs.present.unwrap();
            prop_assert_eq!(found.low, corners.iter().map(present).min().unwrap());
            prop_assert_eq!(found.high, corners.iter().map(present).max().unwrap());
            let Some(against) = comparison.against_renting.get(&choice) else { continue };
            let saving = |values: &Values| {
                let rent = Cash::of(Choice::Rent, &question, values).unwrap().total();
                (rent - cash(values).total()) * Decimal::ONE_HUNDRED / rent
            };
            let found = against.saving_percent.unwrap();
            prop_assert_eq!(found.low, corners.iter().map(saving).min().unwrap());
            prop_assert_eq!(found.high, corners.iter().map(saving).max().unwrap());
        }
    }

    #[test]
    fn parts_lines_and_the_profit_view_have_one_total(question in questions()) {
        let comparison = compared(question);
        for choice in Choice::ALL {
            let costs = costs(&comparison, choice);
            let sum: Decimal = costs.parts.iter().map(|(_, amount)| *amount).sum();
            prop_assert!(near(sum, costs.total.middle));
            prop_assert!(near(*costs.line.middle.last().unwrap(), costs.total.middle));
            prop_assert!(costs.line.middle.windows(2).rev().skip(1).all(|two| two[0] <= two[1]));
        }
        let years = comparison.profit_view.as_ref().unwrap();
        let sum: Decimal = years.iter().map(|year| year.total()).sum();
        prop_assert!(near(sum, costs(&comparison, Choice::Own).total.middle));
    }

    #[test]
    fn every_cost_moves_its_option_upwards(question in questions(), place in 0..Input::ALL.len()) {
        let input = Input::ALL[place];
        let before = span::middle(&question.inputs);
        let mut after = before.clone();
        let (_, most) = input.unit().bounds();
        after.insert(input, (before[&input] * Decimal::new(11, 1)).min(most));
        let rise = |choice| {
            let total = |at| Cash::of(choice, &question, at).unwrap().total();
            total(&after) - total(&before)
        };
        for choice in Choice::ALL {
            // Longer waiting means more rent and less running, either of which may be dearer.
            if input == Input::LeadMonths {
                continue;
            }
            let is_costlier = rise(choice) >= Decimal::ZERO;
            let is_cheaper = rise(choice) <= Decimal::ZERO;
            match input == Input::ResidualPercent {
                true => prop_assert!(is_cheaper),
                false => prop_assert!(is_costlier, "{} {}", input.id(), choice.id()),
            }
        }
    }

    #[test]
    fn at_the_break_even_both_cost_the_same_and_beyond_it_each_wins_on_its_side(
        question in questions(),
    ) {
        let middle = span::middle(&question.inputs);
        let cash = |choice| Cash::of(choice, &question, &middle).unwrap();
        let (own, rent) = (cash(Choice::Own), cash(Choice::Rent));
        let dearer = |month: Decimal| own.paid_until(month) - rent.paid_until(month);
        if let BreakEven::Month(month) = BreakEven::of(&own, &rent, question.horizon_months)
            && month > Decimal::ZERO
        {
            prop_assert!(near(dearer(month), Decimal::ZERO));
            prop_assert!(dearer(month - Decimal::new(1, 1)) > Decimal::ZERO);
            prop_assert!(dearer(month + Decimal::new(1, 1)) < Decimal::new(1, 9));
        }
        let total_dearer = |hours: Decimal| {
            let mut at = middle.clone();
            at.insert(Input::HoursADay, hours);
            let total = |choice| Cash::of(choice, &question, &at).unwrap().total();
            total(Choice::Own) - total(Choice::Rent)
        };
        let even = UseBreakEven::between(
            total_dearer(Decimal::ZERO),
            total_dearer(Decimal::from(24)),
        );
        match even {
            UseBreakEven::HoursADay(hours) => {
                prop_assert!(near(total_dearer(hours), Decimal::ZERO));
                prop_assert!(total_dearer(hours - Decimal::new(1, 1)) > Decimal::ZERO);
                prop_assert!(total_dearer(hours + Decimal::new(1, 1)) < Decimal::ZERO);
            }
            UseBreakEven::Always => prop_assert!(total_dearer(middle[&Input::HoursADay]) <= Decimal::ZERO),
            UseBreakEven::Never => prop_assert!(total_dearer(middle[&Input::HoursADay]) > Decimal::ZERO),
        }
    }
}
