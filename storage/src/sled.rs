//! The log on one disk, in sled, with what sled does not give: real syncs and proof of completeness.
//!
//! ```text
//! append -> [ bounded queue ] -> writer thread -> journal, one sync -> mark -> answer
//!                                                    `-> tail -> applier thread -> sled
//! read   -> spawn_blocking ---------------------------------^------------------------^
//!                                                      bounded by the acknowledged head
//! ```
//!
//! The rule: sled alone is not trusted. Its flush is no sync, its panics are caught, and a tail
//! that it rolled back is noticed, because the newest acknowledged commit is also known outside it,
//! and repaired as far as the journal reaches back.
//!
//! It deliberately holds one log per directory and process, never retries a failed write, and
//! offers no way to read a log that another process has open.

mod acknowledged;
mod applier;
mod commits;
mod database;
mod disk;
mod encoded;
mod failpoint;
mod high_water;
mod journal;
mod keys;
mod layout;
mod open;
mod record;
mod store;
mod tail;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task;

use self::acknowledged::Acknowledged;
use self::applier::{Applier, Backlog};
use self::disk::JournaledDisk;
use self::store::{Prepared, Store, guarded};
pub use self::verify::{Progress, Verification, verify};
use self::writer::{GroupLimits, Request, Writer};
use crate::{
    Appended, BlobStore, Commit, Error, EventLog, Head, NewCommit, PAGE_BYTES, Position, Revision,
    Statistics, StreamId, files,
};

/// How a log is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What sled should keep in memory; it was measured to take several times as much.
    pub cache_bytes: u64,
    /// The most commits that share one sync.
    pub group_commits_max: usize,
    /// The size at which a group takes no more commits.
    pub group_bytes_max: usize,
    /// The most commits that wait for the writer before further appends wait to be let in.
    pub queue_commits_max: usize,
    /// How much is verified before the log may be used.
    pub verify_at_open: VerifyAtOpen,
}

/// How much of a log is verified when it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifyAtOpen {
    /// This many of the newest commits, or all if there are no more than that.
    Newest(u64),
    /// Everything; the time to open grows with the log.
    Whole,
}

/// A durable log in one directory. Dropping it waits for the writer and closes the files.
#[derive(Debug)]
pub struct SledLog {
    shared: Arc<Shared>,
    requests: Option<mpsc::Sender<Request>>,
    /// The writer, which ends when no more requests can come, and the applier, which ends after it.
    threads: Vec<JoinHandle<()>>,
    directory: PathBuf,
    blobs: BlobStore,
}

/// What blocking reads hold on to, perhaps for longer than the log lives.
#[derive(Debug)]
struct Shared {
    /// Taken out when the log closes, so that a late reader cannot keep the files open.
    store: RwLock<Option<Arc<Store>>>,
    acknowledged: Arc<Acknowledged>,
    backlog: Arc<Backlog>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cache_bytes: 32 * 1024 * 1024,
            group_commits_max: 256,
            group_bytes_max: 8 * 1024 * 1024,
            queue_commits_max: 1024,
            verify_at_open: VerifyAtOpen::Newest(10_000),
        }
    }
}

impl SledLog {
    /// Opens the log in a directory, or creates one where the directory is absent or empty.
    ///
    /// This call blocks while sled recovers and the newest commits are verified.
    pub fn open(directory: impl AsRef<Path>, options: Options) -> Result<Self, Error> {
        let opened = open::open(directory.as_ref(), &options)?;
        let store = Arc::new(opened.store);
        let acknowledged = Arc::new(Acknowledged::new(opened.head, opened.totals));
        let limits = GroupLimits {
            commits_max: options.group_commits_max.max(1),
            bytes_max: options.group_bytes_max,
        };
        let backlog = Backlog::new(opened.head.position);
        let applier = Applier {
            store: Arc::clone(&store),
            backlog: Arc::clone(&backlog),
            shelf: opened.journal.shelf(),
            mark: opened
                .high_water
                .file()
                .map_err(|source| Error::io("open the high-water mark again", source))?,
            acknowledged: Arc::clone(&acknowledged),
        }
        .start()?;
        let (journal, high_water) = (opened.journal, opened.high_water);
        let disk =
            JournaledDisk::new(Arc::clone(&store), journal, high_water, Arc::clone(&backlog));
        let writer = Writer::new(disk, limits, Arc::clone(&acknowledged));
        let (requests, waiting) = mpsc::channel(options.queue_commits_max.max(1));
        let writer = thread::Builder::new()
            .name("log-writer".to_owned())
            .spawn(move || writer.run(waiting))
            .map_err(|source| Error::io("start the thread that writes the log", source))?;
        Ok(Self {
            blobs: store.blobs.clone(),
            shared: Arc::new(Shared { store: RwLock::new(Some(store)), acknowledged, backlog }),
            requests: Some(requests),
            threads: vec![writer, applier],
            directory: directory.as_ref().to_path_buf(),
        })
    }

    /// The directory of the log.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The blobs beside the log, to be shared by whoever stores files that events refer to.
    #[must_use]
    pub fn blobs(&self) -> &BlobStore {
        &self.blobs
    }

    /// Verifies all that is acknowledged, while the log is in use. This call blocks.
    pub fn verify(&self, mut progress: impl FnMut(Progress)) -> Result<Verification, Error> {
        let mut found = Verification::nothing();
        let outcome = self.shared.with_store(|store, head| {
            found.high_water = Some(head.position);
            self.shared.backlog.wait_for(head.position)?;
            verify::verify_store(store, head, false, &mut found, &mut progress)
        });
        found.conclude(outcome)
    }

    async fn prepare(&self, commit: NewCommit) -> Result<Prepared, Error> {
        if Prepared::needs_blobs(&commit) {
            let blobs = self.blobs.clone();
            return self.blocking(move |_| Prepared::with_blobs(commit, &blobs)).await;
        }
        Ok(Prepared::inline(commit))
    }

    /// Runs what blocks where it may.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shared) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let shared = Arc::clone(&self.shared);
        let done = task::spawn_blocking(move || guarded(|| work(&shared))).await;
        done.unwrap_or_else(|_| Err(closed()))
    }
}

impl Drop for SledLog {
    fn drop(&mut self) {
        drop(self.requests.take());
        for thread in self.threads.drain(..) {
            // A panic was already reported to whoever waited for an answer.
            let _ = thread.join();
        }
        self.shared.close();
    }
}

impl Shared {
    /// Runs a read with the files open and the head that bounds what it may see.
    fn with_store<T>(
        &self,
        work: impl FnOnce(&Store, Head) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let open = self.store.read().unwrap_or_else(PoisonError::into_inner);
        let store = open.as_ref().ok_or_else(closed)?;
        let (head, _) = self.acknowledged.state();
        guarded(|| work(store, head))
    }

    fn close(&self) {
        let store = self.store.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(store);
    }

    fn read_all(&self, after: Position, most: usize) -> Result<Vec<Commit>, Error> {
        self.with_store(|store, head| {
            if after >= head.position || most == 0 {
                return Ok(Vec::new());
            }
            let (mut previous, _) = store.before(after)?;
            let mut page = Page::new(most);
            let mut position = after.next();
            let mut commits = store.commits_after(after);
            while position <= head.position && page.has_room() {
                let commit = commits.step()?.commit;
                if commit.previous != previous {
                    let why = "the commit does not follow the one before it";
                    return Err(Error::corrupt(position, why));
                }
                previous = commit.hash;
                page.push(commit);
                position = position.next();
            }
            Ok(page.commits)
        })
    }

    fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Commit>, Error> {
        self.with_store(|store, head| {
            let mut page = Page::new(most);
            let mut due = after.next();
            let mut index = store.index(stream, after);
            while page.has_room() {
                let Some((revision, position)) = index.next().transpose()? else { break };
                if position > head.position {
                    break;
                }
                let commit = store.commit(position)?.commit;
                if revision != due || commit.revision != revision || commit.stream != *stream {
                    let why = format!("the index of stream {stream} is damaged");
                    return Err(Error::corrupt(position, why));
                }
                due = due.next();
                page.push(commit);
            }
            Ok(page.commits)
        })
    }

    fn statistics(&self, directory: &Path) -> Result<Statistics, Error> {
        let (head, totals) = self.acknowledged.state();
        Ok(Statistics {
            commits: head.position.0,
            events: totals.events,
            streams: totals.streams,
            bytes_on_disk: files::size_bytes_below(directory)?,
            bytes_of_events: totals.bytes_of_events,
        })
    }
}

#[async_trait]
impl EventLog for SledLog {
    async fn append(&self, commit: NewCommit) -> Result<Appended, Error> {
        commit.check()?;
        if let Some(why) = self.shared.acknowledged.failure() {
            return Err(Error::Poisoned { why });
        }
        let prepared = self.prepare(commit).await?;
        let (reply, answer) = oneshot::channel();
        let requests = self.requests.as_ref().ok_or_else(closed)?;
        requests.send(Request { prepared, reply }).await.map_err(|_| closed())?;
        let unknown = || Error::Unknown { why: "the writer ended without an answer".to_owned() };
        answer.await.unwrap_or_else(|_| Err(unknown()))
    }

    async fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Commit>, Error> {
        let stream = stream.clone();
        self.blocking(move |shared| shared.read_stream(&stream, after, most)).await
    }

    async fn read_all(&self, after: Position, most: usize) -> Result<Vec<Commit>, Error> {
        self.blocking(move |shared| shared.read_all(after, most)).await
    }

    async fn head(&self) -> Result<Head, Error> {
        Ok(self.shared.acknowledged.state().0)
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.shared.acknowledged.watch()
    }

    async fn statistics(&self) -> Result<Statistics, Error> {
        let directory = self.directory.clone();
        self.blocking(move |shared| shared.statistics(&directory)).await
    }
}

/// Commits up to a count and a size.
struct Page {
    commits: Vec<Commit>,
    most: usize,
    size_bytes: usize,
}

impl Page {
    fn new(most: usize) -> Self {
        Self { commits: Vec::new(), most, size_bytes: 0 }
    }

    fn has_room(&self) -> bool {
        self.commits.len() < self.most && self.size_bytes < PAGE_BYTES
    }

    fn push(&mut self, commit: Commit) {
        self.size_bytes += commit.size_bytes();
        self.commits.push(commit);
    }
}

fn closed() -> Error {
    Error::Poisoned { why: "the log was closed".to_owned() }
}
