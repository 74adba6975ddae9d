//! Commands that are not carried out: why, where, and who can help, in the viewer's language.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::story;
use crate::world::World;

#[tokio::test]
async fn a_request_without_a_valid_token_is_not_answered() {
    let world = World::open().await;
    let query = json!({ "query": "{ me { name } }" });
    let without = world.api.post("/graphql").json(&query).send().await.unwrap();
    assert_eq!(without.status(), 401);
    let body: Value = without.json().await.unwrap();
    assert_eq!(crate::api::code(&body), Some("unauthenticated"));
    let wrong = world.api.graphql("not-a-token", "{ me { name } }", json!({})).await;
    assert_eq!((wrong.status, &wrong.body), (401, &body));

    let token = world.token("legal").to_owned();
    let person = json!({ "personId": world.person("legal").id });
    world.command("admin", "deactivatePerson", person).await;
    let gone = world.api.graphql(&token, "{ me { name } }", json!({})).await;
    assert_eq!((gone.status, gone.body), (401, body));
}

#[tokio::test]
async fn values_that_cannot_be_are_refused_in_the_language_of_the_viewer() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Wrong values").await;
    let estimate = json!({ "known": "1", "tbd": "later" });
    let mut sizing = story::sizing(&id);
    sizing["kvKibPerToken"] = estimate;
    let mut percent = story::sizing(&id);
    percent["usablePercent"] = json!("140");
    let mut brief = story::brief("He Jia");
    brief["model"]["precision"] = json!({ "known": "fp0" });
    let cases = [
        ("openProcurement", json!({ "title": "" })),
        ("openProcurement", json!({ "title": "two\nlines" })),
        ("openProcurement", json!({ "title": "x".repeat(100_000) })),
        ("recordSizing", sizing),
        ("recordSizing", percent),
        ("recordBrief", json!({ "procurementId": id, "brief": brief })),
        ("recordBrief", json!({ "procurementId": id })),
        ("addMember", json!({ "procurementId": id, "personId": id })),
        ("hold", json!({ "procurementId": id, "reason": " " })),
    ];
    for (mutation, input) in cases {
        let chinese = world.refused("requester", mutation, input.clone()).await;
        // The manager may not record a brief; a member who reads English may.
        let member = json!({ "procurementId": id, "personId": world.person("outsider").id });
        world.send("requester", "addMember", member).await;
        let english = world.refused("outsider", mutation, input).await;
        for refused in [&chinese, &english] {
            assert_eq!(refused["code"], "invalid_value", "{mutation}: {refused}");
            assert_eq!(refused["path"][0], "input", "{mutation}: {refused}");
        }
        let (chinese, english) =
            (chinese["message"].as_str().unwrap(), english["message"].as_str().unwrap());
        assert!(has_chinese(chinese), "{mutation}: {chinese}");
        assert!(!has_chinese(english) && english.contains(' '), "{mutation}: {english}");
        assert!(english.len() < 1_000, "{mutation}: the refused value is repeated at length");
    }
    let board = world.ask("manager", "{ board { nodes { revision } } }").await;
    assert_eq!(board["board"]["nodes"], json!([{ "revision": 2 }]), "only the member was added");
}

#[tokio::test]
async fn a_token_for_longer_than_dates_reach_is_refused() {
    let world = World::open().await;
    for days in [u32::MAX, 2_000_000_000, 100_000_000, 3_661, 0] {
        let issue = json!({
            "commandId": world.fresh(), "personId": world.person("legal").id, "label": "long",
            "days": days,
        });
        let query = "mutation($input: IssueTokenInput!) {
            issueToken(input: $input) { secret userErrors { code } } }";
        let variables = json!({ "input": issue });
        let answer = world.api.graphql(world.token("admin"), query, variables).await;
        let payload = &answer.body["data"]["issueToken"];
        assert_eq!(payload["secret"], Value::Null, "{days}: {answer:?}");
        assert_eq!(payload["userErrors"][0]["code"], "invalid_value", "{days}: {answer:?}");
    }
}

#[tokio::test]
async fn advancing_too_early_lists_everything_that_blocks_and_who_can_meet_it() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Too early").await;
    let advance = json!({ "procurementId": id });
    let chinese = world.refused("procurement", "advance", advance.clone()).await;
    let english = world.refused("manager", "advance", advance.clone()).await;
    assert_eq!(
        (&chinese["code"], &english["code"]),
        (&json!("gate_closed"), &json!("gate_closed"))
    );

    let gate = format!(
        "{{ procurement(id: \"{id}\") {{ gate {{ open criteria {{ id met canBeMetBy }}
         signOffs {{ function signed }} blockers {{ criterion reason canBeMetBy }} }} }} }}"
    );
    let seen = world.ask("manager", &gate).await;
    let gate = &seen["procurement"]["gate"];
    assert_eq!(gate["open"], false);
    assert_eq!(english["blockers"], gate["blockers"]);
    let unmet = gate["criteria"].as_array().unwrap().iter().filter(|c| c["met"] == false);
    let unsigned = gate["signOffs"].as_array().unwrap().iter().filter(|s| s["signed"] == false);
    let expected: BTreeSet<String> = unmet
        .map(|criterion| criterion["id"].as_str().unwrap().to_owned())
        .chain(unsigned.map(|sign_off| {
            let function = sign_off["function"].as_str().unwrap().to_lowercase();
            format!("needs.sign_off.{function}")
        }))
        .collect();
    assert!(expected.len() >= 10, "{expected:?}");
    for refused in [&chinese, &english] {
        let blockers = refused["blockers"].as_array().unwrap();
        let listed: BTreeSet<String> =
            blockers.iter().map(|b| b["criterion"].as_str().unwrap().to_owned()).collect();
        assert_eq!(listed, expected);
        assert_eq!(blockers.len(), listed.len());
        assert!(blockers.iter().all(|b| !b["canBeMetBy"].as_array().unwrap().is_empty()));
    }
    let reason = |refused: &Value| refused["blockers"][0]["reason"].as_str().unwrap().to_owned();
    assert!(has_chinese(&reason(&chinese)) && !has_chinese(&reason(&english)));

    world.fill_needs("requester", &id).await;
    let refused = world.refused("manager", "advance", advance.clone()).await;
    let left: Vec<&Value> =
        refused["blockers"].as_array().unwrap().iter().map(|b| &b["criterion"]).collect();
    assert_eq!(left, [&json!("needs.sign_off.requester"), &json!("needs.sign_off.procurement")]);
    sign_and_advance(&world, &id).await;
}

/// The rest of the way through the first gate.
pub(crate) async fn sign_and_advance(world: &World, id: &str) {
    let version = format!("{{ procurement(id: \"{id}\") {{ gate {{ version }} }} }}");
    let member = json!({ "procurementId": id, "personId": world.person("outsider").id });
    world.command("requester", "addMember", member).await;
    // Nobody signs what only they entered, so another member signs for the requesters.
    for (who, function) in [("outsider", "REQUESTER"), ("procurement", "PROCUREMENT")] {
        let seen = world.ask(who, &version).await;
        let version = seen["procurement"]["gate"]["version"].clone();
        let sign = json!({ "procurementId": id, "function": function, "version": version });
        world.command(who, "signOff", sign).await;
    }
    world.command("procurement", "advance", json!({ "procurementId": id })).await;
    let stage = format!("{{ procurement(id: \"{id}\") {{ stage passedStages {{ stage }} }} }}");
    let seen = world.ask("manager", &stage).await;
    assert_eq!(seen["procurement"]["stage"], "BUDGET");
    assert_eq!(seen["procurement"]["passedStages"], json!([{ "stage": "NEEDS" }]));
}

fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}
