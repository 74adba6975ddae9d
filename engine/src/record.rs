//! Between events and the bytes of the log, where personal data is sealed and opened.
//!
//! What every commit carries besides its events: the command that caused it, who sent it, and when
//! it was decided. The command's id and the hash of its input are what makes commands idempotent.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sixgate_storage::{Commit, NewEvent, Position, RecordedEvent, StreamId};
use sixgate_workflows::{
    context::ActorId,
    evidence::ContentHash,
    ids::CommandId,
    personal,
    recorded::Stamp,
    stored::{SCHEMA, StoredEvent, Unreadable},
};

use crate::{
    error::Error,
    keys::{DataSubject, Keys, KeysError},
    seal::Place,
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

/// The events of a commit as they are stored. Every key that they need is durable before this
/// returns, and so before they are appended. `reached` is a position that the log has reached.
pub(crate) async fn encoded<E: StoredEvent>(
    keys: &Arc<Keys>,
    stream: &StreamId,
    reached: Position,
    events: &[E],
) -> Result<Vec<NewEvent>, Error> {
    let plain: Vec<(String, Value)> = events.iter().map(|e| (e.kind(), e.data())).collect();
    let subjects: BTreeSet<DataSubject> =
        plain.iter().filter_map(|(kind, data)| Place { stream, kind }.needs_key_of(data)).collect();
    if !keys.are_provided(subjects.iter()) {
        let keys = Arc::clone(keys);
        on_the_disk(move || keys.provide(&subjects, reached)).await?;
    }
    let stored = plain.into_iter().map(|(kind, mut data)| {
        Place { stream, kind: &kind }.seal(keys, &mut data);
        let data = serde_json::to_vec(&data).expect("a JSON value can be written");
        NewEvent { kind, schema: SCHEMA, data }
    });
    Ok(stored.collect())
}

/// Runs what waits for the disk where it keeps nobody else waiting.
pub(crate) async fn on_the_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, KeysError> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    let done =
        done.map_err(|error| Error::Setup(format!("writing the keys broke off: {error}")))?;
    done.map_err(Error::from)
}

/// The data of an event as the rules know it: opened, and with pseudonyms for who was erased.
pub(crate) fn opened(
    commit: &Commit,
    event: &RecordedEvent,
    keys: &Keys,
) -> Result<Value, Unreadable> {
    let unreadable = |why| Unreadable { kind: event.kind.clone(), schema: event.schema, why };
    let mut data =
        serde_json::from_slice(&event.data).map_err(|error| unreadable(error.to_string()))?;
    let place = Place { stream: &commit.stream, kind: &event.kind };
    place.open(keys, commit.position, &mut data).map_err(unreadable)?;
    Ok(data)
}

/// Every event of a commit with its stamp.
pub(crate) fn decoded<E: StoredEvent>(
    commit: &Commit,
    metadata: &Metadata,
    keys: &Keys,
) -> Result<Vec<(E, Stamp)>, Unreadable> {
    let decode = |(index, event): (usize, &RecordedEvent)| {
        let (kind, schema) = (event.kind.as_str(), event.schema);
        let decoded = match personal::mark(kind) {
            Some(_) => E::read(kind, schema, opened(commit, event, keys)?)?,
            // Nothing in it is ever sealed.
            None => E::read_text(kind, schema, &event.data)?,
        };
        Ok((decoded, metadata.stamp(commit.position.0, index)))
    };
    commit.events.iter().enumerate().map(decode).collect()
}
