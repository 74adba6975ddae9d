//! Owning against renting: hand-computed cases, and the borders of the rules of thumb.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::{
        self,
        assumptions::Assumptions,
        own_or_rent::{
            Billing, Choice, Comparison, Costs, Outcome, Question,
            break_even::{BreakEven, UseBreakEven},
            cash::{Part, present_value},
            compare,
            input::Input,
            rules::{Rule, Verdict},
            sensitivity::{Swing, tornado},
        },
    },
    estimate::Estimate,
    money::Currency,
    policy::Policy,
    stage::Stage,
};

use crate::{
    fixture::{at_stage, name, number, text},
    harness::Who,
};

pub(crate) fn compared(question: Question) -> Comparison {
    compare(question, &Policy::shipped()).unwrap()
}

pub(crate) fn costs(comparison: &Comparison, choice: Choice) -> &Costs {
    match &comparison.outcomes[&choice] {
        Outcome::Priced(costs) => costs,
        Outcome::Unknown(missing) => panic!("{} misses {missing:?}", choice.id()),
    }
}

fn known(values: &[(Input, &str)]) -> BTreeMap<Input, Estimate<Decimal>> {
    values.iter().map(|(input, value)| (*input, Estimate::known(number(value)))).collect()
}

pub(crate) fn with(mut question: Question, input: Input, value: &str) -> Question {
    question.inputs.insert(input, Estimate::known(number(value)));
    question
}

fn between(mut question: Question, input: Input, low: &str, high: &str) -> Question {
    let range = Estimate::range(number(low), number(high)).unwrap();
    question.inputs.insert(input, range);
    question
}

/// Two machines of four cards, used twelve hours a day of a month of 720 hours, ordered two months
/// before they come.
///
/// Own: purchase 200 000 and spares 20 000 at once. A machine draws (4 × 500 × 0.8 + 400) / 1000 ×
/// 1.5 = 3 kW, 1 080 a month at 0.5. A month of both: 2 160 + rack 2 000 + labour 3 000 +
/// maintenance 220 000 × 6 % / 12 = 1 100 + losses 200 = 8 460.
///
/// Rent: 8 × 720 × 12/24 = 2 880 card-hours × 10 = 28 800 + 200 + 300 + 500 + 400 = 30 200 a month,
/// and 5 000 once.
pub(crate) fn small() -> Question {
    use Input::*;
    Question {
        currency: Currency::Cny,
        horizon_months: 12,
        billing: Billing::Used,
        vat_recoverable: true,
        region: None,
        card: None,
        operations_team: Some(true),
        extreme_security: Some(false),
        inputs: known(&[
            (Nodes, "2"),
            (CardsPerNode, "4"),
            (HoursADay, "12"),
            (HoursAMonth, "720"),
            (NeedMonths, "12"),
            (DemandVariationPercent, "10"),
            (DiscountPercent, "10"),
            (NodePrice, "100000"),
            (SparePercent, "10"),
            (PurchaseVatPercent, "13"),
            (MaintenancePercent, "6"),
            (ResidualPercent, "5"),
            (DepreciationYears, "3"),
            (LeadMonths, "2"),
            (CardWatts, "500"),
            (LoadPercent, "80"),
            (HostWatts, "400"),
            (Pue, "1.5"),
            (Tariff, "0.5"),
            (RackMonth, "1000"),
            (OwnLabourMonth, "3000"),
            (OwnLossMonth, "100"),
            (RentPrice, "10"),
            (RentVatPercent, "6"),
            (RentEgressMonth, "200"),
            (RentStorageMonth, "300"),
            (RentLabourMonth, "500"),
            (RentMigration, "5000"),
            (RentLossMonth, "400"),
            (BaseNodes, "1"),
            (BurstCardHoursMonth, "1000"),
            (BurstPrice, "15"),
            (BurstOtherMonth, "500"),
        ]),
    }
}

/// The published study of a machine of eight cards: 833 806 to buy, 0.87 an hour to run, around the
/// clock; nothing else is in it.
pub(crate) fn study(rent_of_the_machine: &str) -> Question {
    use Input::*;
    let mut question = small();
    question.currency = Currency::Usd;
    question.horizon_months = 36;
    for input in [
        SparePercent,
        MaintenancePercent,
        ResidualPercent,
        LeadMonths,
        CardWatts,
        HostWatts,
        OwnLabourMonth,
        OwnLossMonth,
        RentEgressMonth,
        RentStorageMonth,
        RentLabourMonth,
        RentMigration,
        RentLossMonth,
    ] {
        question = with(question, input, "0");
    }
    for (input, value) in [
        (Nodes, "1"),
        (CardsPerNode, "8"),
        (HoursADay, "24"),
        (HoursAMonth, "730"),
        (NodePrice, "833806"),
        // 0.87 × 730
        (RackMonth, "635.10"),
    ] {
        question = with(question, input, value);
    }
    let card = number(rent_of_the_machine) / Decimal::from(8);
    question.inputs.insert(RentPrice, Estimate::known(card));
    question
}

fn month(comparison: &Comparison) -> BreakEven {
    comparison.against_renting[&Choice::Own].month.middle
}

#[track_caller]
fn assert_near(found: Decimal, expected: &str) {
    let expected = number(expected);
    assert!((found - expected).abs() <= Decimal::new(5, 3), "{found}, not {expected}");
}

#[test]
fn the_hand_computed_case_comes_out() {
    let comparison = compared(small());
    // 220 000 + 10 × 8 460 + 2 × 30 200 + 5 000 − 5 % of 200 000
    assert_eq!(costs(&comparison, Choice::Own).total.middle, Decimal::from(360_000));
    // 12 × 30 200 + 5 000
    assert_eq!(costs(&comparison, Choice::Rent).total.middle, Decimal::from(367_400));
    // 110 000 + 10 × (1 080 + 1 000 + 3 000 + 550 + 100) + 65 400 − 5 000 + 10 × 15 500
    assert_eq!(costs(&comparison, Choice::Hybrid).total.middle, Decimal::from(382_700));
    // 360 000 / (12 × 2 880)
    assert_near(costs(&comparison, Choice::Own).per_useful_card_hour.unwrap().middle, "10.4167");
    assert_eq!((comparison.cheapest, comparison.is_certain), (Some(Choice::Own), true));
    let line = &costs(&comparison, Choice::Own).line.middle;
    // At the order; then two months of rent; then two of running.
    assert_eq!(line[0], Decimal::from(225_000));
    assert_eq!(line[2], Decimal::from(285_400));
    assert_eq!(line[4], Decimal::from(302_320));
    assert_eq!((line.len(), line[12]), (13, Decimal::from(360_000)));
}

#[test]
fn an_option_may_win_only_by_what_the_machines_sell_for() {
    // 220 000 / (30 200 − 8 460) = 10.1196 months after delivery.
    assert_eq!(month(&compared(small())), BreakEven::BySelling);
    let mut longer = small();
    longer.horizon_months = 13;
    assert_near(month(&compared(longer)).month().unwrap(), "12.1196");
    let unsold = with(small(), Input::ResidualPercent, "0");
    assert_eq!(month(&compared(unsold)), BreakEven::Never);
}

/// At no use renting costs 12 × 1 400 + 5 000 = 21 800, owning 302 400; around the clock 713 000
/// and 417 600. 24 × 280 600 / (280 600 + 295 400) = 11.69.
#[test]
fn the_break_even_use_is_where_both_cost_the_same() {
    let comparison = compared(small());
    let at = comparison.use_break_even.unwrap().middle;
    assert_near(at.hours_a_day().unwrap(), "11.6917");
    let there = compared(with(small(), Input::HoursADay, &at.hours_a_day().unwrap().to_string()));
    let own = costs(&there, Choice::Own).total.middle;
    assert_near(own, &costs(&there, Choice::Rent).total.middle.to_string());

    let dear = compared(with(small(), Input::NodePrice, "500000"));
    assert_eq!(dear.use_break_even.unwrap().middle, UseBreakEven::Never);
    let mut always = with(small(), Input::RentPrice, "20");
    always.billing = Billing::Always;
    let always = compared(always);
    assert_eq!(always.use_break_even.unwrap().middle, UseBreakEven::Always);
}

#[test]
fn input_tax_that_is_not_recovered_is_a_cost_of_both() {
    let mut question = small();
    question.vat_recoverable = false;
    let comparison = compared(question);
    // 13 % of 220 000 and 6 % of two months' rental.
    assert_eq!(
        costs(&comparison, Choice::Own).total.middle,
        Decimal::from(360_000 + 28_600 + 3_456)
    );
    // 6 % of 28 800 in twelve months.
    assert_eq!(costs(&comparison, Choice::Rent).total.middle, Decimal::from(367_400 + 20_736));
}

/// 210 000 lose value over 36 months, ten of them here: 58 333.33; the book value of 161 666.67 sells
/// for 10 000.
#[test]
fn the_profit_view_has_the_same_total_as_the_cash() {
    let years = compared(small()).profit_view.unwrap();
    let [year] = years.as_slice() else { panic!("one year, not {years:?}") };
    assert_eq!(year.running, Decimal::from(150_000));
    assert_near(year.depreciation, "58333.33");
    assert_near(year.loss_on_sale, "151666.67");
    assert_near(year.total(), "360000");
}

#[test]
fn the_published_study_breaks_even_after_8556_hours_or_15392_by_the_date_of_the_price() {
    let early = month(&compared(study("98.32"))).month().unwrap();
    assert_near(early, "11.72");
    assert_eq!((early * Decimal::from(730)).round(), Decimal::from(8_556));
    let late = month(&compared(study("55.04"))).month().unwrap();
    assert_eq!((late * Decimal::from(730)).round(), Decimal::from(15_392));
    // At 21.52 an hour it takes 40 378 hours, more than three years.
    assert_eq!(month(&compared(study("21.52"))), BreakEven::Never);
}

/// 21 hours a day, 20 months, a team: the rule of thumb buys. 55.04 × 21 / 24 = 48.16 an hour breaks
/// even after 833 806 / 47.29 = 17 632 hours = 24.2 months, when the need is over.
#[test]
fn a_rule_of_thumb_that_the_computation_contradicts_is_told() {
    let need =
        |price| compared(with(with(study(price), Input::HoursADay, "21"), Input::NeedMonths, "20"));
    let late = need("55.04");
    assert_near(month(&late).month().unwrap(), "24.15");
    assert_eq!(
        (verdict(&late, Rule::LongFullUse), late.computed),
        (Verdict::Owning, Verdict::Renting)
    );
    let told: Vec<_> = late.disagreements.iter().map(|told| (told.rule, told.computed)).collect();
    assert_eq!(told, [(Rule::LongFullUse, Verdict::Renting)]);
    // 98.32 × 21 / 24 breaks even after 13.5 months, and both say the same.
    let early = need("98.32");
    assert_eq!((early.computed, early.disagreements.len()), (Verdict::Owning, 0));
    let mut alone = with(study("98.32"), Input::NeedMonths, "20");
    alone.operations_team = Some(false);
    let told: Vec<_> = compared(alone).disagreements.iter().map(|told| told.rule).collect();
    assert_eq!(told, [Rule::NoOperationsTeam], "not bought even if cheaper on paper");
}

fn verdict(comparison: &Comparison, rule: Rule) -> Verdict {
    comparison.findings.iter().find(|finding| finding.rule == rule).unwrap().verdict
}

#[test]
fn each_rule_speaks_beyond_its_border_and_is_silent_at_it() {
    use Input::*;
    let cases = [
        (Rule::ShortNeed, NeedMonths, "2.9", "3", Verdict::Renting),
        (Rule::VolatileDemand, DemandVariationPercent, "50.1", "50", Verdict::Renting),
        // 50 % of 24 hours.
        (Rule::LowUse, HoursADay, "11.9", "12", Verdict::Renting),
        // It takes two months to come.
        (Rule::LeadTime, NeedMonths, "2", "2.1", Verdict::Renting),
    ];
    for (rule, input, beyond, at, says) in cases {
        assert_eq!(verdict(&compared(with(small(), input, beyond)), rule), says, "{rule:?}");
        let silent = compared(with(small(), input, at));
        assert_eq!(verdict(&silent, rule), Verdict::Silent, "{rule:?}");
        let mut blank = small();
        blank.inputs.insert(input, Estimate::tbd("not asked yet"));
        assert_eq!(verdict(&compared(blank), rule), Verdict::CannotTell, "{rule:?}");
        let (low, high) = if number(beyond) < number(at) { (beyond, at) } else { (at, beyond) };
        let across = compared(between(small(), input, low, high));
        assert_eq!(verdict(&across, rule), Verdict::CannotTell, "{rule:?} across its threshold");
    }
}

#[test]
fn without_an_operations_team_renting_is_spoken_for() {
    for (team, says) in [
        (Some(false), Verdict::Renting),
        (Some(true), Verdict::Silent),
        (None, Verdict::CannotTell),
    ] {
        let comparison = compared(Question { operations_team: team, ..small() });
        assert_eq!(verdict(&comparison, Rule::NoOperationsTeam), says);
    }
}

#[test]
fn owning_is_spoken_for_by_three_conditions_together() {
    use Input::*;
    let busy = || with(with(small(), HoursADay, "20.1"), BurstCardHoursMonth, "2000");
    let all = || with(busy(), NeedMonths, "18.1");
    assert_eq!(verdict(&compared(all()), Rule::LongFullUse), Verdict::Owning);
    for one_less in [
        with(all(), HoursADay, "20"),
        with(all(), NeedMonths, "18"),
        Question { operations_team: Some(false), ..all() },
    ] {
        assert_eq!(verdict(&compared(one_less), Rule::LongFullUse), Verdict::Silent);
    }
    let unknown = Question { operations_team: None, ..all() };
    assert_eq!(verdict(&compared(unknown), Rule::LongFullUse), Verdict::CannotTell);

    let secret = || Question { extreme_security: Some(true), ..with(small(), NeedMonths, "12.1") };
    assert_eq!(verdict(&compared(secret()), Rule::SecretAndSteady), Verdict::Owning);
    for one_less in [
        with(secret(), NeedMonths, "12"),
        with(secret(), DemandVariationPercent, "50.1"),
        Question { extreme_security: Some(false), ..secret() },
    ] {
        assert_eq!(verdict(&compared(one_less), Rule::SecretAndSteady), Verdict::Silent);
    }
}

#[test]
fn a_rule_says_what_it_read_and_against_what() {
    let comparison = compared(small());
    let finding = &comparison.findings[5];
    let read: Vec<_> = finding
        .read
        .iter()
        .map(|read| (read.field, read.value.as_deref().unwrap(), read.threshold.as_str()))
        .collect();
    assert_eq!(
        read,
        [
            ("hours_a_day", "12", "> 20"),
            ("need_months", "12", "> 18"),
            ("operations_team", "true", "true")
        ]
    );
}

#[test]
fn what_nobody_gave_is_named_and_never_zero() {
    let mut question = small();
    question.inputs.remove(&Input::RackMonth);
    question.inputs.insert(Input::HostWatts, Estimate::tbd("asked the maker"));
    let comparison = compared(question);
    let missing = vec![Input::HostWatts, Input::RackMonth];
    assert_eq!(comparison.outcomes[&Choice::Own], Outcome::Unknown(missing));
    assert_eq!(costs(&comparison, Choice::Rent).total.middle, Decimal::from(367_400));
    assert_eq!(comparison.cheapest, None, "one option alone is not the cheapest");
    assert!(comparison.against_renting.is_empty());
    assert_eq!(comparison.use_break_even, None);
    assert!(comparison.tornado.is_empty());
}

#[test]
fn machines_that_are_there_at_once_need_no_price_of_rent() {
    let mut question = with(small(), Input::LeadMonths, "0");
    question.inputs.remove(&Input::RentPrice);
    let comparison = compared(question);
    // 220 000 + 12 × 8 460 − 10 000
    assert_eq!(costs(&comparison, Choice::Own).total.middle, Decimal::from(311_520));
    let missing = vec![Input::RentPrice];
    assert_eq!(comparison.outcomes[&Choice::Rent], Outcome::Unknown(missing));
}

#[test]
fn assumptions_fill_by_region_and_currency_and_are_told() {
    let tariff = |change: fn(&mut Question)| {
        let mut question = small();
        question.inputs.remove(&Input::Tariff);
        change(&mut question);
        let comparison = compared(question);
        let assumed = comparison.assumed.iter().find(|(input, _)| *input == Input::Tariff);
        (
            comparison.question.inputs.get(&Input::Tariff).and_then(Estimate::written),
            assumed.is_some(),
        )
    };
    let written = |text: &str| (Some(text.to_owned()), true);
    assert_eq!(tariff(|_| ()), written("0.45–0.65"));
    assert_eq!(tariff(|question| question.region = Some(name("cn-west"))), written("0.45"));
    assert_eq!(tariff(|question| question.region = Some(name("cn-coast"))), written("0.65"));
    assert_eq!(tariff(|question| question.currency = Currency::Usd), (None, false));
    // What lies in a region takes what is known of it.
    let rows = Assumptions::shipped();
    let vat = |region| rows.of(Input::PurchaseVatPercent, Some(&name(region)), Currency::Cny);
    assert!(vat("cn-west").is_some());
    assert!(vat("cnx").is_none());
}

#[test]
fn an_organisations_own_rows_go_before_the_shipped_ones() {
    let mut policy = Policy::shipped();
    let mut row = Assumptions::shipped().rows()[0].clone();
    row.value = Estimate::known(number("720"));
    policy.catalogue.costs = vec![row];
    let rows = Assumptions::with(&policy.catalogue);
    let hours = rows.of(Input::HoursAMonth, None, Currency::Cny).unwrap();
    assert_eq!(hours.value, Estimate::known(number("720")));
    let mut bad = policy.catalogue.costs[0].clone();
    bad.input = Input::RackMonth;
    policy.catalogue.costs = vec![bad];
    assert!(policy.catalogue.check().is_err(), "an amount of money without a currency");
}

/// 14 000 now, 5 000 a year for six years, 11 %: 7 152.69. Cash of 2 500 to 7 000 moves it from
/// −3 423.66 to 15 613.76 (the source prints −3 423.67), a rate of 12 to 9.5 % from 6 557.04 to
/// 8 099.13.
#[test]
fn the_textbook_tornado_comes_out() {
    let value = |cash: Decimal, rate: Decimal| {
        let flows = std::iter::once(Decimal::from(-14_000)).chain(std::iter::repeat_n(cash, 6));
        present_value(flows, rate / Decimal::ONE_HUNDRED)
    };
    assert_near(value(5_000.into(), 11.into()), "7152.69");
    let swing = |low: &str, base: &str, high: &str| Swing {
        low: number(low),
        base: number(base),
        high: number(high),
    };
    let swings = BTreeMap::from([
        ("rate", swing("9.5", "11", "12")),
        ("cash", swing("2500", "5000", "7000")),
        ("weather", swing("1", "2", "3")),
    ]);
    let bars = tornado(&swings, |at| Some(value(at["cash"], at["rate"])));
    let found: Vec<_> = bars.iter().map(|bar| bar.input).collect();
    assert_eq!(found, ["cash", "rate"], "the widest first, and none that changes nothing");
    assert_near(bars[0].at_low, "-3423.66");
    assert_near(bars[0].at_high, "15613.76");
    assert_near(bars[1].at_low, "8099.13");
    assert_near(bars[1].at_high, "6557.04");
}

/// The need takes 2 880 card-hours a month, and one machine can do 4 × 720 = 2 880 of them.
#[test]
fn a_base_and_a_burst_that_cannot_make_up_the_use_are_refused() {
    let refused = |question| compare(question, &Policy::shipped()).map_err(|invalid| invalid.what);
    let burst = |hours| with(small(), Input::BurstCardHoursMonth, hours);
    assert!(refused(burst("0")).is_ok(), "the base just does it all");
    assert!(refused(burst("2880")).is_ok(), "the burst just does it all");
    assert_eq!(refused(burst("2881")), Err("burst_card_hours_month"));
    let busier = with(burst("0"), Input::HoursADay, "12.1");
    assert_eq!(refused(busier), Err("burst_card_hours_month"));
    let perhaps = between(burst("0"), Input::HoursADay, "11", "13");
    assert!(refused(perhaps).is_ok(), "it may fit");
}

/// The advantage of owning: 30 200 − 8 460 a month after two months, less the purchase; what is
/// counted has no tenth more or less.
#[test]
fn the_tornado_moves_what_has_a_range_by_it_and_the_rest_by_a_tenth() {
    let free = with(small(), Input::DiscountPercent, "0");
    let bars = compared(between(free, Input::NodePrice, "90000", "120000")).tornado;
    let of = |input| bars.iter().find(|bar| bar.input == input).copied();
    let rent = of(Input::RentPrice).unwrap();
    assert_eq!((rent.swing.low, rent.swing.high), (9.into(), 11.into()));
    // Ten months of 2 880 card-hours for each yuan, twice.
    assert_eq!(rent.range(), Decimal::from(57_600));
    let price = of(Input::NodePrice).unwrap();
    assert_eq!((price.swing.low, price.swing.high), (90_000.into(), 120_000.into()));
    assert_eq!(of(Input::Nodes), None);
    assert!(bars.windows(2).all(|two| two[0].range() >= two[1].range()));
}

#[test]
fn inputs_beyond_their_bounds_are_refused_by_name() {
    let policy = Policy::shipped();
    for (input, value) in [
        (Input::HoursADay, "24.1"),
        (Input::Pue, "0.9"),
        (Input::ResidualPercent, "101"),
        (Input::NodePrice, "-1"),
        (Input::Nodes, "0"),
        (Input::LeadMonths, "12"),
        (Input::BaseNodes, "3"),
    ] {
        let refused = compare(with(small(), input, value), &policy).unwrap_err();
        assert_eq!(refused.what, input.id());
    }
    let endless = Question { horizon_months: 121, ..small() };
    assert!(compare(endless, &policy).is_err());
}

#[test]
fn a_card_of_the_catalogue_brings_its_power_and_a_given_one_goes_before_it() {
    let watts = |card: &str, given: Option<&str>| {
        let mut question = Question { card: Some(name(card)), ..small() };
        question.inputs.remove(&Input::CardWatts);
        if let Some(given) = given {
            question = with(question, Input::CardWatts, given);
        }
        compare(question, &Policy::shipped())
            .map(|comparison| comparison.question.inputs[&Input::CardWatts].written().unwrap())
    };
    assert_eq!(watts("NVIDIA H100 80GB HBM3", None).unwrap(), "700");
    assert_eq!(watts("NVIDIA H100 80GB HBM3", Some("650")).unwrap(), "650");
    assert_eq!(watts("abacus", None).unwrap_err().what, "card");
}

pub(crate) fn compare_owning() -> budget::Command {
    budget::Command::CompareOwning {
        question: Box::new(small()),
        chosen: Choice::Own,
        reason: text("cheaper over the year, and the team is there"),
    }
}

#[test]
fn a_recorded_comparison_keeps_its_question_and_figures() {
    let mut world = at_stage(Stage::Budget);
    world.by(Who::Fiona).when(compare_owning()).then_kinds(["budget.owning_compared"]);
    let compared = &world.procurement().budget.compared.as_ref().unwrap().value;
    assert_eq!(compared.totals[&Choice::Own].low, Decimal::from(360_000));
    assert_eq!(compared.question, small());
    assert_eq!((compared.chosen, compared.computed), (Choice::Own, Verdict::Owning));
}

#[test]
fn an_option_that_cannot_be_priced_cannot_be_chosen() {
    let mut question = small();
    question.inputs.remove(&Input::RackMonth);
    let choose = |chosen| budget::Command::CompareOwning {
        question: Box::new(question.clone()),
        chosen,
        reason: text("as planned"),
    };
    let mut world = at_stage(Stage::Budget);
    world.by(Who::Fiona).when(choose(Choice::Own)).then_rejects_as("invalid_value");
    world.when(choose(Choice::Rent)).then_kinds(["budget.owning_compared"]);
}

#[test]
fn a_part_of_the_cost_that_is_not_there_is_not_listed() {
    let comparison = compared(small());
    let parts: Vec<Part> =
        costs(&comparison, Choice::Rent).parts.iter().map(|(part, _)| *part).collect();
    assert_eq!(
        parts,
        [Part::Labour, Part::Losses, Part::Rental, Part::Egress, Part::Storage, Part::Migration]
    );
}
