//! A log that can be told to misbehave, in front of one that does not.

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use sixgate_storage::{
    Appended, Commit, Error, EventLog, Head, MemoryLog, NewCommit, Position, Revision, Statistics,
    StreamId,
};
use tokio::sync::{Notify, watch};

/// How an append goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is stored, but nobody can say so.
    UnknownAndStored,
    UnknownAndLost,
    Poisoned,
    /// It is stored, and the answer never comes.
    Silence,
}

type Intrusion = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Default)]
pub(crate) struct Rigged {
    pub(crate) inner: Arc<MemoryLog>,
    failure: Mutex<Option<Failure>>,
    /// What others do right before an append, one for each append.
    intrusions: Mutex<VecDeque<Intrusion>>,
    /// A position that reads leave out.
    hidden: Mutex<Option<Position>>,
    pub(crate) appends: AtomicUsize,
    /// So many more appends succeed, and then none.
    left: Mutex<Option<usize>>,
    /// Told when an append has been stored whose answer does not come.
    pub(crate) silent: Notify,
}

impl Rigged {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Of the next append.
    pub(crate) fn fail(&self, failure: Failure) {
        *self.failure.lock().unwrap() = Some(failure);
    }

    pub(crate) fn poison_after(&self, appends: usize) {
        *self.left.lock().unwrap() = Some(appends);
    }

    pub(crate) fn heal(&self) {
        *self.left.lock().unwrap() = None;
    }

    pub(crate) fn intrude(&self, intrusion: impl Future<Output = ()> + Send + 'static) {
        self.intrusions.lock().unwrap().push_back(Box::pin(intrusion));
    }

    pub(crate) fn hide(&self, position: Option<Position>) {
        *self.hidden.lock().unwrap() = position;
    }
}

#[async_trait]
impl EventLog for Rigged {
    async fn append(&self, commit: NewCommit) -> Result<Appended, Error> {
        self.appends.fetch_add(1, Ordering::Relaxed);
        let intrusion = self.intrusions.lock().unwrap().pop_front();
        if let Some(intrusion) = intrusion {
            intrusion.await;
        }
        let failure = self.failure.lock().unwrap().take();
        let why = || "the disk went away".to_owned();
        if let Some(left) = self.left.lock().unwrap().as_mut() {
            *left = left.checked_sub(1).ok_or_else(|| Error::Poisoned { why: why() })?;
        }
        match failure {
            None => self.inner.append(commit).await,
            Some(Failure::UnknownAndStored) => {
                self.inner.append(commit).await?;
                Err(Error::Unknown { why: why() })
            }
            Some(Failure::UnknownAndLost) => Err(Error::Unknown { why: why() }),
            Some(Failure::Poisoned) => Err(Error::Poisoned { why: why() }),
            Some(Failure::Silence) => {
                self.inner.append(commit).await?;
                self.silent.notify_one();
                std::future::pending().await
            }
        }
    }

    async fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Commit>, Error> {
        self.inner.read_stream(stream, after, most).await
    }

    async fn read_all(&self, after: Position, most: usize) -> Result<Vec<Commit>, Error> {
        let mut commits = self.inner.read_all(after, most).await?;
        let hidden = *self.hidden.lock().unwrap();
        commits.retain(|commit| Some(commit.position) != hidden);
        Ok(commits)
    }

    async fn head(&self) -> Result<Head, Error> {
        self.inner.head().await
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.inner.watch()
    }

    async fn statistics(&self) -> Result<Statistics, Error> {
        self.inner.statistics().await
    }
}
