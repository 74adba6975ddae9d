//! What becomes of deadlines that came while nobody looked, and of clocks that jump.

use std::collections::BTreeSet;

use chrono::Duration;
use chrono_tz::Tz;
use sixgate_workflows::deadline::{
    NoticeKind,
    clock::{self, Reading},
    misfire::{Decision, Misfire, MissedReason, Series},
};

use crate::{harness::time, occurrences::schedule};

const QUARTER: Misfire = Misfire::FireOnce { max_age: Duration::days(92) };

fn series(rule: &str, misfire: Misfire, effective_from: &str) -> Series<'static> {
    let schedule = schedule(rule, "2026-01-01", Tz::Asia__Shanghai);
    Series { schedule, misfire, effective_from: time(effective_from) }
}

fn days_of(series: &Series<'_>, settled: Option<u32>, now: &str) -> Vec<(String, Decision)> {
    let come = series.settle(settled, time(now)).come;
    come.into_iter().map(|(o, decision)| (o.nominal.date().to_string(), decision)).collect()
}

fn superseded(date: &str) -> (String, Decision) {
    (date.to_owned(), Decision::Missed { reason: MissedReason::Superseded })
}

#[test]
fn a_quarter_that_came_during_a_downtime_fires_once_and_late() {
    let reviews = series("quarter-end@09:00", QUARTER, "2026-01-01T00:00:00Z");
    let fired = ("2026-09-30".to_owned(), Decision::Fire { late: true });
    assert_eq!(
        days_of(&reviews, None, "2026-10-02T00:00:00Z"),
        [superseded("2026-03-31"), superseded("2026-06-30"), fired]
    );
    let after = reviews.settle(Some(2), time("2026-10-02T00:00:00Z"));
    assert_eq!((after.come, after.settled_up_to), (vec![], Some(2)), "and not again");
    assert_eq!(after.next, Some(time("2026-12-31T01:00:00Z")));
}

#[test]
fn what_is_older_than_its_greatest_age_is_missed_with_a_reason() {
    let max_age = Duration::days(2);
    let weekly = series("weekly:mon@09:00", Misfire::FireOnce { max_age }, "2026-03-01T00:00:00Z");
    let at = |now| days_of(&weekly, None, now).pop().unwrap().1;
    assert_eq!(at("2026-03-02T01:00:00Z"), Decision::Fire { late: false });
    assert_eq!(at("2026-03-04T01:00:00Z"), Decision::Fire { late: true });
    let too_old = Decision::Missed { reason: MissedReason::TooOld };
    assert_eq!(at("2026-03-04T01:00:01Z"), too_old);
}

#[test]
fn what_is_skipped_fires_within_its_grace_or_not_at_all() {
    let skip = Misfire::Skip { grace: Duration::hours(1) };
    let due = time("2026-03-02T01:00:00Z");
    assert_eq!(skip.decide(due, due - Duration::seconds(1)), Decision::NotYet);
    assert_eq!(skip.decide(due, due), Decision::Fire { late: false });
    assert_eq!(skip.decide(due, due + Duration::hours(1)), Decision::Fire { late: true });
    let missed = Decision::Missed { reason: MissedReason::PastGrace };
    assert_eq!(skip.decide(due, due + Duration::seconds(3_601)), missed);
}

#[test]
fn no_grace_is_not_the_same_as_any_age() {
    let due = time("2026-03-02T01:00:00Z");
    let later = due + Duration::seconds(1);
    let none = Misfire::Skip { grace: Duration::zero() };
    assert_eq!(none.decide(due, due), Decision::Fire { late: false });
    assert!(matches!(none.decide(due, later), Decision::Missed { .. }));
    let years = due + Duration::days(4_000);
    assert_eq!(Misfire::LevelTriggered.decide(due, years), Decision::Fire { late: true });
}

#[test]
fn a_downtime_of_four_hundred_days_is_accounted_for_day_by_day() {
    let daily = series("daily@09:00", Misfire::LevelTriggered, "2026-01-01T00:00:00Z");
    let settlement = daily.settle(None, time("2027-02-05T02:00:00Z"));
    assert_eq!(settlement.come.len(), 401);
    assert_eq!(settlement.unnamed, 0);
    let fired = settlement.come.iter().filter(|(_, d)| matches!(d, Decision::Fire { .. })).count();
    assert_eq!(fired, 1);
    assert_eq!(settlement.next, Some(time("2027-02-06T01:00:00Z")), "and it goes on");
}

#[test]
fn more_missed_ones_than_anybody_reads_are_counted() {
    let daily = series("daily@09:00", Misfire::LevelTriggered, "2026-01-01T00:00:00Z");
    let settlement = daily.settle(None, time("2036-01-01T02:00:00Z"));
    assert_eq!(settlement.come.len(), 1_001);
    assert_eq!(settlement.unnamed + 1_001, 3_653, "none vanishes");
}

#[test]
fn every_occurrence_is_settled_exactly_once_however_often_one_looks() {
    let weekly = series("weekly:fri@23:30", QUARTER, "2026-02-03T00:00:00Z");
    let whole: Vec<_> = weekly.settle(None, time("2026-12-31T00:00:00Z")).come;
    let mut keys = BTreeSet::new();
    let mut settled = None;
    let mut now = time("2026-01-20T00:00:00Z");
    // Uneven steps, some shorter than a week, some longer.
    for hours in [1, 50, 3, 400, 168, 167, 169, 24, 1_000, 2, 5_000, 900, 2_000] {
        now += Duration::hours(hours);
        let settlement = weekly.settle(settled, now.min(time("2026-12-31T00:00:00Z")));
        for (occurrence, _) in &settlement.come {
            assert!(keys.insert(weekly.key("p", occurrence)), "{occurrence:?} twice");
        }
        settled = settlement.settled_up_to;
    }
    assert_eq!(keys.len(), whole.len(), "none is lost");
}

#[test]
fn a_clock_that_is_set_back_fires_nothing_again() {
    let daily = series("daily@09:00", Misfire::LevelTriggered, "2026-03-01T00:00:00Z");
    let first = daily.settle(None, time("2026-03-10T02:00:00Z"));
    for back in ["2026-03-10T01:30:00Z", "2026-03-10T00:30:00Z", "2026-03-02T00:00:00Z"] {
        let again = daily.settle(first.settled_up_to, time(back));
        assert!(again.come.is_empty(), "at {back}");
        assert_eq!(again.settled_up_to, first.settled_up_to);
        assert!(again.next.is_some_and(|next| next > time("2026-03-10T01:00:00Z")), "at {back}");
    }
}

#[test]
fn an_edited_rule_fires_nothing_of_the_time_before_it_held() {
    let before = series("daily@09:00", Misfire::LevelTriggered, "2026-01-01T00:00:00Z");
    let edited = series("daily@08:00", Misfire::LevelTriggered, "2026-03-10T00:30:00Z");
    let now = "2026-03-10T00:31:00Z";
    // Eight in Shanghai was half an hour before the edit.
    let settlement = edited.settle(None, time(now));
    assert!(settlement.come.is_empty());
    assert_eq!(settlement.next, Some(time("2026-03-11T00:00:00Z")));
    let occurrence = |series: &Series<'_>| series.schedule.occurrence(80).unwrap();
    let keys = [before.key("p", &occurrence(&before)), edited.key("p", &occurrence(&edited))];
    assert_ne!(keys[0], keys[1]);
    let same_rule_again = series("daily@09:00", Misfire::LevelTriggered, "2026-03-10T00:30:00Z");
    assert_ne!(same_rule_again.key("p", &occurrence(&before)), keys[0], "since when belongs to it");
    assert_eq!(keys[0], "p:2026-01-01T00:00:00Z:2026-03-22T09:00");
}

#[test]
fn a_rule_that_holds_from_the_very_second_fires_then() {
    let edited = series("daily@09:00", QUARTER, "2026-03-10T01:00:00Z");
    let come = days_of(&edited, None, "2026-03-10T01:00:00Z");
    assert_eq!(come, [("2026-03-10".to_owned(), Decision::Fire { late: false })]);
}

#[test]
fn a_clock_is_believed_as_far_as_what_ran_bears_it_out() {
    let last = time("2026-03-10T01:00:00Z");
    let hour = Duration::hours(1);
    let read = |now: &str| clock::read(last, hour, time(now));
    assert_eq!(read("2026-03-10T02:00:00Z"), Reading::Plausible);
    assert_eq!(read("2026-03-10T01:58:00Z"), Reading::Plausible, "two minutes are set right");
    assert_eq!(read("2026-03-10T01:00:00Z"), Reading::SetBack { by: hour });
    assert_eq!(read("2026-03-11T02:00:00Z"), Reading::Plausible);
    let three_days = Duration::days(3);
    assert_eq!(read("2026-03-13T02:00:00Z"), Reading::LeaptAhead { by: three_days });
    assert!(matches!(read("2098-01-01T00:00:00Z"), Reading::LeaptAhead { .. }));
    let asleep = clock::read(last, Duration::days(30), last + Duration::days(30));
    assert_eq!(asleep, Reading::Plausible, "a long sleep is no jump");
}

#[test]
fn two_clocks_that_differ_by_minutes_name_the_same_firings() {
    let weekly = series("weekly:mon@09:00", QUARTER, "2026-01-01T00:00:00Z");
    let keys = |skew: i64| -> Vec<String> {
        let mut settled = None;
        let mut keys = Vec::new();
        for day in 0..90 {
            let now = time("2026-01-01T01:00:00Z") + Duration::days(day);
            let settlement = weekly.settle(settled, now + Duration::seconds(skew));
            keys.extend(settlement.come.iter().map(|(o, _)| weekly.key("p", o)));
            settled = settlement.settled_up_to;
        }
        keys
    };
    assert_eq!(keys(-120), keys(0));
    assert_eq!(keys(120), keys(0), "so a store that takes a key once lets one of them fire");
}

#[test]
fn ten_thousand_due_items_are_settled_in_one_go() {
    let daily = series("daily@09:00", Misfire::LevelTriggered, "2026-01-01T00:00:00Z");
    for days in [51, 1_000, 10_000] {
        let settlement = daily.settle(None, time("2026-01-01T01:00:00Z") + Duration::days(days));
        let named = i64::try_from(settlement.come.len()).unwrap();
        assert_eq!(named + i64::from(settlement.unnamed), days + 1);
        assert_eq!(settlement.settled_up_to, Some(u32::try_from(days).unwrap()));
    }
}

#[test]
fn every_kind_of_notice_has_a_policy_and_none_forgets() {
    for kind in NoticeKind::ALL {
        match kind.misfire() {
            Misfire::FireOnce { max_age } => assert!(max_age >= Duration::days(7), "{kind:?}"),
            Misfire::Skip { .. } => panic!("{kind:?} would be lost by an hour's downtime"),
            Misfire::LevelTriggered => {}
        }
    }
    assert_eq!(NoticeKind::ReviewPack.misfire(), QUARTER);
    assert_eq!(MissedReason::ALL.map(MissedReason::id).len(), 3);
}
