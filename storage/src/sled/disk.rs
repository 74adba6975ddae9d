//! The disk under the writer: the journal, the high-water mark, and the way into sled.
//!
//! The rule: a group is synced in the journal, then the mark is moved, then readers may see it. The
//! mark is not synced for each group: it survives the end of the process at once and a power cut a
//! moment later, and what it would tell is in the journal. When the log closes after nothing
//! failed, the mark is written to both of its slots, durably.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use super::applier::{Backlog, Group};
use super::encoded::Encoded;
use super::failpoint::{Point, reach};
use super::high_water::HighWater;
use super::journal::Journal;
use super::record::Totals;
use super::store::{Prepared, Store};
use super::writer::Disk;
use crate::{Error, Hash, Head, Revision, StreamId};

/// Streams whose revision is remembered; all are forgotten when there are more.
const REVISIONS_MAX: usize = 100_000;

/// The real disk.
pub(crate) struct JournaledDisk {
    store: Arc<Store>,
    journal: Journal,
    high_water: HighWater,
    backlog: Arc<Backlog>,
    /// Accepted, but not yet in the journal.
    group: Group,
    /// The writer is the only one who changes a stream, so what it knows of one stays true.
    revisions: HashMap<StreamId, Revision>,
    failed: bool,
}

impl JournaledDisk {
    pub(crate) fn new(
        store: Arc<Store>,
        journal: Journal,
        high_water: HighWater,
        backlog: Arc<Backlog>,
    ) -> Self {
        let (group, revisions) = (Group::new(), HashMap::new());
        Self { store, journal, high_water, backlog, group, revisions, failed: false }
    }

    fn note<T>(&mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        self.failed |= outcome.is_err();
        outcome
    }
}

impl Disk for JournaledDisk {
    fn revision(&self, stream: &StreamId) -> Result<Revision, Error> {
        match self.revisions.get(stream) {
            Some(revision) => Ok(*revision),
            None => self.store.revision(stream),
        }
    }

    fn write(
        &mut self,
        prepared: &Prepared,
        head: Head,
        revision: Revision,
        totals: Totals,
    ) -> Result<Hash, Error> {
        let commit = Encoded::new(prepared, head, revision, totals);
        let hash = commit.hash;
        if self.revisions.len() >= REVISIONS_MAX && self.group.is_empty() {
            self.revisions.clear();
        }
        self.revisions.insert(commit.stream.clone(), revision);
        self.group.push(Arc::new(commit));
        Ok(hash)
    }

    fn sync(&mut self) -> Result<(), Error> {
        reach(Point::BeforeFrame);
        let outcome = self.journal.append(&self.group);
        reach(Point::AfterFrame);
        self.note(outcome)
    }

    fn mark(&mut self, head: Head) -> Result<(), Error> {
        let outcome = self.high_water.note(head);
        self.note(outcome.map_err(|source| Error::io("write the high-water mark", source)))?;
        reach(Point::AfterMark);
        let group = mem::take(&mut self.group);
        self.store.tail.push(&group);
        self.backlog.hand_over(group);
        Ok(())
    }
}

impl Drop for JournaledDisk {
    fn drop(&mut self) {
        self.backlog.close();
        if self.failed || std::thread::panicking() {
            return;
        }
        let head = self.high_water.head();
        if let Err(error) = self.high_water.settle(head) {
            // The journal and sled say the same, so nothing is lost.
            tracing::warn!(error = %error, "the high-water mark could not be written durably");
        }
    }
}
