//! The messages of `graphql-transport-ws` and the reasons a socket is closed for.
//!
//! The rule: what cannot be read closes the socket, as the protocol asks; what can be read but is
//! not allowed ends one operation only.
//! It deliberately does not speak the older `graphql-ws` protocol.

use async_graphql::Response;
use axum::extract::ws::{CloseFrame, Message};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::body::{self, Envelope};
use crate::guard::Limits;

pub(super) const PROTOCOL: &str = "graphql-transport-ws";
/// Longer than any id a client library makes.
const OPERATION_ID_BYTES_MAX: usize = 128;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Incoming {
    ConnectionInit { payload: Option<Map<String, Value>> },
    Subscribe { id: String, payload: Envelope },
    Complete { id: String },
    Ping,
    Pong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Closing {
    code: u16,
    reason: &'static str,
}

impl Closing {
    pub(super) const TOO_LARGE: Self = Self::new(1009, "the message is too large or broken");
    pub(super) const SILENT: Self = Self::new(3008, "nothing was heard for too long");
    pub(super) const UNREADABLE: Self = Self::new(4400, "the message is not understood");
    pub(super) const UNAUTHORIZED: Self = Self::new(4401, "Unauthorized");
    pub(super) const FORBIDDEN: Self = Self::new(4403, "Forbidden");
    pub(super) const INIT_TIMEOUT: Self = Self::new(4408, "Connection initialisation timeout");
    pub(super) const ID_IN_USE: Self = Self::new(4409, "Subscriber already exists");
    pub(super) const SECOND_INIT: Self = Self::new(4429, "Too many initialisation requests");

    const fn new(code: u16, reason: &'static str) -> Self {
        Self { code, reason }
    }

    pub(super) fn message(self) -> Message {
        Message::Close(Some(CloseFrame { code: self.code, reason: self.reason.into() }))
    }
}

pub(super) fn read(text: &str, limits: &Limits) -> Result<Incoming, Closing> {
    body::measured(text.as_bytes(), limits).map_err(|_| Closing::UNREADABLE)?;
    let incoming = serde_json::from_str(text).map_err(|_| Closing::UNREADABLE)?;
    match &incoming {
        Incoming::Subscribe { id, .. } if id.len() > OPERATION_ID_BYTES_MAX => {
            Err(Closing::UNREADABLE)
        }
        Incoming::Subscribe { .. }
        | Incoming::ConnectionInit { .. }
        | Incoming::Complete { .. }
        | Incoming::Ping
        | Incoming::Pong => Ok(incoming),
    }
}

pub(super) fn acknowledged() -> Message {
    text(&json!({ "type": "connection_ack" }))
}

pub(super) fn pong() -> Message {
    text(&json!({ "type": "pong" }))
}

pub(super) fn next(id: &str, response: &Response) -> Message {
    text(&json!({ "id": id, "type": "next", "payload": response }))
}

pub(super) fn error(id: &str, errors: &Value) -> Message {
    text(&json!({ "id": id, "type": "error", "payload": errors }))
}

pub(super) fn complete(id: &str) -> Message {
    text(&json!({ "id": id, "type": "complete" }))
}

fn text(value: &Value) -> Message {
    Message::text(value.to_string())
}
