//! The operations open on one socket, polled in turn.
//!
//! The rule: the one after the last that spoke is asked first, so a busy subscription cannot
//! silence another, and removing an operation drops its stream at once.
//! It deliberately does not know the protocol; ids are only labels here.

use std::future::poll_fn;
use std::task::{Context, Poll};

use async_graphql::Response;
use futures_util::stream::{BoxStream, StreamExt as _};

use super::answer::Problem;

type Events = BoxStream<'static, Result<Response, Problem>>;

pub(super) enum Outcome {
    Event(Box<Response>),
    Failed(Problem),
    Done,
}

#[derive(Default)]
pub(super) struct Operations {
    open: Vec<(String, Events)>,
    turn: usize,
}

impl Operations {
    pub(super) fn count(&self) -> usize {
        self.open.len()
    }

    pub(super) fn holds(&self, id: &str) -> bool {
        self.open.iter().any(|(open, _)| open == id)
    }

    pub(super) fn begin(&mut self, id: String, events: Events) {
        self.open.push((id, events));
    }

    pub(super) fn end(&mut self, id: &str) {
        self.open.retain(|(open, _)| open != id);
    }

    /// The next thing any operation has to say; waits for ever while none is open.
    pub(super) async fn next(&mut self) -> (String, Outcome) {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<(String, Outcome)> {
        let count = self.open.len();
        for step in 0..count {
            let at = (self.turn + step) % count;
            let Poll::Ready(event) = self.open[at].1.poll_next_unpin(context) else { continue };
            self.turn = at + 1;
            return Poll::Ready(match event {
                Some(Ok(response)) => (self.open[at].0.clone(), Outcome::Event(response.into())),
                Some(Err(problem)) => (self.open.remove(at).0, Outcome::Failed(problem)),
                None => (self.open.remove(at).0, Outcome::Done),
            });
        }
        Poll::Pending
    }
}
