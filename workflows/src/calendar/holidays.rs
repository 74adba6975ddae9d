//! Tables of public holidays and make-up working days, one for a region and a year.
//!
//! The rule: only what an authority announced is in a table, with its source and a version; a year
//! without a table is unknown, not free of holidays. Tables ship with the program and an organisation
//! imports newer ones. Nothing here is computed from the moon or from the year before.

use std::{fmt, str::FromStr, sync::LazyLock};

use chrono::{Datelike, Days, NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

use crate::{invalid::Invalid, text::Name};

/// Where a table holds, such as `CN`: two to eight capital letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Region(String);

/// From a first to a last day, both of them in it; written `2026-10-01/2026-10-07` or as one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DaySpan {
    first: NaiveDate,
    last: NaiveDate,
}

/// What one region's authority announced for one year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Announced", into = "Announced")]
pub struct HolidayTable(Announced);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announced {
    pub region: Region,
    pub year: i32,
    /// Counts up when an announcement is corrected.
    pub version: u32,
    pub source: Name,
    pub off: Vec<DaySpan>,
    /// Weekend days that are worked.
    #[serde(default)]
    pub working: Vec<NaiveDate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tables: Vec<HolidayTable>,
}

static SHIPPED: LazyLock<Vec<HolidayTable>> = LazyLock::new(|| {
    read(include_str!("holidays.toml")).expect("the shipped tables are read by a test")
});

/// The tables that come with the program.
pub fn shipped() -> &'static [HolidayTable] {
    &SHIPPED
}

/// Reads a file of tables (TOML, `[[tables]]`), with the line of whatever is wrong.
pub fn read(text: &str) -> Result<Vec<HolidayTable>, Invalid> {
    if text.len() > FILE_BYTES_MAX {
        let why = format!("has {} bytes, at most {FILE_BYTES_MAX} are read", text.len());
        return Err(Invalid::new("holiday tables", why));
    }
    let file: File = toml::from_str(text)
        .map_err(|error| Invalid::new("holiday tables", error.to_string().trim_end()))?;
    Ok(file.tables)
}

/// A century of tables is well below it.
const FILE_BYTES_MAX: usize = 256 * 1024;

impl HolidayTable {
    const SPANS_MAX: usize = 100;

    pub fn new(announced: Announced) -> Result<Self, Invalid> {
        let Announced { region, year, off, working, .. } = &announced;
        let refuse =
            |why: String| Err(Invalid::new("holiday table", format!("{region} {year}: {why}")));
        if !(1_950..=2_200).contains(year) {
            return refuse("the year must be 1950 to 2200".to_owned());
        }
        if off.len() > Self::SPANS_MAX || working.len() > Self::SPANS_MAX {
            return refuse(format!("at most {} spans and working days are kept", Self::SPANS_MAX));
        }
        let days =
            off.iter().flat_map(|span| [span.first, span.last]).chain(working.iter().copied());
        if let Some(day) = days.into_iter().find(|day| day.year() != *year) {
            return refuse(format!("{day} is not in that year"));
        }
        for day in working {
            if !is_weekend(*day) {
                return refuse(format!("{day} is no weekend day, so it is worked anyhow"));
            }
            if off.iter().any(|span| span.holds(*day)) {
                return refuse(format!("{day} is both off and worked"));
            }
        }
        Ok(Self(announced))
    }

    pub fn region(&self) -> &Region {
        &self.0.region
    }

    pub fn year(&self) -> i32 {
        self.0.year
    }

    pub fn version(&self) -> u32 {
        self.0.version
    }

    pub fn source(&self) -> &Name {
        &self.0.source
    }

    /// Only for days of its year.
    pub(super) fn is_working_day(&self, day: NaiveDate) -> bool {
        let off = self.0.off.iter().any(|span| span.holds(day));
        self.0.working.contains(&day) || (!off && !is_weekend(day))
    }
}

pub(super) fn is_weekend(day: NaiveDate) -> bool {
    matches!(day.weekday(), Weekday::Sat | Weekday::Sun)
}

impl TryFrom<Announced> for HolidayTable {
    type Error = Invalid;

    fn try_from(announced: Announced) -> Result<Self, Invalid> {
        Self::new(announced)
    }
}

impl From<HolidayTable> for Announced {
    fn from(table: HolidayTable) -> Self {
        table.0
    }
}

/// As it is named wherever it was counted by: `CN 2026 v1`.
impl fmt::Display for HolidayTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} v{}", self.0.region, self.0.year, self.0.version)
    }
}

impl DaySpan {
    pub fn new(first: NaiveDate, last: NaiveDate) -> Result<Self, Invalid> {
        match first <= last && last.signed_duration_since(first).num_days() < 366 {
            true => Ok(Self { first, last }),
            false => Err(Invalid::new(
                "days",
                format!("{first}/{last} ends before it starts or lasts over a year"),
            )),
        }
    }

    fn holds(self, day: NaiveDate) -> bool {
        self.first <= day && day <= self.last
    }

    pub fn days(self) -> impl Iterator<Item = NaiveDate> {
        let mut next = Some(self.first);
        std::iter::from_fn(move || {
            let day = next.filter(|day| *day <= self.last)?;
            next = day.checked_add_days(Days::new(1));
            Some(day)
        })
    }
}

impl FromStr for DaySpan {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let (first, last) = text.split_once('/').unwrap_or((text, text));
        let day = |part: &str| {
            part.trim().parse().map_err(|_| {
                let why =
                    format!("`{text}` is neither a day nor a span, such as 2026-10-01/2026-10-07");
                Invalid::new("days", why)
            })
        };
        Self::new(day(first)?, day(last)?)
    }
}

impl TryFrom<String> for DaySpan {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<DaySpan> for String {
    fn from(span: DaySpan) -> Self {
        match span.first == span.last {
            true => span.first.to_string(),
            false => format!("{}/{}", span.first, span.last),
        }
    }
}

impl FromStr for Region {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
        match (2..=8).contains(&text.len()) && text.chars().all(plain) {
            true => Ok(Self(text.to_owned())),
            false => {
                let why = "must be two to eight capital letters, digits or hyphens, such as CN";
                Err(Invalid::new("region", why))
            }
        }
    }
}

impl TryFrom<String> for Region {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<Region> for String {
    fn from(region: Region) -> Self {
        region.0
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
