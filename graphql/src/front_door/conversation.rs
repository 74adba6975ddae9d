//! One open socket, from the first message to the last.
//!
//! The rule: nothing runs before the client has said who it is, and the house is asked again
//! whether this viewer is still welcome before each operation, each event and at each heartbeat;
//! the answer no closes the socket without sending what was about to be sent.
//! It deliberately keeps no state beyond the socket: a client that comes back starts anew.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::Executor;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use axum::http::StatusCode;
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::answer::Problem;
use super::body::{self, Envelope, Weighed};
use super::messages::{self, Closing, Incoming};
use super::operations::{Operations, Outcome};
use super::shield::is_refused;
use super::{Door, Front, entry};

/// How long the other side may take to answer a close before the connection is dropped.
const FAREWELL: Duration = Duration::from_secs(1);

enum End {
    Gone,
    Close(Closing),
}

impl From<Closing> for End {
    fn from(closing: Closing) -> Self {
        Self::Close(closing)
    }
}

struct Conversation<D: Door, E> {
    front: Arc<Front<D, E>>,
    socket: WebSocket,
    /// Whether anything arrived since the last heartbeat.
    heard: bool,
}

pub(super) async fn converse<D: Door, E: Executor>(
    front: Arc<Front<D, E>>,
    socket: WebSocket,
    known: Option<D::Viewer>,
) {
    let mut conversation = Conversation { front, socket, heard: true };
    let Err(end) = conversation.hold(known).await;
    if let End::Close(closing) = end
        && conversation.send(closing.message()).await.is_ok()
    {
        // Leaving unread bytes behind would reset the connection and lose the close frame.
        let quiet = async { while let Some(Ok(_)) = conversation.socket.recv().await {} };
        let _ = timeout(FAREWELL, quiet).await;
    }
}

impl<D: Door, E: Executor> Conversation<D, E> {
    async fn hold(&mut self, known: Option<D::Viewer>) -> Result<Infallible, End> {
        let patience = self.front.options.sockets.init_timeout;
        let viewer =
            timeout(patience, self.greet(known)).await.map_err(|_| Closing::INIT_TIMEOUT)??;
        self.send(messages::acknowledged()).await?;

        let mut operations = Operations::default();
        let pause = self.front.options.sockets.heartbeat;
        let mut heartbeat = interval_at(Instant::now() + pause, pause);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                incoming = self.receive() => {
                    if let Some(incoming) = incoming? {
                        self.accept(incoming, &viewer, &mut operations).await?;
                    }
                }
                (id, outcome) = operations.next() => {
                    self.push(&id, outcome, &viewer, &mut operations).await?;
                }
                _ = heartbeat.tick() => self.beat(&viewer).await?,
            }
        }
    }

    async fn greet(&mut self, known: Option<D::Viewer>) -> Result<D::Viewer, End> {
        loop {
            match self.receive().await? {
                Some(Incoming::ConnectionInit { payload }) => {
                    return introduce(&*self.front.door, payload, known).await;
                }
                Some(Incoming::Subscribe { .. }) => return Err(Closing::UNAUTHORIZED.into()),
                Some(Incoming::Ping) => self.send(messages::pong()).await?,
                Some(Incoming::Complete { .. } | Incoming::Pong) | None => {}
            }
        }
    }

    async fn accept(
        &mut self,
        incoming: Incoming,
        viewer: &D::Viewer,
        operations: &mut Operations,
    ) -> Result<(), End> {
        match incoming {
            Incoming::ConnectionInit { .. } => Err(Closing::SECOND_INIT.into()),
            Incoming::Subscribe { id, payload } => {
                self.begin(id, payload, viewer, operations).await
            }
            Incoming::Complete { id } => {
                operations.end(&id);
                Ok(())
            }
            Incoming::Ping => self.send(messages::pong()).await,
            Incoming::Pong => Ok(()),
        }
    }

    async fn begin(
        &mut self,
        id: String,
        envelope: Envelope,
        viewer: &D::Viewer,
        operations: &mut Operations,
    ) -> Result<(), End> {
        if operations.holds(&id) {
            return Err(Closing::ID_IN_USE.into());
        }
        require_welcome(&*self.front.door, viewer).await?;
        let most = self.front.options.sockets.operations_per_socket;
        if operations.count() >= most {
            let message = format!("this socket already has {most} open operations");
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "socket_full", message);
            return self.send(messages::error(&id, &problem.errors())).await;
        }
        match body::weigh(envelope, &self.front.options.limits) {
            Ok(weighed) => {
                operations.begin(id, self.events(weighed, viewer.clone()));
                Ok(())
            }
            Err(refusal) => {
                let problem = Problem::from(refusal);
                self.send(messages::error(&id, &problem.errors())).await
            }
        }
    }

    /// A subscription streams; anything else takes a place like a request over HTTP and ends
    /// after one answer.
    fn events(
        &self,
        weighed: Weighed,
        viewer: D::Viewer,
    ) -> stream::BoxStream<'static, Result<async_graphql::Response, Problem>> {
        let front = self.front.clone();
        if weighed.kinds.only_subscriptions() {
            return front.execution.events(weighed.request, viewer);
        }
        let answer = async move {
            let deadline = front.execution.deadline();
            let mut answers = front.execution.run(vec![weighed], &viewer, deadline).await?;
            Ok(answers.pop().expect("one request gives one answer"))
        };
        stream::once(answer).boxed()
    }

    async fn push(
        &mut self,
        id: &str,
        outcome: Outcome,
        viewer: &D::Viewer,
        operations: &mut Operations,
    ) -> Result<(), End> {
        require_welcome(&*self.front.door, viewer).await?;
        let message = match outcome {
            Outcome::Event(response) if is_refused(&response) => {
                operations.end(id);
                messages::error(id, &json!(response.errors))
            }
            Outcome::Event(response) => messages::next(id, &response),
            Outcome::Failed(problem) => messages::error(id, &problem.errors()),
            Outcome::Done => messages::complete(id),
        };
        self.send(message).await
    }

    async fn beat(&mut self, viewer: &D::Viewer) -> Result<(), End> {
        if !self.heard {
            return Err(Closing::SILENT.into());
        }
        self.heard = false;
        require_welcome(&*self.front.door, viewer).await?;
        self.send(Message::Ping(Bytes::new())).await
    }

    /// The next message of the protocol, or `None` for the frames below it.
    async fn receive(&mut self) -> Result<Option<Incoming>, End> {
        let message = match self.socket.recv().await {
            None => return Err(End::Gone),
            Some(Err(_)) => return Err(Closing::TOO_LARGE.into()),
            Some(Ok(message)) => message,
        };
        self.heard = true;
        match message {
            Message::Text(text) => Ok(Some(messages::read(&text, &self.front.options.limits)?)),
            Message::Binary(_) => Err(Closing::UNREADABLE.into()),
            Message::Ping(_) | Message::Pong(_) => Ok(None),
            Message::Close(_) => Err(End::Gone),
        }
    }

    /// A client that does not read for too long is gone.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        let patience = self.front.options.sockets.send_timeout;
        match timeout(patience, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Gone),
        }
    }
}

/// A token in the first message outweighs the one of the upgrade; a wrong one is never covered up
/// by the other.
async fn introduce<D: Door>(
    door: &D,
    payload: Option<Map<String, Value>>,
    known: Option<D::Viewer>,
) -> Result<D::Viewer, End> {
    let viewer = match payload.as_ref().and_then(|payload| payload.get("token")) {
        Some(Value::String(token)) => entry::viewer_of(door, token).await,
        Some(_) => None,
        None => known,
    };
    viewer.ok_or(End::Close(Closing::UNAUTHORIZED))
}

async fn require_welcome<D: Door>(door: &D, viewer: &D::Viewer) -> Result<(), End> {
    if door.still_welcome(viewer).await { Ok(()) } else { Err(Closing::FORBIDDEN.into()) }
}
