//! A client of the `graphql-transport-ws` protocol.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// Far longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Socket {
    pub(crate) async fn connect(address: &str) -> Self {
        let mut request = format!("ws://{address}/graphql/ws").into_client_request().unwrap();
        let protocol = "graphql-transport-ws".parse().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", protocol);
        Self(connect_async(request).await.unwrap().0)
    }

    /// A socket on which somebody has said who they are.
    pub(crate) async fn greeted(address: &str, token: &str) -> Self {
        let mut socket = Self::connect(address).await;
        let init = json!({ "type": "connection_init", "payload": { "token": token } });
        socket.say(&init).await;
        assert_eq!(socket.hear().await, json!({ "type": "connection_ack" }));
        socket
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    pub(crate) async fn subscribe(&mut self, id: &str, query: &str) {
        self.say(&json!({ "type": "subscribe", "id": id, "payload": { "query": query } })).await;
    }

    /// A query over the socket: what was said before it has been taken up once it is answered.
    pub(crate) async fn ask(&mut self, query: &str) -> Value {
        self.subscribe("asked", query).await;
        let answer = self.hear().await;
        assert_eq!(answer["id"], "asked", "{answer}");
        assert_eq!(self.hear().await, json!({ "type": "complete", "id": "asked" }));
        answer["payload"].clone()
    }

    pub(crate) async fn hear(&mut self) -> Value {
        loop {
            match self.next().await {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other @ (Message::Binary(_) | Message::Close(_) | Message::Frame(_)) => {
                    panic!("expected a message, got {other}")
                }
            }
        }
    }

    /// The code with which the server closes; any message before it fails the test.
    pub(crate) async fn closed(&mut self) -> u16 {
        loop {
            match self.next().await {
                Message::Close(frame) => return frame.unwrap().code.into(),
                Message::Ping(_) | Message::Pong(_) => {}
                other @ (Message::Text(_) | Message::Binary(_) | Message::Frame(_)) => {
                    panic!("expected a close, got {other}")
                }
            }
        }
    }

    async fn next(&mut self) -> Message {
        tokio::time::timeout(PATIENCE, self.0.next()).await.unwrap().unwrap().unwrap()
    }
}
