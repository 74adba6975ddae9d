//! Exports: a log up to one of its commits, and its blobs, as one readable file.
//!
//! ```text
//! {"header":{"format":"sixgate export 1","position":2,"head_hash":"…"}}
//! {"checkpoint":{…}}                    each signed checkpoint that was kept
//! {"event":{"position":1,"index":0,"of":1,"stream":"…","revision":1,"kind":"…","schema":1,
//!           "data":{"json":{…}},"metadata":{"json":{…}},"previous":"00…","hash":"…"}}
//! …                                     one line for each event, in the order of the log
//! {"blob":{"hash":"…","bytes":70000}}   each blob, followed by its bytes
//! {"part":{"base64":"…"}}
//! {"end":{"position":2,"head_hash":"…","commits":2,"events":2,"blobs":1,"blob_bytes":70000}}
//! ```
//!
//! The rule: an export reads through [`EventLog`] up to the head that it found when it began, so it
//! can be made of a log that is in use, without stopping anybody. The bytes of events, encrypted or
//! not, are carried as they are stored. Blobs are listed after the head was taken, so everything
//! that an event refers to is there.
//!
//! Memory is bounded by a page of the log and by the largest blob. An export alone cannot tell that
//! all of it was written anew by somebody who computed every hash again; signed checkpoints can.

mod line;
mod read;

use std::io::BufRead;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(crate) use self::line::{Header, Line, Proof, write_blob, write_commit};
pub(crate) use self::read::{Item, Lines};
use crate::checkpoint::{SignedCheckpoint, Witnesses};
use crate::{
    BlobStore, Commit, Error, EventLog, Expected, Hash, Head, NewCommit, NewEvent, Position,
    Revision,
};

const FORMAT: &str = "sixgate export 1";
/// Commits that are read and written at a time.
const PAGE_COMMITS: usize = 100;
/// Appends that wait for their answer at the same time, so that they share syncs.
const APPENDS_MAX: usize = 256;
/// The bytes that may wait for their append, besides one commit.
const WAITING_BYTES_MAX: usize = 16 * 1024 * 1024;
/// A commit above this size is appended alone: a backend may put large payloads elsewhere first,
/// and another append could pass it meanwhile.
const TOGETHER_BYTES_MAX: usize = 3 * 1024;

/// What is in an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The newest position of the log that the file speaks of.
    pub position: Position,
    /// The hash there.
    pub head_hash: Hash,
    /// Commits in the file.
    pub commits: u64,
    /// Events in them.
    pub events: u64,
    /// Blobs in the file.
    pub blobs: u64,
    /// Their bytes, not counting that base64 makes them longer.
    pub blob_bytes: u64,
}

/// An export in the making, taken piece by piece.
pub struct Export {
    log: Arc<dyn EventLog>,
    blobs: BlobStore,
    checkpoints: Vec<SignedCheckpoint>,
    counts: Counts,
    reached: Head,
    step: Step,
}

enum Step {
    Header,
    Commits,
    /// The blobs of the present shelf, the next one last, and the shelf after it.
    Blobs(Vec<Hash>, Option<u8>),
    Done,
}

impl Export {
    /// Begins an export of everything up to the present head.
    pub async fn begin(
        log: Arc<dyn EventLog>,
        blobs: BlobStore,
        checkpoints: Vec<SignedCheckpoint>,
    ) -> Result<Self, Error> {
        let head = log.head().await?;
        let counts = Counts { position: head.position, head_hash: head.hash, ..Counts::default() };
        let reached = Head::default();
        // One that was made since speaks of more than is exported.
        let known = checkpoints.into_iter().filter(|one| one.position <= head.position).collect();
        Ok(Self { log, blobs, checkpoints: known, counts, reached, step: Step::Header })
    }

    /// The next lines, whole ones; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let mut lines = Vec::new();
        while lines.is_empty() {
            match &mut self.step {
                Step::Header => {
                    let Counts { position, head_hash: hash, .. } = self.counts;
                    let header = Header::new(FORMAT, None, Head { position, hash });
                    Line::Header(header).written(&mut lines);
                    for checkpoint in self.checkpoints.drain(..) {
                        Line::Checkpoint(checkpoint).written(&mut lines);
                    }
                    self.step = Step::Commits;
                }
                Step::Commits => self.commits(&mut lines).await?,
                Step::Blobs(waiting, shelf) => match (waiting.pop(), *shelf) {
                    (Some(hash), _) => self.blob(hash, &mut lines).await?,
                    (None, Some(first)) => {
                        let blobs = self.blobs.clone();
                        let mut waiting = blocking(move || blobs.shelf(first)).await?;
                        waiting.reverse();
                        self.step = Step::Blobs(waiting, first.checked_add(1));
                    }
                    (None, None) => {
                        Line::End(self.counts).written(&mut lines);
                        self.step = Step::Done;
                    }
                },
                Step::Done => return Ok(None),
            }
        }
        Ok(Some(lines))
    }

    /// What was exported so far, and all of it after the last line.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    async fn commits(&mut self, lines: &mut Vec<u8>) -> Result<(), Error> {
        if self.reached.position >= self.counts.position {
            self.step = Step::Blobs(Vec::new(), Some(0));
            return Ok(());
        }
        let page = self.log.read_all(self.reached.position, PAGE_COMMITS).await?;
        if page.is_empty() {
            let due = self.reached.position.next();
            return Err(Error::corrupt(due, "the log ends before its head"));
        }
        for commit in page.iter().take_while(|commit| commit.position <= self.counts.position) {
            follows(self.reached, commit.position, commit.previous)
                .map_err(|why| Error::corrupt(commit.position, why))?;
            write_commit(commit, lines);
            self.reached = Head { position: commit.position, hash: commit.hash };
            self.counts.commits += 1;
            self.counts.events += commit.events.len() as u64;
        }
        Ok(())
    }

    async fn blob(&mut self, hash: Hash, lines: &mut Vec<u8>) -> Result<(), Error> {
        let blobs = self.blobs.clone();
        let content = blocking(move || blobs.get(&hash)).await?;
        write_blob(hash, &content, lines);
        self.counts.blobs += 1;
        self.counts.blob_bytes += content.len() as u64;
        Ok(())
    }
}

/// Reads a whole export and says what is in it, storing nothing. This call blocks.
pub fn check(input: impl BufRead) -> Result<Counts, Error> {
    let mut reading = Reading::open(input)?;
    loop {
        if let Item::End(counts) = reading.next()? {
            return Ok(counts);
        }
    }
}

/// Stores a whole export in an empty log. Reading the input blocks.
///
/// An error leaves a log that holds some of the export; whoever calls throws it away.
pub async fn import(
    input: impl BufRead,
    log: &dyn EventLog,
    blobs: &BlobStore,
) -> Result<(Counts, Vec<SignedCheckpoint>), Error> {
    let mut reading = Reading::open(input)?;
    let mut waiting = Vec::new();
    let mut checkpoints = Vec::new();
    loop {
        match reading.next()? {
            Item::Commit(commit) => {
                waiting.push(*commit);
                if waiting.len() >= APPENDS_MAX || waiting_bytes(&waiting) > WAITING_BYTES_MAX {
                    append_in_groups(log, &mut waiting).await?;
                }
            }
            Item::Checkpoint(checkpoint) => checkpoints.push(checkpoint),
            Item::Blob(_, content) => {
                let blobs = blobs.clone();
                blocking(move || blobs.put(&content)).await?;
            }
            Item::Proof(_) => {}
            Item::End(counts) => {
                append_in_groups(log, &mut waiting).await?;
                let head = log.head().await?;
                if head != (Head { position: counts.position, hash: counts.head_hash }) {
                    return Err(Error::corrupt(head.position, "the log is not what was imported"));
                }
                return Ok((counts, checkpoints));
            }
        }
    }
}

/// Appends commits in order, as many at a time as can be without losing it.
pub(crate) async fn append_in_groups(
    log: &dyn EventLog,
    commits: &mut Vec<Commit>,
) -> Result<(), Error> {
    let mut group = Vec::new();
    for commit in commits.drain(..) {
        let alone = commit.size_bytes() > TOGETHER_BYTES_MAX;
        if alone {
            append(log, &mut group).await?;
        }
        group.push(commit);
        if alone {
            append(log, &mut group).await?;
        }
    }
    append(log, &mut group).await
}

fn waiting_bytes(commits: &[Commit]) -> usize {
    commits.iter().map(Commit::size_bytes).sum()
}

/// Appends commits in order and checks that each got its own position and hash back.
async fn append(log: &dyn EventLog, commits: &mut Vec<Commit>) -> Result<(), Error> {
    let mut due = Vec::new();
    let mut appends = Vec::new();
    for commit in commits.drain(..) {
        due.push((commit.position, commit.revision, commit.hash));
        let expected = match commit.revision.0.saturating_sub(1) {
            0 => Expected::Absent,
            before => Expected::Exactly(Revision(before)),
        };
        let events = commit.events.into_iter();
        let events = events.map(|event| NewEvent {
            kind: event.kind,
            schema: event.schema,
            data: event.data,
        });
        appends.push(log.append(NewCommit {
            stream: commit.stream,
            expected,
            metadata: commit.metadata,
            events: events.collect(),
        }));
    }
    // Polled in this order first, so they are also queued in this order.
    for (appended, due) in in_order(appends).await.into_iter().zip(due) {
        let appended = appended?;
        if (appended.position, appended.revision, appended.hash) != due {
            let why = "the commit got another place or hash than it had";
            return Err(Error::corrupt(due.0, why));
        }
    }
    Ok(())
}

/// Runs futures at the same time, polling them in their order, and answers in that order.
async fn in_order<F: Future + Unpin>(mut futures: Vec<F>) -> Vec<F::Output> {
    let mut done: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, done) in futures.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let std::task::Poll::Ready(output) = std::pin::Pin::new(future).poll(context) {
                *done = Some(output);
            }
        }
        match done.iter().all(Option::is_some) {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    })
    .await;
    done.into_iter().flatten().collect()
}

/// An export being read: commits in a chain from the first to the head, checkpoints that agree.
struct Reading<R> {
    lines: Lines<R>,
    head: Head,
    reached: Head,
    witnesses: Witnesses,
}

impl<R: BufRead> Reading<R> {
    fn open(input: R) -> Result<Self, Error> {
        let (lines, header) = Lines::open(input, FORMAT)?;
        let head = Head { position: header.position, hash: header.head_hash };
        Ok(Self { lines, head, reached: Head::default(), witnesses: Witnesses::default() })
    }

    fn next(&mut self) -> Result<Item, Error> {
        let item = self.lines.next()?;
        match &item {
            Item::Commit(commit) => {
                follows(self.reached, commit.position, commit.previous)
                    .map_err(|why| self.lines.bad(why))?;
                self.reached = Head { position: commit.position, hash: commit.hash };
                self.witnesses.pass(self.reached).map_err(|why| self.lines.bad(why))?;
            }
            Item::Proof(_) => return Err(self.lines.bad("it belongs into a bundle")),
            Item::Checkpoint(checkpoint) => {
                if self.reached != Head::default() {
                    return Err(self.lines.bad("checkpoints come before commits"));
                }
                self.witnesses.add(checkpoint.clone()).map_err(|why| self.lines.bad(why))?;
            }
            Item::Blob(..) => {}
            Item::End(_) if self.reached != self.head => {
                return Err(self.lines.bad("the commits do not reach the head of the header"));
            }
            Item::End(_) => self.witnesses.finish().map_err(|why| self.lines.bad(why))?,
        }
        Ok(item)
    }
}

pub(crate) fn follows(before: Head, position: Position, previous: Hash) -> Result<(), String> {
    match position == before.position.next() && previous == before.hash {
        true => Ok(()),
        false => Err(format!("the commit does not follow the one at {}", before.position)),
    }
}

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| {
        Err(Error::io("finish reading a file", std::io::Error::other(error)))
    })
}
