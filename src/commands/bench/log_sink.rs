//! The log as the engine sees it: commits through the trait, each on its own stream's revision.

use std::sync::Arc;

use sixgate_storage::{EventLog, Expected, NewCommit, NewEvent, Revision, StreamId};

use super::clients::Client;

pub(super) struct LogClient {
    log: Arc<dyn EventLog>,
    stream: StreamId,
    revision: Revision,
    event: Vec<u8>,
}

impl LogClient {
    /// The log is closed when the last of the clients is dropped.
    pub(super) fn several(
        log: impl EventLog + 'static,
        writers: u16,
        event: &[u8],
    ) -> anyhow::Result<Vec<Self>> {
        let log: Arc<dyn EventLog> = Arc::new(log);
        (0..writers)
            .map(|number| {
                Ok(Self {
                    log: Arc::clone(&log),
                    stream: StreamId::new(format!("bench-{number}"))?,
                    revision: Revision::ZERO,
                    event: event.to_vec(),
                })
            })
            .collect()
    }
}

impl Client for LogClient {
    async fn append(&mut self) -> anyhow::Result<()> {
        let commit = NewCommit {
            stream: self.stream.clone(),
            expected: Expected::Exactly(self.revision),
            metadata: Vec::new(),
            events: vec![NewEvent {
                kind: "bench.appended".to_owned(),
                schema: 1,
                data: self.event.clone(),
            }],
        };
        self.revision = self.log.append(commit).await?.revision;
        Ok(())
    }
}
