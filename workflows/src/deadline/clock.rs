//! Whether a clock on the wall can be believed, by what a clock that only runs has measured.
//!
//! The rule: a clock that was set back makes nothing fire again, since what fired has its key, but
//! somebody should hear of it; one that leapt ahead is not believed until somebody looked, because a
//! wrong year would send a year of mail. A machine that slept is no fault: its running clock is
//! expected to count the sleep.

use chrono::{DateTime, Duration, Utc};

/// What to do at a reading of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Plausible,
    /// Go on, and tell somebody.
    SetBack {
        by: Duration,
    },
    /// Fire nothing, and tell somebody.
    LeaptAhead {
        by: Duration,
    },
}

/// Set right by a time server, a clock moves by seconds.
pub const BACK_MAX: Duration = Duration::minutes(2);
/// Less than the shortest notice of a deadline.
pub const AHEAD_MAX: Duration = Duration::hours(24);

/// The wall clock now, by what it showed last and the time that has run since then.
pub fn read(last: DateTime<Utc>, run: Duration, now: DateTime<Utc>) -> Reading {
    let expected = last.checked_add_signed(run).unwrap_or(last);
    let ahead = now - expected;
    if ahead > AHEAD_MAX {
        Reading::LeaptAhead { by: ahead }
    } else if ahead < -BACK_MAX {
        Reading::SetBack { by: -ahead }
    } else {
        Reading::Plausible
    }
}
