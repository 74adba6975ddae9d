//! The total cost of ownership: from the shell and over the API, with the same figures.

use serde_json::{Value, json};

use crate::commands_refused::sign_and_advance;
use crate::process::{Ran, run};
use crate::world::World;

/// 8 cards × 730 hours × 12 months at 10.60 with 6 % VAT that is recovered, and 100 dollars a month
/// at 7: 700 800 and 8 400, and 20 % reserve on both: 851 040.
const COSTS: &str = r#"
currency = "CNY"
term_months = 12
reserve_percent = "20"
discount_rate_percent = "8"

[usage]
cards = 8
utilisation_percent = "50"
hours_per_month = "730"

[[rates]]
from = "USD"
rate = "7"
on = "2026-01-05"
source = "the bank"

[[costs.rental]]
name = "cards"
amount = "10.60"
currency = "CNY"
per = { is = "card_hour", cards = 8, hours_per_month = 730 }
vat = { is = "included", rate = "6", recoverable = true }
basis = "quote"

[[costs.network_egress]]
name = "egress"
amount = 100
currency = "USD"
per = { is = "month" }
basis = "last year"

[zero]
storage = "included"
operations_labour = "the supplier operates"
migration = "nothing to move"
failure_loss = "a trial"
"#;

fn asked(content: &str, more: &[&str]) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tco.toml");
    std::fs::write(&file, content).unwrap();
    run(&[&["tco", file.to_str().unwrap()], more].concat())
}

fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

fn near(value: &Value, wanted: f64) -> bool {
    (number(value) - wanted).abs() < 0.01
}

#[test]
fn a_file_of_costs_gives_the_figures_computed_by_hand() {
    let ran = asked(COSTS, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let figures = &ran.json()["figures"];
    for (place, wanted) in [
        ("/subtotal/low/amount", 709_200.0),
        ("/reserve/low/amount", 141_840.0),
        ("/total/high/amount", 851_040.0),
        ("/per_month/low/amount", 70_920.0),
        // Of 70 080 card-hours, half are useful.
        ("/per_useful_card_hour/low/amount", 24.29),
    ] {
        let found = figures.pointer(place).unwrap();
        assert!((number(found) - wanted).abs() < 0.01, "{place}: {found}");
    }
    assert!(number(&figures["present_value"]["low"]["amount"]) < 851_040.0);
}

#[test]
fn what_is_unknown_is_named_in_both_languages_and_gives_no_total() {
    let open = COSTS.replace("amount = \"10.60\"", "amount = { tbd = \"asked\" }");
    let ran = asked(&open, &[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.output.contains("cards: amount to be determined"), "{ran:?}");
    assert!(!ran.output.contains("total"), "{ran:?}");
    let chinese = asked(&open, &["--locale", "zh-CN"]).output;
    assert!(chinese.contains("cards：金额待定"), "{chinese}");
    let whole = asked(COSTS, &["--locale", "zh-CN"]).output;
    assert!(whole.contains("租金") || whole.contains("租赁"), "{whole}");
    assert!(!whole.contains('{') && !chinese.contains('{'), "a figure was not filled in");
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    for (from, to, told) in [
        ("\"10.60\"", "10.60", "amount"),
        ("hours_per_month = 730 }", "hours_per_month = 800 }", "hours_per_month"),
        ("term_months = 12", "term_months = 0", "term"),
        ("[zero]\n", "[zero]\nrental = \"free\"\n", "rental"),
        ("per = { is = \"month\" }", "per = { is = \"moon\" }", "moon"),
        ("rate = \"7\"", "rate = \"-7\"", "rates"),
    ] {
        let ran = asked(&COSTS.replacen(from, to, 1), &[]);
        assert_eq!(ran.code, Some(2), "{told}: {ran:?}");
        assert!(ran.errors.contains(told), "{told}: {ran:?}");
    }
}

#[test]
fn the_answer_is_drawn_where_it_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let picture = directory.path().join("tco.svg");
    let ran = asked(COSTS, &["--chart", picture.to_str().unwrap(), "--locale", "zh-CN"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("总拥有成本"), "{drawn}");
    let nowhere = asked(COSTS, &["--chart", "/nowhere/tco.svg"]);
    assert_eq!(nowhere.code, Some(2), "{nowhere:?}");
}

#[tokio::test]
async fn a_budget_shows_the_same_figures_and_what_moved_after_its_approval() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Total cost").await;
    world.fill_needs("requester", &id).await;
    sign_and_advance(&world, &id).await;
    let plan = json!({
        "procurementId": id, "termMonths": 12, "reservePercent": "20", "currency": "CNY",
        "rates": [{ "from": "USD", "rate": "7", "on": "2026-01-05", "source": "the bank" }],
    });
    world.command("finance", "planBudget", plan).await;
    let line = |name: &str, amount: &str, currency: &str, per: Value| {
        json!({ "name": name, "amount": { "known": amount }, "currency": currency, "per": per,
                "basis": "a quote" })
    };
    let hours = json!({ "cardHour": {
        "cards": { "known": "8" }, "hoursPerMonth": { "known": "730" },
    } });
    let mut rental = line("cards", "10.60", "CNY", hours);
    rental["vat"] = json!({ "ratePercent": "6", "included": true, "recoverable": true });
    let egress = line("egress", "100", "USD", json!({ "period": "MONTH" }));
    for (kind, lines) in [("RENTAL", [rental]), ("NETWORK_EGRESS", [egress])] {
        let cost = json!({ "procurementId": id, "kind": kind, "lines": lines });
        world.command("finance", "recordCost", cost).await;
    }
    for kind in ["STORAGE", "OPERATIONS_LABOUR", "MIGRATION", "FAILURE_LOSS"] {
        let cost = json!({ "procurementId": id, "kind": kind, "zeroBecause": "none" });
        world.command("finance", "recordCost", cost).await;
    }
    let query = format!(
        "{{ procurement(id: \"{id}\") {{ budget {{
            statement {{ unknown {{ label }} figures {{
                total {{ low {{ amount }} }} drivers {{ kind sharePercent }} cash {{ month }} }}
                kinds {{ kind lines {{ name factors {{ name low }} }} }} }}
            movedSinceApproval {{ label }} }} }} }}"
    );
    let budget = &world.ask("requester", &query).await["procurement"]["budget"];
    let figures = &budget["statement"]["figures"];
    assert!(near(&figures["total"]["low"]["amount"], 851_040.0), "{figures}");
    assert_eq!(figures["drivers"][0]["kind"], "RENTAL");
    assert_eq!(figures["cash"].as_array().unwrap().len(), 13);
    assert_eq!(budget["movedSinceApproval"], json!([]));
    let factors = &budget["statement"]["kinds"][0]["lines"][0]["factors"];
    assert_eq!(factors[1], json!({ "name": "CARDS", "low": "8" }));
}
