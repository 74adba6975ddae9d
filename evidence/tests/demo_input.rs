//! The sample files of the demonstration say what the demonstration relies on.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use sixgate_evidence::{Document, Facts, Kind, read_auto};
use std::path::Path;

fn demo(kind: Kind, name: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/demo/input").join(name);
    let document = read_auto(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(document.kind, kind, "{name}");
    assert!(document.complete, "{name}: {:?}", document.incomplete_because);
    document
}

#[test]
fn the_brief_is_whole() {
    let document = demo(Kind::Brief, "brief.zh.txt");
    assert_eq!(document.warnings, []);
    let facts = serde_json::to_value(&document).unwrap()["facts"].clone();
    assert_eq!(facts["use"]["known"], "online_inference");
    assert_eq!(facts["model"]["latency_ms"]["high"], 1500.0);
    assert_eq!(facts["cards"]["substitutes"]["known"][1], "H200");
    assert_eq!(facts["term"]["phased"]["known"], false);
    assert_eq!(facts["region"]["known"], "华东");
    assert_eq!(facts["missing"], serde_json::json!([]));
}

#[test]
fn the_quotes_answer_everything() {
    for (name, price, unit) in [
        ("starsea", "9858.00", "card-month"),
        ("yunfeng", "13.78", "card-hour"),
        ("beichen", "100700.00", "card-year"),
    ] {
        let document = demo(Kind::Quote, &format!("quote.{name}.csv"));
        let facts = serde_json::to_value(&document).unwrap()["facts"].clone();
        assert_eq!(facts["missing"], serde_json::json!([]), "{name}");
        assert_eq!(
            (&facts["lines"][0]["unit_price"], &facts["lines"][0]["unit"]),
            (&price.into(), &unit.into())
        );
    }
}

#[test]
fn only_one_supplier_throttles() {
    for (name, worst) in [("starsea", 0x4), ("yunfeng", 0x4), ("beichen", 0x48)] {
        let Facts::GpuInventory(facts) =
            demo(Kind::GpuInventory, &format!("poc/{name}/nvidia-smi.csv")).facts
        else {
            panic!("another kind")
        };
        assert_eq!((facts.cards.len(), facts.rounds, facts.lost.len()), (8, 20, 0));
        assert_eq!(facts.driver.as_deref(), Some("550.90.07"));
        assert_eq!(
            facts.cards.iter().filter_map(|card| card.throttle_mask_seen).max(),
            Some(worst),
            "{name}"
        );
    }
}

#[test]
fn the_benches_are_whole() {
    for (name, peak, completed, ttft) in [
        ("starsea", 475.2, 1000, 840.2),
        ("yunfeng", 468.35, 998, 910.5),
        ("beichen", 452.1, 971, 2400.7),
    ] {
        let Facts::NcclTests(nccl) =
            demo(Kind::NcclTests, &format!("poc/{name}/all_reduce_perf.txt")).facts
        else {
            panic!("another kind")
        };
        assert_eq!(
            (nccl.ranks, nccl.peak_busbw_gb_s, nccl.out_of_bounds),
            (Some(8), Some(peak), Some(0))
        );
        let Facts::LlmBench(bench) =
            demo(Kind::LlmBench, &format!("poc/{name}/vllm-serve.json")).facts
        else {
            panic!("another kind")
        };
        assert_eq!(
            (bench.issued, bench.completed, bench.ttft_ms.p99),
            (Some(1000), Some(completed), Some(ttft))
        );
    }
}

#[test]
fn bills_and_usage_agree_on_the_cards() {
    for (name, cards, billed, card_hours) in
        [("starsea", 8, "78864", 5952.0), ("yunfeng", 2, "20504.64", 1488.0)]
    {
        let Facts::Bill(bill) = demo(Kind::Bill, &format!("operation/bill.{name}.csv")).facts
        else {
            panic!("another kind")
        };
        assert_eq!(
            (bill.billed.unwrap().to_string().as_str(), bill.card_hours),
            (billed, Some(card_hours))
        );
        let Facts::Usage(usage) =
            demo(Kind::Usage, &format!("operation/usage.{name}.week12.json")).facts
        else {
            panic!("another kind")
        };
        let known = usage.busy_card_hours.unwrap() + usage.idle_card_hours.unwrap();
        assert_eq!(
            (usage.cards, known + usage.unknown_card_hours.unwrap()),
            (Some(cards), f64::from(cards) * 168.0)
        );
    }
}
