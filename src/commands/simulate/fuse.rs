//! The end of a program, at a place where it waits.
//!
//! The rule: a program that ends does nothing more, not even to clean up. Whatever could tell the
//! outside world something passes by the fuse of its program; when that blows, the call never
//! returns, and who guards it drops the future, as a killed process drops everything it was at.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(super) struct Fuse {
    state: Mutex<State>,
    blew: Notify,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Whole,
    /// Blows at the n-th place from here, 1 being the next.
    Burning(u64),
    Blown,
}

impl Fuse {
    pub(super) fn light(&self, places: u64) {
        *self.state() = State::Burning(places.max(1));
    }

    /// It burns no further, unless it has blown.
    pub(super) fn put_out(&self) {
        let mut state = self.state();
        if let State::Burning(_) = *state {
            *state = State::Whole;
        }
    }

    /// A place where the program may end.
    pub(super) async fn pass(&self) {
        let blown = {
            let mut state = self.state();
            *state = match *state {
                State::Whole => State::Whole,
                State::Burning(1) | State::Blown => State::Blown,
                State::Burning(places) => State::Burning(places - 1),
            };
            *state == State::Blown
        };
        if blown {
            self.blew.notify_one();
            std::future::pending::<()>().await;
        }
    }

    /// What the work comes to; `None` when the program ended at it.
    pub(super) async fn guard<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.blew.notified() => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // It is replaced as a whole, so a poisoned lock is as good as any.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_ends_at_the_place_where_the_fuse_blows() {
        let fuse = Fuse::default();
        fuse.light(3);
        let mut passed = 0;
        let work = async {
            loop {
                fuse.pass().await;
                passed += 1;
            }
        };
        assert_eq!(fuse.guard::<()>(work).await, None);
        assert_eq!(passed, 2);
    }

    #[tokio::test]
    async fn work_that_passes_fewer_places_is_done() {
        let fuse = Fuse::default();
        fuse.light(3);
        assert_eq!(fuse.guard(async { fuse.pass().await }).await, Some(()));
    }
}
