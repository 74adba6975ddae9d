//! `GET /graphql/ws`, message by message.
//!
//! The rule: every close is asserted by its code, and what must not arrive is asserted by what
//! arrives in its place.
//! It deliberately uses no GraphQL client library, so that it can break the protocol.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sixgate_graphql::front_door::{Options, SocketOptions};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::world::{World, bombs};

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

const PROTOCOL: (&str, &str) = ("sec-websocket-protocol", "graphql-transport-ws");

async fn connect(world: &World, headers: &[(&'static str, &str)]) -> Result<Client, u16> {
    let mut request = format!("ws://{}/graphql/ws", world.address).into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((stream, _)) => Ok(Client(stream)),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

impl Client {
    async fn greeted(world: &World) -> Self {
        let mut client = connect(world, &[PROTOCOL]).await.ok().unwrap();
        client
            .say(&json!({ "type": "connection_init", "payload": { "token": "token-of-ada" } }))
            .await;
        assert_eq!(client.hear().await, json!({ "type": "connection_ack" }));
        client
    }

    async fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    async fn subscribe(&mut self, id: &str, query: &str) {
        self.say(&json!({ "type": "subscribe", "id": id, "payload": { "query": query } })).await;
    }

    async fn hear(&mut self) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other @ (Message::Binary(_) | Message::Close(_) | Message::Frame(_)) => {
                    panic!("expected a message, got {other}")
                }
            }
        }
    }

    /// The code of the close; any message before it fails the test.
    async fn closed(&mut self) -> u16 {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Close(frame) => return frame.unwrap().code.into(),
                Message::Ping(_) | Message::Pong(_) => {}
                other @ (Message::Text(_) | Message::Binary(_) | Message::Frame(_)) => {
                    panic!("expected a close, got {other}")
                }
            }
        }
    }

    async fn is_alive(&mut self) {
        self.subscribe("alive", "{ viewer }").await;
        let expected =
            json!({ "id": "alive", "type": "next", "payload": { "data": { "viewer": "ada" } } });
        assert_eq!(self.hear().await, expected);
        assert_eq!(self.hear().await, json!({ "id": "alive", "type": "complete" }));
    }
}

fn code(message: &Value) -> (&str, &str) {
    assert_eq!(message["type"], "error", "{message}");
    let code = message["payload"][0]["extensions"]["code"].as_str().unwrap_or("none");
    (message["id"].as_str().unwrap(), code)
}

#[tokio::test]
async fn events_are_pushed_until_the_client_has_enough() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    client.subscribe("e", "subscription { events }").await;
    world.house.begun.notified().await;
    for event in [7, 8] {
        world.house.events.send(event).unwrap();
        assert_eq!(client.hear().await["payload"]["data"]["events"], event);
    }
    client.say(&json!({ "type": "complete", "id": "e" })).await;
    client.is_alive().await;
    assert_eq!(world.house.events.receiver_count(), 0, "the stream was dropped");
}

#[tokio::test]
async fn a_finite_subscription_completes_and_a_ping_is_answered() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    client.say(&json!({ "type": "ping", "payload": { "x": 1 } })).await;
    assert_eq!(client.hear().await, json!({ "type": "pong" }));
    client.subscribe("t", "subscription { three }").await;
    for number in 1..=3 {
        assert_eq!(client.hear().await["payload"]["data"]["three"], number);
    }
    assert_eq!(client.hear().await, json!({ "id": "t", "type": "complete" }));
}

#[tokio::test]
async fn a_connection_is_judged_before_it_becomes_a_socket() {
    let sockets = SocketOptions { open_sockets: 1, ..SocketOptions::default() };
    let world = World::with(Options { sockets, ..Options::default() }).await;
    let own = format!("http://{}", world.address);
    let refused = |headers: Vec<(&'static str, String)>| {
        let world = &world;
        async move {
            let headers: Vec<_> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            connect(world, &headers).await.err()
        }
    };
    let protocol = (PROTOCOL.0, PROTOCOL.1.to_owned());
    let evil = ("origin", "https://evil.test".to_owned());
    assert_eq!(refused(vec![protocol.clone(), evil]).await, Some(403));
    assert_eq!(refused(vec![]).await, Some(400));
    assert_eq!(refused(vec![(PROTOCOL.0, "graphql-ws".to_owned())]).await, Some(400));
    let wrong = ("authorization", "Bearer wrong".to_owned());
    assert_eq!(refused(vec![protocol.clone(), wrong]).await, Some(401));
    let _open = connect(&world, &[PROTOCOL, ("origin", &own)]).await.ok().unwrap();
    assert_eq!(refused(vec![protocol]).await, Some(503));
}

#[tokio::test]
async fn a_token_in_the_header_is_enough_but_does_not_cover_a_wrong_one() {
    let world = World::open().await;
    let headers = [PROTOCOL, ("authorization", "Bearer token-of-ada")];
    let mut client = connect(&world, &headers).await.ok().unwrap();
    client.say(&json!({ "type": "connection_init" })).await;
    assert_eq!(client.hear().await, json!({ "type": "connection_ack" }));
    client.is_alive().await;
    for payload in [json!({ "token": "wrong" }), json!({ "token": 5 })] {
        let mut client = connect(&world, &headers).await.ok().unwrap();
        client.say(&json!({ "type": "connection_init", "payload": payload })).await;
        assert_eq!(client.closed().await, 4401);
    }
}

#[tokio::test]
async fn a_socket_that_breaks_the_protocol_is_closed() {
    let world = World::open().await;
    let subscribe = json!({ "type": "subscribe", "id": "a", "payload": { "query": "{ viewer }" } });
    for (first, code) in [
        (json!({ "type": "connection_init" }).to_string(), 4401),
        (json!({ "type": "connection_init", "payload": { "token": "x" } }).to_string(), 4401),
        (subscribe.to_string(), 4401),
        ("not json".to_owned(), 4400),
        ("[".repeat(2_000), 4400),
        (json!({ "type": "start", "id": "a" }).to_string(), 4400),
        (json!({ "type": "complete", "id": "a", "x": "x".repeat(70_000) }).to_string(), 1009),
    ] {
        let mut client = connect(&world, &[PROTOCOL]).await.ok().unwrap();
        client.0.send(Message::text(first.clone())).await.unwrap();
        assert_eq!(client.closed().await, code, "{}", &first[..first.len().min(60)]);
    }
    for (next, code) in [
        (Message::text(json!({ "type": "connection_init" }).to_string()), 4429),
        (Message::binary(vec![1, 2, 3]), 4400),
    ] {
        let mut client = Client::greeted(&world).await;
        client.0.send(next).await.unwrap();
        assert_eq!(client.closed().await, code);
    }
    let mut client = Client::greeted(&world).await;
    client.subscribe("same", "subscription { events }").await;
    client.subscribe("same", "subscription { events }").await;
    assert_eq!(client.closed().await, 4409);
}

#[tokio::test]
async fn a_socket_that_never_says_who_it_is_is_closed() {
    let world = World::open().await;
    let mut client = connect(&world, &[PROTOCOL]).await.ok().unwrap();
    tokio::time::pause();
    assert_eq!(client.closed().await, 4408);
}

#[tokio::test]
async fn bombs_over_a_socket_end_one_operation_only() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    for (bomb, expected) in bombs() {
        client.subscribe("bomb", &bomb).await;
        assert_eq!(code(&client.hear().await), ("bomb", expected));
        client.is_alive().await;
    }
    client.subscribe("b", "subscription { nothing }").await;
    assert_eq!(code(&client.hear().await), ("b", "query_invalid"));
    client.subscribe("b", "subscription { broken }").await;
    let broken = client.hear().await;
    assert!(!broken.to_string().contains("hunter2"), "{broken}");
    world.is_alive().await;
}

#[tokio::test]
async fn a_panic_ends_one_operation_only() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    client.subscribe("p", "{ panics }").await;
    assert_eq!(code(&client.hear().await), ("p", "internal"));
    client.is_alive().await;
}

#[tokio::test]
async fn a_socket_holds_a_bounded_number_of_operations() {
    let sockets = SocketOptions { operations_per_socket: 3, ..SocketOptions::default() };
    let world = World::with(Options { sockets, ..Options::default() }).await;
    let mut client = Client::greeted(&world).await;
    for id in ["1", "2", "3", "4"] {
        client.subscribe(id, "subscription { events }").await;
    }
    assert_eq!(code(&client.hear().await), ("4", "socket_full"));
    client.say(&json!({ "type": "complete", "id": "2" })).await;
    client.is_alive().await;
}

#[tokio::test]
async fn a_revoked_viewer_gets_no_further_event() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    client.subscribe("e", "subscription { events }").await;
    world.house.begun.notified().await;
    world.house.events.send(1).unwrap();
    assert_eq!(client.hear().await["payload"]["data"]["events"], 1);
    world.revoke("ada");
    world.house.events.send(2).unwrap();
    assert_eq!(client.closed().await, 4403);
}

#[tokio::test]
async fn a_revoked_viewer_starts_nothing() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    world.revoke("ada");
    client.subscribe("m", "mutation { count }").await;
    assert_eq!(client.closed().await, 4403);
    assert_eq!(world.house.commands.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_revoked_viewer_who_only_listens_is_closed_at_the_next_heartbeat() {
    let world = World::open().await;
    let mut client = Client::greeted(&world).await;
    world.revoke("ada");
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    assert_eq!(client.closed().await, 4403);
    assert!(start.elapsed() < Duration::from_secs(60), "before the second heartbeat");
}
