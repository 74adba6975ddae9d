//! Charts of results of the rules.

use std::collections::BTreeMap;

use sixgate_engine::chart::{Chart, costs, memory, owning, reserve};
use sixgate_workflows::{
    budget::{
        base_and_burst::{self, Thresholds, demand::Demand, tier::Tier},
        own_or_rent::{Billing, Choice, Comparison, Question, compare, input::Input},
        tco::{Cost, CostKind, Plan},
    },
    context::ActorId,
    estimate::Estimate,
    locale::Locale,
    money::Currency,
    needs::{
        brief::{Brief, Precision, Use},
        catalogue::Catalogue,
        sizing::computed::{ModelSizing, ModelSizingInput, compute},
    },
    percent::Percent,
    policy::Policy,
    recorded::{Fact, Stamp},
    text::{Name, Text},
};

use crate::{page, samples::number};

fn sized(concurrency: Estimate<u32>, card: &str) -> ModelSizing {
    let mut brief = Brief::blank();
    brief.usage = Estimate::known(Use::OnlineInference);
    brief.model.parameters_b = Estimate::known(number("70"));
    brief.model.precision = Estimate::known(Precision::Bf16);
    brief.targets.peak_concurrency = concurrency;
    brief.targets.context_tokens = Estimate::known(8_192);
    let input = ModelSizingInput {
        shape: None,
        card: Name::new(card).unwrap(),
        weights: None,
        cache: None,
        utilisation: None,
        per_node: None,
        training: None,
    };
    compute(&brief, input, Catalogue::shipped()).unwrap()
}

#[test]
fn the_parts_of_a_sizing_add_up_to_what_is_required_on_the_fullest_card() {
    let sizing = sized(Estimate::range(8, 64).unwrap(), "H20");
    let chart = memory::of_model(&sizing, Locale::En);
    for (bar, outcome) in chart.bars.iter().zip([&sizing.low, &sizing.high]) {
        let sum: rust_decimal::Decimal = bar.values.iter().filter_map(|value| value.low()).sum();
        let required = outcome.on_card.total().as_gib();
        // Each part is rounded by itself.
        assert!((sum - required).abs() < number("0.05"), "{sum} of {required}");
    }
    assert_eq!(chart.bars.len(), 2);
    let page = page::read(&Chart::Stack(chart).svg()).unwrap();
    assert!(page.says("low end") && page.says("high end") && page.says("usable"), "{page:?}");
    assert!(!page.says("optimizer"), "inference has no optimizer states");
}

#[test]
fn a_sizing_without_ranges_is_one_bar() {
    let sizing = sized(Estimate::known(8), "H20");
    let chart = memory::of_outcome("H20", &sizing.high, Locale::ZhCn);
    assert_eq!(chart.bars.len(), 1);
    assert!(Chart::Stack(chart).told().contains("权重"));
}

fn fact<T>(value: T) -> Fact<T> {
    Fact::new(
        value,
        Stamp { at: chrono::DateTime::UNIX_EPOCH, by: ActorId::System, position: 1, index: 0 },
    )
}

#[test]
fn a_kind_of_cost_that_nobody_named_is_unknown_and_so_is_the_reserve() {
    let plan = Plan::new(12, Percent::of(20), Currency::Cny);
    let basis = || Text::new("quote").unwrap();
    let amount =
        |estimate| Cost::Amount { currency: Currency::Cny, per_month: estimate, basis: basis() };
    let mut said: BTreeMap<CostKind, Fact<Cost>> = BTreeMap::new();
    for kind in CostKind::ALL {
        said.insert(kind, fact(amount(Estimate::known(number("100")))));
    }
    said.insert(CostKind::Migration, fact(Cost::Zero { reason: basis() }));
    let whole = Chart::Stack(costs::per_month(&plan, &said, Locale::En));
    assert!(whole.told().contains("reserve CNY 100; together CNY 600"), "{}", whole.told());
    said.remove(&CostKind::Storage);
    let partial = Chart::Stack(costs::per_month(&plan, &said, Locale::En));
    assert!(partial.told().contains("storage unknown"), "{}", partial.told());
    assert!(partial.told().contains("reserve unknown; together at least CNY 400"));
}

fn study() -> Comparison {
    let known = |value: &str| Estimate::known(number(value));
    let inputs = [
        (Input::Nodes, known("1")),
        (Input::CardsPerNode, known("8")),
        (Input::HoursADay, known("24")),
        (Input::NodePrice, Estimate::range(number("800000"), number("900000")).unwrap()),
        (Input::SparePercent, known("0")),
        (Input::LeadMonths, known("0")),
        (Input::MaintenancePercent, known("0")),
        (Input::ResidualPercent, known("0")),
        (Input::LoadPercent, known("0")),
        (Input::HostWatts, known("0")),
        (Input::Tariff, known("0")),
        (Input::RackMonth, known("600")),
        (Input::OwnLabourMonth, known("0")),
        (Input::OwnLossMonth, known("0")),
        (Input::RentPrice, known("12.29")),
        (Input::RentEgressMonth, known("0")),
        (Input::RentStorageMonth, known("0")),
        (Input::RentLabourMonth, known("0")),
        (Input::RentMigration, known("0")),
        (Input::RentLossMonth, known("0")),
    ];
    let question = Question {
        currency: Currency::Cny,
        horizon_months: 36,
        billing: Billing::Always,
        vat_recoverable: true,
        region: None,
        card: Some(Name::new("H100 SXM").unwrap()),
        operations_team: Some(true),
        extreme_security: None,
        inputs: inputs.into(),
    };
    compare(question, &Policy::shipped()).unwrap()
}

#[test]
fn the_lines_of_owning_and_renting_cross_where_the_rules_say() {
    let comparison = study();
    let chart = owning::cumulative(&comparison, Locale::En);
    let month = comparison.against_renting[&Choice::Own].month.middle.month().unwrap();
    let crossing = &chart.crossings[0];
    assert_eq!(crossing.at, month);
    let by_name = |name: &str| chart.lines.iter().find(|line| line.name == name).unwrap();
    let rented = &by_name("rent").points;
    let before = &rented[usize::try_from(month.floor()).unwrap()];
    assert!(before.1.low().unwrap() <= crossing.value, "{crossing:?}");
    assert!(by_name("own the base, rent the peak").points.is_empty(), "its inputs are missing");
    let page = page::read(&Chart::Lines(chart).svg()).unwrap();
    assert!(page.says("own") && page.says("rent"), "{page:?}");
}

#[test]
fn the_tornado_is_drawn_around_the_advantage_of_owning() {
    let comparison = study();
    let chart = owning::sensitivity(&comparison, Locale::ZhCn).unwrap();
    assert_eq!(chart.swings.len(), comparison.tornado.len());
    let widest = &chart.swings[0];
    let ends = [widest.at_low.unwrap(), widest.at_high.unwrap()];
    assert!(ends.iter().min().unwrap() < &chart.base && &chart.base < ends.iter().max().unwrap());
    page::read(&Chart::Tornado(chart).svg()).unwrap();
}

#[test]
fn a_load_duration_lasts_as_long_as_the_demand() {
    let demand = Demand::measured(vec![4, 0, 1, 1, 3, 0]).unwrap();
    let tier = Tier {
        name: Name::new("a year").unwrap(),
        price: number("1"),
        cards_least: 1,
        cards_most: None,
        term_months: None,
    };
    let (currency, tiers) = (Currency::Cny, vec![tier]);
    let question =
        base_and_burst::Question { demand, currency, tiers, on_demand_price: number("2") };
    let thresholds = Thresholds::of(&Policy::shipped()).unwrap();
    let answer = base_and_burst::answer(&question, thresholds).unwrap();
    let chart = reserve::load_duration(&answer, Locale::En);
    let hours: rust_decimal::Decimal = chart.steps.iter().map(|(hours, _)| *hours).sum();
    let card_hours: rust_decimal::Decimal =
        chart.steps.iter().map(|(hours, cards)| *hours * cards.unwrap()).sum();
    assert_eq!((hours, card_hours), (number("6"), number("9")));
    assert_eq!(chart.reserved, Some(answer.best.cards.into()));
    page::read(&Chart::Steps(chart).svg()).unwrap();
}
