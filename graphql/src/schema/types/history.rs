//! History: what happened, when, and by whom.

use async_graphql::{
    Context, Json, Object,
    connection::{Connection, Edge},
};
use chrono::{DateTime, Utc};
use sixgate_engine::read::Happened;
use sixgate_workflows::{context::ActorId, recorded::Stamp, texts};

use super::{page::bad_cursor, people::PersonReference};
use crate::schema::{locale, scalars::Language};

/// One event of the log.
pub(crate) struct HistoryEvent(Happened);

/// A page of commits with all their events. Commits are numbered without a gap, in a stream as in
/// the log, so the number is the cursor.
pub(crate) fn page(
    happened: Vec<Happened>,
    after: u64,
    first: usize,
    number: fn(&Happened) -> u64,
) -> Connection<String, HistoryEvent> {
    let last = after.saturating_add(first as u64);
    let has_more = happened.iter().any(|happened| number(happened) > last);
    let mut connection = Connection::new(after > 0, has_more);
    connection.edges.extend(
        happened
            .into_iter()
            .filter(|happened| number(happened) <= last)
            .map(|happened| Edge::new(number(&happened).to_string(), HistoryEvent(happened))),
    );
    connection
}

/// The number that a cursor stands for; the beginning without one.
pub(crate) fn after(cursor: Option<&str>) -> async_graphql::Result<u64> {
    cursor.map_or(Ok(0), |cursor| cursor.parse().map_err(|_| bad_cursor(cursor)))
}

/// Where an event stands, and who caused it when.
pub(crate) struct EventLink(pub Stamp);

/// `null` is the program itself: a deadline that came, or local administration.
fn person(by: ActorId) -> Option<PersonReference> {
    by.person().map(PersonReference)
}

#[Object]
impl HistoryEvent {
    /// Position of the commit in the log.
    async fn position(&self) -> u64 {
        self.0.stamp.position
    }

    /// Which event of the commit.
    async fn index(&self) -> u32 {
        self.0.stamp.index
    }

    async fn at(&self) -> DateTime<Utc> {
        self.0.stamp.at
    }

    async fn by(&self) -> Option<PersonReference> {
        person(self.0.stamp.by)
    }

    async fn stream(&self) -> &str {
        &self.0.stream
    }

    /// `<room>.<fact>`, stable for ever.
    async fn kind(&self) -> &str {
        &self.0.kind
    }

    async fn label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("event.{}", self.0.kind);
        texts::text(&key, self::locale(context, locale)).to_owned()
    }

    /// The event as it is stored.
    async fn data(&self) -> Json<&serde_json::Value> {
        Json(&self.0.data)
    }
}

#[Object]
impl EventLink {
    async fn position(&self) -> u64 {
        self.0.position
    }

    async fn index(&self) -> u32 {
        self.0.index
    }

    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    async fn by(&self) -> Option<PersonReference> {
        person(self.0.by)
    }
}
