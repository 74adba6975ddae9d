//! The least that durability can cost: a file that is appended to and synced, once for each group.
//!
//! The rule: it groups exactly as the log does, the first request and all that wait behind it, and
//! answers nobody before the sync. It deliberately compares no revisions, computes no hashes and
//! could not find again what it wrote.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};

use anyhow::{Context, anyhow};
use sixgate_storage::sled::Options;
use tokio::sync::{mpsc, oneshot};

use super::clients::Client;

pub(super) struct RawSink {
    requests: mpsc::Sender<Request>,
    writer: JoinHandle<io::Result<()>>,
}

struct Request {
    bytes: Vec<u8>,
    reply: oneshot::Sender<()>,
}

pub(super) struct RawClient {
    requests: mpsc::Sender<Request>,
    event: Vec<u8>,
}

impl RawSink {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create_new(path)
            .with_context(|| format!("could not create {}", path.display()))?;
        let limits = Options::default();
        let (requests, waiting) = mpsc::channel(limits.queue_commits_max);
        let writer = thread::Builder::new()
            .name("raw-writer".to_owned())
            .spawn(move || write(file, waiting, limits))
            .context("could not start the thread that writes the bare file")?;
        Ok(Self { requests, writer })
    }

    pub(super) fn clients(&self, writers: u16, event: &[u8]) -> Vec<RawClient> {
        let client = || RawClient { requests: self.requests.clone(), event: event.to_vec() };
        (0..writers).map(|_| client()).collect()
    }

    /// Waits for the writer, once all clients are gone.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        drop(self.requests);
        let ended = self.writer.join().map_err(|_| anyhow!("the bare writer broke off"))?;
        ended.context("could not write the bare file")
    }
}

impl Client for RawClient {
    async fn append(&mut self) -> anyhow::Result<()> {
        let (reply, answer) = oneshot::channel();
        let request = Request { bytes: self.event.clone(), reply };
        let ended = || anyhow!("the bare writer stopped writing");
        self.requests.send(request).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())
    }
}

fn write(mut file: File, mut requests: mpsc::Receiver<Request>, limits: Options) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut replies = Vec::new();
    while let Some(first) = requests.blocking_recv() {
        let mut next = Some(first);
        while let Some(request) = next {
            bytes.extend_from_slice(&request.bytes);
            replies.push(request.reply);
            let room =
                replies.len() < limits.group_commits_max && bytes.len() < limits.group_bytes_max;
            next = if room { requests.try_recv().ok() } else { None };
        }
        file.write_all(&bytes)?;
        file.sync_data()?;
        bytes.clear();
        for reply in replies.drain(..) {
            // A client that went away has ended the measurement already.
            let _ = reply.send(());
        }
    }
    Ok(())
}
