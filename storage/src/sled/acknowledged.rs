//! What is acknowledged, shared between the one writer and all readers.
//!
//! The rule: the head only moves forward, and only the writer moves it. A failure is final.

use std::sync::{Mutex, OnceLock, PoisonError};

use tokio::sync::watch;

use super::record::Totals;
use crate::{Head, Position};

/// The acknowledged head, and whether writing has ended.
#[derive(Debug)]
pub(crate) struct Acknowledged {
    state: Mutex<(Head, Totals)>,
    position: watch::Sender<Position>,
    failure: OnceLock<String>,
}

impl Acknowledged {
    pub(crate) fn new(head: Head, totals: Totals) -> Self {
        let position = watch::Sender::new(head.position);
        Self { state: Mutex::new((head, totals)), position, failure: OnceLock::new() }
    }

    /// The head, and the sums up to it.
    pub(crate) fn state(&self) -> (Head, Totals) {
        // The value is replaced whole, so a panic elsewhere cannot have left it half changed.
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Position> {
        self.position.subscribe()
    }

    /// Moves the head; only after that is the new position announced.
    pub(crate) fn advance(&self, head: Head, totals: Totals) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = (head, totals);
        self.position.send_replace(head.position);
    }

    /// Why writing has ended, if it has.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }

    /// Ends writing; the first reason is kept.
    pub(crate) fn fail(&self, why: String) {
        let _ = self.failure.set(why);
    }
}
