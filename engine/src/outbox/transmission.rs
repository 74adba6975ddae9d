//! One attempt with one letter, and the probe when there have been too many in vain.

use std::sync::{MutexGuard, PoisonError};

use chrono::Duration;
use sixgate_workflows::{
    ids::PersonId,
    notice::{self, Lease, Status, Step},
};

use super::{breaker::Breaker, text};
use crate::{
    engine::Engine,
    error::Error,
    mail::{Envelope, Outcome},
    projection::post::Source,
};

/// Longer than all deadlines of an attempt together, for what is recorded before and after it.
fn lease_margin() -> Duration {
    Duration::minutes(2)
}

impl Engine {
    pub(crate) fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it was moved on: sent, tried in vain, or found not to be wanted any more.
    pub(super) async fn deliver(&self, source: &Source, to: PersonId) -> Result<bool, Error> {
        if let Some(step) = self.fate(source, to) {
            if let Step::GiveUp { why } = &step {
                tracing::warn!(notice.key = source.key(), why = why.as_str(), "a letter is dead");
            }
            return self.about(source, to, step).await;
        }
        let Some(letter) = self.frozen(source, to).await? else { return Ok(false) };
        // Others may have met a relay that is away since this lane was begun.
        if !self.breaker().is_closed() {
            return Ok(false);
        }
        let patience = Duration::from_std(self.transport.patience()).unwrap_or(Duration::hours(1));
        let lease = Lease {
            by: self.settings.instance.clone(),
            until: self.clock.now() + patience + lease_margin(),
        };
        if !self.about(source, to, Step::Attempt { lease }).await? {
            return Ok(false);
        }
        let attempt = self.views().letter(source, to).map_or(0, |letter| letter.attempts);
        let envelope = Envelope {
            from: self.settings.sender_address.clone(),
            to: letter.address.as_str().to_owned(),
        };
        let outcome = self.transport.send(&envelope, letter.message.as_bytes()).await;
        let opened = self.breaker().note(&outcome, self.clock.now());
        if opened {
            self.say_that_letters_wait();
        }
        let outcome = match outcome {
            Outcome::Sent { reply } => notice::Outcome::Sent { reply: text(&reply) },
            Outcome::Retry { why }
            | Outcome::Unavailable { why }
            | Outcome::Misconfigured { why } => notice::Outcome::Retry { why: text(&why) },
            Outcome::Refused { why } => notice::Outcome::Refused { why: text(&why) },
            Outcome::Unknown { why } => notice::Outcome::Unknown { why: text(&why) },
        };
        if !self.about(source, to, Step::Settle { attempt, outcome }).await? {
            let key = source.key();
            tracing::warn!(notice.key = key, "another engine took the attempt for interrupted");
        }
        Ok(true)
    }

    /// Asks a relay that was away whether it is back, as soon as it is time and somebody waits.
    pub(super) async fn probe_if_due(&self) {
        let due = self.breaker().probe_at().is_some_and(|at| at <= self.clock.now());
        let somebody_waits = || self.views().post.lanes.values().any(|lane| !lane.open.is_empty());
        if !due || !somebody_waits() {
            return;
        }
        let result = self.transport.probe(&self.settings.sender_address).await;
        let closed = self.breaker().note_probe(&result, self.clock.now());
        match closed {
            true => tracing::info!("mail is taken again"),
            false => self.say_that_letters_wait(),
        }
    }

    fn say_that_letters_wait(&self) {
        let state = self.breaker().state();
        tracing::error!(relay = self.transport.describe(), ?state, "letters wait for the relay");
    }

    /// At start: what this engine was transmitting when it stopped.
    pub(crate) async fn settle_interrupted_letters(&self) -> Result<(), Error> {
        let here = &self.settings.instance;
        let interrupted: Vec<_> = {
            let views = self.views();
            let open =
                views.post.lanes.iter().flat_map(|(to, lane)| {
                    lane.open.iter().map(|(_, source)| (source.clone(), *to))
                });
            open.filter_map(|(source, to)| {
                let letter = views.letter(&source, to)?;
                let Status::Transmitting { lease } = &letter.status else { return None };
                let ours = lease.as_ref().is_none_or(|lease| lease.by == *here);
                ours.then_some((source, to, letter.attempts))
            })
            .collect()
        };
        for (source, to, attempt) in interrupted {
            let earlier_life_of = Some(here.clone());
            self.about(&source, to, Step::FindInterrupted { attempt, earlier_life_of }).await?;
        }
        Ok(())
    }
}
