//! `GET /graphql/ws`: decides whether a connection may become a socket.
//!
//! The rule: origin, token (when one is sent this early) and the number of open sockets are judged
//! before the upgrade, and the bounds on messages are set with it.
//! It deliberately does not require the header token, because browsers cannot send one here;
//! without it the first message must carry the token.

use std::sync::Arc;

use async_graphql::Executor;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::answer::Problem;
use super::conversation::converse;
use super::messages::PROTOCOL;
use super::{Door, Front, entry};

pub(super) async fn upgrade<D: Door, E: Executor>(
    State(front): State<Arc<Front<D, E>>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    open(front, &headers, upgrade).await.unwrap_or_else(Problem::into_response)
}

async fn open<D: Door, E: Executor>(
    front: Arc<Front<D, E>>,
    headers: &HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    entry::check_origin(headers, &front.options.allowed_origins)?;
    let upgrade = upgrade.map_err(|_| not_a_socket("this address only opens WebSockets"))?;
    if !upgrade.requested_protocols().any(|protocol| protocol == PROTOCOL) {
        return Err(not_a_socket("ask for the WebSocket protocol graphql-transport-ws"));
    }
    let known = match headers.contains_key(header::AUTHORIZATION) {
        true => Some(entry::viewer(&*front.door, headers).await?),
        false => None,
    };
    let place = front.sockets.clone().try_acquire_owned().map_err(|_| Problem::busy())?;
    let bytes = front.options.sockets.message_bytes;
    let response =
        upgrade.max_message_size(bytes).max_frame_size(bytes).protocols([PROTOCOL]).on_upgrade(
            move |socket| async move {
                let _place = place;
                converse(front, socket, known).await;
            },
        );
    Ok(response)
}

fn not_a_socket(message: &'static str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "socket_refused", message)
}
