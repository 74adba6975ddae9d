//! Changes are pushed to those who may see them, and to nobody else.

use serde_json::{Value, json};

use crate::socket::Socket;
use crate::world::World;

const CHANGES: &str = "changes { position procurement { id title phase } }";

fn pushed(message: &Value) -> &Value {
    assert_eq!(message["type"], "next", "{message}");
    &message["payload"]["data"]["changes"]
}

#[tokio::test]
async fn a_change_is_pushed_to_a_member_and_not_to_others() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Watched").await;
    let address = &world.server.address;
    let mut member = Socket::greeted(address, world.token("requester")).await;
    let mut outsider = Socket::greeted(address, world.token("outsider")).await;
    for socket in [&mut member, &mut outsider] {
        socket.subscribe("all", &format!("subscription {{ {CHANGES} }}")).await;
        let one = CHANGES.replace("changes", &format!("changes(procurement: \"{id}\")"));
        socket.subscribe("one", &format!("subscription {{ {one} }}")).await;
        // Once a later question is answered, the subscriptions are there.
        socket.ask("{ me { name } }").await;
    }
    let hold = json!({ "procurementId": id, "reason": "no budget yet" });
    let held = world.command("manager", "hold", hold).await;
    let mut heard = Vec::new();
    for _ in 0..2 {
        let message = member.hear().await;
        let change = pushed(&message);
        assert_eq!(change["position"], held["position"]);
        assert_eq!(change["procurement"]["phase"], "ON_HOLD");
        heard.push(message["id"].as_str().unwrap().to_owned());
    }
    heard.sort();
    assert_eq!(heard, ["all", "one"]);

    // The first that the outsider hears of is a procurement of their own.
    let own = world.open_procurement("outsider", "Own").await;
    let message = outsider.hear().await;
    assert_eq!(message["id"], "all");
    assert_eq!(pushed(&message)["procurement"]["id"], own.as_str());

    // From the moment they are a member, they hear of this one, too.
    let add = json!({ "procurementId": id, "personId": world.person("outsider").id });
    world.command("requester", "addMember", add).await;
    for _ in 0..2 {
        assert_eq!(pushed(&outsider.hear().await)["procurement"]["id"], id.as_str());
    }
}

#[tokio::test]
async fn a_mutation_over_a_socket_is_the_same_command() {
    let world = World::open().await;
    let mut socket = Socket::greeted(&world.server.address, world.token("requester")).await;
    let command = world.fresh();
    let mutation = format!(
        "mutation {{ openProcurement(input: {{ commandId: \"{command}\", title: \"Via socket\" }})
         {{ position repeated userErrors {{ code }} }} }}"
    );
    let first = socket.ask(&mutation).await["data"]["openProcurement"].clone();
    assert_eq!(first["repeated"], false);
    let input = json!({ "commandId": command, "title": "Via socket" });
    let again = world.command("requester", "openProcurement", input).await;
    assert_eq!((&again["repeated"], &again["position"]), (&json!(true), &first["position"]));
}

#[tokio::test]
async fn a_socket_is_closed_to_strangers_and_to_those_who_were_sent_away() {
    let world = World::open().await;
    let address = &world.server.address;
    let mut stranger = Socket::connect(address).await;
    let init = json!({ "type": "connection_init", "payload": { "token": "not-a-token" } });
    stranger.say(&init).await;
    assert_eq!(stranger.closed().await, 4401);

    let mut legal = Socket::greeted(address, world.token("legal")).await;
    legal.ask("{ me { name } }").await;
    let person = json!({ "personId": world.person("legal").id });
    world.command("admin", "deactivatePerson", person).await;
    legal.subscribe("late", "{ me { name } }").await;
    let code = legal.closed().await;
    assert!(code == 4401 || code == 4403, "{code}");
}

#[tokio::test]
async fn a_subscription_to_what_is_no_procurement_is_refused() {
    let world = World::open().await;
    let mut socket = Socket::greeted(&world.server.address, world.token("requester")).await;
    let person = &world.person("manager").id;
    for id in [person.as_str(), "x"] {
        let query = format!("subscription {{ changes(procurement: \"{id}\") {{ position }} }}");
        socket.subscribe("wrong", &query).await;
        let message = socket.hear().await;
        assert_eq!(message["payload"]["errors"][0]["extensions"]["code"], "invalid_value");
        assert_eq!(message["payload"]["data"], Value::Null, "{message}");
        assert_eq!(socket.hear().await, json!({ "type": "complete", "id": "wrong" }));
        socket.ask("{ me { name } }").await;
    }
}
