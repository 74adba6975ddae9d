//! The newest commits, which are acknowledged or about to be, and which sled may not hold yet.
//!
//! The rule: a commit leaves the tail only after sled has it, so whoever looks here first and in
//! sled second finds every commit, whatever happens in between.
//! It deliberately knows nothing of durability: what is here is in the journal already.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError, RwLock};

use super::encoded::Encoded;
use crate::{Position, Revision, StreamId};

#[derive(Debug, Default)]
pub(crate) struct Tail(RwLock<State>);

#[derive(Debug, Default)]
struct State {
    /// Consecutive positions, the oldest first.
    commits: VecDeque<Arc<Encoded>>,
    /// Of each stream that has commits here, their revisions in order.
    streams: HashMap<StreamId, VecDeque<(Revision, Position)>>,
}

impl Tail {
    pub(crate) fn push(&self, commits: &[Arc<Encoded>]) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for commit in commits {
            let stream = state.streams.entry(commit.stream.clone()).or_default();
            stream.push_back((commit.revision, commit.position));
            state.commits.push_back(Arc::clone(commit));
        }
    }

    /// Forgets what sled holds by now.
    pub(crate) fn forget(&self, through: Position) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        while state.commits.front().is_some_and(|commit| commit.position <= through) {
            let Some(commit) = state.commits.pop_front() else { break };
            if let Some(stream) = state.streams.get_mut(&commit.stream) {
                stream.pop_front();
                if stream.is_empty() {
                    state.streams.remove(&commit.stream);
                }
            }
        }
    }

    pub(crate) fn get(&self, position: Position) -> Option<Arc<Encoded>> {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let first = state.commits.front()?.position;
        let at = usize::try_from(position.0.checked_sub(first.0)?).ok()?;
        state.commits.get(at).cloned()
    }

    pub(crate) fn holds(&self, position: Position) -> bool {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let first = state.commits.front().map(|commit| commit.position);
        first.is_some_and(|first| first <= position)
    }

    pub(crate) fn last(&self) -> Option<Arc<Encoded>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).commits.back().cloned()
    }

    /// The newest revision of a stream, if the stream has commits here.
    pub(crate) fn revision(&self, stream: &StreamId) -> Option<Revision> {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        state.streams.get(stream)?.back().map(|(revision, _)| *revision)
    }

    /// What a stream has here after a revision.
    pub(crate) fn of(&self, stream: &StreamId, after: Revision) -> Vec<(Revision, Position)> {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let all = state.streams.get(stream).into_iter().flatten();
        all.copied().filter(|(revision, _)| *revision > after).collect()
    }

    /// All commits here, the oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Encoded>> {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        state.commits.iter().cloned().collect()
    }
}
