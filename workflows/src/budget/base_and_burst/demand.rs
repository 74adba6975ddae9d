//! How many cards are wanted in each hour of a period.
//!
//! The rule: every hour says its number, and an hour that a file leaves out is an error rather than
//! an hour without demand. A measured profile and one that somebody states are kept apart, because
//! a stated shape repeats itself exactly and so can show nothing of how unsteady the demand is.

use chrono::{DateTime, Duration, NaiveDateTime};
use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Measured,
    Stated,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Cards, one entry an hour.
    cards: Vec<u32>,
    origin: Origin,
}

/// A week as people describe it, with what exceeds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Cards in the 24 hours of a working day.
    pub workday: Vec<u32>,
    /// Of Saturday and Sunday; like a working day if absent.
    #[serde(default)]
    pub weekend: Option<Vec<u32>>,
    pub weeks: u32,
    #[serde(default)]
    pub peaks: Vec<Peak>,
}

/// At least so many cards are wanted in a stretch of hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peak {
    /// Counted from 0, the first hour of the first Monday.
    pub first_hour: u32,
    pub hours: u32,
    pub cards: u32,
}

impl Demand {
    /// Five years, leap days included.
    pub const HOURS_MAX: usize = 5 * 8_784;
    pub const CARDS_MAX: u32 = 100_000;
    const DAYS_A_WEEK: usize = 7;
    const HOURS_A_DAY: usize = 24;
    pub const HOURS_A_WEEK: usize = Self::DAYS_A_WEEK * Self::HOURS_A_DAY;

    pub fn measured(cards: Vec<u32>) -> Result<Self, Invalid> {
        Self::new(cards, Origin::Measured)
    }

    fn new(cards: Vec<u32>, origin: Origin) -> Result<Self, Invalid> {
        let refuse = |why: String| Err(Invalid::new("demand", why));
        if cards.is_empty() || cards.len() > Self::HOURS_MAX {
            return refuse(format!("has {} hours, not 1 to {}", cards.len(), Self::HOURS_MAX));
        }
        if let Some(most) = cards.iter().find(|cards| **cards > Self::CARDS_MAX) {
            return refuse(format!("wants {most} cards, at most {} are priced", Self::CARDS_MAX));
        }
        Ok(Self { cards, origin })
    }

    pub fn stated(shape: &Shape) -> Result<Self, Invalid> {
        let weekend = shape.weekend.as_ref().unwrap_or(&shape.workday);
        for (day, name) in [(&shape.workday, "workday"), (weekend, "weekend")] {
            if day.len() != Self::HOURS_A_DAY {
                return Err(Invalid::new(
                    "demand",
                    format!("{name} has {} hours, not 24", day.len()),
                ));
            }
        }
        let weeks = usize::try_from(shape.weeks).unwrap_or(usize::MAX);
        let hours = weeks.saturating_mul(Self::HOURS_A_WEEK);
        if hours > Self::HOURS_MAX {
            return Err(Invalid::new(
                "demand",
                format!("{} weeks are more than five years", shape.weeks),
            ));
        }
        let days = [&shape.workday; 5].into_iter().chain([weekend; 2]);
        let week: Vec<u32> = days.flatten().copied().collect();
        let mut cards = week.repeat(weeks);
        for peak in &shape.peaks {
            let first = usize::try_from(peak.first_hour).unwrap_or(usize::MAX);
            let end = first.saturating_add(usize::try_from(peak.hours).unwrap_or(usize::MAX));
            let stretch = cards.get_mut(first..end).ok_or_else(|| {
                Invalid::new(
                    "demand",
                    format!("the peak at hour {first} ends after the {hours} hours"),
                )
            })?;
            stretch.iter_mut().for_each(|hour| *hour = (*hour).max(peak.cards));
        }
        Self::new(cards, Origin::Stated)
    }

    /// One line for each hour: the number of cards, or the hour's beginning, a comma and the number.
    /// A first line without a number is a heading.
    pub fn from_lines(text: &str) -> Result<Self, Invalid> {
        let mut cards = Vec::new();
        let mut before: Option<NaiveDateTime> = None;
        let lines = text.trim_start_matches('\u{feff}').lines();
        for (number, line) in (1_usize..).zip(lines) {
            let line = line.trim();
            let refuse = |why: String| Invalid::new("demand", format!("line {number}: {why}"));
            let (beginning, wanted) = match line.rsplit_once([',', ';', '\t']) {
                Some((beginning, wanted)) => (Some(beginning.trim()), wanted.trim()),
                None => (None, line),
            };
            if line.is_empty() || (number == 1 && !wanted.starts_with(|c: char| c.is_ascii_digit()))
            {
                continue;
            }
            let wanted: u32 = wanted.parse().map_err(|_| {
                refuse(format!("`{}` is no whole number of cards; round parts up", shown(wanted)))
            })?;
            if let Some(beginning) = beginning {
                let beginning = hour(beginning).ok_or_else(|| {
                    refuse(format!("`{}` is no time such as 2026-01-05T09:00", shown(beginning)))
                })?;
                let expected = before.map(|before| before + Duration::hours(1));
                if expected.is_some_and(|expected| expected != beginning) {
                    return Err(refuse("is not one hour after the line before".to_owned()));
                }
                before = Some(beginning);
            }
            cards.push(wanted);
            if cards.len() > Self::HOURS_MAX {
                return Err(refuse(format!("more than {} hours", Self::HOURS_MAX)));
            }
        }
        Self::measured(cards)
    }

    pub fn origin(&self) -> Origin {
        self.origin
    }

    pub fn cards(&self) -> &[u32] {
        &self.cards
    }

    pub fn hours(&self) -> u32 {
        u32::try_from(self.cards.len()).unwrap_or(u32::MAX)
    }

    pub fn peak(&self) -> u32 {
        self.cards.iter().copied().max().unwrap_or_default()
    }

    pub fn card_hours(&self) -> u64 {
        self.cards.iter().copied().map(u64::from).sum()
    }

    pub(super) fn descending(&self) -> Vec<u32> {
        let mut sorted = self.cards.clone();
        sorted.sort_unstable_by(|one, other| other.cmp(one));
        sorted
    }
}

/// An instant, or a time of a place that is left open.
fn hour(text: &str) -> Option<NaiveDateTime> {
    let instant = DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.naive_utc());
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"];
    instant.or_else(|| {
        formats.into_iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
    })
}

/// Enough of a foreign text to find it again.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
