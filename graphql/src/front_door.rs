//! The HTTP front door: everything a request passes before it reaches the schema.
//!
//! The rule: origin, media type and token are judged from the headers alone, then the body is
//! read within its bound, then the guard weighs each document, and only then does the schema run,
//! in one of a bounded number of places and within a time limit.
//!
//! ```text
//! POST /graphql     origin 403 · media type 415 · token 401 · place 503 · body 413 · guard 400 · run
//! GET  /graphql/ws  origin 403 · upgrade 400 · token 401 or close 4401 · guard per message · run
//! GET  /health      200, for whoever watches the process
//! ```
//!
//! It deliberately has no GET queries, no uploads, no cookies and no CORS answers: the allow-list
//! names the public origins of this house when a proxy changes `Host`, it does not open the door
//! to pages of other sites.

mod answer;
mod body;
mod conversation;
mod entry;
mod execution;
mod messages;
mod operations;
mod post;
mod shield;
mod socket;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Executor, ObjectType, Schema, SubscriptionType};
use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tokio::sync::Semaphore;

use crate::guard::Limits;
use answer::Problem;
use execution::Execution;

/// What the front door asks the house about the people who knock.
#[async_trait]
pub trait Door: Send + Sync + 'static {
    type Viewer: Clone + Send + Sync + 'static;

    /// `None` means an unknown, expired or revoked token; the three must look the same.
    async fn viewer(&self, token: &str) -> Option<Self::Viewer>;

    /// Asked for each operation, each pushed event and each heartbeat of an open socket.
    async fn still_welcome(&self, viewer: &Self::Viewer) -> bool;

    /// What whoever watches the process is told; without any detail, since everybody may ask.
    fn health(&self) -> String {
        "ok\n".to_owned()
    }

    /// Names one internal failure: the client gets the name, the log gets the detail.
    fn incident(&self) -> String {
        format!("{:016x}", RandomState::new().build_hasher().finish())
    }
}

#[derive(Debug, Clone)]
pub struct Options {
    pub limits: Limits,
    /// Origins such as `https://sixgate.example` that count as our own besides `Host`.
    pub allowed_origins: Vec<String>,
    /// From the first header to the answer, reading the body included.
    pub request_timeout: Duration,
    /// Documents that run at the same time; eight times as many requests may wait for a place.
    pub concurrent_requests: usize,
    pub sockets: SocketOptions,
}

#[derive(Debug, Clone)]
pub struct SocketOptions {
    pub open_sockets: usize,
    pub operations_per_socket: usize,
    pub message_bytes: usize,
    /// How long a new socket may take to say who it is.
    pub init_timeout: Duration,
    /// A socket that stays silent for two of these is closed.
    pub heartbeat: Duration,
    /// How long a client may leave one message unread.
    pub send_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            allowed_origins: Vec::new(),
            request_timeout: Duration::from_secs(30),
            concurrent_requests: 64,
            sockets: SocketOptions::default(),
        }
    }
}

impl Default for SocketOptions {
    fn default() -> Self {
        Self {
            open_sockets: 1_000,
            operations_per_socket: 20,
            message_bytes: 64 * 1024,
            init_timeout: Duration::from_secs(10),
            heartbeat: Duration::from_secs(30),
            send_timeout: Duration::from_secs(10),
        }
    }
}

/// What all routes share.
struct Front<D, E> {
    door: Arc<D>,
    options: Options,
    execution: Execution<D, E>,
    waiting: Semaphore,
    sockets: Arc<Semaphore>,
}

impl<D: Door, E: Executor> Front<D, E> {
    fn new(door: Arc<D>, executor: E, options: Options) -> Self {
        let places = options.concurrent_requests.clamp(1, Semaphore::MAX_PERMITS / 8);
        let sockets = options.sockets.open_sockets.min(Semaphore::MAX_PERMITS);
        Self {
            execution: Execution::new(door.clone(), executor, places, options.request_timeout),
            door,
            waiting: Semaphore::new(places * 8),
            sockets: Arc::new(Semaphore::new(sockets)),
            options,
        }
    }
}

pub fn router<D, Q, M, S>(door: Arc<D>, schema: Schema<Q, M, S>, options: Options) -> Router
where
    D: Door,
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
    S: SubscriptionType + 'static,
{
    let front = Arc::new(Front::new(door, schema, options));
    Router::new()
        .route("/graphql", post(post::answer).fallback(only_post))
        .route("/graphql/ws", get(socket::upgrade).fallback(only_get))
        .route("/health", get(health))
        .with_state(front)
        .layer(map_response(sealed))
}

/// Who sends this request, by its bearer token; the response is the refusal to send back.
/// Routes outside of GraphQL, such as uploads, use it so that there is one way in.
pub async fn authenticate<D: Door>(door: &D, headers: &HeaderMap) -> Result<D::Viewer, Response> {
    entry::viewer(door, headers).await.map_err(Problem::into_response)
}

/// Keeps answers out of caches and out of the hands of browsers that guess types.
async fn sealed(mut response: Response) -> Response {
    answer::seal(response.headers_mut());
    response
}

async fn health<D: Door, E: Executor>(State(front): State<Arc<Front<D, E>>>) -> Response {
    (StatusCode::OK, front.door.health()).into_response()
}

async fn only_post() -> Problem {
    Problem::method_not_allowed("POST")
}

async fn only_get() -> Problem {
    Problem::method_not_allowed("GET")
}
