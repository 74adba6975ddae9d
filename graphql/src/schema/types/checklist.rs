//! The ten-point checklist, computed from evidence.

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};
use sixgate_workflows::{checklist, texts};

use super::history::EventLink;
use crate::schema::{
    locale,
    scalars::{ChecklistStatus, Language, Stage},
};

pub(crate) struct ChecklistItem(pub checklist::Entry);

#[derive(Clone, Copy, Debug, SimpleObject)]
pub(crate) struct ChecklistCounts {
    met: usize,
    waived: usize,
    unmet: usize,
    not_yet_due: usize,
}

impl From<checklist::Counts> for ChecklistCounts {
    fn from(counts: checklist::Counts) -> Self {
        let checklist::Counts { met, waived, unmet, not_yet_due } = counts;
        Self { met, waived, unmet, not_yet_due }
    }
}

#[Object]
impl ChecklistItem {
    async fn id(&self) -> &str {
        self.0.item.id()
    }

    async fn label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("item.{}", self.0.item.id());
        texts::text(&key, self::locale(context, locale)).to_owned()
    }

    async fn stage(&self) -> Stage {
        self.0.item.stage().into()
    }

    async fn status(&self) -> ChecklistStatus {
        self.0.status.into()
    }

    async fn status_label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let id = match self.0.status {
            checklist::Status::Met => "met",
            checklist::Status::Unmet => "unmet",
            checklist::Status::Waived => "waived",
            checklist::Status::NotYetDue => "not_yet_due",
        };
        texts::text(&format!("status.{id}"), self::locale(context, locale)).to_owned()
    }

    /// `null` while not yet due.
    async fn since(&self) -> Option<DateTime<Utc>> {
        self.0.since
    }

    /// The event that brought the status about; `null` when time alone did.
    async fn because(&self) -> Option<EventLink> {
        self.0.because.map(EventLink)
    }

    /// Why it is unmet or waived.
    async fn reason(&self, context: &Context<'_>, locale: Option<Language>) -> Option<String> {
        let locale = self::locale(context, locale);
        self.0.reason.as_ref().map(|reason| texts::reason(reason, locale))
    }

    /// Where the evidence stands in the log.
    async fn evidence(&self) -> Vec<EventLink> {
        self.0.evidence.iter().map(|stamp| EventLink(*stamp)).collect()
    }
}
