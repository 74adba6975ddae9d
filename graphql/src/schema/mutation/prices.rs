//! Commands about the price index.

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sixgate_engine::{Done, Error};
use sixgate_workflows::budget::price_index::Command;

use super::{engine, viewer};
use crate::schema::{
    input::{CommandHead, EvidenceFileInput, name, text},
    problem::{UserError, answer},
};

#[derive(Default)]
pub(super) struct PricesMutation;

#[derive(InputObject)]
pub(super) struct ImportPricesInput {
    #[graphql(flatten)]
    head: CommandHead,
    /// Prices as csv or xlsx, uploaded to `/evidence`.
    file: EvidenceFileInput,
}

#[derive(InputObject)]
pub(super) struct WithdrawPriceInput {
    #[graphql(flatten)]
    head: CommandHead,
    /// The key of the point.
    key: String,
    reason: String,
}

#[derive(SimpleObject)]
pub(super) struct PricesPayload {
    /// Position of the commit in the log; `null` when the command was not carried out.
    position: Option<u64>,
    revision: Option<u64>,
    /// It had been carried out before, under the same command id.
    repeated: bool,
    /// Why it was not carried out; empty when it was.
    user_errors: Vec<UserError>,
}

#[Object]
impl PricesMutation {
    /// All prices of the file or none; one that is known already is replaced.
    async fn import_prices(
        &self,
        context: &Context<'_>,
        input: ImportPricesInput,
    ) -> async_graphql::Result<PricesPayload> {
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let command = async || -> Result<Command, Error> {
            let file = input.file.checked()?;
            let points = engine.prices_from(viewer, &file).await?;
            Ok(Command::Record { points, file: Some(file) })
        };
        carry_out(context, &input.head, command().await).await
    }

    /// Takes a wrong price out of the index; the history keeps it.
    async fn withdraw_price(
        &self,
        context: &Context<'_>,
        input: WithdrawPriceInput,
    ) -> async_graphql::Result<PricesPayload> {
        let command = || -> Result<Command, Error> {
            Ok(Command::Withdraw { key: name(&input.key)?, reason: text(&input.reason)? })
        };
        carry_out(context, &input.head, command()).await
    }
}

async fn carry_out(
    context: &Context<'_>,
    head: &CommandHead,
    command: Result<Command, Error>,
) -> async_graphql::Result<PricesPayload> {
    let (engine, viewer) = (engine(context)?, viewer(context)?);
    let done: Result<Done, Error> = match command {
        Ok(command) => engine.price(&viewer.actor, head.envelope(), command).await,
        Err(error) => Err(error),
    };
    Ok(match done {
        Ok(done) => PricesPayload {
            position: Some(done.position.0),
            revision: Some(done.revision.0),
            repeated: done.repeated,
            user_errors: Vec::new(),
        },
        Err(error) => PricesPayload {
            position: None,
            revision: None,
            repeated: false,
            user_errors: vec![answer(&error, viewer.locale)?],
        },
    })
}
