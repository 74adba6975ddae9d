//! Commands over the API: carried out once, repeated safely, and refused when they come too late.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn a_command_is_seen_in_the_state_that_follows_it() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Inference for support").await;
    let member = json!({ "procurementId": id, "personId": world.person("outsider").id });
    let query = "mutation($input: MemberInput!) { addMember(input: $input) {
        position revision repeated userErrors { code }
        procurement { id title stage phase revision position members { id name } } } }";
    let mut input = member.clone();
    input["commandId"] = json!(world.fresh());
    let variables = json!({ "input": input });
    let answer = world.api.graphql(world.token("requester"), query, variables).await;
    let payload = &answer.body["data"]["addMember"];
    assert_eq!(payload["userErrors"], json!([]), "{answer:?}");
    assert_eq!(payload["repeated"], false);
    let procurement = &payload["procurement"];
    assert_eq!(procurement["revision"], payload["revision"]);
    assert_eq!(procurement["position"], payload["position"]);
    assert_eq!(procurement["stage"], "NEEDS");
    assert_eq!(procurement["phase"], "ACTIVE");
    let names: Vec<&Value> =
        procurement["members"].as_array().unwrap().iter().map(|member| &member["name"]).collect();
    assert!(names.contains(&&json!("Zhou Hang")), "{names:?}");

    let seen = format!("{{ procurement(id: \"{id}\") {{ title revision position }} }}");
    let seen = world.ask("outsider", &seen).await;
    assert_eq!(seen["procurement"]["title"], "Inference for support");
    assert_eq!(seen["procurement"]["position"], payload["position"]);
}

#[tokio::test]
async fn a_repeated_command_answers_what_it_answered_first() {
    let world = World::open().await;
    let opening = json!({ "commandId": world.fresh(), "title": "Once only" });
    let first = world.command("requester", "openProcurement", opening.clone()).await;
    assert_eq!(first["repeated"], false);
    world.open_procurement("requester", "Something in between").await;
    let again = world.command("requester", "openProcurement", opening).await;
    assert_eq!(again["repeated"], true);
    assert_eq!((&again["position"], &again["revision"]), (&first["position"], &first["revision"]));
    let board = world.ask("requester", "{ board { totalCount } }").await;
    assert_eq!(board["board"]["totalCount"], 2);
}

#[tokio::test]
async fn commands_of_every_kind_of_thing_can_be_repeated() {
    let world = World::open().await;
    let supplier = world.register_supplier("Starsea").await;
    let shipped = world.ask("admin", "{ policies { document } }").await;
    let mut document = shipped["policies"][0]["document"].clone();
    document["version"] = json!(2);
    let commands = [
        ("requester", "openProcurement", json!({ "title": "A" })),
        ("procurement", "registerSupplier", json!({ "name": "B", "contact": "C" })),
        ("procurement", "withdrawSupplier", json!({ "supplierId": supplier, "reason": "merged" })),
        (
            "manager",
            "setPreferences",
            json!({ "personId": world.person("manager").id, "locale": "EN", "zone": "Asia/Tokyo" }),
        ),
        ("admin", "publishPolicy", json!({ "document": document, "reason": "yearly review" })),
    ];
    for (who, mutation, mut input) in commands {
        input["commandId"] = json!(world.fresh());
        let first = world.command(who, mutation, input.clone()).await;
        let again = world.command(who, mutation, input).await;
        assert_eq!((&first["repeated"], &again["repeated"]), (&json!(false), &json!(true)));
        assert_eq!(first["position"], again["position"], "{mutation}");
    }
}

#[tokio::test]
async fn a_command_id_is_not_taken_for_other_input() {
    let world = World::open().await;
    let command = world.fresh();
    let input = |title: &str| json!({ "commandId": command, "title": title });
    world.command("requester", "openProcurement", input("The first")).await;
    let refused = world.refused("requester", "openProcurement", input("The second")).await;
    assert_eq!(refused["code"], "command_id_reused");
    // Somebody else's command of the same words is another command.
    let refused = world.refused("procurement", "openProcurement", input("The first")).await;
    assert_eq!(refused["code"], "command_id_reused");
    let supplier = json!({ "commandId": command, "name": "Starsea", "contact": "Wang Ke" });
    let refused = world.refused("procurement", "registerSupplier", supplier).await;
    assert_eq!(refused["code"], "command_id_reused");
    let token = json!({
        "commandId": command, "personId": world.person("legal").id, "label": "second",
    });
    let payload = world.send("admin", "issueToken", token).await;
    assert_eq!(payload["secret"], Value::Null);
    assert_eq!(payload["userErrors"][0]["code"], "command_id_reused");
}

#[tokio::test]
async fn a_command_decided_on_an_old_revision_is_refused() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Seen too early").await;
    let hold = |revision: u64| json!({ "procurementId": id, "expectedRevision": revision, "reason": "no budget yet" });
    let refused = world.refused("manager", "hold", hold(7)).await;
    assert_eq!(refused["code"], "revision_changed");
    let held = world.command("manager", "hold", hold(1)).await;
    assert_eq!(held["revision"], 2);
    let resume = json!({ "procurementId": id, "expectedRevision": 1 });
    assert_eq!(world.refused("manager", "resume", resume).await["code"], "revision_changed");
    // A new thing has no revision that anybody could have seen.
    let opening = json!({ "title": "New", "expectedRevision": 1 });
    let refused = world.refused("requester", "openProcurement", opening).await;
    assert_eq!(refused["code"], "revision_changed");
    let opening = json!({ "title": "New", "expectedRevision": 0 });
    world.command("requester", "openProcurement", opening).await;
}

#[tokio::test]
async fn concurrent_commands_on_one_thing_are_all_carried_out_once() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Busy").await;
    let commands: Vec<String> = (0..24).map(|_| world.fresh()).collect();
    let sending = commands.iter().map(|command| {
        let brief = crate::story::brief(command);
        let input = json!({ "commandId": command, "procurementId": id, "brief": brief });
        world.command("requester", "recordBrief", input)
    });
    let done = futures_util::future::join_all(sending).await;
    let mut revisions: Vec<u64> =
        done.iter().map(|payload| payload["revision"].as_u64().unwrap()).collect();
    revisions.sort_unstable();
    assert_eq!(revisions, (2..26).collect::<Vec<u64>>());
    // The same id sent by many at once is one command.
    let twin = json!({ "commandId": world.fresh(), "procurementId": id, "reason": "later" });
    let sending = (0..8).map(|_| world.command("manager", "hold", twin.clone()));
    let done = futures_util::future::join_all(sending).await;
    let first = done.iter().filter(|payload| payload["repeated"] == false);
    assert_eq!(first.count(), 1);
    assert!(done.iter().all(|payload| payload["position"] == done[0]["position"]), "{done:?}");
}
