//! Mornings of days, looked for one day after the other.

use std::collections::BTreeSet;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;
use sixgate_workflows::calendar::{Quarter, working_days::WorkingDays};

pub(super) struct Days<'a> {
    pub(super) zone: Tz,
    pub(super) now: DateTime<Utc>,
    pub(super) worked: &'a WorkingDays,
}

/// No series has longer gaps than a quarter and the holidays after it.
const BACK_MAX: i64 = 120;

impl Days<'_> {
    pub(super) fn today(&self) -> NaiveDate {
        self.now.with_timezone(&self.zone).date_naive()
    }

    /// Nine o'clock; no zone of the simulation changes its clocks at that hour.
    pub(super) fn morning(&self, day: NaiveDate) -> DateTime<Utc> {
        let nine = day.and_time(NaiveTime::MIN) + Duration::hours(9);
        let local = self.zone.from_local_datetime(&nine).earliest();
        local.map_or(DateTime::<Utc>::MAX_UTC, |local| local.with_timezone(&Utc))
    }

    /// The newest morning that has come, of the days from the first on that are meant.
    pub(super) fn newest_since(
        &self,
        first: NaiveDate,
        meant: impl Fn(NaiveDate) -> bool,
    ) -> Option<DateTime<Utc>> {
        self.newest_day_since(first, meant).map(|day| self.morning(day))
    }

    pub(super) fn newest_day_since(
        &self,
        first: NaiveDate,
        meant: impl Fn(NaiveDate) -> bool,
    ) -> Option<NaiveDate> {
        (0..BACK_MAX)
            .map_while(|back| self.today().checked_sub_signed(Duration::days(back)))
            .take_while(|day| first <= *day)
            .find(|day| meant(*day) && self.morning(*day) <= self.now)
    }

    /// The newest morning that has come, of those so many days before a last day; none once that
    /// day is over.
    pub(super) fn newest_before(
        &self,
        last_day: NaiveDate,
        days: &BTreeSet<u32>,
    ) -> Option<DateTime<Utc>> {
        if last_day < self.today() {
            return None;
        }
        let mornings = days.iter().filter_map(|days| {
            let day = last_day.checked_sub_signed(Duration::days(i64::from(*days)))?;
            Some(self.morning(day))
        });
        mornings.filter(|morning| *morning <= self.now).max()
    }

    pub(super) fn nth_worked_after(&self, day: NaiveDate, count: usize) -> NaiveDate {
        let mut after = day.iter_days().skip(1).filter(|day| self.worked.holds(*day));
        after.nth(count.saturating_sub(1)).unwrap_or(day)
    }

    pub(super) fn worked_up_to(&self, day: NaiveDate) -> NaiveDate {
        let mut before =
            (0..BACK_MAX).map_while(|back| day.checked_sub_signed(Duration::days(back)));
        before.find(|day| self.worked.holds(*day)).unwrap_or(day)
    }
}

/// The quarter that ends with this day, if one does.
pub(super) fn last_of_quarter(day: NaiveDate) -> Option<Quarter> {
    let next = day.succ_opt()?;
    let ends = next.day() == 1 && matches!(next.month(), 1 | 4 | 7 | 10);
    ends.then(|| Quarter::of(day))
}
