//! The disk under the writer: sled, the sync of its file, and the high-water mark.
//!
//! The rule: steps are taken in the order the writer asks for, and every failure is passed on.
//! When the log closes after nothing failed, the mark is written to both of its slots.

use std::sync::Arc;

use super::high_water::HighWater;
use super::record::Totals;
use super::store::{Prepared, Store};
use super::writer::Disk;
use crate::{Error, Hash, Head, Revision, StreamId};

/// The real disk.
pub(crate) struct SledDisk {
    store: Arc<Store>,
    high_water: HighWater,
    failed: bool,
}

impl SledDisk {
    pub(crate) fn new(store: Arc<Store>, high_water: HighWater) -> Self {
        Self { store, high_water, failed: false }
    }

    fn note<T>(&mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        self.failed |= outcome.is_err();
        outcome
    }
}

impl Disk for SledDisk {
    fn revision(&self, stream: &StreamId) -> Result<Revision, Error> {
        self.store.revision(stream)
    }

    fn write(
        &mut self,
        prepared: &Prepared,
        head: Head,
        revision: Revision,
        totals: Totals,
    ) -> Result<Hash, Error> {
        let outcome = self.store.write(prepared, head, revision, totals);
        self.note(outcome)
    }

    fn sync(&mut self) -> Result<(), Error> {
        let outcome = self.store.sync();
        self.note(outcome)
    }

    fn mark(&mut self, head: Head) -> Result<(), Error> {
        let outcome = self.high_water.write(head);
        self.note(outcome.map_err(|source| Error::io("write the high-water mark", source)))
    }
}

impl Drop for SledDisk {
    fn drop(&mut self) {
        if self.failed || std::thread::panicking() {
            return;
        }
        let head = self.high_water.head();
        if let Err(error) = self.high_water.write(head) {
            // The other slot says the same, so nothing is lost.
            tracing::warn!(error = %error, "the high-water mark could not be written twice");
        }
    }
}
