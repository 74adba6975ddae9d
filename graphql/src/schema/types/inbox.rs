//! What waits for somebody.

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};
use sixgate_engine::read;
use sixgate_workflows::texts;

use crate::schema::{global_id::GlobalId, locale, problem::Blocker, scalars::Language};

pub(crate) struct Task(pub read::Task);

#[Object]
impl Task {
    async fn procurement_id(&self) -> ID {
        GlobalId::Procurement(self.0.procurement).into()
    }

    async fn title(&self) -> &str {
        &self.0.title
    }

    /// What to do, in words.
    async fn label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        texts::blocker(&self.0.blocker, self::locale(context, locale))
    }

    async fn blocker(&self, context: &Context<'_>, locale: Option<Language>) -> Blocker {
        Blocker::new(&self.0.blocker, self::locale(context, locale))
    }

    /// Since when the procurement has been in this stage.
    async fn since(&self) -> DateTime<Utc> {
        self.0.since
    }
}
