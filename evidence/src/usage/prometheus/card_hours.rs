//! Card-hours from the points of each card.
//!
//! A point stands for the step that follows it, or until the next point when that comes no later than half a step
//! after; the rest of the window is unknown.
//! The four parts of a card always add up to the window.

use super::series::Points;
use std::collections::{BTreeMap, HashMap};

pub(super) struct CardHours {
    pub(super) start_ms: i64,
    pub(super) end_ms: i64,
    pub(super) step_ms: i64,
    pub(super) used: f64,
    pub(super) busy: f64,
    pub(super) idle: f64,
    pub(super) unknown: f64,
}

/// `None` when no two points follow each other, because then no point stands for any time.
pub(super) fn count(cards: &BTreeMap<String, Points>) -> Option<CardHours> {
    let step_ms = most_common_spacing(cards)?;
    let start_ms = *cards.values().filter_map(|points| points.keys().next()).min()?;
    let end_ms = *cards.values().filter_map(|points| points.keys().next_back()).max()? + step_ms;
    let mut hours =
        CardHours { start_ms, end_ms, step_ms, used: 0.0, busy: 0.0, idle: 0.0, unknown: 0.0 };
    for points in cards.values() {
        hours.add(points);
    }
    Some(hours)
}

impl CardHours {
    fn add(&mut self, points: &Points) {
        let mut known_until = self.start_ms;
        let mut points = points.iter().peekable();
        while let Some((at, reading)) = points.next() {
            self.unknown += hours(at - known_until);
            let next = points.peek().map_or(self.end_ms, |(next, _)| **next);
            let step_and_a_half = self.step_ms + self.step_ms / 2;
            let lasts_ms = if next - at <= step_and_a_half { next - at } else { self.step_ms };
            known_until = at + lasts_ms;
            match reading {
                None => self.unknown += hours(lasts_ms),
                Some(percent) if *percent > 0.0 => {
                    self.busy += hours(lasts_ms);
                    self.used += hours(lasts_ms) * percent / 100.0;
                }
                Some(_) => self.idle += hours(lasts_ms),
            }
        }
        self.unknown += hours(self.end_ms - known_until);
    }
}

fn hours(millis: i64) -> f64 {
    millis as f64 / 3_600_000.0
}

/// The smaller of two equally common ones, so that a file of gaps does not stretch its points.
fn most_common_spacing(cards: &BTreeMap<String, Points>) -> Option<i64> {
    let mut counts: HashMap<i64, u64> = HashMap::new();
    for points in cards.values() {
        for (at, next) in points.keys().zip(points.keys().skip(1)) {
            *counts.entry(next - at).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(spacing, count)| (*count, -spacing)).map(|(spacing, _)| spacing)
}
