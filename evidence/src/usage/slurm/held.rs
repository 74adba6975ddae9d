//! The most cards that were held at one time.
//!
//! A job that starts when another ends takes its cards over.

use chrono::{NaiveDateTime, TimeDelta};

#[derive(Default)]
pub(super) struct Held {
    changes: Vec<(NaiveDateTime, i64)>,
}

impl Held {
    pub(super) fn add(&mut self, start: NaiveDateTime, seconds: u64, cards: u64) {
        let end = i64::try_from(seconds)
            .ok()
            .and_then(TimeDelta::try_seconds)
            .and_then(|seconds| start.checked_add_signed(seconds));
        if let (Some(end), Ok(cards)) = (end.filter(|end| *end > start), i64::try_from(cards)) {
            self.changes.push((start, cards));
            self.changes.push((end, -cards));
        }
    }

    /// `None` when no job tells when it ran.
    pub(super) fn most(mut self) -> Option<u32> {
        // At the same moment what ends comes first.
        self.changes.sort_unstable();
        let mut now = 0i64;
        let most = self.changes.iter().map(|(_, change)| {
            now = now.saturating_add(*change);
            now
        });
        u32::try_from(most.max()?).ok()
    }
}
