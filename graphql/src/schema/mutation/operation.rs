//! Commands of stage 6.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::{DateTime, NaiveDate, Utc};
use sixgate_engine::Error;
use sixgate_workflows::{
    ids::{IncidentId, SupplierId},
    invalid::Invalid,
    operation::{Action, Command as Operation, Meeting, Review},
    procurement::Command,
    text::Name,
};

use super::{ProcurementPayload, engine, procure, viewer};
use crate::schema::{
    global_id::GlobalId,
    input::{EvidenceFileInput, ProcurementTarget, supplier, text},
    scalars::{OperationOutcome, Severity},
};

#[derive(Default)]
pub(super) struct OperationMutation;

#[derive(InputObject)]
pub(super) struct RecordFeedInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    file: EvidenceFileInput,
}

#[derive(InputObject)]
pub(super) struct RecordAvailabilityInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    /// Up to when the probe has looked.
    until: DateTime<Utc>,
    down_minutes: u32,
}

#[derive(InputObject)]
pub(super) struct ReportIncidentInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    severity: Severity,
    started_at: DateTime<Utc>,
    what: String,
}

#[derive(InputObject)]
pub(super) struct ResolveIncidentInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    incident_id: ID,
    responded_at: DateTime<Utc>,
    ended_at: DateTime<Utc>,
}

#[derive(InputObject)]
pub(super) struct PlanReviewsInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// As in `2026-Q1`.
    first: String,
    /// What is to be optimised, and how.
    optimisation: String,
}

#[derive(InputObject)]
pub(super) struct ScheduleReviewInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// As in `2026-Q1`.
    quarter: String,
    starts_at: DateTime<Utc>,
    /// A room, or how to dial in.
    place: Option<String>,
}

#[derive(InputObject)]
pub(super) struct RecordReviewInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// As in `2026-Q1`.
    quarter: String,
    held_on: NaiveDate,
    findings: String,
    actions: Vec<ReviewActionInput>,
}

#[derive(InputObject)]
pub(super) struct ReviewActionInput {
    what: String,
    owner_id: ID,
    due_on: NaiveDate,
}

#[derive(InputObject)]
pub(super) struct DecideOutcomeInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    outcome: OperationOutcome,
    reason: String,
}

impl RecordReviewInput {
    fn checked(&self) -> Result<Command, Invalid> {
        let actions = self.actions.iter().map(|action| {
            Ok(Action {
                what: text(&action.what)?,
                owner: GlobalId::person(&action.owner_id)?,
                due_on: action.due_on,
            })
        });
        let review = Review {
            held_on: self.held_on,
            findings: text(&self.findings)?,
            actions: actions.collect::<Result<_, Invalid>>()?,
        };
        Ok(Command::Operation(Operation::RecordReview { quarter: self.quarter.parse()?, review }))
    }
}

impl RecordFeedInput {
    fn checked(&self) -> Result<(SupplierId, sixgate_workflows::evidence::EvidenceFile), Error> {
        Ok((supplier(&self.supplier_id)?, self.file.checked()?))
    }
}

#[Object]
impl OperationMutation {
    /// From a telemetry export.
    async fn record_usage(
        &self,
        context: &Context<'_>,
        input: RecordFeedInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = match input.checked() {
            Ok((supplier, file)) => engine(context)?
                .usage_from(viewer(context)?, &file)
                .await
                .map(|usage| Operation::RecordUsage { supplier, usage, source: Some(file) }),
            Err(error) => Err(error),
        };
        procure(context, &input.target, command.map(Command::Operation)).await
    }

    /// From a bill.
    async fn record_bill(
        &self,
        context: &Context<'_>,
        input: RecordFeedInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = match input.checked() {
            Ok((supplier, file)) => engine(context)?
                .bill_from(viewer(context)?, &file)
                .await
                .map(|bill| Operation::RecordBill { supplier, bill, source: Some(file) }),
            Err(error) => Err(error),
        };
        procure(context, &input.target, command.map(Command::Operation)).await
    }

    /// What the availability probe saw.
    async fn record_availability(
        &self,
        context: &Context<'_>,
        input: RecordAvailabilityInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = supplier(&input.supplier_id).map(|supplier| {
            let (until, down_minutes) = (input.until, input.down_minutes);
            Command::Operation(Operation::RecordAvailability { supplier, until, down_minutes })
        });
        procure(context, &input.target, command.map_err(Error::from)).await
    }

    /// The incident's id is the command id.
    async fn report_incident(
        &self,
        context: &Context<'_>,
        input: ReportIncidentInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = || -> Result<Command, Error> {
            Ok(Command::Operation(Operation::ReportIncident {
                incident: IncidentId(input.target.command_id),
                supplier: supplier(&input.supplier_id)?,
                severity: input.severity.into(),
                started_at: input.started_at,
                what: text(&input.what)?,
            }))
        };
        procure(context, &input.target, command()).await
    }

    async fn resolve_incident(
        &self,
        context: &Context<'_>,
        input: ResolveIncidentInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = input.incident_id.parse::<IncidentId>().map(|incident| {
            let (responded_at, ended_at) = (input.responded_at, input.ended_at);
            Command::Operation(Operation::ResolveIncident { incident, responded_at, ended_at })
        });
        procure(context, &input.target, command.map_err(Error::from)).await
    }

    /// Sets up the calendar of quarterly reviews.
    async fn plan_reviews(
        &self,
        context: &Context<'_>,
        input: PlanReviewsInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = || -> Result<Command, Error> {
            let (first, optimisation) = (input.first.parse()?, text(&input.optimisation)?);
            Ok(Command::Operation(Operation::PlanReviews { first, optimisation }))
        };
        procure(context, &input.target, command()).await
    }

    /// When and where a review is held; whoever was invited already is told of the change.
    async fn schedule_review(
        &self,
        context: &Context<'_>,
        input: ScheduleReviewInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = || -> Result<Command, Error> {
            let place = input.place.as_deref().map(Name::new).transpose()?;
            let meeting = Meeting { starts_at: input.starts_at, place };
            let quarter = input.quarter.parse()?;
            Ok(Command::Operation(Operation::ScheduleReview { quarter, meeting }))
        };
        procure(context, &input.target, command()).await
    }

    /// What the review found and decided, with owners and dates.
    async fn record_review(
        &self,
        context: &Context<'_>,
        input: RecordReviewInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    /// Renew, switch or retire; the manager signs it.
    async fn decide_outcome(
        &self,
        context: &Context<'_>,
        input: DecideOutcomeInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = text(&input.reason).map(|reason| {
            let outcome = input.outcome.into();
            Command::Operation(Operation::DecideOutcome { outcome, reason })
        });
        procure(context, &input.target, command.map_err(Error::from)).await
    }
}
