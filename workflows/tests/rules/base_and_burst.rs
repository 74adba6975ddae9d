//! The base that is reserved and the burst that is rented, against hand-computed and brute results.

use proptest::{collection::vec, prelude::*};
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::base_and_burst::{
        Answer, DurationPoint, Question, Thresholds, answer,
        demand::{Demand, Peak, Shape},
        steadiness::Steadiness,
        tier::Tier,
    },
    money::Currency,
    policy::Policy,
};

use crate::{
    fixture::{name, number},
    properties::config,
};

fn tier(title: &str, price: &str, cards_least: u32, cards_most: Option<u32>) -> Tier {
    Tier { name: name(title), price: number(price), cards_least, cards_most, term_months: Some(12) }
}

fn thresholds() -> Thresholds {
    Thresholds::of(&Policy::shipped()).unwrap()
}

fn question(demand: Demand, tiers: Vec<Tier>, on_demand: &str) -> Question {
    Question { demand, currency: Currency::Cny, tiers, on_demand_price: number(on_demand) }
}

fn answered(hours: &[u32], tiers: Vec<Tier>, on_demand: &str) -> Answer {
    let demand = Demand::measured(hours.to_vec()).unwrap();
    answer(&question(demand, tiers, on_demand), thresholds()).unwrap()
}

/// Four hours that want 1, 3, 2 and 4 cards; reserved 1, on demand 2.
///
/// | reserved | paid reserved | above      | total |
/// |----------|---------------|------------|-------|
/// | 0        | 0             | 10 × 2     | 20    |
/// | 1        | 4             | 6 × 2      | 16    |
/// | 2        | 8             | 3 × 2      | 14    |
/// | 3        | 12            | 1 × 2      | 14    |
/// | 4        | 16            | 0          | 16    |
#[test]
fn the_cheapest_number_wins_and_of_equals_the_smaller() {
    let answer = answered(&[1, 3, 2, 4], vec![tier("year", "1", 1, None)], "2");
    assert_eq!((answer.best.cards, answer.best.total), (2, Decimal::from(14)));
    assert_eq!((answer.best.reserved_cost, answer.best.on_demand_cost), (8.into(), 6.into()));
    assert_eq!((answer.best.on_demand_card_hours, answer.best.idle_card_hours), (3, 1));
    assert_eq!(answer.one_less.unwrap().total, Decimal::from(16));
    assert_eq!(answer.one_more.unwrap().total, Decimal::from(14));
    assert_eq!(answer.all_on_demand.total, Decimal::from(20));
    assert_eq!(answer.all_reserved.unwrap().total, Decimal::from(16));
    assert_eq!(answer.saving_on_demand, Some(Decimal::from(30)));
    assert_eq!(answer.saving_reserved, Some(number("12.5")));
    let point = |hours, cards| DurationPoint { hours, cards };
    assert_eq!(answer.duration, [point(1, 4), point(2, 3), point(3, 2), point(4, 1)]);
    let totals: Vec<Decimal> = answer.costs.iter().map(|point| point.total).collect();
    // One more than the peak is priced, too.
    assert_eq!(totals, [20, 16, 14, 14, 16, 20].map(Decimal::from));
}

/// A card is worth reserving when it is wanted in more than 60 % of the hours, at 1.2 against 2.
#[test]
fn a_card_is_reserved_just_when_enough_hours_want_it() {
    let year = || vec![tier("year", "1.2", 1, None)];
    let wanted = |hours: usize| [vec![1; hours], vec![0; 10 - hours]].concat();
    assert_eq!(answered(&wanted(6), year(), "2").best.cards, 0, "6 × 2 = 12 = 10 × 1.2");
    assert_eq!(answered(&wanted(7), year(), "2").best.cards, 1, "7 × 2 = 14 > 12");
}

/// Always 10 cards. From 8 on they cost 1.5, below it 2, on demand 3; one more supplier has 2 at 1.
#[test]
fn tiers_are_combined_at_their_quantities() {
    let tiers = vec![
        tier("single", "2", 1, Some(7)),
        tier("volume", "1.5", 8, None),
        tier("other", "1", 1, Some(2)),
    ];
    let answer = answered(&[10, 10], tiers, "3");
    // 8 × 1.5 + 2 × 1 = 14 for an hour.
    assert_eq!((answer.best.cards, answer.best.total), (10, Decimal::from(28)));
    let taken: Vec<_> =
        answer.best.reserved.iter().map(|part| (part.tier.as_str(), part.cards)).collect();
    assert_eq!(taken, [("volume", 8), ("other", 2)]);
    // Nine of them: 9 × 1.5, or 7 × 2 + 2 × 1 = 16, or 8 × 1.5 + 1 × 1 = 13; one on demand.
    assert_eq!(answer.one_less.unwrap().total, Decimal::from(2 * (13 + 3)));
}

#[test]
fn tiers_that_do_not_reach_the_peak_say_so_by_absence() {
    let answer = answered(&[5, 5], vec![tier("few", "1", 1, Some(3))], "2");
    assert_eq!(answer.best.cards, 3);
    assert_eq!(answer.all_reserved, None);
    assert_eq!(answer.one_more, None);
    assert_eq!(answer.saving_reserved, None);
    let nothing = answered(&[0, 0], vec![], "2");
    assert_eq!(nothing.best.cards, 0);
    assert_eq!(nothing.saving_on_demand, None, "nothing can be saved of nothing");
}

#[test]
fn a_year_of_hours_with_a_thousand_cards_is_priced_in_full() {
    let hours: Vec<u32> = (0_u32..8_760).map(|hour| hour * 7_919 % 1_001).collect();
    let answer = answered(&hours, vec![tier("year", "1", 1, None)], "2");
    // Every number from 0 to 1000 is wanted about as often: half of them are worth reserving.
    assert!((495..=505).contains(&answer.best.cards), "{}", answer.best.cards);
    assert_eq!(answer.costs.len(), 1_002);
}

#[test]
fn what_the_hour_of_the_week_explains_is_steady_and_the_rest_is_not() {
    let week: Vec<u32> = (0..168).map(|hour| if hour % 24 < 8 { 10 } else { 90 }).collect();
    let steady = answered(&week.repeat(4), vec![], "2");
    assert_eq!(steady.steadiness, Steadiness::Steady);
    assert_eq!(steady.variation.unexplained_percent, Some(Decimal::ZERO));
    assert!(steady.variation.whole_percent.unwrap() > Decimal::from(50), "day and night differ");

    // Weeks of 50 and 150 about a mean of 100 deviate by exactly 50 %, the threshold itself.
    let by_week = |low, high| [vec![low; 168], vec![high; 168]].concat();
    let at_the_border = answered(&by_week(50, 150), vec![], "2");
    assert_eq!(at_the_border.variation.unexplained_percent, Some(Decimal::from(50)));
    assert_eq!(at_the_border.steadiness, Steadiness::Steady);
    let beyond = answered(&by_week(49, 151), vec![], "2");
    assert_eq!(beyond.steadiness, Steadiness::Volatile);

    assert_eq!(answered(&week, vec![], "2").steadiness, Steadiness::CannotTell, "one week");
    let shape = Shape { workday: vec![1; 24], weekend: None, weeks: 8, peaks: vec![] };
    let stated = question(Demand::stated(&shape).unwrap(), vec![], "2");
    let stated = answer(&stated, thresholds()).unwrap();
    assert_eq!(stated.steadiness, Steadiness::CannotTell, "a stated shape shows nothing of it");
}

#[test]
fn a_stated_week_has_five_working_days_a_weekend_and_its_peaks() {
    let peaks = vec![Peak { first_hour: 166, hours: 4, cards: 9 }];
    let weekend = Some(vec![1; 24]);
    let shape = Shape { workday: vec![4; 24], weekend, weeks: 2, peaks };
    let demand = Demand::stated(&shape).unwrap();
    assert_eq!(demand.hours(), 336);
    // 2 × (120 × 4 + 48 × 1) = 1056; two hours rise from 1 and two of the next Monday from 4 to 9.
    assert_eq!(demand.card_hours(), 1_056 + 2 * 8 + 2 * 5);
    let late = Shape { peaks: vec![Peak { first_hour: 335, hours: 2, cards: 1 }], ..shape };
    assert!(Demand::stated(&late).unwrap_err().to_string().contains("336"));
}

#[test]
fn a_file_of_hours_is_read_and_its_faults_are_told_by_line() {
    let good = "\u{feff}time,cards\r\n2026-01-05T08:00,3\r\n2026-01-05T09:00,4\r\n";
    assert_eq!(Demand::from_lines(good).unwrap().cards(), [3, 4]);
    assert_eq!(Demand::from_lines("3\n4\n").unwrap().cards(), [3, 4]);
    for (bad, told) in [
        ("", "0 hours"),
        ("cards\n3.5\n", "line 2: `3.5`"),
        ("3\n-1\n", "line 2: `-1`"),
        ("2026-01-05T08:00,3\n2026-01-05T10:00,3\n", "line 2: is not one hour after"),
        ("2026-01-05T08:00,3\n2026-01-05T08:00,3\n", "line 2: is not one hour after"),
        ("yesterday,3\n", "line 1: `yesterday`"),
        ("100001\n", "100001 cards"),
    ] {
        let refused = Demand::from_lines(bad).unwrap_err().to_string();
        assert!(refused.contains(told), "{bad:?}: {refused}");
    }
}

#[test]
fn prices_and_tiers_that_cannot_be_are_refused() {
    let demand = || Demand::measured(vec![1]).unwrap();
    for (tiers, on_demand) in [
        (vec![], "0"),
        (vec![], "-1"),
        (vec![tier("free", "0", 1, None)], "1"),
        (vec![tier("none", "1", 0, None)], "1"),
        (vec![tier("upside down", "1", 5, Some(4))], "1"),
        (vec![tier("many", "1", 1, None); 21], "1"),
    ] {
        assert!(answer(&question(demand(), tiers, on_demand), thresholds()).is_err());
    }
}

/// Every way to take nothing or a permitted number of each tier.
fn brute(hours: &[u32], tiers: &[Tier], on_demand: Decimal, most: u32) -> Decimal {
    let mut ways = vec![(0_u32, Decimal::ZERO)];
    for tier in tiers {
        let range = tier.cards_least..=tier.cards_most.unwrap_or(most).min(most);
        let numbers: Vec<u32> = std::iter::once(0).chain(range).collect();
        ways = ways
            .iter()
            .flat_map(|(cards, price)| {
                numbers
                    .iter()
                    .map(|more| (cards + more, price + tier.price * Decimal::from(*more)))
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let cost = |(cards, per_hour): &(u32, Decimal)| {
        let of = |wanted: &u32| per_hour + Decimal::from(wanted.saturating_sub(*cards)) * on_demand;
        hours.iter().map(of).sum::<Decimal>()
    };
    ways.iter().map(cost).min().unwrap()
}

fn tiers() -> impl Strategy<Value = Vec<Tier>> {
    let one = (1_u32..40, 1_u32..6, proptest::option::of(0_u32..5));
    vec(one, 0..4).prop_map(|all| {
        let made = |(price, least, more): (u32, u32, Option<u32>)| Tier {
            name: name("tier"),
            price: Decimal::new(price.into(), 1),
            cards_least: least,
            cards_most: more.map(|more| least + more),
            term_months: None,
        };
        all.into_iter().map(made).collect()
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn the_optimum_is_what_trying_everything_finds(
        hours in vec(0_u32..8, 1..30),
        tiers in tiers(),
        on_demand in 1_u32..40,
    ) {
        let on_demand = Decimal::new(on_demand.into(), 1);
        let demand = Demand::measured(hours.clone()).unwrap();
        let question =
            Question { demand, currency: Currency::Cny, tiers, on_demand_price: on_demand };
        let answer = answer(&question, thresholds()).unwrap();
        prop_assert_eq!(answer.best.total, brute(&hours, &question.tiers, on_demand, 9));
        let cards: u32 = answer.best.reserved.iter().map(|part| part.cards).sum();
        prop_assert_eq!(cards, answer.best.cards);
        let used = answer.card_hours - answer.best.on_demand_card_hours;
        prop_assert_eq!(
            used + answer.best.idle_card_hours,
            u64::from(cards) * u64::from(answer.hours)
        );
        for plan in [answer.one_less, answer.one_more].into_iter().flatten() {
            prop_assert!(answer.best.total <= plan.total);
        }
    }
}
