//! The unit of the log: a commit, before and after it is stored.
//!
//! The rule: a commit belongs to one stream, holds at least one event, and is stored whole or not
//! at all. The limits here hold for every backend, so that a log can move from one to another.
//! Nothing here looks into metadata or data; both are bytes.

use std::fmt;

use crate::{Error, Hash, Position, Revision, StreamId};

/// The most bytes in one commit, counting metadata, kinds and data.
pub const COMMIT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The most events in one commit.
pub const COMMIT_EVENTS_MAX: usize = 1_000;
/// The most bytes in the kind of an event.
pub const KIND_BYTES_MAX: usize = 100;

/// What the writer knew of the stream when it decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    /// Anything: the append does not depend on the state of the stream.
    Any,
    /// The stream must not exist yet.
    Absent,
    /// The stream must hold exactly this many commits.
    Exactly(Revision),
}

/// An event to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewEvent {
    /// The stable name of what happened, such as `needs.request_opened`.
    pub kind: String,
    /// The number of the layout of `data`.
    pub schema: u16,
    /// The event itself, opaque to the log.
    pub data: Vec<u8>,
}

/// A commit to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewCommit {
    /// The stream it belongs to.
    pub stream: StreamId,
    /// What the stream must look like for the commit to be accepted.
    pub expected: Expected,
    /// Who, why and when; opaque to the log.
    pub metadata: Vec<u8>,
    /// What happened, in order; at least one.
    pub events: Vec<NewEvent>,
}

/// An event as stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordedEvent {
    /// The stable name of what happened.
    pub kind: String,
    /// The number of the layout of `data`.
    pub schema: u16,
    /// The event itself, opaque to the log.
    pub data: Vec<u8>,
}

/// A commit as stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Commit {
    /// Its place in the whole log.
    pub position: Position,
    /// The stream it belongs to.
    pub stream: StreamId,
    /// Its place in the stream.
    pub revision: Revision,
    /// The hash over all of this commit, including `previous`.
    pub hash: Hash,
    /// The hash of the commit at the position before.
    pub previous: Hash,
    /// Who, why and when; opaque to the log.
    pub metadata: Vec<u8>,
    /// What happened, in order.
    pub events: Vec<RecordedEvent>,
}

/// Where an accepted commit was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Appended {
    /// Its place in the whole log.
    pub position: Position,
    /// Its place in the stream, which is now the revision of the stream.
    pub revision: Revision,
    /// Its hash.
    pub hash: Hash,
}

impl Expected {
    /// Whether a stream at this revision is what was expected.
    #[must_use]
    pub fn accepts(self, actual: Revision) -> bool {
        match self {
            Self::Any => true,
            Self::Absent => actual == Revision::ZERO,
            Self::Exactly(revision) => actual == revision,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("any revision"),
            Self::Absent => formatter.write_str("no such stream"),
            Self::Exactly(revision) => write!(formatter, "revision {revision}"),
        }
    }
}

impl NewCommit {
    /// Checks the limits that every backend must apply before it stores anything.
    pub fn check(&self) -> Result<(), Error> {
        if self.events.is_empty() {
            return Err(Error::Invalid {
                what: "commit",
                why: "it holds no event, and must hold at least one".to_owned(),
            });
        }
        if self.events.len() > COMMIT_EVENTS_MAX {
            return Err(Error::Invalid {
                what: "commit",
                why: format!(
                    "it holds {} events, and may hold at most {COMMIT_EVENTS_MAX}",
                    self.events.len()
                ),
            });
        }
        self.events.iter().try_for_each(|event| check_kind(&event.kind))?;
        let size = self.size_bytes();
        if size > COMMIT_BYTES_MAX {
            return Err(Error::TooLarge {
                what: "commit",
                size_bytes: size as u64,
                size_bytes_max: COMMIT_BYTES_MAX as u64,
            });
        }
        Ok(())
    }

    /// The bytes that count against [`COMMIT_BYTES_MAX`].
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let events = self.events.iter().map(|event| event.kind.len() + event.data.len());
        self.metadata.len() + events.sum::<usize>()
    }
}

impl Commit {
    /// The bytes that count against [`COMMIT_BYTES_MAX`].
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let events = self.events.iter().map(|event| event.kind.len() + event.data.len());
        self.metadata.len() + events.sum::<usize>()
    }

    /// The hash that the content of this commit ought to have.
    #[must_use]
    pub fn computed_hash(&self) -> Hash {
        crate::chain_hash(
            self.previous,
            self.position,
            &self.stream,
            self.revision,
            &self.metadata,
            self.events.iter().map(|event| (event.kind.as_str(), event.schema, &event.data[..])),
        )
    }
}

fn check_kind(kind: &str) -> Result<(), Error> {
    let printable = kind.bytes().all(|byte| byte.is_ascii_graphic());
    if kind.is_empty() || kind.len() > KIND_BYTES_MAX || !printable {
        return Err(Error::Invalid {
            what: "event kind",
            why: format!("it must be 1 to {KIND_BYTES_MAX} visible ASCII characters"),
        });
    }
    Ok(())
}
