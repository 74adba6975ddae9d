//! A recurrence rule as people write it: `quarter-end@09:00`.
//!
//! The rule names days and a local time; which anchor, zone, fiscal year and working days it is
//! applied to is a [`Schedule`](super::schedule::Schedule). What is printed is read again. Cron
//! lines are not read: they know neither the end of a quarter nor a working day.

use std::{fmt, str::FromStr};

use chrono::{NaiveTime, Timelike, Weekday};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rule {
    pub pattern: Pattern,
    /// Local, to the minute.
    pub at: NaiveTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    Daily,
    Weekly(Weekday),
    /// A day of the month from 1 to 31; shorter months have it on their last day.
    MonthlyOn(u32),
    /// The last day of every month.
    MonthlyLast,
    /// So many days before the last day of a fiscal quarter, 0 for that day.
    QuarterEnd {
        days_before: u32,
    },
    /// The n-th working day after the end of a period.
    Workday {
        nth: u32,
        after: Period,
    },
    /// The anchor, and every so many units after it.
    Every {
        count: u32,
        unit: Unit,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Period {
    Month,
    Quarter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    Days,
    Workdays,
    Weeks,
    Months,
    Years,
}

/// Why a text is no rule, and what would be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    #[error("`{given}` is no rule; allowed are {FORMS}")]
    Form { given: String },
    #[error("`{given}` names no time of day; a rule ends in @HH:MM, such as daily@09:00")]
    NoTime { given: String },
    #[error("`{given}` is no time of day; allowed is 00:00 to 23:59")]
    Time { given: String },
    #[error("`{given}` is no day of the week; allowed are mon, tue, wed, thu, fri, sat, sun")]
    Weekday { given: String },
    #[error("`{given}` is no day of a month; allowed are 1 to 31 and last")]
    MonthDay { given: String },
    #[error("`{given}` is no period; allowed are month and quarter")]
    Period { given: String },
    #[error(
        "`{given}` is no step; allowed is a number and a unit, such as 3months; units are days, workdays, weeks, months and years"
    )]
    Step { given: String },
    #[error("`{given}` is out of bounds; allowed is {least} to {most}")]
    Count { given: String, least: u32, most: u32 },
}

const FORMS: &str = "daily@HH:MM, weekly:mon@HH:MM, monthly:31@HH:MM, monthly:last@HH:MM, \
    quarter-end@HH:MM, quarter-end-14@HH:MM, workday:1:quarter@HH:MM, workday:1:month@HH:MM, \
    every:3months@HH:MM";

/// A rule is a handful of words.
const LENGTH_MAX: usize = 64;
/// So that a rule stays within its own quarter.
const DAYS_BEFORE_MAX: u32 = 89;
/// A month has at least fifteen working days, whatever its holidays.
const WORKDAY_OF_MONTH_MAX: u32 = 15;
const WORKDAY_OF_QUARTER_MAX: u32 = 45;
const STEP_MAX: u32 = 1_000;

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let given = || text.chars().take(LENGTH_MAX).collect::<String>();
        if text.len() > LENGTH_MAX {
            return Err(RuleError::Form { given: given() });
        }
        let (words, at) =
            text.split_once('@').ok_or_else(|| RuleError::NoTime { given: given() })?;
        let at = time(at)?;
        let parts: Vec<&str> = words.split(':').collect();
        let pattern = match parts[..] {
            ["daily"] => Pattern::Daily,
            ["weekly", day] => Pattern::Weekly(weekday(day)?),
            ["monthly", "last"] => Pattern::MonthlyLast,
            ["monthly", day] => Pattern::MonthlyOn(
                number(day, 1, 31).map_err(|_| RuleError::MonthDay { given: day.to_owned() })?,
            ),
            ["quarter-end"] => Pattern::QuarterEnd { days_before: 0 },
            ["workday", nth, after] => {
                let (after, most) = match after {
                    "month" => (Period::Month, WORKDAY_OF_MONTH_MAX),
                    "quarter" => (Period::Quarter, WORKDAY_OF_QUARTER_MAX),
                    _ => return Err(RuleError::Period { given: after.to_owned() }),
                };
                Pattern::Workday { nth: number(nth, 1, most)?, after }
            }
            ["every", step] => every(step)?,
            [words] => match words.strip_prefix("quarter-end-") {
                Some(days) => {
                    Pattern::QuarterEnd { days_before: number(days, 1, DAYS_BEFORE_MAX)? }
                }
                None => return Err(RuleError::Form { given: given() }),
            },
            _ => return Err(RuleError::Form { given: given() }),
        };
        Ok(Self { pattern, at })
    }
}

fn time(text: &str) -> Result<NaiveTime, RuleError> {
    let refused = || RuleError::Time { given: text.to_owned() };
    let (hour, minute) = text.split_once(':').ok_or_else(refused)?;
    let digits = |part: &str, lengths: &[usize]| -> Option<u32> {
        let plain = lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| part.parse().ok()).flatten()
    };
    digits(hour, &[1, 2])
        .zip(digits(minute, &[2]))
        .and_then(|(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0))
        .ok_or_else(refused)
}

fn number(text: &str, least: u32, most: u32) -> Result<u32, RuleError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok()).flatten();
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| RuleError::Count {
        given: text.to_owned(),
        least,
        most,
    })
}

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Mon),
    ("tue", Weekday::Tue),
    ("wed", Weekday::Wed),
    ("thu", Weekday::Thu),
    ("fri", Weekday::Fri),
    ("sat", Weekday::Sat),
    ("sun", Weekday::Sun),
];

fn weekday(text: &str) -> Result<Weekday, RuleError> {
    let known = WEEKDAYS.iter().find(|(word, _)| *word == text);
    known.map(|(_, day)| *day).ok_or_else(|| RuleError::Weekday { given: text.to_owned() })
}

fn every(text: &str) -> Result<Pattern, RuleError> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, unit) = text.split_at(digits);
    let unit = Unit::ALL
        .into_iter()
        .find(|known| known.id() == unit || known.id().strip_suffix('s') == Some(unit))
        .ok_or_else(|| RuleError::Step { given: text.to_owned() })?;
    Ok(Pattern::Every { count: number(count, 1, STEP_MAX)?, unit })
}

impl Rule {
    /// At nine in the morning, when reminders that are due on a day go out.
    pub fn mornings(pattern: Pattern) -> Self {
        Self { pattern, at: super::nine() }
    }
}

impl Unit {
    const ALL: [Self; 5] = [Self::Days, Self::Workdays, Self::Weeks, Self::Months, Self::Years];

    fn id(self) -> &'static str {
        match self {
            Self::Days => "days",
            Self::Workdays => "workdays",
            Self::Weeks => "weeks",
            Self::Months => "months",
            Self::Years => "years",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pattern {
            Pattern::Daily => f.write_str("daily")?,
            Pattern::Weekly(day) => {
                let (word, _) = WEEKDAYS[day.num_days_from_monday() as usize];
                write!(f, "weekly:{word}")?;
            }
            Pattern::MonthlyOn(day) => write!(f, "monthly:{day}")?,
            Pattern::MonthlyLast => f.write_str("monthly:last")?,
            Pattern::QuarterEnd { days_before: 0 } => f.write_str("quarter-end")?,
            Pattern::QuarterEnd { days_before } => write!(f, "quarter-end-{days_before}")?,
            Pattern::Workday { nth, after: Period::Month } => write!(f, "workday:{nth}:month")?,
            Pattern::Workday { nth, after: Period::Quarter } => write!(f, "workday:{nth}:quarter")?,
            Pattern::Every { count, unit } => write!(f, "every:{count}{}", unit.id())?,
        }
        write!(f, "@{:02}:{:02}", self.at.hour(), self.at.minute())
    }
}

impl TryFrom<String> for Rule {
    type Error = RuleError;

    fn try_from(text: String) -> Result<Self, RuleError> {
        text.parse()
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.to_string()
    }
}
