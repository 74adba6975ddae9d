//! The log as one program sees it: the shared one in memory, behind that program's fuse.
//!
//! The rule: what was acknowledged stays. A program that ends before an append is stored has lost
//! it; one that ends after it is stored and before it is acknowledged does not know of it.

use std::sync::Arc;

use async_trait::async_trait;
use sixgate_storage::{
    Appended, Commit, Error, EventLog, Head, MemoryLog, NewCommit, Position, Revision, Statistics,
    StreamId,
};
use tokio::sync::watch;

use super::fuse::Fuse;

pub(super) struct LogOfOne {
    pub(super) shared: Arc<MemoryLog>,
    pub(super) fuse: Arc<Fuse>,
}

#[async_trait]
impl EventLog for LogOfOne {
    async fn append(&self, commit: NewCommit) -> Result<Appended, Error> {
        self.fuse.pass().await;
        // A log on a disk makes its callers wait, and others go on meanwhile.
        tokio::task::yield_now().await;
        let appended = self.shared.append(commit).await;
        self.fuse.pass().await;
        appended
    }

    async fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Commit>, Error> {
        self.shared.read_stream(stream, after, most).await
    }

    async fn read_all(&self, after: Position, most: usize) -> Result<Vec<Commit>, Error> {
        self.shared.read_all(after, most).await
    }

    async fn head(&self) -> Result<Head, Error> {
        self.shared.head().await
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.shared.watch()
    }

    async fn statistics(&self) -> Result<Statistics, Error> {
        self.shared.statistics().await
    }
}
