//! The one writer: a thread that turns waiting appends into groups and makes each group durable.
//!
//! ```text
//! appends wait -> compare revisions -> one batch per commit -> sync -> high-water mark -> answer
//!                 `----------------- for each of the group --'  `--- once for the group ---'
//! ```
//!
//! The rule: nobody is answered, and nothing becomes visible, before the mark is durable. The
//! first failure or panic of the disk ends all writing: a failed sync may have dropped what it
//! should have kept, so trying again would acknowledge what is not there.
//! It deliberately doesn't know sled: it drives a [`Disk`], so that failures can be tested.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::acknowledged::Acknowledged;
use super::record::Totals;
use super::store::{Prepared, guarded};
use crate::error::with_sources;
use crate::{Appended, Error, Hash, Head, Revision, StreamId};

/// What the writer needs of a disk. No method is called again after one has failed.
pub(crate) trait Disk: Send {
    /// The revision of a stream, counting what was written but not yet synced.
    fn revision(&self, stream: &StreamId) -> Result<Revision, Error>;
    /// Writes one commit after `head`, whole or not at all.
    fn write(
        &mut self,
        prepared: &Prepared,
        head: Head,
        revision: Revision,
        totals: Totals,
    ) -> Result<Hash, Error>;
    /// Makes all that was written durable.
    fn sync(&mut self) -> Result<(), Error>;
    /// Makes the high-water mark durable.
    fn mark(&mut self, head: Head) -> Result<(), Error>;
}

/// A commit that waits, and who waits for it.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) prepared: Prepared,
    pub(crate) reply: Reply,
}

pub(crate) type Reply = oneshot::Sender<Result<Appended, Error>>;

/// How large a group may become.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupLimits {
    pub(crate) commits_max: usize,
    pub(crate) bytes_max: usize,
}

/// The state of the writing thread.
pub(crate) struct Writer<D> {
    disk: D,
    head: Head,
    totals: Totals,
    limits: GroupLimits,
    acknowledged: Arc<Acknowledged>,
}

/// What became of the requests of one group.
#[derive(Default)]
struct Group {
    written: Vec<(Reply, Appended)>,
    refused: Vec<(Reply, Error)>,
    in_doubt: Vec<Reply>,
    untouched: Vec<Reply>,
    failure: Option<String>,
}

impl<D: Disk> Writer<D> {
    pub(crate) fn new(disk: D, limits: GroupLimits, acknowledged: Arc<Acknowledged>) -> Self {
        let (head, totals) = acknowledged.state();
        Self { disk, head, totals, limits, acknowledged }
    }

    /// Serves requests until nobody can send any more.
    pub(crate) fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        while let Some(first) = requests.blocking_recv() {
            let waiting = self.gather(first, &mut requests);
            if let Some(why) = self.acknowledged.failure() {
                for request in waiting {
                    answer(request.reply, Err(Error::Poisoned { why: why.clone() }));
                }
                continue;
            }
            let group = self.write(waiting);
            self.finish(group);
        }
    }

    /// The first request and all that wait behind it, up to the limits.
    fn gather(&self, first: Request, requests: &mut mpsc::Receiver<Request>) -> Vec<Request> {
        let mut size = first.prepared.commit.size_bytes();
        let mut group = vec![first];
        while group.len() < self.limits.commits_max && size < self.limits.bytes_max {
            let Ok(next) = requests.try_recv() else { break };
            size += next.prepared.commit.size_bytes();
            group.push(next);
        }
        group
    }

    fn write(&mut self, requests: Vec<Request>) -> Group {
        let mut group = Group::default();
        for Request { prepared, reply } in requests {
            if group.failure.is_some() {
                group.untouched.push(reply);
                continue;
            }
            match self.write_one(&prepared) {
                Ok(appended) => group.written.push((reply, appended)),
                Err(conflict @ Error::Conflict { .. }) => group.refused.push((reply, conflict)),
                Err(error) => {
                    group.failure = Some(with_sources(&error));
                    group.in_doubt.push(reply);
                }
            }
        }
        if group.failure.is_none() && !group.written.is_empty() {
            let durable = guarded(|| {
                self.disk.sync()?;
                self.disk.mark(self.head)
            });
            group.failure = durable.err().map(|error| with_sources(&error));
        }
        group
    }

    fn write_one(&mut self, prepared: &Prepared) -> Result<Appended, Error> {
        let commit = &prepared.commit;
        let actual = guarded(|| self.disk.revision(&commit.stream))?;
        if !commit.expected.accepts(actual) {
            let (stream, expected) = (commit.stream.clone(), commit.expected);
            return Err(Error::Conflict { stream, expected, actual });
        }
        let revision = actual.next();
        let data = commit.events.iter().map(|event| &event.data[..]);
        let totals = self.totals.plus(revision, data);
        let hash = guarded(|| self.disk.write(prepared, self.head, revision, totals))?;
        let position = self.head.position.next();
        self.head = Head { position, hash };
        self.totals = totals;
        Ok(Appended { position, revision, hash })
    }

    /// Publishes the group and answers everyone in it.
    fn finish(&self, group: Group) {
        let Some(why) = group.failure else {
            if !group.written.is_empty() {
                self.acknowledged.advance(self.head, self.totals);
            }
            for (reply, appended) in group.written {
                answer(reply, Ok(appended));
            }
            for (reply, error) in group.refused {
                answer(reply, Err(error));
            }
            return;
        };
        tracing::error!(why = %why, "the log stops accepting commits");
        self.acknowledged.fail(why.clone());
        let written = group.written.into_iter().map(|(reply, _)| reply);
        for reply in written.chain(group.in_doubt) {
            answer(reply, Err(Error::Unknown { why: why.clone() }));
        }
        // A conflict with a commit that may not exist says nothing, so it is not reported as one.
        let refused = group.refused.into_iter().map(|(reply, _)| reply);
        for reply in refused.chain(group.untouched) {
            answer(reply, Err(Error::Poisoned { why: why.clone() }));
        }
    }
}

/// Whoever no longer waits has chosen not to know.
fn answer(reply: Reply, outcome: Result<Appended, Error>) {
    let _ = reply.send(outcome);
}

#[cfg(test)]
mod tests;
