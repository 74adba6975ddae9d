//! Who may read what: a table of every query by every function, over the API.
//!
//! A query that the schema has and the table does not know fails the test: nothing is readable
//! before somebody has said by whom.

use std::collections::BTreeSet;

use serde_json::json;

use crate::api;
use crate::sdl;
use crate::world::{FUNCTIONS, World};

/// `allowed`, `null` or an error's code. The requester is a member of nothing but their own
/// procurement; `…, foreign` asks for another one.
const TABLE: &str = "
field                 requester  procurement  finance    legal      operations  manager  auditor  admin
me                    allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
node                  allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
node,foreign          null       allowed      allowed    allowed    allowed     allowed  allowed  allowed
board                 allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
procurement           allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
procurement,foreign   null       allowed      allowed    allowed    allowed     allowed  allowed  allowed
inbox                 allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
suppliers             allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
people                allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
policies              allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
priceIndex            allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
mailRoom              not_found  allowed      not_found  not_found  not_found   not_found  allowed  allowed
auditTrail            not_found  not_found    not_found  not_found  not_found   allowed  allowed  allowed
ownOrRent             allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
baseAndBurst          allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
health                allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
text                  allowed    allowed      allowed    allowed    allowed     allowed  allowed  allowed
";

/// A question after the field; ids go where `%` is.
fn question(probe: &str) -> &'static str {
    match probe {
        "me" => "{ me { id } }",
        "node" | "node,foreign" => "{ node(id: \"%\") { id } }",
        "board" => "{ board { nodes { id } } }",
        "procurement" | "procurement,foreign" => "{ procurement(id: \"%\") { id } }",
        "inbox" => "{ inbox { nodes { title } } }",
        "suppliers" => "{ suppliers { nodes { id } } }",
        "people" => "{ people { nodes { id } } }",
        "policies" => "{ policies { version } }",
        "priceIndex" => "{ priceIndex(card: \"H20\") { card } }",
        "mailRoom" => "{ mailRoom { relay waiting } }",
        "auditTrail" => "{ auditTrail { nodes { kind } } }",
        "ownOrRent" => {
            "{ ownOrRent(input: { currency: CNY, billing: USED, vatRecoverable: true, inputs: [] }) {
                certain } }"
        }
        "baseAndBurst" => {
            "{ baseAndBurst(input: { currency: CNY, onDemandPrice: \"2\", tiers: [], hours: [1] }) {
                hours } }"
        }
        "health" => "{ health { position } }",
        "text" => "{ text(key: \"stage.needs\") }",
        other => panic!("nobody has said who may read `{other}`: add it to this table"),
    }
}

fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    TABLE.trim().lines().map(|line| line.split_whitespace().collect())
}

#[tokio::test]
async fn every_query_answers_every_function_as_the_table_says() {
    assert_eq!(rows().next().unwrap()[1..], FUNCTIONS);
    let known: BTreeSet<&str> =
        rows().skip(1).map(|row| row[0].split(',').next().unwrap()).collect();
    let present: BTreeSet<&str> = sdl::fields("Query").into_iter().collect();
    assert_eq!(known, present, "the table must know exactly the queries of the schema");

    let world = World::open().await;
    let own = world.open_procurement("requester", "Own").await;
    let foreign = world.open_procurement("procurement", "Foreign").await;
    let mut wrong = Vec::new();
    for row in rows().skip(1) {
        let (probe, expected) = (row[0], &row[1..]);
        let id = if probe.ends_with(",foreign") { &foreign } else { &own };
        let query = question(probe).replace('%', id);
        let field = probe.split(',').next().unwrap();
        for (function, expected) in FUNCTIONS.into_iter().zip(expected) {
            let answer = world.api.graphql(world.token(function), &query, json!({})).await;
            let found = match (api::code(&answer.body), &answer.body["data"][field]) {
                (Some(code), _) => code,
                (None, value) if value.is_null() => "null",
                (None, _) => "allowed",
            };
            if found != *expected {
                wrong.push(format!("{probe} by {function}: {found} instead of {expected}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[tokio::test]
async fn an_auditor_sees_all_and_an_outsider_nothing_of_it() {
    let world = World::open().await;
    for who in ["requester", "procurement"] {
        world.open_procurement(who, "Somebody's").await;
    }
    let board = "{ board { totalCount } }";
    for function in &FUNCTIONS[1..] {
        let seen = world.ask(function, board).await;
        assert_eq!(seen["board"]["totalCount"], 2, "{function}");
    }
    assert_eq!(world.ask("requester", board).await["board"]["totalCount"], 1);
    assert_eq!(world.ask("outsider", board).await["board"]["totalCount"], 0);
}

#[tokio::test]
async fn somebody_without_any_function_sees_themselves_at_most() {
    let world = World::open().await;
    world.open_procurement("requester", "Somebody's").await;
    let nobody = world.register("nobody", "Zhao Min", &[], "EN").await;
    let board = world.api.ask(&nobody.token, "{ board { totalCount } }").await;
    assert_eq!(board["board"]["totalCount"], 0);
    for query in
        ["{ suppliers { totalCount } }", "{ people { totalCount } }", "{ policies { version } }"]
    {
        assert_eq!(world.api.error(&nobody.token, query).await, "not_found", "{query}");
    }
}
