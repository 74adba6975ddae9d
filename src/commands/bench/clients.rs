//! Closed-loop clients: each waits for one append before it begins the next.
//!
//! The rule: what counts is the time a client waits for durability. An append that fails ends the
//! measurement, because whatever came after it would measure something else.

use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::task::JoinSet;

/// One client of whatever is measured.
pub(super) trait Client: Send + 'static {
    /// Makes one append and waits until it is durable.
    fn append(&mut self) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// What all clients together did in one round.
#[derive(Debug, Default)]
pub(super) struct Round {
    pub(super) elapsed: Duration,
    /// How long each append took.
    pub(super) waited: Vec<Duration>,
}

impl Round {
    pub(super) fn commits_per_s(&self) -> f64 {
        per_second(self.waited.len(), self.elapsed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a count of appends is far below 2^52")]
pub(super) fn per_second(count: usize, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64()
}

/// Lets all clients run for a while. An append that was begun is waited for and counted.
pub(super) async fn measured<C: Client>(
    clients: &mut Vec<C>,
    duration: Duration,
) -> anyhow::Result<Round> {
    let began = Instant::now();
    let mut running = JoinSet::new();
    for mut client in clients.drain(..) {
        running.spawn(async move {
            let mut waited = Vec::new();
            while began.elapsed() < duration {
                let asked = Instant::now();
                client.append().await?;
                waited.push(asked.elapsed());
            }
            anyhow::Ok((client, waited))
        });
    }
    let mut round = Round::default();
    while let Some(ended) = running.join_next().await {
        let (client, waited) = ended.context("a client broke off")??;
        clients.push(client);
        round.waited.extend(waited);
    }
    round.elapsed = began.elapsed();
    Ok(round)
}
