//! What can be asked for: one mutation for each command of the rules.

mod budget;
mod course;
mod mail;
mod needs;
mod negotiation;
mod operation;
mod people;
mod poc;
mod policy;
mod prices;
mod promise;
mod shortlist;
mod suppliers;

use async_graphql::{Context, MergedObject, SimpleObject};
use sixgate_engine::{Done, Error};
use sixgate_workflows::{
    ids::{PersonId, ProcurementId, SupplierId},
    procurement::Command,
};

use super::{
    engine,
    global_id::GlobalId,
    input::ProcurementTarget,
    problem::{UserError, absent, answer},
    types::{
        mail_room::MailRoom, people::Person, policy::Policy, procurement::Procurement,
        supplier::Supplier,
    },
    viewer,
};

#[derive(MergedObject, Default)]
pub(crate) struct Mutation(
    course::CourseMutation,
    needs::NeedsMutation,
    budget::BudgetMutation,
    shortlist::ShortlistMutation,
    poc::PocMutation,
    negotiation::NegotiationMutation,
    operation::OperationMutation,
    suppliers::SupplierMutation,
    people::PersonMutation,
    policy::PolicyMutation,
    mail::MailMutation,
    prices::PricesMutation,
);

macro_rules! payloads {
    ($($(#[$doc:meta])* $name:ident { $field:ident: $object:ty })+) => {$(
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub(super) struct $name {
            /// The state after the command; the present one when it was not carried out.
            $field: Option<$object>,
            /// Position of the commit in the log; `null` when the command was not carried out.
            position: Option<u64>,
            revision: Option<u64>,
            /// It had been carried out before, under the same command id.
            repeated: bool,
            /// Why it was not carried out; empty when it was.
            user_errors: Vec<UserError>,
        }

        impl $name {
            fn new(
                context: &Context<'_>,
                $field: Option<$object>,
                done: Result<Done, Error>,
            ) -> async_graphql::Result<Self> {
                let locale = viewer(context)?.locale;
                match done {
                    Ok(done) => Ok(Self {
                        $field,
                        position: Some(done.position.0),
                        revision: Some(done.revision.0),
                        repeated: done.repeated,
                        user_errors: Vec::new(),
                    }),
                    Err(error) => Ok(Self {
                        $field,
                        position: None,
                        revision: None,
                        repeated: false,
                        user_errors: vec![answer(&error, locale)?],
                    }),
                }
            }
        }
    )+};
}

payloads! {
    ProcurementPayload { procurement: Procurement }
    SupplierPayload { supplier: Supplier }
    PersonPayload { person: Person }
    PolicyPayload { policy: Policy }
    MailRoomPayload { mail_room: MailRoom }
}

/// Carries out one command about a procurement, however its input was put together.
async fn procure(
    context: &Context<'_>,
    target: &ProcurementTarget,
    command: Result<Command, Error>,
) -> async_graphql::Result<ProcurementPayload> {
    let (engine, viewer) = (engine(context)?, viewer(context)?);
    let id = match GlobalId::procurement(&target.procurement_id) {
        Ok(id) => id,
        Err(_) => return ProcurementPayload::new(context, None, Err(Error::NotFound)),
    };
    let done = match command {
        Ok(command) => engine.procure(viewer, target.envelope(), id, command).await,
        Err(error) => Err(error),
    };
    procured(context, id, done).await
}

async fn procured(
    context: &Context<'_>,
    id: ProcurementId,
    done: Result<Done, Error>,
) -> async_graphql::Result<ProcurementPayload> {
    let seen = engine(context)?.procurement(viewer(context)?, id, None).await;
    ProcurementPayload::new(context, absent(seen)?.map(Procurement), done)
}

fn supplied(
    context: &Context<'_>,
    id: SupplierId,
    done: Result<Done, Error>,
) -> async_graphql::Result<SupplierPayload> {
    let supplier = absent(engine(context)?.supplier(viewer(context)?, id))?;
    SupplierPayload::new(context, supplier.map(Supplier), done)
}

fn employed(
    context: &Context<'_>,
    id: PersonId,
    done: Result<Done, Error>,
) -> async_graphql::Result<PersonPayload> {
    let people = absent(engine(context)?.colleagues(viewer(context)?))?;
    let person = people.and_then(|all| all.into_iter().find(|person| person.id == id));
    PersonPayload::new(context, person.map(Person), done)
}
