//! Which days are worked, and counting by them.
//!
//! The rule: Monday to Friday, corrected by the tables of the organisation's region; an
//! organisation's own table stands in place of the shipped one of its year. A year that no table
//! covers is counted Monday to Friday, and [`WorkingDays::is_covered`] tells so that it can be said.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use super::{
    days_after, days_before,
    holidays::{self, HolidayTable, Region, is_weekend},
};
use crate::{invalid::Invalid, text::Name};

/// What a year's working days were counted by, kept with what followed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Counted {
    Table {
        region: Region,
        year: i32,
        version: u32,
        source: Name,
    },
    /// No table covers the year: Monday to Friday, which may turn out wrong.
    Weekdays {
        region: Region,
        year: i32,
    },
}

/// The default knows no region: every Monday to Friday is worked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkingDays {
    /// Whose tables count; without one no day off is known, and none is expected.
    pub region: Option<Region>,
    /// Imported by the organisation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<HolidayTable>,
}

impl WorkingDays {
    /// A policy is copied into every procurement, so it stays small.
    const TABLES_MAX: usize = 12;

    /// By the shipped tables of a region and imported ones.
    pub fn of(region: Region, tables: Vec<HolidayTable>) -> Result<Self, Invalid> {
        let days = Self { region: Some(region), tables };
        days.check()?;
        Ok(days)
    }

    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: String| Err(Invalid::new("working days", why));
        if self.tables.len() > Self::TABLES_MAX {
            return refuse(format!("at most {} tables are kept", Self::TABLES_MAX));
        }
        let Some(region) = &self.region else {
            return match self.tables.first() {
                None => Ok(()),
                Some(table) => {
                    refuse(format!("{table} does not count as long as no region is named"))
                }
            };
        };
        for (place, table) in self.tables.iter().enumerate() {
            if table.region() != region {
                return refuse(format!("{table} is not a table of {region}"));
            }
            if self.tables.iter().skip(place + 1).any(|other| other.year() == table.year()) {
                return refuse(format!("{region} {} is there twice", table.year()));
            }
        }
        let known = self.tables.iter().chain(holidays::shipped());
        if !known.into_iter().any(|table| table.region() == region) {
            let mut shipped: Vec<_> =
                holidays::shipped().iter().map(|table| table.region().to_string()).collect();
            shipped.dedup();
            let shipped = shipped.join(", ");
            return refuse(format!(
                "no table of {region} is known; shipped are those of {shipped}"
            ));
        }
        Ok(())
    }

    /// What a year is counted by.
    pub fn table(&self, year: i32) -> Option<&HolidayTable> {
        let region = self.region.as_ref()?;
        let known = self.tables.iter().chain(holidays::shipped());
        known.into_iter().find(|table| table.year() == year && table.region() == region)
    }

    /// `None` without a region, which has nothing to name.
    pub fn counted(&self, year: i32) -> Option<Counted> {
        let region = self.region.clone()?;
        Some(match self.table(year) {
            Some(table) => Counted::Table {
                region,
                year,
                version: table.version(),
                source: table.source().clone(),
            },
            None => Counted::Weekdays { region, year },
        })
    }

    /// Whether it is known which days of a year are off; no region has none.
    pub fn is_covered(&self, year: i32) -> bool {
        self.region.is_none() || self.table(year).is_some()
    }

    pub fn holds(&self, day: NaiveDate) -> bool {
        match self.table(day.year()) {
            Some(table) => table.is_working_day(day),
            None => !is_weekend(day),
        }
    }

    /// The n-th working day after a day; the day itself for 0.
    pub fn after(&self, day: NaiveDate, count: u32) -> NaiveDate {
        let (mut current, mut left) = (day, count);
        // Any seven days that no table corrects have five working days.
        while left > 5 && self.is_plain(current) && self.is_plain(days_after(current, 7)) {
            (current, left) = (days_after(current, 7), left - 5);
        }
        for _ in 0..left {
            current = self.on_or_after(days_after(current, 1));
        }
        current
    }

    fn is_plain(&self, day: NaiveDate) -> bool {
        day < NaiveDate::MAX && self.table(day.year()).is_none()
    }

    pub fn on_or_after(&self, mut day: NaiveDate) -> NaiveDate {
        while !self.holds(day) && day < NaiveDate::MAX {
            day = days_after(day, 1);
        }
        day
    }

    pub fn on_or_before(&self, mut day: NaiveDate) -> NaiveDate {
        while !self.holds(day) && day > NaiveDate::MIN {
            day = days_before(day, 1);
        }
        day
    }
}
