//! Between events and the bytes of the log.
//!
//! What every commit carries besides its events: the command that caused it, who sent it, and when
//! it was decided. The command's id and the hash of its input are what makes commands idempotent.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sixgate_storage::{Commit, NewEvent};
use sixgate_workflows::{
    context::ActorId,
    evidence::ContentHash,
    ids::CommandId,
    recorded::Stamp,
    stored::{SCHEMA, StoredEvent, Unreadable},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) command: CommandId,
    /// Of the command, the stream it went to and the actor.
    pub(crate) input: ContentHash,
    pub(crate) by: ActorId,
    pub(crate) at: DateTime<Utc>,
}

impl Metadata {
    pub(crate) fn encoded(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("ids, a hash and a time can be written as JSON")
    }

    pub(crate) fn of(commit: &Commit) -> Result<Self, Unreadable> {
        serde_json::from_slice(&commit.metadata).map_err(|error| Unreadable {
            kind: "metadata".to_owned(),
            schema: SCHEMA,
            why: format!("at position {}: {error}", commit.position),
        })
    }

    pub(crate) fn stamp(&self, position: u64, index: usize) -> Stamp {
        let index = u32::try_from(index).expect("a commit holds at most a thousand events");
        Stamp { at: self.at, by: self.by, position, index }
    }
}

pub(crate) fn encoded<E: StoredEvent>(event: &E) -> NewEvent {
    let data = serde_json::to_vec(&event.data()).expect("a JSON value can be written");
    NewEvent { kind: event.kind(), schema: SCHEMA, data }
}

/// Every event of a commit with its stamp.
pub(crate) fn decoded<E: StoredEvent>(commit: &Commit) -> Result<Vec<(E, Stamp)>, Unreadable> {
    let metadata = Metadata::of(commit)?;
    commit
        .events
        .iter()
        .enumerate()
        .map(|(index, event)| {
            let data = serde_json::from_slice(&event.data).map_err(|error| Unreadable {
                kind: event.kind.clone(),
                schema: event.schema,
                why: error.to_string(),
            })?;
            let decoded = E::read(&event.kind, event.schema, data)?;
            Ok((decoded, metadata.stamp(commit.position.0, index)))
        })
        .collect()
}
