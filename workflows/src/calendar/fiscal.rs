//! Fiscal years and quarters that may start in any month.
//!
//! A fiscal year is named by the year that its first day is in. Quarters end on the last day of a
//! month, never on a day with a number, so a year that ends "on 28 February" ends on the 29th too.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

/// By the month that its years start in; the default is the calendar year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct FiscalYear {
    /// 1 to 12.
    first_month: u32,
}

impl FiscalYear {
    pub const CALENDAR: Self = Self { first_month: 1 };

    pub fn starting_in(first_month: u32) -> Result<Self, Invalid> {
        match (1..=12).contains(&first_month) {
            true => Ok(Self { first_month }),
            false => {
                let why = format!("starts in a month from 1 to 12, not in {first_month}");
                Err(Invalid::new("fiscal year", why))
            }
        }
    }

    pub fn first_day_of_year(self, day: NaiveDate) -> Option<NaiveDate> {
        let year = day.year() - i32::from(day.month() < self.first_month);
        NaiveDate::from_ymd_opt(year, self.first_month, 1)
    }

    pub fn last_day_of_year(self, day: NaiveDate) -> Option<NaiveDate> {
        let first = self.first_day_of_year(day)?;
        NaiveDate::from_ymd_opt(first.year() + 1, self.first_month, 1)?.pred_opt()
    }

    /// The year that the fiscal year of a day starts in, and its quarter, 1 to 4.
    pub fn quarter_of(self, day: NaiveDate) -> (i32, u32) {
        let year = day.year() - i32::from(day.month() < self.first_month);
        (year, (day.month() + 12 - self.first_month) % 12 / 3 + 1)
    }

    /// Quarters counted without a break: the number of the one that holds a day.
    pub(super) fn quarter_number(self, day: NaiveDate) -> i64 {
        (super::month_number(day) - self.months_into_quarter()).div_euclid(3)
    }

    pub(super) fn last_day_of_quarter(self, number: i64) -> Option<NaiveDate> {
        super::last_day_of_month(number * 3 + 2 + self.months_into_quarter())
    }

    fn months_into_quarter(self) -> i64 {
        i64::from((self.first_month - 1) % 3)
    }
}

impl Default for FiscalYear {
    fn default() -> Self {
        Self::CALENDAR
    }
}

impl TryFrom<u32> for FiscalYear {
    type Error = Invalid;

    fn try_from(first_month: u32) -> Result<Self, Invalid> {
        Self::starting_in(first_month)
    }
}

impl From<FiscalYear> for u32 {
    fn from(year: FiscalYear) -> Self {
        year.first_month
    }
}
