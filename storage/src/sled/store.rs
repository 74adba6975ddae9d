//! What is kept in sled, in the tail before it, and in the blobs: reading commits back.
//!
//! The rule: a commit goes into sled whole, in an atomic batch in one tree, and comes out only after
//! its hash was computed again. Damage is an error, and a panic inside sled counts as damage. The
//! tail is looked at first and sled second; see [`Tail`] for why that order finds everything.
//! It deliberately doesn't know what is acknowledged; its callers bound what they read.

use std::fs::File;
use std::ops::Bound;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use ::sled::{Batch, IVec};

use super::database::Database;
use super::encoded::Encoded;
use super::keys;
use super::layout::Layout;
use super::record::{Event, Header, Payload, Totals};
use super::tail::Tail;
use crate::error::with_sources;
use crate::{
    BlobStore, Commit, Error, Hash, Head, NewCommit, Position, RecordedEvent, Revision, StreamId,
};

/// An open log on disk. Fields drop in this order: sled first, the lock on the directory last.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) database: Database,
    /// What sled may not have yet.
    pub(crate) tail: Tail,
    /// Our own handle to the file of sled, because flushing sled does not sync it.
    pub(crate) file: File,
    pub(crate) blobs: BlobStore,
    pub(crate) layout: Layout,
}

/// A commit on its way in, its large payloads already stored as blobs.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) commit: NewCommit,
    pub(crate) metadata: Option<Hash>,
    pub(crate) data: Vec<Option<Hash>>,
}

/// A stored commit and the sums that were stored beside it.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) commit: Commit,
    pub(crate) totals: Totals,
}

impl Store {
    /// The last commit that sled has, which may be newer than the acknowledged head.
    pub(crate) fn last_held(&self) -> Result<Option<(Head, Totals)>, Error> {
        let Some((key, value)) = self.database.get_lt(keys::after_commits()).map_err(read_error)?
        else {
            return Ok(None);
        };
        let Some(keys::Key::Commit(position)) = keys::parse(&key) else {
            return Err(Error::corrupt(None, "the log holds a key that is never written"));
        };
        let header = self.header(position, &value)?;
        Ok(Some((Head { position, hash: header.hash }, header.totals)))
    }

    /// The position of the last event, which must be that of the last commit.
    pub(crate) fn last_event(&self) -> Result<Position, Error> {
        let last = self.database.get_lt(keys::after_events()).map_err(read_error)?;
        Ok(match last.and_then(|(key, _)| keys::parse(&key)) {
            Some(keys::Key::Event(position)) => position,
            Some(keys::Key::Commit(_) | keys::Key::Stream) | None => Position::ZERO,
        })
    }

    /// The last commit of all, in the tail or in sled.
    pub(crate) fn last(&self) -> Result<Option<(Head, Totals)>, Error> {
        match self.tail.last() {
            Some(commit) => Ok(Some((commit.head(), commit.totals))),
            None => self.last_held(),
        }
    }

    /// The hash and the sums at a position, without reading the commit.
    pub(crate) fn before(&self, position: Position) -> Result<(Hash, Totals), Error> {
        if position == Position::ZERO {
            return Ok(Default::default());
        }
        let value = self.header_value(position)?;
        let header = self.header(position, &value)?;
        Ok((header.hash, header.totals))
    }

    /// The commit at a position, checked against its own hash.
    pub(crate) fn commit(&self, position: Position) -> Result<Stored, Error> {
        if let Some(encoded) = self.tail.get(position) {
            let header = self.header(position, &encoded.header)?;
            let mut events = Vec::with_capacity(encoded.events.len());
            for value in &encoded.events {
                events.push(self.event(position, value)?);
            }
            return self.checked(position, &header, events);
        }
        let value = self.header_value(position)?;
        let header = self.header(position, &value)?;
        let range = keys::event(position, 0)..=keys::event(position, u32::MAX);
        let events = self.take_events(position, &mut self.database.range(range).peekable())?;
        self.checked(position, &header, events)
    }

    pub(crate) fn event(&self, position: Position, value: &[u8]) -> Result<RecordedEvent, Error> {
        let event = Event::decode(value).map_err(|why| Error::corrupt(position, why))?;
        let data = self.bytes(position, &event.data)?;
        Ok(event.with_data(data))
    }

    pub(crate) fn checked(
        &self,
        position: Position,
        header: &Header<'_>,
        events: Vec<RecordedEvent>,
    ) -> Result<Stored, Error> {
        if events.len() as u64 != u64::from(header.events) {
            let why = format!("{} events are there instead of {}", events.len(), header.events);
            return Err(Error::corrupt(position, why));
        }
        let commit = Commit {
            position,
            revision: header.revision,
            hash: header.hash,
            previous: header.previous,
            metadata: self.bytes(position, &header.metadata)?,
            stream: header.stream.clone(),
            events,
        };
        if commit.computed_hash() != commit.hash {
            return Err(Error::corrupt(position, "the content does not match its hash"));
        }
        Ok(Stored { commit, totals: header.totals })
    }

    /// The revision of a stream, counting everything that was ever written.
    pub(crate) fn revision(&self, stream: &StreamId) -> Result<Revision, Error> {
        if let Some(revision) = self.tail.revision(stream) {
            return Ok(revision);
        }
        let range = keys::stream(stream, Revision(1))..=keys::stream(stream, Revision(u64::MAX));
        match self.database.range(range).next_back().transpose().map_err(read_error)? {
            Some((key, _)) => keys::revision(&key)
                .ok_or_else(|| Error::corrupt(None, format!("the index of {stream} is damaged"))),
            None => Ok(Revision::ZERO),
        }
    }

    /// The revisions and positions of a stream after a revision, in order.
    pub(crate) fn index(
        &self,
        stream: &StreamId,
        after: Revision,
    ) -> impl Iterator<Item = Result<(Revision, Position), Error>> + use<'_> {
        let newest = self.tail.of(stream, after);
        let first = Bound::Excluded(keys::stream(stream, after));
        let last = match newest.first() {
            Some((revision, _)) => Bound::Excluded(keys::stream(stream, *revision)),
            None => Bound::Included(keys::stream(stream, Revision(u64::MAX))),
        };
        let name = stream.to_string();
        let held = self.database.range::<Vec<u8>, _>((first, last)).map(move |entry| {
            let (key, value) = entry.map_err(read_error)?;
            keys::revision(&key)
                .zip(position(&value))
                .ok_or_else(|| Error::corrupt(None, format!("the index of {name} is damaged")))
        });
        held.chain(newest.into_iter().map(Ok))
    }

    /// The position that the index has for one commit of a stream.
    pub(crate) fn indexed(
        &self,
        stream: &StreamId,
        revision: Revision,
    ) -> Result<Option<Position>, Error> {
        let in_tail = self.tail.of(stream, Revision(revision.0.saturating_sub(1)));
        if let Some((_, position)) = in_tail.first().filter(|(found, _)| *found == revision) {
            return Ok(Some(*position));
        }
        let value = self.database.get(keys::stream(stream, revision)).map_err(read_error)?;
        Ok(value.and_then(|value| position(&value)))
    }

    /// Puts commits into sled, all or none of them. They are not durable there before
    /// [`Store::sync`].
    pub(crate) fn apply(&self, commits: &[Arc<Encoded>]) -> Result<(), Error> {
        let mut batch = Batch::default();
        commits.iter().for_each(|commit| commit.put_into(&mut batch));
        let written = self.database.apply_batch(batch);
        written.map_err(|error| database_error("write to the log", error))
    }

    /// Makes everything in sled durable.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.database.flush().map_err(|error| database_error("flush the log", error))?;
        self.file.sync_data().map_err(|source| Error::io("sync the file of the log", source))
    }

    fn header_value(&self, position: Position) -> Result<IVec, Error> {
        if let Some(encoded) = self.tail.get(position) {
            return Ok(IVec::from(encoded.header.as_slice()));
        }
        let value = self.database.get(keys::commit(position));
        value
            .map_err(|error| read_error_at(position, error))?
            .ok_or_else(|| Error::corrupt(position, "the commit is missing"))
    }

    pub(crate) fn header<'value>(
        &self,
        position: Position,
        value: &'value [u8],
    ) -> Result<Header<'value>, Error> {
        let header = Header::decode(value).map_err(|why| Error::corrupt(position, why))?;
        if header.position != position {
            let why = format!("the commit says that its position is {}", header.position);
            return Err(Error::corrupt(position, why));
        }
        Ok(header)
    }

    fn bytes(&self, position: Position, payload: &Payload<'_>) -> Result<Vec<u8>, Error> {
        match payload {
            Payload::Inline(bytes) => Ok(bytes.to_vec()),
            Payload::Blob { hash, size_bytes } => {
                let bytes = self.blobs.get(hash).map_err(|error| {
                    Error::corrupt(position, format!("a payload: {}", with_sources(&error)))
                })?;
                if bytes.len() as u64 != *size_bytes {
                    return Err(Error::corrupt(position, "a payload has the wrong length"));
                }
                Ok(bytes)
            }
        }
    }
}

impl Prepared {
    /// A commit that needs no blobs.
    pub(crate) fn inline(commit: NewCommit) -> Self {
        Self { metadata: None, data: vec![None; commit.events.len()], commit }
    }

    /// Stores what does not fit into a value as blobs, before the commit refers to them.
    pub(crate) fn with_blobs(commit: NewCommit, blobs: &BlobStore) -> Result<Self, Error> {
        let spill = |bytes: &[u8]| Self::spills(bytes).then(|| blobs.put(bytes)).transpose();
        let metadata = spill(&commit.metadata)?;
        let data = commit.events.iter().map(|event| spill(&event.data));
        Ok(Self { metadata, data: data.collect::<Result<_, _>>()?, commit })
    }

    /// Whether any payload of a commit must become a blob.
    pub(crate) fn needs_blobs(commit: &NewCommit) -> bool {
        Self::spills(&commit.metadata) || commit.events.iter().any(|e| Self::spills(&e.data))
    }

    fn spills(bytes: &[u8]) -> bool {
        bytes.len() > super::record::INLINE_BYTES_MAX
    }
}

/// Runs what touches sled, and makes a panic inside it an error.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(Error::corrupt(None, format!("the database gave up: {text}")))
    })
}

/// An error of sled, as one of ours.
pub(crate) fn database_error(operation: &str, error: ::sled::Error) -> Error {
    match error {
        ::sled::Error::Io(source) => Error::io(operation, source),
        ::sled::Error::Corruption { .. }
        | ::sled::Error::CollectionNotFound(_)
        | ::sled::Error::Unsupported(_)
        | ::sled::Error::ReportableBug(_) => {
            Error::corrupt(None, format!("could not {operation}: {}", with_sources(&error)))
        }
    }
}

pub(crate) fn read_error(error: ::sled::Error) -> Error {
    database_error("read the log", error)
}

pub(crate) fn read_error_at(position: Position, error: ::sled::Error) -> Error {
    let error = read_error(error);
    if let Error::Corrupt { why, .. } = error { Error::corrupt(position, why) } else { error }
}

pub(crate) fn position(value: &[u8]) -> Option<Position> {
    value.try_into().ok().map(|bytes| Position(u64::from_be_bytes(bytes)))
}
