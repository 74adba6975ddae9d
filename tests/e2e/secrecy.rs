//! What somebody may not see looks exactly like what does not exist.

use serde_json::{Value, json};

use crate::sdl;
use crate::story;
use crate::world::World;

/// An id of the same kind that nothing has.
fn absent(id: &str) -> String {
    id.replace("5e1ec7ed", "0dd0dd0d")
}

#[tokio::test]
async fn a_foreign_procurement_looks_like_none() {
    let world = World::open().await;
    let foreign = world.open_procurement("requester", "None of your business").await;
    world.fill_needs("requester", &foreign).await;
    let ways = [
        "{ procurement(id: \"%\") { id title history { nodes { data } } } }",
        "{ procurement(id: \"%\", asOf: { position: 20 }) { id } }",
        "{ procurement(id: \"%\", asOf: { time: \"2100-01-01T00:00:00Z\" }) { id } }",
        "{ node(id: \"%\") { id } }",
        "{ node(id: \"%\") { ... on Procurement { title reminders { key } } } }",
    ];
    let token = world.token("outsider");
    for way in ways {
        let there = world.api.graphql(token, &way.replace('%', &foreign), json!({})).await;
        let nowhere =
            world.api.graphql(token, &way.replace('%', &absent(&foreign)), json!({})).await;
        assert_eq!(there, nowhere, "{way}");
        assert!(there.body["data"].as_object().unwrap().values().all(Value::is_null), "{there:?}");
    }
    let lists = "{ board { totalCount nodes { id } } inbox { totalCount nodes { title } } }";
    let seen = world.ask("outsider", lists).await;
    let nothing = json!({ "totalCount": 0, "nodes": [] });
    assert_eq!(seen, json!({ "board": nothing, "inbox": nothing }));
    let everybody =
        ["people { nodes { id } }", "suppliers { nodes { id } }", "policies { document }"];
    for list in everybody {
        let seen = world.ask("outsider", &format!("{{ {list} }}")).await.to_string();
        assert!(!seen.contains("None of your business"), "{seen}");
    }
}

#[tokio::test]
async fn every_command_about_a_foreign_procurement_answers_as_if_there_were_none() {
    let world = World::open().await;
    let foreign = world.open_procurement("requester", "None of your business").await;
    let inputs = crate::access_commands::inputs(&world, &foreign).await;
    let mut asked = 0;
    for mutation in sdl::fields("Mutation") {
        let mut there = inputs[mutation].clone();
        if there.get("procurementId").is_none() {
            continue;
        }
        there["commandId"] = json!(world.fresh());
        there.as_object_mut().unwrap().remove("expectedRevision");
        let mut nowhere = there.clone();
        nowhere["procurementId"] = json!(absent(&foreign));
        let there = world.send("outsider", mutation, there).await;
        assert_eq!(there["userErrors"][0]["code"], "not_found", "{mutation}: {there}");
        assert_eq!(there, world.send("outsider", mutation, nowhere).await, "{mutation}");
        asked += 1;
    }
    assert!(asked > 30, "{asked}");
    let payload = "mutation($input: ReasonInput!) { hold(input: $input) {
        procurement { id } position revision userErrors { code message path } } }";
    let hold = |id: &str| {
        json!({ "input": {
            "commandId": world.fresh(), "procurementId": id, "reason": "curious",
        }})
    };
    let token = world.token("outsider");
    let there = world.api.graphql(token, payload, hold(&foreign)).await;
    assert_eq!(there, world.api.graphql(token, payload, hold(&absent(&foreign))).await);
    let seen = world.ask("manager", "{ board { nodes { revision } } }").await;
    assert_eq!(seen["board"]["nodes"][0]["revision"], 1, "nothing was carried out");
}

#[tokio::test]
async fn a_member_who_leaves_sees_nothing_from_then_on() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "For a while").await;
    let member = json!({ "procurementId": id, "personId": world.person("outsider").id });
    let seen = format!("{{ procurement(id: \"{id}\") {{ id }} board {{ totalCount }} }}");
    world.command("requester", "addMember", member.clone()).await;
    assert_eq!(world.ask("outsider", &seen).await["board"]["totalCount"], 1);
    world.command("requester", "removeMember", member).await;
    let nothing = json!({ "procurement": null, "board": { "totalCount": 0 } });
    assert_eq!(world.ask("outsider", &seen).await, nothing);
}

#[tokio::test]
async fn the_audit_trail_is_for_those_who_audit_and_shows_no_secret() {
    let world = World::open().await;
    let trail = "{ auditTrail(first: 100) { nodes { position kind data } } }";
    for who in ["requester", "procurement", "finance", "legal", "operations"] {
        assert_eq!(world.error(who, trail).await, "not_found", "{who}");
    }
    let seen = world.ask("auditor", trail).await;
    let events = seen["auditTrail"]["nodes"].as_array().unwrap();
    let issued: Vec<&Value> =
        events.iter().filter(|event| event["kind"] == "person.token_issued").collect();
    assert_eq!(issued.len(), world.people.len());
    for event in issued {
        assert!(
            event["data"]["token"].is_string() && event["data"]["label"].is_string(),
            "{event}"
        );
        assert!(!event.to_string().contains("hash"), "{event}");
    }
    let text = seen.to_string();
    for person in &world.people {
        assert!(!text.contains(&person.token), "a secret is in the log");
    }
}

#[tokio::test]
async fn addresses_and_tokens_of_colleagues_are_private() {
    let world = World::open().await;
    let people = "{ people { nodes { id name mail tokens { id } } } }";
    for (who, all) in [("requester", false), ("manager", false), ("admin", true), ("auditor", true)]
    {
        let seen = world.ask(who, people).await;
        for person in seen["people"]["nodes"].as_array().unwrap() {
            let visible = all || person["id"] == world.person(who).id.as_str();
            assert_eq!(person["mail"].is_string(), visible, "{who}: {person}");
            assert_eq!(person["tokens"] != json!([]), visible, "{who}: {person}");
            assert!(person["name"].is_string());
        }
    }
}

#[tokio::test]
async fn an_evidence_file_of_a_foreign_procurement_looks_like_none() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "With a file").await;
    let token = world.token("requester");
    let file = world.api.upload(token, "brief.zh.txt", &story::file("brief.zh.txt")).await;
    let brief = json!({ "procurementId": id, "file": file });
    world.command("requester", "recordBrief", brief).await;
    let path = format!("/evidence/{}", file["hash"].as_str().unwrap());
    let nowhere = format!("/evidence/{}", "0".repeat(64));
    for (who, status) in [("requester", 200), ("auditor", 200), ("outsider", 404)] {
        let answer = world.api.get(&path).bearer_auth(world.token(who)).send().await.unwrap();
        assert_eq!(answer.status(), status, "{who}");
    }
    let mut answers = Vec::new();
    for path in [&path, &nowhere, &"/evidence/no-hash".to_owned()] {
        let request = world.api.get(path).bearer_auth(world.token("outsider"));
        let answer = request.send().await.unwrap();
        let mut headers = answer.headers().clone();
        headers.remove("date");
        answers.push((answer.status(), headers, answer.text().await.unwrap()));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}
