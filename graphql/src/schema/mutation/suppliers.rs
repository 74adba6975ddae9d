//! Commands of the supplier registry.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::NaiveDate;
use sixgate_engine::Error;
use sixgate_workflows::{
    ids::SupplierId,
    supplier::{BillingProfile, Certificate, Command},
};

use super::{SupplierPayload, engine, supplied, viewer};
use crate::schema::{
    global_id::GlobalId,
    input::{CommandHead, EvidenceFileInput, name, text},
    scalars::{Metering, Qualification},
};

#[derive(Default)]
pub(super) struct SupplierMutation;

#[derive(InputObject)]
pub(super) struct RegisterSupplierInput {
    #[graphql(flatten)]
    head: CommandHead,
    name: String,
    /// Whom to ask.
    contact: String,
}

#[derive(InputObject)]
pub(super) struct RecordCertificateInput {
    #[graphql(flatten)]
    head: CommandHead,
    supplier_id: ID,
    qualification: Qualification,
    number: String,
    /// The last day on which it is valid.
    expires_on: NaiveDate,
    document: Option<EvidenceFileInput>,
}

#[derive(InputObject)]
pub(super) struct RecordBillingProfileInput {
    #[graphql(flatten)]
    head: CommandHead,
    supplier_id: ID,
    metering: Metering,
    price_locked: bool,
    /// What a stopped instance still pays.
    while_stopped: String,
    /// What destroying an instance loses.
    when_destroyed: String,
    /// Rules for idle time, overtime and disconnection.
    overtime: String,
}

#[derive(InputObject)]
pub(super) struct SupplierInput {
    #[graphql(flatten)]
    head: CommandHead,
    supplier_id: ID,
}

#[derive(InputObject)]
pub(super) struct WithdrawSupplierInput {
    #[graphql(flatten)]
    head: CommandHead,
    supplier_id: ID,
    reason: String,
}

#[Object]
impl SupplierMutation {
    /// The supplier's id follows from the command id.
    async fn register_supplier(
        &self,
        context: &Context<'_>,
        input: RegisterSupplierInput,
    ) -> async_graphql::Result<SupplierPayload> {
        let command = || -> Result<Command, Error> {
            Ok(Command::Register { name: name(&input.name)?, contact: name(&input.contact)? })
        };
        let id = SupplierId(input.head.command_id);
        carry_out(context, input.head, id, command()).await
    }

    async fn record_certificate(
        &self,
        context: &Context<'_>,
        input: RecordCertificateInput,
    ) -> async_graphql::Result<SupplierPayload> {
        let command = || -> Result<Command, Error> {
            let document = input.document.as_ref().map(EvidenceFileInput::checked).transpose()?;
            let certificate = Certificate {
                qualification: input.qualification.into(),
                number: name(&input.number)?,
                expires_on: input.expires_on,
                document,
            };
            Ok(Command::RecordCertificate { certificate })
        };
        about(context, input.head, &input.supplier_id, command()).await
    }

    async fn record_billing_profile(
        &self,
        context: &Context<'_>,
        input: RecordBillingProfileInput,
    ) -> async_graphql::Result<SupplierPayload> {
        let command = || -> Result<Command, Error> {
            let profile = BillingProfile {
                metering: input.metering.into(),
                price_locked: input.price_locked,
                while_stopped: text(&input.while_stopped)?,
                when_destroyed: text(&input.when_destroyed)?,
                overtime: text(&input.overtime)?,
            };
            Ok(Command::RecordBilling { profile })
        };
        about(context, input.head, &input.supplier_id, command()).await
    }

    async fn withdraw_supplier(
        &self,
        context: &Context<'_>,
        input: WithdrawSupplierInput,
    ) -> async_graphql::Result<SupplierPayload> {
        let command = text(&input.reason).map(|reason| Command::Withdraw { reason });
        about(context, input.head, &input.supplier_id, command.map_err(Error::from)).await
    }

    /// Destroys the key of whom to ask: a pseudonym stands there from now on.
    async fn erase_supplier_contact(
        &self,
        context: &Context<'_>,
        input: SupplierInput,
    ) -> async_graphql::Result<SupplierPayload> {
        about(context, input.head, &input.supplier_id, Ok(Command::EraseContact)).await
    }
}

async fn about(
    context: &Context<'_>,
    head: CommandHead,
    id: &ID,
    command: Result<Command, Error>,
) -> async_graphql::Result<SupplierPayload> {
    match GlobalId::supplier(id) {
        Ok(id) => carry_out(context, head, id, command).await,
        Err(_) => SupplierPayload::new(context, None, Err(Error::NotFound)),
    }
}

async fn carry_out(
    context: &Context<'_>,
    head: CommandHead,
    id: SupplierId,
    command: Result<Command, Error>,
) -> async_graphql::Result<SupplierPayload> {
    let done = match command {
        Ok(command) => {
            engine(context)?.supply(viewer(context)?, head.envelope(), id, command).await
        }
        Err(error) => Err(error),
    };
    supplied(context, id, done)
}
