//! From uploaded files to the figures that the rules work with.

use std::path::Path;

use sixgate_engine::Error;
use sixgate_workflows::{
    estimate::Estimate,
    evidence::EvidenceFile,
    money::Currency,
    needs::brief::{Fabric, Precision, Use},
    operation::usage::{Bill, Usage},
    poc::reading::{CardsReading, CollectiveReading, Reading, RequestRate, ServingReading},
    shortlist::quote::{PriceBasis, PriceUnit, Question, QuoteLine},
};

use crate::{
    people::Who,
    world::{World, day, name, number, time},
};

/// A file of the demo, as it is.
async fn uploaded(world: &World, path: &str) -> EvidenceFile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/demo/input");
    stored(world, std::fs::read(folder.join(path)).unwrap()).await
}

async fn stored(world: &World, bytes: Vec<u8>) -> EvidenceFile {
    for who in [Who::Rita, Who::Paul, Who::Fiona] {
        world.engine.upload(&world.viewer(who), bytes.clone()).await.unwrap();
    }
    let hash = world.engine.upload(&world.viewer(Who::Otto), bytes).await.unwrap();
    EvidenceFile { hash, name: name("input") }
}

#[tokio::test]
async fn the_brief_gives_its_figures_and_leaves_open_what_it_does_not_say() {
    let world = World::new().await;
    let file = uploaded(&world, "brief.zh.txt").await;
    let brief = world.engine.brief_from(&world.viewer(Who::Rita), &file).await.unwrap();
    assert_eq!(brief.usage, Estimate::known(Use::OnlineInference));
    assert_eq!(brief.model.parameters_b, Estimate::known(number("70")));
    assert_eq!(brief.model.precision, Estimate::known(Precision::Fp8));
    assert_eq!(brief.model.vram_per_card_gib, Estimate::known(number("80")));
    assert_eq!(brief.targets.peak_concurrency, Estimate::known(64));
    assert_eq!(brief.targets.context_tokens, Estimate::known(8_192));
    let latency = Estimate::range(number("500"), number("1500")).unwrap();
    assert_eq!(brief.targets.latency_ms, latency);
    assert_eq!(brief.cards.total, Estimate::known(8));
    assert_eq!(brief.cards.substitutes, [name("A100 80GB"), name("H200")]);
    assert_eq!(brief.interconnect.between_nodes, Estimate::known(Fabric::None));
    assert!(matches!(brief.interconnect.bandwidth_gbit_s, Estimate::Tbd { .. }));
    assert!(matches!(brief.environment.image, Estimate::Tbd { .. }));
    assert_eq!(brief.storage.volume_gib, Estimate::known(number("1024")));
    assert_eq!(brief.term.start, Estimate::known(day("2026-03-01")));
    assert_eq!(brief.term.months, Estimate::known(12));
    assert_eq!(brief.region, Estimate::known(name("华东")));
}

#[tokio::test]
async fn a_quote_gives_its_prices_and_answers() {
    let world = World::new().await;
    let paul = world.viewer(Who::Paul);
    let file = uploaded(&world, "quote.starsea.csv").await;
    let quote = world.engine.quote_from(&paul, &file).await.unwrap();
    assert_eq!((quote.currency, quote.valid_until), (Currency::Cny, day("2026-03-31")));
    assert!(quote.tax_included);
    assert_eq!(quote.tax.value(), number("6"));
    let reserved = QuoteLine {
        card: name("H100 80GB"),
        unit_price: number("9858.00"),
        unit: PriceUnit::CardMonth,
        cards: 8,
        basis: PriceBasis::Reserved,
        list_price: Some(number("12322.50")),
    };
    let on_demand = QuoteLine {
        unit_price: number("18.55"),
        unit: PriceUnit::CardHour,
        cards: 1,
        basis: PriceBasis::OnDemand,
        list_price: None,
        ..reserved.clone()
    };
    assert_eq!(quote.lines, [reserved, on_demand]);
    assert_eq!(quote.answers.len(), Question::ALL.len());

    let units =
        [("yunfeng", "13.78", PriceUnit::CardHour), ("beichen", "100700.00", PriceUnit::CardYear)];
    for (supplier, price, unit) in units {
        let file = uploaded(&world, &format!("quote.{supplier}.csv")).await;
        let quote = world.engine.quote_from(&paul, &file).await.unwrap();
        assert_eq!((quote.lines[0].unit_price, quote.lines[0].unit), (number(price), unit));
    }
}

async fn reading(world: &World, path: &str) -> Reading {
    let file = uploaded(world, path).await;
    let otto = world.viewer(Who::Otto);
    let evidence = world.engine.evidence_from(&otto, file.clone()).await.unwrap();
    assert_eq!(evidence.file, file);
    assert!(evidence.complete && evidence.incomplete_because.is_none());
    assert!(evidence.reader_version > 0);
    evidence.reading
}

#[tokio::test]
async fn poc_evidence_is_recognised_by_its_content() {
    let world = World::new().await;
    let cards = CardsReading {
        names: vec![name("NVIDIA H100 80GB HBM3")],
        cards: 8,
        memory_mib: Some(number("81559")),
        driver: Some(name("550.90.07")),
        lost: 0,
        throttle_mask: Some(0x4),
        memory_growth_mib: Some(number("366")),
        power_limit_w: Some(number("700")),
        power_default_limit_w: Some(number("700")),
        pcie_generation: Some(5),
        pcie_generation_max: Some(5),
        pcie_width: Some(16),
        under_load: Some(true),
        ecc_uncorrected: Some(0),
        remap_pending: Some(false),
        remap_failure: Some(false),
        ..CardsReading::default()
    };
    let Reading::Cards(mut read) = reading(&world, "poc/starsea/nvidia-smi.csv").await else {
        panic!("it is an inventory");
    };
    let curve = std::mem::take(&mut read.memory_curve_mib);
    assert_eq!(read, cards);
    assert_eq!(curve.len(), 20, "one point a round");
    assert_eq!(curve[19] - curve[0], number("366"));
    let collective = CollectiveReading {
        ranks: Some(8),
        peak_gb_s: Some(number("475.2")),
        out_of_bounds: Some(0),
    };
    let path = "poc/starsea/all_reduce_perf.txt";
    assert_eq!(reading(&world, path).await, Reading::Collective(collective));
    let serving = ServingReading {
        issued: Some(1_000),
        completed: 1_000,
        first_token_p99_ms: Some(number("840.2")),
        per_token_p99_ms: Some(number("44.9")),
        output_tokens_s: Some(number("1951.963")),
        load: Some(RequestRate::Unlimited),
    };
    assert_eq!(reading(&world, "poc/starsea/vllm-serve.json").await, Reading::Serving(serving));

    // The third one throttled and lost requests.
    let Reading::Cards(throttled) = reading(&world, "poc/beichen/nvidia-smi.csv").await else {
        panic!("it is an inventory");
    };
    assert_eq!(throttled.throttle_mask, Some(0x4c));
    let Reading::Serving(serving) = reading(&world, "poc/beichen/vllm-serve.json").await else {
        panic!("it is a serving benchmark");
    };
    assert_eq!((serving.issued, serving.completed), (Some(1_000), 971));
}

#[tokio::test]
async fn a_file_cut_short_is_evidence_that_says_so() {
    let world = World::new().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/demo/input");
    let whole = std::fs::read(folder.join("poc/starsea/all_reduce_perf.txt")).unwrap();
    let file = stored(&world, whole[..whole.len() * 3 / 4].to_vec()).await;
    let evidence = world.engine.evidence_from(&world.viewer(Who::Otto), file).await.unwrap();
    assert!(!evidence.complete);
    assert!(evidence.incomplete_because.is_some());
}

#[tokio::test]
async fn usage_and_bill_give_hours_and_amounts_over_their_periods() {
    let world = World::new().await;
    let fiona = world.viewer(Who::Fiona);
    let file = uploaded(&world, "operation/usage.starsea.week12.json").await;
    let usage = Usage {
        from: time("2026-03-16T00:00:00Z"),
        until: time("2026-03-23T00:00:00Z"),
        cards: 8,
        busy_card_hours: number("1125"),
        used_card_hours: number("735.95"),
        idle_card_hours: number("216"),
        unknown_card_hours: number("3"),
    };
    assert_eq!(world.engine.usage_from(&fiona, &file).await.unwrap(), usage);
    let file = uploaded(&world, "operation/bill.starsea.csv").await;
    let bill = Bill {
        from: time("2026-03-01T00:00:00Z"),
        until: time("2026-04-01T00:00:00Z"),
        currency: Currency::Cny,
        billed: number("78864"),
        tax: number("4464"),
        card_hours: Some(number("5952")),
    };
    assert_eq!(world.engine.bill_from(&fiona, &file).await.unwrap(), bill);
}

fn code<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    let error = answer.unwrap_err();
    assert!(matches!(error, Error::Import(_)), "{error:?}");
    error.code()
}

#[tokio::test]
async fn a_file_of_another_kind_is_refused_with_a_code() {
    let world = World::new().await;
    let paul = world.viewer(Who::Paul);
    let quote = uploaded(&world, "quote.starsea.csv").await;
    let brief = uploaded(&world, "brief.zh.txt").await;
    let engine = &world.engine;
    assert_eq!(code(engine.brief_from(&paul, &quote).await), "not_this_kind");
    assert_eq!(code(engine.usage_from(&paul, &quote).await), "not_this_kind");
    assert_eq!(code(engine.bill_from(&paul, &quote).await), "not_this_kind");
    assert_eq!(code(engine.quote_from(&paul, &brief).await), "not_this_kind");
    let noise = stored(&world, vec![0, 159, 146, 150]).await;
    assert_eq!(code(engine.quote_from(&paul, &noise).await), "not_this_kind");
    assert_eq!(code(engine.evidence_from(&paul, noise).await), "unrecognised");
    let nothing = stored(&world, Vec::new()).await;
    assert!(matches!(engine.evidence_from(&paul, nothing).await, Err(Error::Import(_))));
}

#[tokio::test]
async fn a_readable_file_that_says_nothing_about_a_machine_is_no_poc_evidence() {
    let world = World::new().await;
    let quote = uploaded(&world, "quote.starsea.csv").await;
    let error = world.engine.evidence_from(&world.viewer(Who::Otto), quote).await.unwrap_err();
    assert_eq!(error.code(), "import_value");
    assert!(error.to_string().contains("is a quote"), "{error}");
}

#[tokio::test]
async fn a_value_that_the_product_does_not_keep_is_refused_by_name() {
    let world = World::new().await;
    let lines = "row,key,value,unit,quantity,note\n\
                 quote,supplier,Example,,,\n\
                 quote,currency,XXX,,,\n\
                 quote,valid_until,2026-03-31,,,\n\
                 quote,tax_included,yes,,,\n\
                 quote,tax_percent,6,,,\n\
                 line,H100 80GB,9858.00,card-month,8,reserved: one year\n";
    let file = stored(&world, lines.into()).await;
    let error = world.engine.quote_from(&world.viewer(Who::Paul), &file).await.unwrap_err();
    assert!(matches!(error, Error::ImportValue(_)), "{error:?}");
    assert!(error.to_string().contains("XXX"), "{error}");
}

#[tokio::test]
async fn reading_a_file_is_for_those_who_may_upload_one() {
    let world = World::new().await;
    let quote = uploaded(&world, "quote.starsea.csv").await;
    for who in [Who::Aldo, Who::Ada, Who::Nils] {
        let answer = world.engine.quote_from(&world.viewer(who), &quote).await;
        assert!(matches!(answer, Err(Error::Forbidden)), "{who:?}");
    }
}
