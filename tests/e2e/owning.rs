//! Owning or renting, and the base with the burst: from the shell and over the API.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::commands_refused::sign_and_advance;
use crate::process::{Ran, run};
use crate::story;
use crate::world::World;

/// A published study: 833 806 for a machine that costs 0.87 an hour to run, against 98.32 to rent.
const STUDY: &str = r#"
currency = "USD"
billing = "always"
vat_recoverable = true
operations_team = true
card = "NVIDIA H100 80GB HBM3"

[inputs]
nodes = 1
cards_per_node = 8
hours_a_day = 24
need_months = { low = "20", high = "36" }
demand_variation_percent = 5
node_price = 833806
spare_percent = 0
maintenance_percent = 0
residual_percent = 0
lead_months = 0
load_percent = 0
host_watts = 0
tariff = 0
rack_month = "635.10"
own_labour_month = 0
own_loss_month = 0
rent_price = "12.29"
rent_egress_month = 0
rent_storage_month = 0
rent_labour_month = 0
rent_migration = 0
rent_loss_month = 0
"#;

fn asked(command: &str, files: &[(&str, &str)], more: &[&str]) -> Ran {
    let directory: TempDir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(directory.path().join(name), content).unwrap();
    }
    let file = directory.path().join(Path::new(files[0].0));
    run(&[&[command, file.to_str().unwrap()], more].concat())
}

fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn a_study_breaks_even_where_its_readers_computed_it() {
    let ran = asked("own-or-rent", &[("study.toml", STUDY)], &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answer = ran.json();
    let even = &answer["against_renting"]["own"]["month"]["middle"];
    assert_eq!(even["is"], "month");
    assert!((number(&even["month"]) * 730.0 - 8_556.2).abs() < 0.1, "{even}");
    assert_eq!(answer["cheapest"], "own");
    assert_eq!(answer["question"]["inputs"]["card_watts"], json!({ "known": "700" }));
    let missing =
        json!(["base_nodes", "burst_card_hours_month", "burst_price", "burst_other_month"]);
    assert_eq!(answer["outcomes"]["hybrid"], json!({ "unknown": missing }));
    let assumed: Vec<_> = answer["assumed"].as_array().unwrap().iter().map(|row| &row[0]).collect();
    assert!(assumed.contains(&&json!("pue")), "{assumed:?}");
}

#[test]
fn the_answer_reads_in_both_languages() {
    let english = asked("own-or-rent", &[("study.toml", STUDY)], &[]).output;
    for told in ["from month 11.7 on", "[speaks for owning]", "missing: machines of the base"] {
        assert!(english.contains(told), "{told}: {english}");
    }
    let chinese = asked("own-or-rent", &[("study.toml", STUDY)], &["--locale", "zh-CN"]).output;
    for told in ["自第11.7个月起", "支持自购", "缺少：基线机器数"] {
        assert!(chinese.contains(told), "{told}: {chinese}");
    }
    assert!(!english.contains('{') && !chinese.contains('{'), "a figure was not filled in");
}

#[test]
fn what_is_not_a_figure_is_refused_with_its_name() {
    for (from, to, told) in [
        ("\"635.10\"", "635.10", "rack_month"),
        ("hours_a_day = 24", "hours_a_day = 25", "hours_a_day"),
        ("nodes = 1\n", "machines = 1\n", "machines"),
        ("H100 80GB HBM3", "ABACUS", "ABACUS"),
    ] {
        let ran = asked("own-or-rent", &[("study.toml", &STUDY.replacen(from, to, 1))], &[]);
        assert_eq!(ran.code, Some(2), "{told}: {ran:?}");
        assert!(ran.errors.contains(told), "{ran:?}");
    }
    let blank = "currency = \"CNY\"\nbilling = \"used\"\nvat_recoverable = true\n[inputs]\n";
    let ran = asked("own-or-rent", &[("blank.toml", blank)], &[]);
    assert_eq!(ran.code, Some(2), "nothing could be priced: {ran:?}");
}

const RESERVE: &str = r#"
currency = "CNY"
on_demand_price = "2"
hours_file = "hours.csv"

[[tiers]]
name = "one year"
price = "1"
term_months = 12
"#;

#[test]
fn a_file_of_hours_says_how_many_cards_to_reserve() {
    let files = [("reserve.toml", RESERVE), ("hours.csv", "cards\n1\n3\n2\n4\n")];
    let answer = asked("reserve", &files, &["--json"]).json();
    assert_eq!((&answer["best"]["cards"], &answer["best"]["total"]), (&json!(2), &json!("14")));
    assert_eq!(number(&answer["saving_on_demand"]), 30.0);
    let english = asked("reserve", &files, &[]).output;
    for told in
        ["Reserve 2 of at most 4 cards", "2 cards of one year at 1", "12.5 % of the whole peak"]
    {
        assert!(english.contains(told), "{told}: {english}");
    }
    let chinese = asked("reserve", &files, &["--locale", "zh-CN"]).output;
    assert!(chinese.contains("预留2卡（峰值4卡）"), "{chinese}");
    let gap = [files[0], ("hours.csv", "2026-01-05T08:00,3\n2026-01-05T10:00,3\n")];
    let ran = asked("reserve", &gap, &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("line 2"), "{ran:?}");
}

#[tokio::test]
async fn the_api_prices_what_it_can_and_names_what_is_missing() {
    let world = World::open().await;
    let query = "query($input: OwnOrRentInput!) { ownOrRent(input: $input) {
        options { choice missing total { low high } line { month middle } }
        cheapest rules { rule verdict text(language: ZH_CN) read { field value threshold } }
        assumed { input row source } } }";
    let variables = json!({ "input": story::owning() });
    let answer = world.api.graphql(world.token("finance"), query, variables).await;
    let answer = &answer.body["data"]["ownOrRent"];
    let of = |choice: &str| {
        let options = answer["options"].as_array().unwrap();
        options.iter().find(|option| option["choice"] == choice).unwrap().clone()
    };
    // 12 × (2 880 × 10 + 1 400) + 5 000
    assert_eq!(number(&of("RENT")["total"]["low"]), 367_400.0);
    assert_eq!(of("RENT")["line"].as_array().unwrap().len(), 13);
    assert_eq!(of("OWN")["total"], Value::Null);
    assert!(of("OWN")["missing"].as_array().unwrap().contains(&json!("RACK_MONTH")));
    let rules = answer["rules"].as_array().unwrap();
    let team = rules.iter().find(|rule| rule["rule"] == "NO_OPERATIONS_TEAM").unwrap();
    assert_eq!((&team["verdict"], &team["read"][0]["value"]), (&json!("RENTING"), &json!("false")));

    let query = "{ baseAndBurst(input: { currency: CNY, onDemandPrice: \"2\", hours: [1, 3, 2, 4],
        tiers: [{ name: \"year\", price: \"1\" }] }) {
        best { cards total } duration { hours cards } steadiness advice } }";
    let answer = &world.ask("finance", query).await["baseAndBurst"];
    assert_eq!(answer["best"]["cards"], 2);
    assert_eq!(answer["duration"][0], json!({ "hours": 1, "cards": 4 }));
    assert_eq!(answer["steadiness"], "CANNOT_TELL");
}

#[tokio::test]
async fn the_budget_shows_the_comparison_it_was_decided_by() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Own or rent").await;
    let choose = |choice: &str| {
        let mut input = story::chosen(choice);
        input["procurementId"] = json!(id);
        input
    };
    let early = world.refused("finance", "compareOwning", choose("RENT")).await;
    assert_eq!(early["code"], "wrong_stage", "{early}");
    world.fill_needs("requester", &id).await;
    sign_and_advance(&world, &id).await;
    let unknown = world.refused("finance", "compareOwning", choose("OWN")).await;
    assert!(unknown["message"].as_str().unwrap().contains("rack_month"), "{unknown}");
    world.command("finance", "compareOwning", choose("RENT")).await;
    let query = format!(
        "{{ procurement(id: \"{id}\") {{ budget {{ compared {{ chosen reason breakEvenMonth
           totals {{ choice low }} computed event {{ position }} }} }} }} }}"
    );
    let compared = &world.ask("requester", &query).await["procurement"]["budget"]["compared"];
    assert_eq!(compared["chosen"], "RENT");
    assert_eq!(number(&compared["totals"][0]["low"]), 367_400.0);
    assert_eq!(
        (&compared["breakEvenMonth"], &compared["computed"]),
        (&Value::Null, &json!("CANNOT_TELL"))
    );
    assert!(compared["event"]["position"].is_u64());
}
