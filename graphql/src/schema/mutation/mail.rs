//! Mutations about mail itself.

use async_graphql::{Context, InputObject, Object};

use super::{MailRoomPayload, engine, viewer};
use crate::schema::{input::CommandHead, problem::absent, types::mail_room::MailRoom};

#[derive(Default)]
pub(super) struct MailMutation;

#[derive(InputObject)]
pub(super) struct RequeueLetterInput {
    #[graphql(flatten)]
    head: CommandHead,
    message_id: String,
}

#[Object]
impl MailMutation {
    /// Sends a dead letter again, for administrators: the same bytes under the same Message-ID.
    async fn requeue_letter(
        &self,
        context: &Context<'_>,
        input: RequeueLetterInput,
    ) -> async_graphql::Result<MailRoomPayload> {
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let envelope = input.head.envelope();
        let done = engine.requeue(&viewer.actor, envelope, &input.message_id).await;
        let room = absent(engine.mail_room(viewer))?;
        MailRoomPayload::new(context, room.map(MailRoom), done)
    }
}
