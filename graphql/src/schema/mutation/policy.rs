//! Commands about the policy.

use async_graphql::{Context, InputObject, Json, Object};
use sixgate_engine::Error;
use sixgate_workflows::{
    invalid::Invalid,
    policy::{self, Command},
};

use super::{PolicyPayload, engine, viewer};
use crate::schema::{
    input::{CommandHead, name},
    problem::absent,
    types::policy::Policy,
};

#[derive(Default)]
pub(super) struct PolicyMutation;

#[derive(InputObject)]
pub(super) struct PublishPolicyInput {
    #[graphql(flatten)]
    head: CommandHead,
    /// The whole document, with its version raised by one.
    document: Json<serde_json::Value>,
    reason: String,
}

#[Object]
impl PolicyMutation {
    /// Running procurements keep theirs until each is moved by `adoptPolicy`.
    async fn publish_policy(
        &self,
        context: &Context<'_>,
        input: PublishPolicyInput,
    ) -> async_graphql::Result<PolicyPayload> {
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let command = || -> Result<Command, Error> {
            let policy = serde_json::from_value::<policy::Policy>(input.document.0.clone())
                .map_err(|error| Invalid::new("document", error.to_string()))?;
            Ok(Command::Publish { policy: Box::new(policy), reason: name(&input.reason)? })
        };
        let done = match command() {
            Ok(command) => engine.govern(viewer, input.head.envelope(), command).await,
            Err(error) => Err(error),
        };
        let newest = absent(engine.policies(viewer))?.and_then(|mut all| all.pop());
        PolicyPayload::new(context, newest.map(Policy), done)
    }
}
