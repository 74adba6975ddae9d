//! The toy house: one schema with a query, a list, a mutation and a subscription, and its tokens.
//!
//! The rule: everything a test waits for is a signal held here.
//! It deliberately has no rule of the real schema; only the door is under test.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_graphql::{Context, Error, ErrorExtensions as _, Object, Schema, Subscription};
use async_trait::async_trait;
use futures_util::Stream;
use serde_json::{Value, json};
use sixgate_graphql::front_door::{Door, Options, router};
use sixgate_graphql::guard::guarded;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore, broadcast};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person(pub(crate) String);

pub(crate) struct House {
    pub(crate) revoked: Mutex<HashSet<String>>,
    pub(crate) asked: AtomicUsize,
    pub(crate) commands: AtomicUsize,
    pub(crate) events: broadcast::Sender<i32>,
    /// Signalled when a subscription listens or a slow command has begun.
    pub(crate) begun: Notify,
    /// Signalled when a slow command has ended.
    pub(crate) done: Notify,
    /// One permit lets one slow command go on.
    pub(crate) gate: Semaphore,
}

#[async_trait]
impl Door for House {
    type Viewer = Person;

    async fn viewer(&self, token: &str) -> Option<Person> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let person = Person(token.strip_prefix("token-of-")?.to_owned());
        self.still_welcome(&person).await.then_some(person)
    }

    async fn still_welcome(&self, viewer: &Person) -> bool {
        !self.revoked.lock().unwrap().contains(&viewer.0)
    }

    fn incident(&self) -> String {
        "incident-1".to_owned()
    }
}

pub(crate) struct Query;
pub(crate) struct Mutation;
pub(crate) struct Feed;
pub(crate) struct Item;

#[Object]
impl Item {
    async fn name(&self) -> &str {
        "H100"
    }
    async fn items(&self) -> Vec<Item> {
        vec![Item, Item]
    }
}

#[Object]
impl Query {
    async fn viewer(&self, context: &Context<'_>) -> String {
        context.data_unchecked::<Person>().0.clone()
    }
    async fn length(&self, text: String) -> usize {
        text.len()
    }
    async fn day(&self, date: async_graphql::Json<Value>, zone: Option<zone::Zone>) -> bool {
        date.0.is_null() && zone.is_none()
    }
    async fn items(&self) -> Vec<Item> {
        vec![Item, Item]
    }
    async fn leaks(&self) -> Result<i32, Error> {
        let failed: Result<i32, SecretError> = Err(SecretError);
        Ok(failed?)
    }
    async fn uncoded(&self) -> Result<i32, Error> {
        Err(Error::new("the password is hunter2"))
    }
    async fn refuses(&self) -> Result<i32, Error> {
        Err(Error::new("no such thing").extend_with(|_, values| values.set("code", "not_found")))
    }
    async fn panics(&self) -> i32 {
        "not a number".parse().expect("the password is hunter2")
    }
    async fn never(&self) -> i32 {
        std::future::pending().await
    }
}

#[derive(Debug)]
struct SecretError;

impl std::fmt::Display for SecretError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the password is hunter2")
    }
}

#[Object]
impl Mutation {
    async fn count(&self, context: &Context<'_>) -> usize {
        context.data_unchecked::<Arc<House>>().commands.fetch_add(1, Ordering::SeqCst) + 1
    }
    async fn slow(&self, context: &Context<'_>) -> usize {
        let house = context.data_unchecked::<Arc<House>>();
        house.begun.notify_one();
        house.gate.acquire().await.unwrap().forget();
        house.done.notify_one();
        house.commands.fetch_add(1, Ordering::SeqCst) + 1
    }
}

#[Subscription]
impl Feed {
    async fn events(&self, context: &Context<'_>) -> impl Stream<Item = i32> {
        let house = context.data_unchecked::<Arc<House>>();
        let receiver = house.events.subscribe();
        house.begun.notify_one();
        futures_util::stream::unfold(receiver, |mut receiver| async move {
            let event = receiver.recv().await.ok()?;
            Some((event, receiver))
        })
    }
    async fn three(&self) -> impl Stream<Item = i32> {
        futures_util::stream::iter([1, 2, 3])
    }
    async fn broken(&self) -> impl Stream<Item = Result<i32, Error>> {
        futures_util::stream::iter([Err(Error::new("the password is hunter2"))])
    }
}

/// A scalar whose reader refuses everything, as a date or an id may refuse some texts.
mod zone {
    use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};

    pub(crate) struct Zone;

    #[Scalar]
    impl ScalarType for Zone {
        fn parse(_: Value) -> InputValueResult<Self> {
            Err(InputValueError::custom("not a time zone"))
        }
        fn to_value(&self) -> Value {
            Value::Null
        }
    }
}

pub(crate) struct World {
    pub(crate) house: Arc<House>,
    pub(crate) address: String,
    pub(crate) client: reqwest::Client,
}

impl World {
    pub(crate) async fn open() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let house = Arc::new(House {
            revoked: Mutex::default(),
            asked: AtomicUsize::new(0),
            commands: AtomicUsize::new(0),
            events: broadcast::channel(16).0,
            begun: Notify::new(),
            done: Notify::new(),
            gate: Semaphore::new(0),
        });
        let builder = Schema::build(Query, Mutation, Feed).data(house.clone());
        let app = router(house.clone(), guarded(builder).finish(), options);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, app).await });
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { house, address, client }
    }

    pub(crate) fn post(&self) -> reqwest::RequestBuilder {
        self.client
            .post(format!("http://{}/graphql", self.address))
            .bearer_auth("token-of-ada")
            .header("content-type", "application/json")
    }

    pub(crate) async fn ask(&self, query: &str) -> Answer {
        answer(self.post().body(json!({ "query": query }).to_string())).await
    }

    /// Fails the test when the house no longer answers.
    pub(crate) async fn is_alive(&self) {
        let answer = self.ask("{ viewer items { name } }").await;
        assert_eq!(answer.body["data"]["viewer"], "ada", "{}", answer.body);
    }

    pub(crate) fn revoke(&self, person: &str) {
        self.house.revoked.lock().unwrap().insert(person.to_owned());
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn code(&self) -> (u16, &str) {
        (self.status, self.body["errors"][0]["extensions"]["code"].as_str().unwrap_or("none"))
    }
}

pub(crate) async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Answer { status, headers, body }
}

/// The documents that stop a process which lacks the guard, each with the code it gets here.
pub(crate) fn bombs() -> Vec<(String, &'static str)> {
    let doubling =
        |level: usize| format!("fragment f{level} on Query{{...f{0} ...f{0}}}", level + 1);
    let tenfold = |level: usize| {
        format!("fragment f{level} on Query{{{}}}", format!("...f{} ", level + 1).repeat(10))
    };
    let last = |level: usize| format!("fragment f{level} on Query{{viewer}}");
    let chain = |each: &dyn Fn(usize) -> String, levels: usize| {
        format!("{{...f0}}{}{}", (0..levels).map(each).collect::<String>(), last(levels))
    };
    vec![
        (format!("{{length(text:{}{})}}", "[".repeat(2_500), "]".repeat(2_500)), "query_too_deep"),
        (format!("{{length(text:{}", "{a:".repeat(2_500)), "query_too_deep"),
        (format!("{}{}", "{items".repeat(2_500), "}".repeat(2_500)), "query_too_deep"),
        (chain(&doubling, 26), "query_too_large"),
        (chain(&tenfold, 7), "spreads_too_many"),
        ("{...a} fragment a on Query{...b} fragment b on Query{...a}".to_owned(), "fragment_cycle"),
        (format!("{{{}}}", "a:viewer ".repeat(3_000)), "aliases_too_many"),
        (format!("{{viewer {}}}", "@skip(if:false)".repeat(500)), "directives_too_many"),
        (
            "{__schema{types{fields{type{fields{type{fields{name}}}}}}}}".to_owned(),
            "introspection_too_deep",
        ),
        (format!("{{viewer}} #{}", "x".repeat(32 * 1024)), "query_too_long"),
    ]
}
