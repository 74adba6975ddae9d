//! Occurrences of rules, each test after a fault that a public scheduler or calendar had.

use std::collections::BTreeSet;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};
use sixgate_workflows::calendar::{
    days_after,
    fiscal::FiscalYear,
    holidays::{self, DaySpan, HolidayTable, Region},
    instant,
    rule::{Rule, RuleError},
    schedule::{Occurrence, Schedule, Shift},
    working_days::WorkingDays,
};

use crate::{fixture::day, harness::time};

pub(crate) static WEEKDAYS: WorkingDays = WorkingDays { region: None, tables: Vec::new() };

fn rule(text: &str) -> Rule {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn schedule(text: &str, anchor: &str, zone: Tz) -> Schedule<'static> {
    Schedule::new(rule(text), day(anchor), zone, &WEEKDAYS)
}

fn china() -> WorkingDays {
    WorkingDays::of("CN".parse().unwrap(), Vec::new()).unwrap()
}

fn days(occurrences: impl Iterator<Item = Occurrence>) -> Vec<String> {
    occurrences.map(|occurrence| occurrence.nominal.date().to_string()).collect()
}

fn first_days(schedule: Schedule<'_>, count: usize) -> Vec<String> {
    days(schedule.from_index(0).take(count))
}

fn local(occurrence: &Occurrence, zone: Tz) -> String {
    occurrence.instant.with_timezone(&zone).format("%Y-%m-%d %H:%M").to_string()
}

#[test]
fn three_months_after_a_thirtieth_of_november_is_the_end_of_february() {
    let schedule = schedule("every:3months@09:00", "2024-11-30", Tz::UTC);
    assert_eq!(first_days(schedule, 3), ["2024-11-30", "2025-02-28", "2025-05-30"]);
}

#[test]
fn a_clamped_month_does_not_clamp_the_ones_after_it() {
    let leap = schedule("every:1months@09:00", "2019-12-31", Tz::UTC);
    assert_eq!(first_days(leap, 4), ["2019-12-31", "2020-01-31", "2020-02-29", "2020-03-31"]);
    let expected =
        ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"];
    for text in ["every:1month@09:00", "monthly:31@09:00"] {
        assert_eq!(first_days(schedule(text, "2026-01-31", Tz::UTC), 6), expected, "{text}");
    }
}

#[test]
fn a_day_that_a_month_lacks_is_its_last_and_no_month_is_left_out() {
    for text in ["monthly:29@09:00", "monthly:30@09:00", "monthly:31@09:00", "monthly:last@09:00"] {
        let days: Vec<_> = schedule(text, "2024-01-01", Tz::UTC).from_index(0).take(108).collect();
        let months: BTreeSet<_> =
            days.iter().map(|o| (o.nominal.year(), o.nominal.month())).collect();
        assert_eq!(months.len(), 108, "{text}");
    }
}

#[test]
fn the_last_day_is_a_flag_and_a_day_with_a_number_stays_that_day() {
    let last = schedule("monthly:last@09:00", "2026-02-28", Tz::UTC);
    assert_eq!(first_days(last, 3), ["2026-02-28", "2026-03-31", "2026-04-30"]);
    let numbered = schedule("every:1months@09:00", "2026-02-28", Tz::UTC);
    assert_eq!(first_days(numbered, 3), ["2026-02-28", "2026-03-28", "2026-04-28"]);
    let leap_day = schedule("every:1years@09:00", "2024-02-29", Tz::UTC);
    let expected = ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"];
    assert_eq!(first_days(leap_day, 5), expected);
}

#[test]
fn the_days_of_a_downtime_are_all_accounted_for() {
    let daily = schedule("daily@09:00", "2020-04-28", Tz::UTC);
    let expected = ["2020-04-28", "2020-04-29", "2020-04-30"];
    assert_eq!(days(daily.between(day("2020-04-01"), day("2020-04-30"))), expected);
}

#[test]
fn the_last_day_of_a_schedule_fires_and_none_after_it() {
    let mut monthly = schedule("every:1months@09:00", "2024-02-29", Tz::UTC);
    monthly.until = Some(day("2024-06-29"));
    let expected = ["2024-02-29", "2024-03-29", "2024-04-29", "2024-05-29", "2024-06-29"];
    assert_eq!(days(monthly.from_index(0)), expected);
    monthly.until = Some(day("2024-06-28"));
    assert_eq!(days(monthly.from_index(0)), &expected[..4]);
    assert_eq!(monthly.occurrence(4), None);
    assert_eq!(monthly.from_newest(time("2030-01-01T00:00:00Z")).count(), 1, "the last, for ever");
}

#[test]
fn a_schedule_beyond_the_calendar_has_no_occurrence_and_no_panic() {
    for text in ["monthly:31@23:59", "every:1000years@00:00", "quarter-end@09:00", "daily@00:00"] {
        for anchor in [NaiveDate::MIN, NaiveDate::MAX, day("2200-12-31"), day("1900-01-01")] {
            let schedule = Schedule::new(rule(text), anchor, Tz::Asia__Shanghai, &WEEKDAYS);
            assert!(schedule.from_index(0).take(3).count() <= 3, "{text} from {anchor}");
            let _ = schedule.occurrence(u32::MAX);
            let _ = schedule.from_newest(DateTime::<Utc>::MAX_UTC).next();
            let _ = schedule.from_newest(DateTime::<Utc>::MIN_UTC).next();
        }
    }
}

#[test]
fn a_fiscal_year_that_ends_in_february_ends_on_its_last_day() {
    let march = FiscalYear::starting_in(3).unwrap();
    assert_eq!(march.first_day_of_year(day("2019-04-03")), Some(day("2019-03-01")));
    assert_eq!(march.last_day_of_year(day("2019-04-03")), Some(day("2020-02-29")));
    assert_eq!(march.first_day_of_year(day("2016-03-01")), Some(day("2016-03-01")));
    assert_eq!(march.last_day_of_year(day("2016-02-29")), Some(day("2016-02-29")));
}

#[test]
fn fiscal_quarters_of_every_start_month_end_with_their_months() {
    for first_month in 1..=12 {
        let fiscal = FiscalYear::starting_in(first_month).unwrap();
        let mut ends = schedule("quarter-end@09:00", "2024-01-01", Tz::UTC);
        ends.fiscal = fiscal;
        let found: Vec<_> =
            ends.between(day("2024-01-01"), day("2028-12-31")).map(|o| o.nominal.date()).collect();
        assert_eq!(found.len(), 20, "from month {first_month}");
        for end in found {
            let next = days_after(end, 1);
            assert_eq!(next.day(), 1, "{end} is no month's end");
            assert_eq!((next.month() + 12 - first_month) % 3, 0, "{end} from {first_month}");
            let (year, quarter) = fiscal.quarter_of(end);
            let next = fiscal.quarter_of(next);
            assert_eq!(next, if quarter == 4 { (year + 1, 1) } else { (year, quarter + 1) });
        }
    }
    assert!(FiscalYear::starting_in(0).is_err() && FiscalYear::starting_in(13).is_err());
    assert_eq!(FiscalYear::CALENDAR.quarter_of(day("2016-09-30")), (2016, 3));
}

#[test]
fn a_fiscal_year_is_named_by_the_year_that_it_starts_in() {
    let april = FiscalYear::starting_in(4).unwrap();
    assert_eq!(april.quarter_of(day("2012-03-26")), (2011, 4));
    assert_eq!(april.quarter_of(day("2012-04-01")), (2012, 1));
    assert_eq!(april.quarter_of(day("2012-12-31")), (2012, 3));
}

#[test]
fn no_day_is_lost_to_a_clock_change() {
    let zone = Tz::America__Chicago;
    let daily = schedule("daily@10:00", "2025-03-08", zone);
    let found: Vec<_> = daily.from_index(0).take(4).map(|o| local(&o, zone)).collect();
    let expected = ["2025-03-08 10:00", "2025-03-09 10:00", "2025-03-10 10:00", "2025-03-11 10:00"];
    assert_eq!(found, expected);
}

#[test]
fn a_midnight_that_is_left_out_is_one_o_clock() {
    for (zone, date, expected) in [
        (Tz::Africa__Cairo, "2025-04-25", "2025-04-25 01:00"),
        (Tz::Africa__Cairo, "2026-04-24", "2026-04-24 01:00"),
        (Tz::America__Santiago, "2026-09-06", "2026-09-06 01:00"),
        (Tz::America__Havana, "2026-03-08", "2026-03-08 01:00"),
        (Tz::Asia__Beirut, "2026-03-29", "2026-03-29 01:00"),
    ] {
        let before = day(date).pred_opt().unwrap().to_string();
        let midnight = schedule("daily@00:00", &before, zone);
        let found: Vec<_> = midnight.from_index(0).take(3).collect();
        assert_eq!(local(&found[1], zone), expected, "{zone}");
        assert_eq!(found[1].nominal.time(), NaiveTime::MIN, "the nominal time stays");
        assert!(local(&found[2], zone).ends_with("00:00"), "{zone} has the next midnight again");
    }
}

#[test]
fn a_time_that_happens_twice_fires_at_the_first_and_a_left_out_one_after_the_gap() {
    for (zone, text, date, expected) in [
        (Tz::America__New_York, "daily@01:30", "2026-11-01", "2026-11-01T05:30:00Z"),
        (Tz::America__New_York, "daily@02:30", "2026-03-08", "2026-03-08T07:00:00Z"),
        (Tz::Europe__Vienna, "daily@02:59", "2025-10-26", "2025-10-26T00:59:00Z"),
        (Tz::Europe__Brussels, "daily@02:00", "2018-10-28", "2018-10-28T00:00:00Z"),
        (Tz::Australia__Melbourne, "daily@02:30", "2024-04-07", "2024-04-06T15:30:00Z"),
        (Tz::Australia__Lord_Howe, "daily@02:15", "2026-10-04", "2026-10-03T15:30:00Z"),
        (Tz::Europe__Helsinki, "daily@03:30", "2017-10-29", "2017-10-29T00:30:00Z"),
        (Tz::America__Havana, "daily@00:00", "2026-11-01", "2026-11-01T04:00:00Z"),
        (Tz::America__New_York, "daily@02:00", "2019-03-10", "2019-03-10T07:00:00Z"),
        (Tz::America__New_York, "daily@01:00", "2019-11-03", "2019-11-03T05:00:00Z"),
    ] {
        let first = schedule(text, date, zone).occurrence(0).unwrap();
        assert_eq!(first.instant, time(expected), "{zone} {date}");
        let two_days: Vec<_> = schedule(text, date, zone).between(day(date), day(date)).collect();
        assert_eq!(two_days, [first], "once on that day");
    }
}

#[test]
fn six_in_the_evening_is_six_across_both_clock_changes() {
    let zone = Tz::Europe__London;
    let evening = schedule("daily@18:00", "2025-01-01", zone);
    let all: Vec<_> = evening.between(day("2025-01-01"), day("2025-12-31")).collect();
    assert_eq!(all.len(), 365);
    assert!(all.iter().all(|occurrence| local(occurrence, zone).ends_with("18:00")));
    let hours: BTreeSet<_> = all.iter().map(|o| o.instant.format("%H").to_string()).collect();
    assert_eq!(hours, ["17".to_owned(), "18".to_owned()].into(), "two offsets in UTC");
}

#[test]
fn looking_for_the_next_goes_forward_through_every_minute_of_a_change() {
    for (zone, text, from) in [
        (Tz::Europe__Helsinki, "daily@03:30", "2017-10-28T23:00:00Z"),
        (Tz::America__Sao_Paulo, "daily@23:00", "2016-02-20T23:00:00Z"),
        (Tz::America__Santiago, "daily@23:00", "2026-04-05T00:00:00Z"),
        (Tz::Australia__Lord_Howe, "daily@02:15", "2026-10-03T14:00:00Z"),
        (Tz::Pacific__Apia, "daily@09:00", "2011-12-30T08:00:00Z"),
    ] {
        let daily = schedule(text, "2011-01-01", zone);
        let mut previous = None;
        for minute in 0..600 {
            let now = time(from) + Duration::minutes(minute);
            let next = daily.from_newest(now).find(|o| o.instant > now).map(|o| o.instant);
            assert!(next > Some(now) && next >= previous, "{zone} at {now}: {next:?}");
            previous = next;
        }
    }
}

#[test]
fn an_anchor_in_summer_does_not_move_the_winter_by_an_hour() {
    let zone = Tz::America__New_York;
    let quarterly = schedule("every:3months@09:00", "2026-07-15", zone);
    let found: Vec<_> = quarterly.from_index(0).take(4).map(|o| local(&o, zone)).collect();
    let expected = ["2026-07-15 09:00", "2026-10-15 09:00", "2027-01-15 09:00", "2027-04-15 09:00"];
    assert_eq!(found, expected);
}

#[test]
fn the_day_after_each_clock_change_fires_once_at_its_time() {
    for (zone, date) in [
        (Tz::Europe__London, "2013-10-28"),
        (Tz::America__New_York, "2025-03-10"),
        (Tz::Europe__Berlin, "2026-03-30"),
        (Tz::Europe__Berlin, "2026-10-26"),
        (Tz::America__Sao_Paulo, "2016-02-21"),
    ] {
        let daily = schedule("daily@11:00", "2013-01-01", zone);
        let found: Vec<_> = daily.between(day(date), day(date)).collect();
        assert_eq!(found.len(), 1, "{zone}");
        assert_eq!(local(&found[0], zone), format!("{date} 11:00"));
    }
}

#[test]
fn whether_a_rule_is_good_does_not_depend_on_a_day() {
    for text in ["daily@02:30", "daily@23:00", "weekly:sun@00:00", "monthly:31@02:00"] {
        assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
    }
}

#[test]
fn a_schedule_that_begins_within_a_quarter_fires_at_that_quarter_s_end() {
    let ends = schedule("quarter-end@09:00", "2026-08-20", Tz::UTC);
    assert_eq!(first_days(ends, 3), ["2026-09-30", "2026-12-31", "2027-03-31"]);
    let on_the_day = schedule("quarter-end@09:00", "2026-09-30", Tz::UTC);
    assert_eq!(first_days(on_the_day, 1), ["2026-09-30"]);
    let notice = schedule("quarter-end-14@09:00", "2026-08-20", Tz::UTC);
    assert_eq!(first_days(notice, 2), ["2026-09-16", "2026-12-17"]);
}

#[test]
fn no_midnight_of_any_zone_over_thirty_years_is_a_panic() {
    let first = day("2011-01-01");
    for zone in TZ_VARIANTS {
        let mut previous = None;
        for offset in 0..10_957 {
            let found = instant(days_after(first, offset).and_time(NaiveTime::MIN), zone);
            assert!(previous <= Some(found), "{zone} goes back at day {offset}");
            previous = Some(found);
        }
    }
    let havana = instant(day("2064-11-02").and_time(NaiveTime::MIN), Tz::America__Havana);
    assert_eq!(havana.with_timezone(&Tz::America__Havana).date_naive(), day("2064-11-02"));
    let _ = instant(day("1988-09-10").and_time(NaiveTime::MIN), Tz::Asia__Shanghai);
}

#[test]
fn a_day_that_a_zone_leaves_out_meets_the_next_one_and_is_one_occurrence_with_it() {
    let zone = Tz::Pacific__Apia;
    let midnight = schedule("daily@00:00", "2011-12-28", zone);
    assert_eq!(first_days(midnight, 4), ["2011-12-28", "2011-12-29", "2011-12-30", "2012-01-01"]);
    assert_eq!(midnight.occurrence(3).unwrap().nominal.date(), day("2011-12-31"));
    let newest = midnight.from_newest(time("2011-12-30T10:00:00Z")).next().unwrap();
    assert_eq!(newest.nominal.date(), day("2011-12-30"), "the first of those that meet");
    let morning = schedule("daily@09:00", "2011-12-28", zone);
    let found: Vec<_> = morning.from_index(1).take(3).map(|o| local(&o, zone)).collect();
    assert_eq!(found, ["2011-12-29 09:00", "2011-12-31 00:00", "2011-12-31 09:00"]);
}

#[test]
fn china_works_the_days_that_the_notice_for_2026_names() {
    let china = china();
    for off in ["2026-01-02", "2026-02-16", "2026-02-23", "2026-04-06", "2026-05-05", "2026-06-19"]
    {
        assert!(!china.holds(day(off)), "{off}");
    }
    for worked in
        ["2026-01-04", "2026-02-14", "2026-02-28", "2026-05-09", "2026-09-20", "2026-10-10"]
    {
        assert!(china.holds(day(worked)), "{worked}");
    }
    let table = china.table(2026).unwrap();
    assert_eq!(table.to_string(), "CN 2026 v1");
    assert!(table.source().as_str().contains("State Council"));
    assert_eq!(china.after(day("2026-09-30"), 5), day("2026-10-13"));
    assert_eq!(china.after(day("2026-02-13"), 3), day("2026-02-25"));
    assert_eq!(china.on_or_before(day("2026-03-31")), day("2026-03-31"));
    assert_eq!(china.on_or_before(day("2026-01-04")), day("2026-01-04"), "it is worked");
    let off = (0..365).filter(|n| !china.holds(days_after(day("2026-01-01"), *n))).count();
    assert_eq!(365 - off, 248, "working days of the year");
}

#[test]
fn a_year_without_a_table_is_counted_monday_to_friday_and_says_so() {
    let china = china();
    assert!(china.is_covered(2026) && !china.is_covered(2027) && !china.is_covered(2025));
    assert!(china.holds(day("2027-10-01")), "a Friday");
    assert!(WEEKDAYS.is_covered(2027), "who counts no holidays misses no table");
    let mut ends = schedule("quarter-end@09:00", "2026-01-01", Tz::Asia__Shanghai);
    assert!(!ends.counts_working_days());
    ends.shift = Shift::Next;
    assert!(ends.counts_working_days());
    assert!(schedule("workday:1:month@09:00", "2026-01-01", Tz::UTC).counts_working_days());
}

#[test]
fn an_imported_table_stands_in_place_of_the_shipped_one() {
    let text = r#"
        [[tables]]
        region = "CN"
        year = 2026
        version = 2
        source = "a correction in the middle of the year"
        off = ["2026-10-01/2026-10-08"]

        [[tables]]
        region = "CN"
        year = 2027
        version = 1
        source = "the notice for 2027"
        off = ["2027-01-01"]
        working = ["2027-01-03"]
    "#;
    let tables = holidays::read(text).unwrap();
    let own = WorkingDays::of("CN".parse().unwrap(), tables.clone()).unwrap();
    assert_eq!(own.table(2026).unwrap().version(), 2);
    assert!(!own.holds(day("2026-10-08")) && own.holds(day("2026-02-16")));
    assert!(own.is_covered(2027) && own.holds(day("2027-01-03")));
    let json = serde_json::to_string(&own).unwrap();
    assert_eq!(serde_json::from_str::<WorkingDays>(&json).unwrap(), own);
    let twice = [&tables[..], &tables[..1]].concat();
    assert!(WorkingDays::of("CN".parse().unwrap(), twice).is_err());
    assert!(WorkingDays::of("HK".parse().unwrap(), tables.clone()).is_err());
    assert!(WorkingDays::of("XX".parse().unwrap(), Vec::new()).unwrap_err().why.contains("CN"));
    assert!(WorkingDays { region: None, tables }.check().is_err(), "nobody would count by it");
}

#[test]
fn a_bad_table_is_refused_with_what_is_wrong_and_where() {
    let table = |off: &str, working: &str| {
        format!(
            "[[tables]]\nregion = \"CN\"\nyear = 2026\nversion = 1\nsource = \"made up\"\noff = [{off}]\nworking = [{working}]\n"
        )
    };
    for (text, part) in [
        (table("\"2025-12-31\"", ""), "2025-12-31 is not in that year"),
        (table("\"2026-10-07/2026-10-01\"", ""), "ends before it starts"),
        (table("\"2026-10-03\"", "\"2026-10-03\""), "both off and worked"),
        (table("", "\"2026-10-09\""), "is no weekend day"),
        (table("\"1 May\"", ""), "`1 May` is neither a day nor a span"),
        (table("", "").replace("CN", "china"), "capital letters"),
        (table("", "").replace("2026", "1026"), "1950 to 2200"),
        (table("", "").replace("source", "sauce"), "sauce"),
        ("[[tables]]\nregion = ".to_owned(), "line 2"),
        (" ".repeat(300_000), "bytes"),
    ] {
        let refused = holidays::read(&text).unwrap_err().to_string();
        assert!(refused.contains(part), "{refused} does not say {part}");
    }
    assert_eq!("2026-10-01".parse::<DaySpan>().unwrap().days().count(), 1);
    assert!("a".parse::<Region>().is_err());
    let tables: &[HolidayTable] = holidays::shipped();
    assert!(!tables.is_empty(), "the shipped file is read");
}

#[test]
fn what_falls_on_a_day_off_is_shifted_and_remembers_from_where() {
    let china = china();
    let mut monthly = schedule("monthly:1@09:00", "2026-10-01", Tz::Asia__Shanghai);
    monthly.working_days = &china;
    monthly.shift = Shift::Next;
    let october = monthly.occurrence(0).unwrap();
    assert_eq!(october.nominal.to_string(), "2026-10-08 09:00:00");
    assert_eq!(october.shifted_from.unwrap().to_string(), "2026-10-01 09:00:00");
    assert_eq!(october.by_rule().date(), day("2026-10-01"));
    assert_eq!(october.instant, time("2026-10-08T01:00:00Z"));
    monthly.shift = Shift::Previous;
    assert_eq!(monthly.occurrence(0).unwrap().nominal.date(), day("2026-09-30"));
    let mut ends = schedule("quarter-end@09:00", "2028-07-01", Tz::UTC);
    ends.shift = Shift::Previous;
    assert_eq!(first_days(ends, 2), ["2028-09-29", "2028-12-29"]);
    ends.shift = Shift::Next;
    assert_eq!(first_days(ends, 2), ["2028-10-02", "2029-01-01"]);
}

#[test]
fn a_span_is_one_of_the_rule_s_days_wherever_they_are_shifted_to() {
    let mut ends = schedule("quarter-end@09:00", "2028-01-01", Tz::UTC);
    ends.shift = Shift::Next;
    assert_eq!(days(ends.between(day("2028-09-01"), day("2028-09-30"))), ["2028-10-02"]);
    assert!(days(ends.between(day("2028-10-01"), day("2028-10-31"))).is_empty());
    ends.shift = Shift::Previous;
    assert_eq!(days(ends.between(day("2028-09-30"), day("2028-09-30"))), ["2028-09-29"]);
    assert!(days(ends.between(day("2028-09-29"), day("2028-09-29"))).is_empty());
}

#[test]
fn days_that_are_shifted_together_are_one_occurrence() {
    let mut daily = schedule("daily@09:00", "2026-03-06", Tz::UTC);
    daily.shift = Shift::Next;
    let expected = ["2026-03-06", "2026-03-09", "2026-03-10"];
    assert_eq!(first_days(daily, 3), expected);
    let newest = daily.from_newest(time("2026-03-09T12:00:00Z")).next().unwrap();
    assert_eq!(newest.by_rule().date(), day("2026-03-07"), "the first of the three");
}

#[test]
fn the_nth_working_day_follows_the_end_of_its_period() {
    let china = china();
    let mut first = schedule("workday:1:quarter@09:00", "2026-01-01", Tz::Asia__Shanghai);
    assert_eq!(first_days(first, 4), ["2026-01-01", "2026-04-01", "2026-07-01", "2026-10-01"]);
    first.working_days = &china;
    assert_eq!(first_days(first, 4), ["2026-01-04", "2026-04-01", "2026-07-01", "2026-10-08"]);
    let mut fifth = schedule("workday:5:quarter@09:00", "2026-10-01", Tz::Asia__Shanghai);
    fifth.working_days = &china;
    assert_eq!(first_days(fifth, 1), ["2026-10-13"]);
    let mut fiscal = schedule("workday:2:quarter@09:00", "2026-01-01", Tz::UTC);
    fiscal.fiscal = FiscalYear::starting_in(2).unwrap();
    assert_eq!(first_days(fiscal, 2), ["2026-02-03", "2026-05-04"]);
    let monthly = schedule("workday:1:month@09:00", "2026-02-10", Tz::UTC);
    assert_eq!(first_days(monthly, 2), ["2026-03-02", "2026-04-01"]);
    let mut steps = schedule("every:3workdays@09:00", "2026-02-13", Tz::Asia__Shanghai);
    steps.working_days = &china;
    assert_eq!(first_days(steps, 3), ["2026-02-13", "2026-02-25", "2026-02-28"]);
}

#[test]
fn a_rule_is_read_as_it_is_printed() {
    for text in [
        "daily@00:00",
        "weekly:mon@09:00",
        "weekly:sun@23:59",
        "monthly:1@09:00",
        "monthly:31@09:00",
        "monthly:last@09:00",
        "quarter-end@09:00",
        "quarter-end-14@09:00",
        "workday:1:quarter@09:00",
        "workday:15:month@09:00",
        "every:3months@09:00",
        "every:2weeks@09:00",
        "every:10days@09:00",
        "every:3workdays@09:00",
        "every:1years@09:00",
    ] {
        assert_eq!(rule(text).to_string(), text);
        let json = serde_json::to_value(rule(text)).unwrap();
        assert_eq!(json, text);
        assert_eq!(serde_json::from_value::<Rule>(json).unwrap(), rule(text));
    }
    assert_eq!(rule("daily@9:05").to_string(), "daily@09:05");
}

#[test]
fn what_is_no_rule_is_refused_with_what_would_be_one() {
    let given = |text: &str| text.to_owned();
    for (text, error) in [
        ("daily", RuleError::NoTime { given: given("daily") }),
        ("", RuleError::NoTime { given: given("") }),
        ("daily@24:00", RuleError::Time { given: given("24:00") }),
        ("daily@09:60", RuleError::Time { given: given("09:60") }),
        ("daily@9", RuleError::Time { given: given("9") }),
        ("daily@+9:00", RuleError::Time { given: given("+9:00") }),
        ("daily@09:00:00", RuleError::Time { given: given("09:00:00") }),
        ("weekly:monday@09:00", RuleError::Weekday { given: given("monday") }),
        ("monthly:32@09:00", RuleError::MonthDay { given: given("32") }),
        ("monthly:0@09:00", RuleError::MonthDay { given: given("0") }),
        ("monthly:first@09:00", RuleError::MonthDay { given: given("first") }),
        ("workday:1:year@09:00", RuleError::Period { given: given("year") }),
        ("workday:0:quarter@09:00", RuleError::Count { given: given("0"), least: 1, most: 45 }),
        ("quarter-end-90@09:00", RuleError::Count { given: given("90"), least: 1, most: 89 }),
        ("every:3fortnights@09:00", RuleError::Step { given: given("3fortnights") }),
        ("every:months@09:00", RuleError::Count { given: given(""), least: 1, most: 1_000 }),
        ("every:0months@09:00", RuleError::Count { given: given("0"), least: 1, most: 1_000 }),
        ("yearly@09:00", RuleError::Form { given: given("yearly@09:00") }),
        ("0 9 * * 1@09:00", RuleError::Form { given: given("0 9 * * 1@09:00") }),
        ("daily:1@09:00", RuleError::Form { given: given("daily:1@09:00") }),
    ] {
        assert_eq!(text.parse::<Rule>(), Err(error), "{text}");
    }
    let long = "ä".repeat(1_000);
    assert!(long.parse::<Rule>().unwrap_err().to_string().contains("quarter-end@HH:MM"));
}

/// Of all zones and the years 2024 to 2032: instants rise, keys differ, the wall shows the nominal
/// time except after a gap, and an index and its occurrence find each other.
#[test]
fn occurrences_hold_their_promises_in_every_zone_for_nine_years() {
    let (from, to) = (day("2024-01-01"), day("2032-12-31"));
    let rules = [
        ("daily@02:30", 3_288),
        ("daily@00:00", 3_288),
        ("weekly:sun@02:00", 469),
        ("monthly:31@01:30", 108),
        ("monthly:last@00:30", 108),
        ("quarter-end@09:00", 36),
        ("workday:1:quarter@00:00", 36),
        ("every:3months@03:00", 36),
    ];
    for zone in TZ_VARIANTS {
        for (text, count) in rules {
            let schedule = Schedule::new(rule(text), from, zone, &WEEKDAYS);
            let mut previous: Option<Occurrence> = None;
            let mut found = 0;
            for occurrence in schedule.between(from, to) {
                found += 1;
                let told = || format!("{zone} {text} {occurrence:?}");
                if let Some(previous) = previous {
                    assert!(previous.instant < occurrence.instant, "{}", told());
                    assert!(previous.by_rule() < occurrence.by_rule(), "{}", told());
                    assert_eq!(previous.index + 1, occurrence.index, "{}", told());
                }
                let wall = occurrence.instant.with_timezone(&zone).naive_local();
                if wall != occurrence.nominal {
                    // Then the wall never showed it: right before, it was still earlier.
                    let before = occurrence.instant - Duration::seconds(1);
                    let before = before.with_timezone(&zone).naive_local();
                    assert!(before < occurrence.nominal && occurrence.nominal < wall, "{}", told());
                }
                previous = Some(occurrence);
            }
            assert_eq!(found, count, "{zone} {text}");
        }
    }
}

#[test]
fn an_index_and_its_occurrence_find_each_other() {
    let china = china();
    for text in [
        "daily@09:00",
        "weekly:wed@09:00",
        "monthly:30@09:00",
        "monthly:last@09:00",
        "quarter-end@09:00",
        "quarter-end-89@09:00",
        "workday:7:month@09:00",
        "workday:45:quarter@09:00",
        "every:5days@09:00",
        "every:4workdays@09:00",
        "every:2weeks@09:00",
        "every:7months@09:00",
        "every:1years@09:00",
    ] {
        for anchor in ["2024-02-29", "2025-12-31", "2026-01-30", "2026-10-03"] {
            for first_month in [1, 2, 3, 12] {
                let mut schedule = schedule(text, anchor, Tz::Asia__Shanghai);
                schedule.fiscal = FiscalYear::starting_in(first_month).unwrap();
                schedule.working_days = &china;
                for occurrence in schedule.from_index(0).take(40) {
                    let told = format!("{text} from {anchor} in {first_month}: {occurrence:?}");
                    let date = occurrence.by_rule().date();
                    assert!(date >= day(anchor), "{told}");
                    assert_eq!(schedule.occurrence(occurrence.index), Some(occurrence), "{told}");
                    assert_eq!(schedule.index_on_or_after(date), Some(occurrence.index), "{told}");
                    let newest = schedule.from_newest(occurrence.instant).next();
                    assert_eq!(newest, Some(occurrence), "{told}");
                    let in_window = schedule.between(date, date).next();
                    assert_eq!(in_window, Some(occurrence), "{told}");
                }
            }
        }
    }
}
