//! The grouping writer that the sinks share: the first request and all that wait behind it, made
//! durable together, as the log does it.
//!
//! The rule: nobody is answered before the sink says that the group is durable. It deliberately
//! compares no revisions and computes no hashes; that is the log's own cost.

use std::thread::{self, JoinHandle};

use anyhow::{Context, anyhow};
use sixgate_storage::sled::Options;
use tokio::sync::{mpsc, oneshot};

use super::clients::Client;

/// Where groups go. `keep` comes back when the group is durable.
pub(super) trait Sink: Send + 'static {
    fn keep(&mut self, events: &[Vec<u8>]) -> anyhow::Result<()>;
}

pub(super) struct Grouped {
    requests: mpsc::Sender<Request>,
    writer: JoinHandle<anyhow::Result<()>>,
}

struct Request {
    event: Vec<u8>,
    reply: oneshot::Sender<()>,
}

pub(super) struct GroupedClient {
    requests: mpsc::Sender<Request>,
    event: Vec<u8>,
}

impl Grouped {
    pub(super) fn start(sink: impl Sink) -> anyhow::Result<Self> {
        let limits = Options::default();
        let (requests, waiting) = mpsc::channel(limits.queue_commits_max);
        let writer = thread::Builder::new()
            .name("bench-writer".to_owned())
            .spawn(move || write(sink, waiting, limits))
            .context("could not start the thread that writes the groups")?;
        Ok(Self { requests, writer })
    }

    pub(super) fn clients(&self, writers: u16, event: &[u8]) -> Vec<GroupedClient> {
        let client = || GroupedClient { requests: self.requests.clone(), event: event.to_vec() };
        (0..writers).map(|_| client()).collect()
    }

    /// Waits for the writer, once all clients are gone.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        drop(self.requests);
        self.writer.join().map_err(|_| anyhow!("the writer broke off"))?
    }
}

impl Client for GroupedClient {
    async fn append(&mut self) -> anyhow::Result<()> {
        let (reply, answer) = oneshot::channel();
        let request = Request { event: self.event.clone(), reply };
        let ended = || anyhow!("the writer stopped writing");
        self.requests.send(request).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())
    }
}

fn write(
    mut sink: impl Sink,
    mut requests: mpsc::Receiver<Request>,
    limits: Options,
) -> anyhow::Result<()> {
    let (mut events, mut replies) = (Vec::new(), Vec::new());
    while let Some(first) = requests.blocking_recv() {
        let (mut next, mut size) = (Some(first), 0);
        while let Some(request) = next {
            size += request.event.len();
            events.push(request.event);
            replies.push(request.reply);
            let room = replies.len() < limits.group_commits_max && size < limits.group_bytes_max;
            next = if room { requests.try_recv().ok() } else { None };
        }
        sink.keep(&events)?;
        events.clear();
        for reply in replies.drain(..) {
            // A client that went away has ended the measurement already.
            let _ = reply.send(());
        }
    }
    Ok(())
}
