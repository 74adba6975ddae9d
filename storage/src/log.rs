//! The contract of the event log, for every backend.
//!
//! The rule: callers depend on this file only. A backend that passes [`crate::conformance`] can
//! take the place of any other. What a single machine happens to offer beyond it is not promised,
//! so that a replicated log (a message broker, a database server) can stand behind it.

use async_trait::async_trait;
use tokio::sync::watch;

use crate::{Appended, Commit, Error, Hash, NewCommit, Position, Revision, StreamId};

/// A page of a read ends after this many bytes, even when fewer commits than asked for are in it.
pub const PAGE_BYTES: usize = 16 * 1024 * 1024;

/// The newest acknowledged commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Head {
    /// Its position, or [`Position::ZERO`] for an empty log.
    pub position: Position,
    /// Its hash, or [`Hash::ZERO`] for an empty log.
    pub hash: Hash,
}

/// How much is in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Statistics {
    /// Acknowledged commits.
    pub commits: u64,
    /// Events in them.
    pub events: u64,
    /// Streams that exist.
    pub streams: u64,
    /// What the backend takes on disk, or zero where it cannot be known.
    pub bytes_on_disk: u64,
    /// The bytes of the data of all events.
    pub bytes_of_events: u64,
}

/// One totally ordered, append-only, durable log of commits.
///
/// ```text
///                                            acknowledged head
///                                                    |
/// position        1      2      3      4      5      6     (7)   (8)
/// stream a     [ r1 ]        [ r2 ]               [ r3 ]  ( r4 )          r = revision
/// stream b            [ r1 ]        [ r2 ] [ r3 ]               ( r4 )
///                 `-------- hash chain --------'          in flight: seen by nobody
/// ```
///
/// # What a backend must do
///
/// - A commit is stored whole or not at all. Its events keep their order.
/// - Positions are 1, 2, 3 … without a gap; revisions count the same way within each stream.
/// - `append` must compare [`crate::Expected`] with the stream and store the commit in one step;
///   of two appends that expect the same revision, at most one is accepted.
/// - `append` must answer `Ok` only after the commit is durable. Once it has, every read that
///   starts later must return the commit, after any number of restarts.
/// - Reads must return acknowledged commits only, and must check what they return against its
///   hash: damage is [`Error::Corrupt`], never a panic, a guess or a shorter answer.
/// - `hash` must be [`crate::chain_hash`] of the commit, `previous` the hash one position before.
/// - After [`Error::Unknown`], and after any failure that leaves the state of the disk in doubt,
///   every later `append` must fail with [`Error::Poisoned`] until the log is opened again.
///
/// # What a backend may do
///
/// - Store several concurrent appends in one group, in any order among different callers.
/// - Return fewer commits than `most` from a read: only an empty page means that there is
///   nothing more for now. A page ends near [`PAGE_BYTES`] and holds at least one commit.
/// - Make a commit visible shortly before the caller of its `append` hears of it.
///
/// # What is not guaranteed
///
/// - No transaction spans two streams.
/// - An `append` whose future is dropped may still be stored; so may one that ended with
///   [`Error::Unknown`]. Whoever needs to know must carry an id of its own in the commit.
/// - No order of time: positions order commits, and the log reads no clock.
/// - `watch` may skip positions; it always ends on the newest.
/// - There is no deletion and no rewriting.
#[async_trait]
pub trait EventLog: Send + Sync {
    /// Stores a commit and answers where it is, once it is durable.
    async fn append(&self, commit: NewCommit) -> Result<Appended, Error>;

    /// Up to `most` commits of one stream, in order, after a revision. An absent stream is empty.
    async fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Commit>, Error>;

    /// Up to `most` commits of the whole log, in order, after a position.
    async fn read_all(&self, after: Position, most: usize) -> Result<Vec<Commit>, Error>;

    /// The newest acknowledged commit.
    async fn head(&self) -> Result<Head, Error>;

    /// The newest acknowledged position, now and whenever it moves.
    fn watch(&self) -> watch::Receiver<Position>;

    /// How much is in the log.
    async fn statistics(&self) -> Result<Statistics, Error>;
}
