//! Opening, signing, advancing, and what else moves a procurement.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::NaiveDate;
use sixgate_engine::Error;
use sixgate_workflows::{
    ids::ProcurementId,
    procurement::{Command, Course},
};

use super::{ProcurementPayload, engine, procure, procured, viewer};
use crate::schema::{
    global_id::GlobalId,
    input::{CommandHead, ProcurementTarget, name, text},
    scalars::{Function, Stage},
};

#[derive(Default)]
pub(super) struct CourseMutation;

#[derive(InputObject)]
pub(super) struct OpenProcurementInput {
    #[graphql(flatten)]
    head: CommandHead,
    title: String,
}

#[derive(InputObject)]
pub(super) struct ProcurementInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
}

#[derive(InputObject)]
pub(super) struct MemberInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    person_id: ID,
}

#[derive(InputObject)]
pub(super) struct SignOffInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// As what you sign.
    function: Function,
    /// What you have seen: `gate.version`.
    version: u32,
}

#[derive(InputObject)]
pub(super) struct WaiveCriterionInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// Id, as the gate lists it.
    criterion: String,
    reason: String,
    /// The last day on which the waiver holds.
    expires_on: NaiveDate,
}

#[derive(InputObject)]
pub(super) struct SendBackInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// An earlier stage.
    to: Stage,
    reason: String,
}

#[derive(InputObject)]
pub(super) struct ReasonInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    reason: String,
}

fn course(course: Result<Course, Error>) -> Result<Command, Error> {
    course.map(Command::Course)
}

#[Object]
impl CourseMutation {
    /// Opens a procurement in its first stage. Its id follows from the command id, so opening it
    /// again answers the same procurement.
    async fn open_procurement(
        &self,
        context: &Context<'_>,
        input: OpenProcurementInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let id = ProcurementId(input.head.command_id);
        let done = match name(&input.title) {
            Ok(title) => {
                let command = Command::Course(Course::Open { title });
                engine(context)?.procure(viewer(context)?, input.head.envelope(), id, command).await
            }
            Err(invalid) => Err(invalid.into()),
        };
        procured(context, id, done).await
    }

    async fn add_member(
        &self,
        context: &Context<'_>,
        input: MemberInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let person = GlobalId::person(&input.person_id).map_err(Error::from);
        let command = course(person.map(|person| Course::AddMember { person }));
        procure(context, &input.target, command).await
    }

    async fn remove_member(
        &self,
        context: &Context<'_>,
        input: MemberInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let person = GlobalId::person(&input.person_id).map_err(Error::from);
        let command = course(person.map(|person| Course::RemoveMember { person }));
        procure(context, &input.target, command).await
    }

    /// Signs the present gate in exactly the version that you have seen.
    async fn sign_off(
        &self,
        context: &Context<'_>,
        input: SignOffInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let signed = Course::SignOff { function: input.function.into(), version: input.version };
        procure(context, &input.target, course(Ok(signed))).await
    }

    /// Lets an unmet criterion of the present stage pass, with a reason and until a day.
    async fn waive_criterion(
        &self,
        context: &Context<'_>,
        input: WaiveCriterionInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let waived = || -> Result<Course, Error> {
            Ok(Course::Waive {
                criterion: input.criterion.parse()?,
                reason: text(&input.reason)?,
                expires_on: input.expires_on,
            })
        };
        procure(context, &input.target, course(waived())).await
    }

    /// Goes on to the next stage, if the gate is open.
    async fn advance(
        &self,
        context: &Context<'_>,
        input: ProcurementInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, course(Ok(Course::Advance))).await
    }

    /// Goes back to an earlier stage; what was signed from there on becomes void.
    async fn send_back(
        &self,
        context: &Context<'_>,
        input: SendBackInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let sent = text(&input.reason)
            .map(|reason| Course::SendBack { to: input.to.into(), reason })
            .map_err(Error::from);
        procure(context, &input.target, course(sent)).await
    }

    /// Stops the stage's clock and all reminders.
    async fn hold(
        &self,
        context: &Context<'_>,
        input: ReasonInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let held = text(&input.reason).map(|reason| Course::Hold { reason }).map_err(Error::from);
        procure(context, &input.target, course(held)).await
    }

    async fn resume(
        &self,
        context: &Context<'_>,
        input: ProcurementInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, course(Ok(Course::Resume))).await
    }

    async fn cancel(
        &self,
        context: &Context<'_>,
        input: ReasonInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let cancelled =
            text(&input.reason).map(|reason| Course::Cancel { reason }).map_err(Error::from);
        procure(context, &input.target, course(cancelled)).await
    }

    /// Leaves operation through its gate.
    async fn close(
        &self,
        context: &Context<'_>,
        input: ProcurementInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, course(Ok(Course::Close))).await
    }

    /// Moves to the newest policy; the event says which criteria that turns.
    async fn adopt_policy(
        &self,
        context: &Context<'_>,
        input: ProcurementInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, course(Ok(Course::AdoptPolicy))).await
    }

    /// Destroys the key of the contact in the briefs so far, also after the procurement has ended:
    /// a pseudonym stands there from now on. A later brief may name another contact.
    async fn erase_procurement_contact(
        &self,
        context: &Context<'_>,
        input: ProcurementInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, course(Ok(Course::EraseContact))).await
    }
}
