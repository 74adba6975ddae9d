//! The thread that brings acknowledged commits from the journal's tail into sled.
//!
//! ```text
//! writer -> [ backlog ] -> applier -> sled ......... flush, sync, give up segments
//!                                     every group    once in a while
//! ```
//!
//! The rule: commits arrive in sled in their order, and a segment of the journal is given up only
//! after a flush of sled and a sync of its file that came after its last commit. The first failure
//! ends the log: what is in the journal stays there and is replayed when the log opens again.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::acknowledged::Acknowledged;
use super::encoded::Encoded;
use super::failpoint::{Point, reach};
use super::journal::Shelf;
use super::store::{Store, guarded};
use crate::error::with_sources;
use crate::{Error, Position};

/// The writer waits when this much is acknowledged that sled does not have.
const BACKLOG_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Sled is flushed and synced after so much, or when there is nothing else to do for a while.
const SETTLE_BYTES: usize = 8 * 1024 * 1024;
const IDLE: Duration = Duration::from_millis(500);

/// So much goes into one batch.
const BATCH_BYTES: usize = 1024 * 1024;

pub(crate) type Group = Vec<Arc<Encoded>>;

/// The groups on their way, shared by the writer, the applier, and whoever waits for them.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Group>,
    bytes: usize,
    /// Sled has everything through here.
    applied: Position,
    closed: bool,
    failure: Option<String>,
}

/// What the thread works with.
pub(crate) struct Applier {
    pub(crate) store: Arc<Store>,
    pub(crate) backlog: Arc<Backlog>,
    pub(crate) shelf: Arc<Shelf>,
    /// The file of the high-water mark, which the writer moves and nobody else syncs meanwhile.
    pub(crate) mark: File,
    pub(crate) acknowledged: Arc<Acknowledged>,
}

impl Backlog {
    pub(crate) fn new(applied: Position) -> Arc<Self> {
        let state = State { applied, ..State::default() };
        Arc::new(Self { state: Mutex::new(state), changed: Condvar::new() })
    }

    /// Hands over a durable group; waits where too many wait already.
    pub(crate) fn hand_over(&self, group: Group) {
        let size = size_bytes(&group);
        let mut state = self.lock();
        while state.bytes > BACKLOG_BYTES_MAX && state.failure.is_none() {
            state = self.wait(state);
        }
        state.bytes += size;
        state.waiting.push_back(group);
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until sled has everything through a position.
    pub(crate) fn wait_for(&self, position: Position) -> Result<(), Error> {
        let mut state = self.lock();
        while state.applied < position {
            if let Some(why) = &state.failure {
                return Err(Error::Poisoned { why: why.clone() });
            }
            state = self.wait(state);
        }
        Ok(())
    }

    /// Nothing more will be handed over.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Some groups; an empty list after a while without any, `None` when there will be none.
    fn take(&self) -> Option<Vec<Group>> {
        let mut state = self.lock();
        if state.waiting.is_empty() && !state.closed {
            let waited = self.changed.wait_timeout(state, IDLE);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let mut taken = Vec::new();
        let mut size = 0;
        while size < BATCH_BYTES
            && let Some(group) = state.waiting.pop_front()
        {
            size += size_bytes(&group);
            taken.push(group);
        }
        (!taken.is_empty() || !state.closed).then_some(taken)
    }

    fn applied(&self, through: Position, bytes: usize) {
        let mut state = self.lock();
        state.applied = through;
        state.bytes -= bytes;
        drop(state);
        self.changed.notify_all();
    }

    fn fail(&self, why: String) {
        self.lock().failure = Some(why);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Applier {
    pub(crate) fn start(self) -> Result<JoinHandle<()>, Error> {
        thread::Builder::new()
            .name("log-applier".to_owned())
            .spawn(move || {
                if let Err(error) = guarded(|| self.run()) {
                    let why = with_sources(&error);
                    tracing::error!(why = %why, "the log stops accepting commits");
                    self.acknowledged.fail(why.clone());
                    self.backlog.fail(why);
                }
            })
            .map_err(|source| Error::io("start the thread that applies the journal", source))
    }

    fn run(&self) -> Result<(), Error> {
        let (mut unsettled, mut last) = (0, None);
        while let Some(groups) = self.backlog.take() {
            let idle = groups.is_empty();
            let commits: Group = groups.into_iter().flatten().collect();
            if let Some(newest) = commits.last() {
                self.store.apply(&commits)?;
                reach(Point::AfterApply);
                self.store.tail.forget(newest.position);
                let size = size_bytes(&commits);
                self.backlog.applied(newest.position, size);
                unsettled += size;
                last = Some(newest.position);
                self.shelf.prepare()?;
            }
            if unsettled >= SETTLE_BYTES || (idle && unsettled > 0) {
                self.settle(last)?;
                unsettled = 0;
            }
        }
        self.settle(last)
    }

    fn settle(&self, last: Option<Position>) -> Result<(), Error> {
        let Some(last) = last else { return Ok(()) };
        self.store.sync()?;
        // From here on sled is trusted, so what tells whether it lost something must be durable.
        let synced = self.mark.sync_data();
        synced.map_err(|source| Error::io("sync the high-water mark", source))?;
        reach(Point::AfterSettle);
        self.shelf.give_up(last)
    }
}

fn size_bytes(commits: &[Arc<Encoded>]) -> usize {
    commits.iter().map(|commit| commit.size_bytes()).sum()
}
