//! Days, quarters and local times, in every zone and at the ends of the calendar.

use chrono::{Datelike, Duration, NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::{TZ_VARIANTS, Tz};
use sixgate_workflows::calendar::{
    Quarter, days_after, days_before, instant, months_after, morning, working_days::WorkingDays,
};

use crate::fixture::{day, quarter};

fn at(hour: u32, minute: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, minute, 0).unwrap()
}

/// The reading of a clock on the wall, at the instant that was found for it.
fn reading(local: NaiveDateTime, zone: Tz) -> NaiveDateTime {
    instant(local, zone).with_timezone(&zone).naive_local()
}

#[test]
fn every_local_time_has_an_instant_in_every_zone() {
    let first = day("2024-01-01");
    let days = (0..3_288).map(|offset| days_after(first, offset));
    // A prime step visits every weekday and every time of the year within a few zones.
    let sampled: Vec<NaiveDate> = days.step_by(13).collect();
    for zone in TZ_VARIANTS {
        for day in &sampled {
            for time in [at(0, 0), at(2, 30)] {
                let local = day.and_time(time);
                let found = reading(local, zone);
                assert!(found >= local, "{zone} reads {found} for {local}");
                assert!(found - local <= Duration::days(1), "{zone} reads {found} for {local}");
            }
        }
    }
}

#[test]
fn every_hour_of_a_day_with_a_clock_change_has_an_instant() {
    for (zone, date) in [
        (Tz::America__New_York, "2026-03-08"),
        (Tz::America__New_York, "2026-11-01"),
        (Tz::Europe__Berlin, "2026-03-29"),
        (Tz::Africa__Cairo, "2026-04-24"),
        (Tz::Australia__Lord_Howe, "2026-10-04"),
        (Tz::America__Santiago, "2026-09-06"),
        (Tz::Asia__Shanghai, "2026-06-01"),
    ] {
        let mut previous = instant(day(date).and_time(at(0, 0)), zone);
        for minute in 1..24 * 60 {
            let local = day(date).and_time(at(minute / 60, minute % 60));
            let found = instant(local, zone);
            assert!(found >= previous, "{zone}: {local} comes before the minute before it");
            assert!(reading(local, zone) >= local, "{zone}: {local}");
            previous = found;
        }
    }
}

#[test]
fn the_ends_of_the_calendar_are_no_panic() {
    for zone in [Tz::Asia__Shanghai, Tz::America__New_York, Tz::Pacific__Kiritimati, Tz::UTC] {
        for day in [NaiveDate::MIN, NaiveDate::MAX] {
            for time in [at(0, 0), at(23, 59)] {
                let _ = instant(day.and_time(time), zone);
            }
            let _ = morning(day, zone);
        }
    }
    assert_eq!(days_after(NaiveDate::MAX, 1), NaiveDate::MAX);
    assert_eq!(days_before(NaiveDate::MIN, 1), NaiveDate::MIN);
    assert_eq!(months_after(NaiveDate::MAX, 1), NaiveDate::MAX);
    assert_eq!(WorkingDays::default().after(NaiveDate::MAX, 3), NaiveDate::MAX);
}

#[test]
fn a_quarter_holds_each_of_its_days() {
    let mut date = day("2024-01-01");
    while date < day("2033-01-01") {
        let quarter = Quarter::of(date);
        assert!(date <= quarter.last_day(), "{date}");
        assert!(days_after(quarter.last_day(), 1).day() == 1);
        assert_eq!(Quarter::of(days_after(quarter.last_day(), 1)), quarter.next());
        assert_eq!(quarter.to_string().parse::<Quarter>().unwrap(), quarter);
        date = days_after(date, 1);
    }
}

#[test]
fn a_quarter_is_written_one_way_and_within_bounds() {
    assert!(quarter("2026-Q1") < quarter("2026-Q2") && quarter("2026-Q4") < quarter("2027-Q1"));
    for bad in ["2026-Q0", "2026-Q5", "1999-Q4", "2201-Q1", "2026Q1", "Q1-2026", "2026-q1", ""] {
        assert!(bad.parse::<Quarter>().is_err(), "{bad} was taken");
        assert!(serde_json::from_value::<Quarter>(bad.into()).is_err(), "{bad} was read");
    }
}

#[test]
fn working_days_are_counted_one_by_one() {
    let weekdays = WorkingDays::default();
    for start in (0..14).map(|offset| days_after(day("2026-01-01"), offset)) {
        for count in 1..=40 {
            let end = weekdays.after(start, count);
            assert!(weekdays.holds(end));
            let between = (1..).map(|offset| days_after(start, offset)).take_while(|d| *d <= end);
            let counted = between.filter(|d| weekdays.holds(*d)).count();
            assert_eq!(counted, usize::try_from(count).unwrap(), "{count} after {start}");
        }
    }
}
