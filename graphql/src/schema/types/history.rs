//! History: what happened, when, and by whom.

use async_graphql::{Context, Json, Object};
use chrono::{DateTime, Utc};
use sixgate_engine::read::Happened;
use sixgate_workflows::{context::ActorId, recorded::Stamp, texts};

use super::people::PersonReference;
use crate::schema::{locale, scalars::Language};

/// One event of the log.
pub(crate) struct HistoryEvent(Happened);

pub(crate) fn event(happened: Happened) -> HistoryEvent {
    HistoryEvent(happened)
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
