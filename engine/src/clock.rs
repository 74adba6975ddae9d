//! The one place where time comes from.
//!
//! Everything else is told the time, so that tests and the demo can live years in a second.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use tokio::sync::watch;

#[async_trait]
pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> DateTime<Utc>;

    /// Returns when the time has come, or earlier: the caller looks at the clock again.
    async fn wait_until(&self, instant: DateTime<Utc>);
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

/// A clock that may jump is looked at least this often.
const LOOK_EVERY: Duration = Duration::from_secs(30);

#[async_trait]
impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everybody else asks")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    async fn wait_until(&self, instant: DateTime<Utc>) {
        let left = (instant - self.now()).to_std().unwrap_or(Duration::ZERO);
        tokio::time::sleep(left.min(LOOK_EVERY)).await;
    }
}

/// A clock that stands where it was put, until it is put elsewhere or let run on from there.
#[derive(Debug)]
pub struct SetClock {
    state: Mutex<(DateTime<Utc>, Option<Instant>)>,
    changed: watch::Sender<()>,
}

impl SetClock {
    pub fn at(instant: DateTime<Utc>) -> Self {
        Self { state: Mutex::new((instant, None)), changed: watch::Sender::new(()) }
    }

    /// Sets the clock; it stands still there.
    pub fn set(&self, instant: DateTime<Utc>) {
        *self.lock() = (instant, None);
        self.changed.send_replace(());
    }

    /// Lets the clock run at its usual speed from where it stands.
    pub fn run_on(&self) {
        let now = self.now();
        *self.lock() = (now, Some(Instant::now()));
        self.changed.send_replace(());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (DateTime<Utc>, Option<Instant>)> {
        // A time and a flag cannot be half written, so a poisoned lock is as good as any.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[async_trait]
impl Clock for SetClock {
    fn now(&self) -> DateTime<Utc> {
        let (instant, running) = *self.lock();
        instant + running.map_or(Duration::ZERO, |since| since.elapsed())
    }

    async fn wait_until(&self, instant: DateTime<Utc>) {
        let mut changed = self.changed.subscribe();
        let running = self.lock().1.is_some();
        if !running {
            if self.now() < instant {
                let _ = changed.changed().await;
            }
            return;
        }
        let left = (instant - self.now()).to_std().unwrap_or(Duration::ZERO);
        tokio::select! {
            () = tokio::time::sleep(left.min(LOOK_EVERY)) => {}
            _ = changed.changed() => {}
        }
    }
}
