//! The log in memory, for tests and simulations.
//!
//! The rule: it behaves as the durable ones do in everything but survival; dropping it loses all.
//! It never fails for want of a disk, so it cannot show how a caller deals with failing disks.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::sync::watch;

use crate::{
    Appended, Commit, Error, EventLog, Head, NewCommit, PAGE_BYTES, Position, RecordedEvent,
    Revision, Statistics, StreamId,
};

/// A log that lives as long as the value.
#[derive(Debug)]
pub struct MemoryLog {
    contents: Mutex<Contents>,
    acknowledged: watch::Sender<Position>,
}

#[derive(Debug, Default)]
struct Contents {
    commits: Vec<Commit>,
    /// For each stream, the indices of its commits; the revision is the place in the list.
    streams: HashMap<StreamId, Vec<usize>>,
    statistics: Statistics,
}

impl MemoryLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self { contents: Mutex::default(), acknowledged: watch::Sender::new(Position::ZERO) }
    }

    /// A panic elsewhere cannot leave the contents half changed, so a poisoned lock is still good.
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryLog {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl EventLog for MemoryLog {
    async fn append(&self, commit: NewCommit) -> Result<Appended, Error> {
        commit.check()?;
        let mut contents = self.contents();
        let appended = contents.append(commit)?;
        // Sent under the lock, so that the watched position never goes backwards.
        self.acknowledged.send_replace(appended.position);
        Ok(appended)
    }

    async fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Commit>, Error> {
        let contents = self.contents();
        let indices = contents.streams.get(stream).map(Vec::as_slice).unwrap_or_default();
        let later = indices.get(start(after.0)..).unwrap_or_default();
        Ok(page(later.iter().map(|index| &contents.commits[*index]), most))
    }

    async fn read_all(&self, after: Position, most: usize) -> Result<Vec<Commit>, Error> {
        let contents = self.contents();
        let later = contents.commits.get(start(after.0)..).unwrap_or_default();
        Ok(page(later.iter(), most))
    }

    async fn head(&self) -> Result<Head, Error> {
        Ok(self.contents().head())
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.acknowledged.subscribe()
    }

    async fn statistics(&self) -> Result<Statistics, Error> {
        Ok(self.contents().statistics)
    }
}

impl Contents {
    fn append(&mut self, commit: NewCommit) -> Result<Appended, Error> {
        let NewCommit { stream, expected, metadata, events } = commit;
        let actual = Revision(self.streams.get(&stream).map_or(0, |indices| indices.len() as u64));
        if !expected.accepts(actual) {
            return Err(Error::Conflict { stream, expected, actual });
        }
        let head = self.head();
        let events = events
            .into_iter()
            .map(|event| RecordedEvent { kind: event.kind, schema: event.schema, data: event.data })
            .collect();
        let mut stored = Commit {
            position: head.position.next(),
            stream,
            revision: actual.next(),
            hash: head.hash,
            previous: head.hash,
            metadata,
            events,
        };
        stored.hash = stored.computed_hash();
        let appended =
            Appended { position: stored.position, revision: stored.revision, hash: stored.hash };
        self.count(&stored);
        self.streams.entry(stored.stream.clone()).or_default().push(self.commits.len());
        self.commits.push(stored);
        Ok(appended)
    }

    fn count(&mut self, commit: &Commit) {
        self.statistics.commits += 1;
        self.statistics.events += commit.events.len() as u64;
        self.statistics.streams += u64::from(commit.revision == Revision(1));
        self.statistics.bytes_of_events +=
            commit.events.iter().map(|event| event.data.len() as u64).sum::<u64>();
    }

    fn head(&self) -> Head {
        self.commits
            .last()
            .map(|commit| Head { position: commit.position, hash: commit.hash })
            .unwrap_or_default()
    }
}

/// A start beyond what memory can hold is beyond the end of the log too.
fn start(after: u64) -> usize {
    usize::try_from(after).unwrap_or(usize::MAX)
}

fn page<'log>(commits: impl Iterator<Item = &'log Commit>, most: usize) -> Vec<Commit> {
    let mut size = 0;
    commits
        .take(most)
        .take_while(|commit| {
            let room = size < PAGE_BYTES;
            size += commit.size_bytes();
            room
        })
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn the_log_in_memory_keeps_the_contract() {
        crate::conformance::all(async || Arc::new(MemoryLog::new()) as _).await;
    }
}
