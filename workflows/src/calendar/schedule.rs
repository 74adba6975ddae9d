//! The occurrences of a rule, as a function of the rule, an anchor, a zone and an index.
//!
//! The rule: the n-th occurrence follows from n alone, never from the one before it, so a month's 31st
//! that was clamped in February is the 31st again in March. Days are counted by the calendar and only
//! then become instants: a local time in a gap is the first instant after the gap, one that happens
//! twice is the first. Index 0 is the first occurrence on or after the anchor.
//!
//! There is no clock here and nothing is remembered; what is due, late or missed is said by
//! [`misfire`](crate::deadline::misfire).

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Tz;

use super::{
    days_after, days_before,
    fiscal::FiscalYear,
    instant, last_day_of_month, month_number,
    rule::{Pattern, Period, Rule, Unit},
    working_days::WorkingDays,
};

/// A rule applied: everything that its occurrences depend on.
#[derive(Clone, Copy, Debug)]
pub struct Schedule<'a> {
    pub rule: Rule,
    pub anchor: NaiveDate,
    pub zone: Tz,
    pub fiscal: FiscalYear,
    pub shift: Shift,
    pub working_days: &'a WorkingDays,
    /// The last day that may have an occurrence.
    pub until: Option<NaiveDate>,
}

/// Where an occurrence goes whose day is not worked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    #[default]
    None,
    /// The first working day after it.
    Next,
    /// The last working day before it.
    Previous,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub index: u32,
    /// What a clock on the wall should show.
    pub nominal: NaiveDateTime,
    pub instant: DateTime<Utc>,
    /// What the rule says, when that day is not worked.
    pub shifted_from: Option<NaiveDateTime>,
}

impl Occurrence {
    /// What the rule says before any shift: what tells occurrences of one rule apart for ever, even
    /// when a table of holidays or of time zones changes.
    pub fn by_rule(&self) -> NaiveDateTime {
        self.shifted_from.unwrap_or(self.nominal)
    }
}

/// Beyond it nobody plans, and time zones are guesses.
const YEARS: std::ops::RangeInclusive<i32> = 1_900..=2_200;

impl<'a> Schedule<'a> {
    /// In calendar quarters, without shift or end.
    pub fn new(rule: Rule, anchor: NaiveDate, zone: Tz, working_days: &'a WorkingDays) -> Self {
        let (fiscal, shift) = (FiscalYear::CALENDAR, Shift::None);
        Self { rule, anchor, zone, fiscal, shift, working_days, until: None }
    }

    /// `None` after the end of the schedule, or beyond the years 1900 to 2200.
    pub fn occurrence(&self, index: u32) -> Option<Occurrence> {
        self.at(self.first_slot()?, index)
    }

    /// In order, from an index on. Occurrences that meet at one instant, because a shift or a day
    /// that a zone leaves out brought them together, are one: the first.
    pub fn from_index(&self, index: u32) -> impl Iterator<Item = Occurrence> + use<'a> {
        let schedule = *self;
        let first = self.first_slot();
        let before = first.zip(index.checked_sub(1)).and_then(|(slot, i)| schedule.at(slot, i));
        let mut last = before.map(|occurrence| occurrence.instant);
        (index..)
            .map_while(move |index| schedule.at(first?, index))
            .filter(move |occurrence| last.replace(occurrence.instant) != Some(occurrence.instant))
    }

    /// Those that the rule, before any shift, puts into a span, both ends in it.
    pub fn between(
        &self,
        from: NaiveDate,
        to: NaiveDate,
    ) -> impl Iterator<Item = Occurrence> + use<'a> {
        let start = self.index_on_or_after(from);
        let schedule = *self;
        let found = start.into_iter().flat_map(move |index| schedule.from_index(index));
        found.take_while(move |occurrence| occurrence.by_rule().date() <= to)
    }

    /// From the newest that has come, or from the first if none has.
    pub fn from_newest(&self, now: DateTime<Utc>) -> impl Iterator<Item = Occurrence> + use<'a> {
        // The day in UTC is near enough to look from, and exists for every instant.
        let mut newest =
            self.last_index_where(now.date_naive(), |occurrence| occurrence.instant <= now);
        // Of several that meet, the first is the one that counts.
        while let Some(earlier) = newest.and_then(|index| index.checked_sub(1))
            && let Some(index) = newest
            && self.occurrence(earlier).map(|o| o.instant)
                == self.occurrence(index).map(|o| o.instant)
        {
            newest = Some(earlier);
        }
        self.from_index(newest.unwrap_or(0))
    }

    /// The index of the first occurrence that the rule, before any shift, puts on a day or after it.
    pub fn index_on_or_after(&self, day: NaiveDate) -> Option<u32> {
        let slot = self.slot_on_or_after(day.max(self.anchor))?;
        u32::try_from(slot - self.first_slot()?).ok()
    }

    /// Whether holidays move what is planned, so that a year without a table is worth a warning.
    pub fn counts_working_days(&self) -> bool {
        let by_pattern = match self.rule.pattern {
            Pattern::Workday { .. } | Pattern::Every { unit: Unit::Workdays, .. } => true,
            Pattern::Daily
            | Pattern::Weekly(_)
            | Pattern::MonthlyOn(_)
            | Pattern::MonthlyLast
            | Pattern::QuarterEnd { .. }
            | Pattern::Every { .. } => false,
        };
        by_pattern || self.shift != Shift::None
    }

    /// The last index for which something holds that holds for all before it; looked for from the
    /// occurrence of a day on, which is near.
    fn last_index_where(
        &self,
        near: NaiveDate,
        holds: impl Fn(&Occurrence) -> bool,
    ) -> Option<u32> {
        let first = self.first_slot()?;
        let near = self.slot_on_or_after(near.max(self.anchor)).unwrap_or(first) - first;
        let mut index = u32::try_from(near).unwrap_or(0);
        let at = |index: u32| self.at(first, index).is_some_and(|occurrence| holds(&occurrence));
        while at(index) {
            index = index.checked_add(1)?;
        }
        while index > 0 {
            index -= 1;
            if at(index) {
                return Some(index);
            }
        }
        None
    }

    fn at(&self, first_slot: i64, index: u32) -> Option<Occurrence> {
        let day = self.day(first_slot + i64::from(index))?;
        if !YEARS.contains(&day.year()) || self.until.is_some_and(|until| until < day) {
            return None;
        }
        let moved = match self.shift {
            Shift::None => day,
            Shift::Next => self.working_days.on_or_after(day),
            Shift::Previous => self.working_days.on_or_before(day),
        };
        let nominal = moved.and_time(self.rule.at);
        Some(Occurrence {
            index,
            nominal,
            instant: instant(nominal, self.zone),
            shifted_from: (moved != day).then(|| day.and_time(self.rule.at)),
        })
    }

    fn first_slot(&self) -> Option<i64> {
        self.slot_on_or_after(self.anchor)
    }

    /// Slots are the occurrences of a pattern counted without a beginning, so that the anchor only
    /// says which of them is index 0. Stepping by the anchor itself, its slot is 0.
    fn slot_on_or_after(&self, day: NaiveDate) -> Option<i64> {
        if !YEARS.contains(&day.year()) {
            return None;
        }
        let mut slot = self.slot_near(day);
        while self.day(slot - 1).is_some_and(|earlier| earlier >= day) {
            slot -= 1;
        }
        while self.day(slot)? < day {
            slot += 1;
        }
        Some(slot)
    }

    /// A few slots off at most.
    fn slot_near(&self, day: NaiveDate) -> i64 {
        match self.rule.pattern {
            Pattern::Daily => i64::from(day.num_days_from_ce()),
            Pattern::Weekly(_) => week_number(day),
            Pattern::MonthlyOn(_) | Pattern::MonthlyLast => month_number(day),
            Pattern::QuarterEnd { .. } => self.fiscal.quarter_number(day),
            Pattern::Workday { after: Period::Month, .. } => month_number(day) - 1,
            Pattern::Workday { after: Period::Quarter, .. } => self.fiscal.quarter_number(day) - 1,
            Pattern::Every { count, unit } => {
                let days = (day - self.anchor).num_days();
                let units = match unit {
                    Unit::Days => days,
                    Unit::Workdays => days * 5 / 7,
                    Unit::Weeks => days / 7,
                    Unit::Months => month_number(day) - month_number(self.anchor),
                    Unit::Years => i64::from(day.year() - self.anchor.year()),
                };
                (units / i64::from(count)).max(0)
            }
        }
    }

    /// `None` beyond the ends of the calendar, and before the anchor of a pattern that steps from it.
    fn day(&self, slot: i64) -> Option<NaiveDate> {
        match self.rule.pattern {
            Pattern::Daily => NaiveDate::from_num_days_from_ce_opt(i32::try_from(slot).ok()?),
            Pattern::Weekly(weekday) => {
                let monday = slot.checked_mul(7)?.checked_add(1)?;
                let days = monday + i64::from(weekday.num_days_from_monday());
                NaiveDate::from_num_days_from_ce_opt(i32::try_from(days).ok()?)
            }
            Pattern::MonthlyOn(day) => {
                let last = last_day_of_month(slot)?;
                last.with_day(day).or(Some(last))
            }
            Pattern::MonthlyLast => last_day_of_month(slot),
            Pattern::QuarterEnd { days_before: days } => {
                Some(days_before(self.fiscal.last_day_of_quarter(slot)?, days))
            }
            Pattern::Workday { nth, after } => {
                let end = match after {
                    Period::Month => last_day_of_month(slot)?,
                    Period::Quarter => self.fiscal.last_day_of_quarter(slot)?,
                };
                Some(self.working_days.after(end, nth))
            }
            Pattern::Every { count, unit } => {
                let steps = u32::try_from(slot).ok()?.checked_mul(count)?;
                match unit {
                    Unit::Days => Some(days_after(self.anchor, steps)),
                    Unit::Workdays => Some(self.working_days.after(self.anchor, steps)),
                    Unit::Weeks => Some(days_after(self.anchor, steps.checked_mul(7)?)),
                    Unit::Months => Some(super::months_after(self.anchor, steps)),
                    Unit::Years => Some(super::months_after(self.anchor, steps.checked_mul(12)?)),
                }
            }
        }
    }
}

/// The weeks since Monday, 1 January of the year 1.
fn week_number(day: NaiveDate) -> i64 {
    (i64::from(day.num_days_from_ce()) - 1).div_euclid(7)
}
