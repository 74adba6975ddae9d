//! The total cost of ownership: hand-computed lines, what is unknown, cash, and what moved.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::{
        Command,
        moved::{MovedFigure, moved},
        tco::{
            Cost, CostKind, ExchangeRate, Plan, Unknown,
            line::{FactorName, Line, Paid, Per, Vat},
            statement::{Figures, Statement, Usage, statement},
        },
    },
    estimate::Estimate,
    money::Currency,
    percent::Percent,
    procurement::Course,
    stage::Stage,
};

use crate::{
    fixture::{at_stage, brief, day, filled, number, plan_budget, record_brief, text},
    harness::Who,
};

fn known(value: &str) -> Estimate<Decimal> {
    Estimate::known(number(value))
}

fn between(low: &str, high: &str) -> Estimate<Decimal> {
    Estimate::range(number(low), number(high)).unwrap()
}

pub(crate) fn line(amount: Estimate<Decimal>, per: Per) -> Line {
    Line {
        name: text("a line"),
        amount,
        currency: Currency::Cny,
        per,
        vat: Vat::NotStated,
        paid: Paid::InArrears,
        basis: text("a quote"),
    }
}

pub(crate) fn stated(lines: BTreeMap<CostKind, Vec<Line>>, plan: &Plan) -> Statement {
    let cost = |kind| match lines.get(&kind) {
        Some(lines) => (kind, Cost::Lines { lines: lines.clone() }),
        None => (kind, Cost::Zero { reason: text("not needed") }),
    };
    let costs: BTreeMap<_, _> = CostKind::ALL.into_iter().map(cost).collect();
    statement(&|kind| costs.get(&kind), plan, None).unwrap()
}

fn of_rental(line: Line, plan: &Plan) -> Statement {
    stated([(CostKind::Rental, vec![line])].into(), plan)
}

fn figures(statement: Statement) -> Figures {
    statement.figures.unwrap()
}

/// Twelve months without a reserve.
fn year() -> Plan {
    Plan::new(12, Percent::ZERO, Currency::Cny)
}

fn total(line: Line, plan: &Plan) -> (Decimal, Decimal) {
    let total = figures(of_rental(line, plan)).total;
    (total.low.amount.round_dp(6), total.high.amount.round_dp(6))
}

fn same(value: &str) -> (Decimal, Decimal) {
    (number(value), number(value))
}

#[test]
fn an_amount_counts_as_often_as_it_is_said_to() {
    for (per, due) in [
        (Per::Once, "600"),
        (Per::Term, "600"),
        (Per::Month, "7200"),
        (Per::Year, "600"),
        // 365 days.
        (Per::Day, "219000"),
        // 8 cards × 720 hours × 12 months.
        (Per::CardHour { cards: known("8"), hours_per_month: known("720") }, "41472000"),
    ] {
        assert_eq!(total(line(known("600"), per.clone()), &year()), same(due), "{per:?}");
    }
    let half = Plan::new(6, Percent::ZERO, Currency::Cny);
    assert_eq!(total(line(known("600"), Per::Year), &half), same("300"));
}

/// Each interruption costs half of four hours and the half hour of a restart: 3 × 2.5 × 16 × 12.
#[test]
fn a_failure_costs_what_is_computed_again() {
    let per = Per::LostCardHour {
        cards: known("16"),
        interruptions_per_month: known("3"),
        checkpoint_interval_hours: known("4"),
        restart_hours: known("0.5"),
    };
    assert_eq!(total(line(known("10"), per), &year()), same("14400"));
}

#[test]
fn a_tax_is_a_cost_only_where_it_is_not_recovered() {
    let rate = Percent::of(6);
    for (vat, due) in [
        (Vat::NotStated, "1272"),
        (Vat::Included { rate, recoverable: true }, "1200"),
        (Vat::Included { rate, recoverable: false }, "1272"),
        (Vat::Added { rate, recoverable: true }, "1272"),
        (Vat::Added { rate, recoverable: false }, "1348.32"),
    ] {
        let monthly = Line { vat, ..line(known("106"), Per::Month) };
        assert_eq!(total(monthly, &year()), same(due), "{vat:?}");
    }
}

#[test]
fn another_currency_is_converted_by_the_plans_rate_and_unknown_without_one() {
    let dollars = Line { currency: Currency::Usd, ..line(known("100"), Per::Month) };
    let statement = of_rental(dollars.clone(), &year());
    let missing = Unknown::ExchangeRate { line: text("a line"), currency: Currency::Usd };
    assert_eq!((statement.unknown, statement.figures), (vec![missing], None));

    let rate = ExchangeRate {
        from: Currency::Usd,
        rate: number("7.1"),
        on: day("2026-01-05"),
        source: text("the central parity"),
    };
    let plan = Plan { rates: vec![rate], ..year() };
    assert_eq!(total(dollars, &plan), same("8520"));
}

#[test]
fn what_is_to_be_determined_is_unknown_and_never_zero() {
    let open = Estimate::tbd("asked");
    let per = Per::CardHour { cards: open.clone(), hours_per_month: known("730") };
    for (line, factor) in
        [(line(open, Per::Month), FactorName::Amount), (line(known("8"), per), FactorName::Cards)]
    {
        let statement = of_rental(line, &year());
        assert_eq!(statement.unknown, [Unknown::Factor { line: text("a line"), factor }]);
        assert_eq!((statement.kinds[0].for_term, statement.figures), (None, None));
    }
    let nothing = statement(&|_| None, &year(), None).unwrap();
    assert_eq!(nothing.unknown.len(), CostKind::ALL.len());
}

/// 1 000 a month and 3 000 at once, 20 % reserve, two months: (2 000 + 3 000) × 1.2 = 6 000.
#[test]
fn the_reserve_is_a_line_of_its_own_and_drivers_say_what_weighs() {
    let plan = Plan::new(2, Percent::of(20), Currency::Cny);
    let lines = [
        (CostKind::Rental, vec![line(between("900", "1100"), Per::Month)]),
        (CostKind::Migration, vec![line(known("3000"), Per::Once)]),
    ];
    let found = figures(stated(lines.into(), &plan));
    let amounts = |span: sixgate_workflows::budget::tco::MoneySpan| {
        (span.low.amount.normalize(), span.high.amount.normalize())
    };
    assert_eq!(amounts(found.subtotal), (number("4800"), number("5200")));
    assert_eq!(amounts(found.reserve), (number("960"), number("1040")));
    assert_eq!(amounts(found.total), (number("5760"), number("6240")));
    let drivers: Vec<_> = found
        .drivers
        .iter()
        .map(|driver| (driver.kind, driver.share_percent.normalize(), driver.width.amount))
        .take(2)
        .collect();
    assert_eq!(
        drivers,
        [
            (CostKind::Migration, number("60"), Decimal::ZERO),
            (CostKind::Rental, number("40"), number("400")),
        ]
    );
}

/// Month 0 is the start: what is paid once or in advance is paid there.
#[test]
fn cash_falls_when_it_is_said_to_be_paid() {
    let plan = Plan::new(3, Percent::ZERO, Currency::Cny);
    for (per, paid, due) in [
        (Per::Month, Paid::InArrears, ["0", "100", "100", "100"]),
        (Per::Month, Paid::InAdvance, ["100", "100", "100", "0"]),
        (Per::Month, Paid::AtStart, ["300", "0", "0", "0"]),
        (Per::Once, Paid::InArrears, ["100", "0", "0", "0"]),
    ] {
        let line = Line { paid, ..line(known("100"), per) };
        let cash = figures(of_rental(line, &plan)).cash;
        let found: Vec<_> = cash.iter().map(|month| month.paid.low.amount.normalize()).collect();
        assert_eq!(found, due.map(number), "{paid:?}");
    }
}

/// 1 000 at the start and 1 210 two years later at 10 % are worth 2 000 today.
#[test]
fn the_present_value_discounts_each_payment_by_its_month() {
    let plan = Plan {
        discount_rate: Some(Percent::of(10)),
        ..Plan::new(12, Percent::ZERO, Currency::Cny)
    };
    let once = figures(of_rental(line(known("1000"), Per::Once), &plan));
    assert_eq!(once.present_value.unwrap().low.amount, number("1000"));
    // 100 at the end of each month: 1200 × (1 − 1.1⁻¹) / (12 × (1.1^(1/12) − 1)) = 1140.04.
    let monthly = figures(of_rental(line(known("100"), Per::Month), &plan));
    let value = monthly.present_value.unwrap().low.amount;
    assert_eq!(value.round_dp(2), number("1140.05"));
    let undiscounted = figures(of_rental(line(known("100"), Per::Month), &year()));
    assert_eq!(undiscounted.present_value, None);
}

/// 7 300 a month over 8 cards × 730 hours × 50 % are 2.50 an hour of use, and 1.25 at full use.
#[test]
fn an_hour_of_use_is_dear_where_little_is_used() {
    let costs = |kind| match kind {
        CostKind::Rental => Some(Cost::Lines { lines: vec![line(known("7300"), Per::Month)] }),
        CostKind::NetworkEgress
        | CostKind::Storage
        | CostKind::OperationsLabour
        | CostKind::Migration
        | CostKind::FailureLoss => Some(Cost::Zero { reason: text("none") }),
    };
    let costs: BTreeMap<_, _> =
        CostKind::ALL.into_iter().filter_map(|kind| Some((kind, costs(kind)?))).collect();
    let hour = |utilisation_percent| {
        let usage =
            Usage { cards: known("8"), utilisation_percent, hours_per_month: number("730") };
        let stated = statement(&|kind| costs.get(&kind), &year(), Some(&usage)).unwrap();
        figures(stated).per_useful_card_hour
    };
    let found = hour(between("50", "100")).unwrap();
    assert_eq!(
        (found.low.amount.normalize(), found.high.amount.normalize()),
        (number("1.25"), number("2.5"))
    );
    assert_eq!(hour(Estimate::tbd("asked")), None);
    assert_eq!(hour(known("0")), None, "what is never used has no price an hour");
}

#[test]
fn what_cannot_be_is_refused_with_its_field() {
    let mut world = at_stage(Stage::Budget);
    world.by(Who::Fiona).must(plan_budget(year()));
    let hours = Per::CardHour { cards: known("8"), hours_per_month: known("745") };
    for lines in [
        Vec::new(),
        vec![line(known("1"), Per::Once); 101],
        vec![line(known("-1"), Per::Once)],
        vec![line(known("1"), hours)],
        vec![line(known("1000000001"), Per::Once)],
    ] {
        let record =
            Command::RecordCost { cost_kind: CostKind::Rental, cost: Cost::Lines { lines } };
        world.when(record).then_rejects_as("invalid_value");
    }
    let rate = |from, rate| ExchangeRate {
        from,
        rate: number(rate),
        on: day("2026-01-05"),
        source: text("the bank"),
    };
    for rates in [
        vec![rate(Currency::Cny, "1")],
        vec![rate(Currency::Usd, "7"), rate(Currency::Usd, "7.1")],
        vec![rate(Currency::Usd, "0")],
        vec![rate(Currency::Usd, "100001")],
    ] {
        world.when(plan_budget(Plan { rates, ..year() })).then_rejects_as("invalid_value");
    }
}

#[test]
fn lines_need_a_plan_and_an_open_line_keeps_the_gate_closed_by_name() {
    let record =
        |lines| Command::RecordCost { cost_kind: CostKind::Rental, cost: Cost::Lines { lines } };
    let mut bare = at_stage(Stage::Budget);
    let fine = record(vec![line(known("1"), Per::Month)]);
    bare.by(Who::Fiona).when(fine).then_rejects_as("budget_plan_missing");

    let mut world = filled(Stage::Budget);
    let dollars = Line { currency: Currency::Usd, ..line(known("1"), Per::Month) };
    world.by(Who::Fiona).must(record(vec![dollars]));
    let why = world.why("budget.tco_complete");
    assert_eq!((why.key, why.details["lines"].as_str()), ("cost_lines_unknown", "a line"));
}

#[test]
fn a_brief_changed_after_the_approval_says_which_figures_moved_by_how_much() {
    let mut world = at_stage(Stage::Shortlist);
    assert_eq!(moved(world.procurement()), []);
    world.by(Who::Paul).must(Course::SendBack { to: Stage::Needs, reason: text("more cards") });
    let mut wider = brief();
    wider.cards.total = Estimate::known(16);
    wider.term.utilisation = Estimate::known(Percent::of(50));
    world.by(Who::Rita).must(record_brief(wider));
    let found = moved(world.procurement());
    let names: Vec<_> = found.iter().map(|moved| moved.figure).collect();
    assert_eq!(
        names,
        [MovedFigure::Cards, MovedFigure::UtilisationPercent, MovedFigure::PerUsefulCardHour]
    );
    let cards = found[0].now.unwrap();
    assert_eq!((cards.low, cards.high), (number("16"), number("16")));
    assert!(found[0].before.unwrap().high < cards.low);
}
