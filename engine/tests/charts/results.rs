//! Charts of results of the rules.

use std::collections::BTreeMap;

use sixgate_engine::chart::{Chart, costs, memory};
use sixgate_workflows::{
    budget::tco::{Cost, CostKind, Plan},
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
