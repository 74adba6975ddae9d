//! What users read: each query, anything by its id, and the past as it stood.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn every_part_of_a_procurement_can_be_asked_for() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Everything").await;
    world.fill_needs("requester", &id).await;
    let parts = [
        "stageLabel(locale: EN) phaseLabel(locale: ZH_CN) phaseReason policyVersion endedAt",
        "opened { position at by { name } } stageEntered { position } members { id name }",
        "checklist { id label status statusLabel since because { position } reason evidence { at } }",
        "checklistCounts { met waived unmet notYetDue } waivers { criterion waiver { reason } }",
        "gate { stage open version criteria { id label met reason canBeMetBy } }",
        "needs { brief briefEvent { position } talkReasons sizing { fits requiredGib { high } } }",
        "needs { modelSizing { card fits widest high { cards scale link headroomPercent } }
           advice { rule severity fields reason severityLabel(locale: ZH_CN) }
           amendments { field estimate measured } briefChanges { field before after }
           said { field event { position } } }",
        "budget { plan { termMonths } costs { kind } missing totals { forTerm { low { amount } } } }",
        "shortlist { candidates { qualified score { mean } } } poc { finalists { promise } }",
        "negotiation { offers { form } awards { role } contracts { cards } scalingPlan { leadDays } }",
        "operation { usage { cards } bills { cardHours } incidents { id } outcome
           availability { availabilityPercent } firstReview reviews { quarter } }",
        "history { nodes { position index kind label at by { name } data } }",
        "reminders { key kind label due to firedAt letters { messageId status attempts } }",
    ];
    for part in parts {
        let query = format!("{{ procurement(id: \"{id}\") {{ {part} }} }}");
        let seen = world.ask("requester", &query).await;
        assert!(seen["procurement"].is_object(), "{part}");
    }
    let query = format!(
        "{{ procurement(id: \"{id}\") {{ checklist {{ id }} needs {{ sizing {{ fits }} brief }}
         budget {{ missing totals {{ forTerm {{ low {{ amount }} }} }} }} }} }}"
    );
    let seen = world.ask("requester", &query).await;
    let procurement = &seen["procurement"];
    assert_eq!(procurement["checklist"].as_array().unwrap().len(), 10);
    assert_eq!(procurement["needs"]["sizing"]["fits"], true);
    assert_eq!(procurement["needs"]["brief"]["contact"]["name"], json!({ "known": "He Jia" }));
    assert_eq!(procurement["budget"]["missing"].as_array().unwrap().len(), 6);
    assert_eq!(procurement["budget"]["totals"], Value::Null, "a partial sum is no total");
}

#[tokio::test]
async fn an_inbox_holds_what_waits_for_its_owner() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Waiting").await;
    let inbox = "{ inbox { totalCount nodes { procurementId title label
                 blocker { criterion canBeMetBy } since } } }";
    let seen = world.ask("requester", inbox).await;
    let tasks = seen["inbox"]["nodes"].as_array().unwrap();
    assert!(!tasks.is_empty());
    for task in tasks {
        assert_eq!(task["procurementId"], id.as_str());
        let functions = task["blocker"]["canBeMetBy"].as_array().unwrap();
        assert!(functions.contains(&json!("REQUESTER")), "{task}");
    }
    for who in ["outsider", "auditor", "legal"] {
        let seen = world.ask(who, inbox).await;
        assert_eq!(seen["inbox"]["totalCount"], 0, "{who}");
    }
    let hold = json!({ "procurementId": id, "reason": "no budget yet" });
    world.command("manager", "hold", hold).await;
    assert_eq!(world.ask("requester", inbox).await["inbox"]["totalCount"], 0);
}

#[tokio::test]
async fn anything_is_found_by_its_id() {
    let world = World::open().await;
    let procurement = world.open_procurement("requester", "By id").await;
    let supplier = world.register_supplier("Starsea").await;
    let person = world.person("manager").id.clone();
    let kinds = [(&procurement, "Procurement"), (&supplier, "Supplier"), (&person, "Person")];
    for (id, kind) in kinds {
        let query = format!("{{ node(id: \"{id}\") {{ __typename id }} }}");
        let seen = world.ask("requester", &query).await;
        assert_eq!(seen["node"], json!({ "__typename": kind, "id": id }));
    }
    let nobody = person.replace("5e1ec7ed", "00000000");
    let other_kind = person.replace("person", "supplier");
    for id in ["", "x", "procurement_", "notice_1", &nobody, &other_kind] {
        let query = format!("{{ node(id: \"{id}\") {{ id }} }}");
        assert_eq!(world.ask("requester", &query).await, json!({ "node": null }), "{id}");
    }
}

#[tokio::test]
async fn the_past_is_shown_as_it_stood() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "With a past").await;
    let hold = json!({ "procurementId": id, "reason": "no budget yet" });
    let held = world.command("manager", "hold", hold).await["position"].as_u64().unwrap();
    let resumed = world.command("manager", "resume", json!({ "procurementId": id })).await;
    let resumed = resumed["position"].as_u64().unwrap();
    let cancel = json!({ "procurementId": id, "reason": "bought elsewhere" });
    world.command("manager", "cancel", cancel).await;

    let history = format!(
        "{{ procurement(id: \"{id}\") {{ phase history {{ nodes {{ position kind at }} }} }} }}"
    );
    let seen = world.ask("requester", &history).await;
    assert_eq!(seen["procurement"]["phase"], "CANCELLED");
    let events = seen["procurement"]["history"]["nodes"].clone();
    let at = |position: u64| {
        let event = events.as_array().unwrap().iter().find(|event| event["position"] == position);
        event.unwrap()["at"].as_str().unwrap().to_owned()
    };
    let opened = events[0]["position"].as_u64().unwrap();
    let as_of = |as_of: String| {
        let world = &world;
        let query = format!(
            "{{ procurement(id: \"{id}\", asOf: {{ {as_of} }}) {{ phase revision position
             history {{ nodes {{ position }} }} }} }}"
        );
        async move { world.ask("requester", &query).await["procurement"].clone() }
    };
    let stood = [
        (opened, "ACTIVE", 1, opened),
        (held, "ON_HOLD", 2, held),
        (resumed - 1, "ON_HOLD", 2, held),
        (resumed, "ACTIVE", 3, resumed),
        (u64::from(u32::MAX), "CANCELLED", 4, resumed + 1),
    ];
    for (position, phase, revision, newest) in stood {
        let seen = as_of(format!("position: {position}")).await;
        assert_eq!((&seen["phase"], &seen["revision"]), (&json!(phase), &json!(revision)));
        assert_eq!(seen["position"], newest);
        let last = seen["history"]["nodes"].as_array().unwrap().last().unwrap();
        assert_eq!(last["position"], newest, "the history ends there, too");
    }
    for (position, phase) in [(held, "ON_HOLD"), (resumed, "ACTIVE")] {
        let seen = as_of(format!("time: \"{}\"", at(position))).await;
        assert_eq!(seen["phase"], phase);
    }
    assert_eq!(as_of(format!("position: {}", opened - 1)).await, Value::Null);
    assert_eq!(as_of("time: \"2001-01-01T00:00:00Z\"".to_owned()).await, Value::Null);
    let both = format!(
        "{{ procurement(id: \"{id}\", asOf: {{ position: 1, time: \"{}\" }}) {{ id }} }}",
        at(held)
    );
    assert!(
        world.api.graphql(world.token("requester"), &both, json!({})).await.body["errors"]
            .is_array()
    );
}
