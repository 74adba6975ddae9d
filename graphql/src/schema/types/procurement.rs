//! One procurement, as it stands or stood.

use async_graphql::{Context, ID, Object, SimpleObject, connection::Connection};
use chrono::{DateTime, Utc};
use sixgate_engine::read::Seen;
use sixgate_storage::Revision;
use sixgate_workflows::{checklist, procurement as rules, texts};

use super::{
    checklist::{ChecklistCounts, ChecklistItem},
    gate::{Gate, Waiver},
    history::{self, EventLink, HistoryEvent},
    page,
    people::PersonReference,
    reminder::Reminder,
    stages::{
        budget::Budget, needs::Needs, negotiation::Negotiation, operation::Operation, poc::Poc,
        shortlist::Shortlist,
    },
};
use crate::schema::{
    engine,
    global_id::GlobalId,
    locale,
    problem::allowed,
    scalars::{Language, Phase, Stage},
    viewer,
};

pub(crate) struct Procurement(pub Seen);

#[derive(SimpleObject)]
pub(crate) struct PassedStage {
    stage: Stage,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct WaivedCriterion {
    criterion: String,
    waiver: Waiver,
}

impl Procurement {
    fn state(&self) -> &rules::Procurement {
        self.0.state()
    }
}

#[Object]
impl Procurement {
    pub(crate) async fn id(&self) -> ID {
        GlobalId::Procurement(self.state().id).into()
    }

    async fn title(&self) -> &str {
        self.state().title.as_str()
    }

    async fn stage(&self) -> Stage {
        self.state().stage.into()
    }

    async fn stage_label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("stage.{}", self.state().stage);
        texts::text(&key, self::locale(context, locale)).to_owned()
    }

    async fn phase(&self) -> Phase {
        (&self.state().phase).into()
    }

    async fn phase_label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("phase.{}", Phase::from(&self.state().phase).id());
        texts::text(&key, self::locale(context, locale)).to_owned()
    }

    /// Why it is on hold or was cancelled.
    async fn phase_reason(&self) -> Option<&str> {
        match &self.state().phase {
            rules::Phase::OnHold { reason, .. } | rules::Phase::Cancelled { reason, .. } => {
                Some(reason.as_str())
            }
            rules::Phase::Active | rules::Phase::Closed { .. } => None,
        }
    }

    async fn opened(&self) -> EventLink {
        EventLink(self.state().opened)
    }

    #[graphql(complexity = "10 * child_complexity")]
    async fn members(&self) -> Vec<PersonReference> {
        self.state().members.iter().map(|person| PersonReference(*person)).collect()
    }

    /// The policy it is judged by.
    async fn policy_version(&self) -> u32 {
        self.state().policy.version
    }

    /// Number of commits so far; what `expectedRevision` compares with.
    async fn revision(&self) -> u64 {
        self.0.revision.0
    }

    /// Position of its newest commit in the log.
    async fn position(&self) -> u64 {
        self.0.position.0
    }

    async fn stage_entered(&self) -> EventLink {
        EventLink(self.state().entered)
    }

    async fn passed_stages(&self) -> Vec<PassedStage> {
        let passed = self.state().passed.iter();
        passed
            .map(|(stage, stamp)| PassedStage { stage: (*stage).into(), event: EventLink(*stamp) })
            .collect()
    }

    /// When it was closed or cancelled.
    async fn ended_at(&self) -> Option<DateTime<Utc>> {
        self.state().ended_at()
    }

    /// The ten points.
    #[graphql(complexity = "10 * child_complexity")]
    async fn checklist(&self) -> Vec<ChecklistItem> {
        self.0.checklist().into_iter().map(ChecklistItem).collect()
    }

    async fn checklist_counts(&self) -> ChecklistCounts {
        checklist::counts(&self.0.checklist()).into()
    }

    /// The gate of the present stage.
    async fn gate(&self) -> Gate {
        Gate(self.0.clone())
    }

    #[graphql(complexity = "5 * child_complexity")]
    async fn waivers(&self) -> Vec<WaivedCriterion> {
        let waivers = self.state().waivers.iter();
        waivers
            .map(|(criterion, waiver)| WaivedCriterion {
                criterion: criterion.id().to_owned(),
                waiver: Waiver(waiver.clone()),
            })
            .collect()
    }

    async fn needs(&self) -> Needs {
        Needs(self.0.clone())
    }

    async fn budget(&self) -> Budget {
        Budget(self.0.clone())
    }

    async fn shortlist(&self) -> Shortlist {
        Shortlist(self.0.clone())
    }

    async fn poc(&self) -> Poc {
        Poc(self.0.clone())
    }

    async fn negotiation(&self) -> Negotiation {
        Negotiation(self.0.clone())
    }

    async fn operation(&self) -> Operation {
        Operation(self.0.clone())
    }

    /// Its events, oldest first; with `asOf`, up to that point.
    #[graphql(complexity = "page::cost(first, child_complexity)")]
    async fn history(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Commits, at most 100.", default = 50)] first: i32,
        #[graphql(desc = "A cursor of an earlier page.")] after: Option<String>,
    ) -> async_graphql::Result<Connection<String, HistoryEvent>> {
        let (first, after) = (page::clamped(first)?, history::after(after.as_deref())?);
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let happened = engine.history(viewer, self.state().id, Revision(after), first + 1).await;
        let happened = allowed(happened)?
            .into_iter()
            .filter(|happened| happened.revision <= self.0.revision)
            .collect();
        Ok(history::page(happened, after, first, |happened| happened.revision.0))
    }

    /// Planned, due and sent, as far as they concern the viewer.
    #[graphql(complexity = "20 * child_complexity")]
    async fn reminders(&self, context: &Context<'_>) -> async_graphql::Result<Vec<Reminder>> {
        let reminders = engine(context)?.reminders(viewer(context)?, &self.0);
        Ok(reminders.into_iter().map(Reminder).collect())
    }
}
