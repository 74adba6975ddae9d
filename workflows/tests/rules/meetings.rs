//! A meeting that people were invited to, and what is told when it changes.

use sixgate_workflows::{
    calendar::{holidays, working_days::WorkingDays},
    deadline::{NoticeKind, meeting},
    procurement::Course,
    stage::Stage,
};

use crate::{
    fixture::{at_stage, day, plan_reviews, quarter, record_review, schedule_review, text},
    harness::{Who, World, time},
};

/// The last day of the quarter is a Tuesday, and two weeks before it everybody is invited.
fn invited() -> World {
    let mut world = at_stage(Stage::Operation);
    world.by(Who::Otto).must(plan_reviews("2026-Q1")).at("2026-03-18T01:00:00Z");
    world
}

/// By tables of a made-up region, in which the last of March is a day off.
fn with_a_day_off(world: &mut World, version: u32) {
    let table = "[[tables]]\nregion = 'XX'\nyear = 2026\nversion = 1\nsource = 'a test'\n\
                 off = ['2026-03-31']\nworking = []\n";
    let tables = holidays::read(table).unwrap();
    let days = WorkingDays::of("XX".parse().unwrap(), tables).unwrap();
    world.set_policy(|policy| (policy.version, policy.working_days) = (version, days));
    world.by(Who::Maya).must(Course::AdoptPolicy);
}

#[test]
fn a_policy_that_makes_the_day_a_holiday_moves_the_meeting_and_raises_its_number() {
    let mut world = invited();
    let before = world.deadlines_of(NoticeKind::ReviewInvitation).remove(0);
    assert_eq!(meeting::sequence(world.procurement(), &before), 0);
    assert!(world.deadlines_of(NoticeKind::ReviewMoved).is_empty());
    with_a_day_off(&mut world, 2);
    let [moved] = &world.deadlines_of(NoticeKind::ReviewMoved)[..] else { panic!("not one") };
    assert_eq!(moved.meeting_on, Some(day("2026-03-30")));
    assert_eq!(moved.due, time("2026-03-18T01:00:00Z"));
    assert_eq!(meeting::sequence(world.procurement(), moved), 1);
    assert_eq!(meeting::sequence(world.procurement(), &before), 0, "it stays what it was");
    world.at("2026-03-31T01:00:00Z");
    assert!(world.deadlines_of(NoticeKind::ReviewMoved).is_empty(), "the day has passed");
}

#[test]
fn a_policy_that_leaves_the_day_as_it_was_moves_nothing() {
    let mut world = invited();
    world.set_policy(|policy| policy.version = 2).by(Who::Maya).must(Course::AdoptPolicy);
    assert!(world.deadlines_of(NoticeKind::ReviewMoved).is_empty());
    assert!(world.deadlines_of(NoticeKind::ReviewCancelled).is_empty());
}

#[test]
fn a_meeting_is_called_off_with_its_procurement_until_its_day_has_passed() {
    let mut world = invited();
    world.by(Who::Maya).must(Course::Cancel { reason: text("no longer needed") });
    let [off] = &world.deadlines_of(NoticeKind::ReviewCancelled)[..] else { panic!("not one") };
    assert_eq!(
        (off.meeting_on, off.details["why"].as_str()),
        (Some(day("2026-03-31")), "cancelled")
    );
    assert_eq!(meeting::sequence(world.procurement(), off), 1);
    assert_eq!(world.deadlines().len(), 1, "nothing else is due of what has ended");
    world.at("2026-04-01T01:00:00Z");
    assert!(world.deadlines().is_empty());
}

#[test]
fn a_hold_calls_nothing_off() {
    let mut world = invited();
    world.by(Who::Maya).must(Course::Hold { reason: text("the budget round comes first") });
    assert!(world.deadlines().is_empty());
}

#[test]
fn reviews_that_begin_later_call_off_the_one_that_was_invited_to() {
    let mut world = invited();
    world.must(plan_reviews("2026-Q2"));
    let [off] = &world.deadlines_of(NoticeKind::ReviewCancelled)[..] else { panic!("not one") };
    assert_eq!(off.details["why"], "replanned");
    assert!(
        world.deadlines_of(NoticeKind::ReviewInvitation).iter().all(|d| d.due > world.context.now)
    );
}

#[test]
fn reviews_planned_for_the_first_time_call_nothing_off() {
    let mut world = at_stage(Stage::Operation);
    world.by(Who::Otto).at("2026-03-18T01:00:00Z").must(plan_reviews("2026-Q2"));
    assert!(world.deadlines_of(NoticeKind::ReviewCancelled).is_empty());
}

#[test]
fn another_time_or_place_is_told_to_whoever_was_invited_and_raises_the_number_each_time() {
    let mut world = invited();
    let changes = [
        ("2026-03-30T06:00:00Z", "Room 3", "2026-03-30"),
        ("2026-03-30T06:00:00Z", "Room 4", "2026-03-30"),
        ("2026-04-09T16:30:00Z", "Room 4", "2026-04-10"),
    ];
    for (number, (starts_at, place, meets_on)) in (1..).zip(changes) {
        world.must(schedule_review("2026-Q1", starts_at, place));
        let [moved] = &world.deadlines_of(NoticeKind::ReviewMoved)[..] else { panic!("not one") };
        assert_eq!(moved.meeting_on, Some(day(meets_on)), "the organisation's day");
        assert_eq!(meeting::sequence(world.procurement(), moved), number);
        world.later(chrono::Duration::hours(1));
    }
    world.by(Who::Maya).must(Course::Cancel { reason: text("no longer needed") });
    world.at("2026-04-02T01:00:00Z");
    let [off] = &world.deadlines_of(NoticeKind::ReviewCancelled)[..] else { panic!("not one") };
    assert_eq!(off.meeting_on, Some(day("2026-04-10")), "although its quarter has ended");
    assert_eq!(meeting::sequence(world.procurement(), off), 4);
}

#[test]
fn a_time_said_before_the_invitation_is_what_is_invited_to() {
    let mut world = at_stage(Stage::Operation);
    world.by(Who::Otto).must(plan_reviews("2026-Q1"));
    world.must(schedule_review("2026-Q1", "2026-03-26T02:00:00Z", "Room 3"));
    world.at("2026-03-17T01:00:00Z");
    assert!(world.deadlines_of(NoticeKind::ReviewMoved).is_empty());
    let invitation = world.deadlines_of(NoticeKind::ReviewInvitation).remove(0);
    assert_eq!(invitation.meeting_on, Some(day("2026-03-26")));
    with_a_day_off(&mut world, 2);
    assert!(world.deadlines_of(NoticeKind::ReviewMoved).is_empty(), "people decided, not a table");
}

#[test]
fn a_meeting_must_be_of_a_planned_review_that_lies_ahead_and_is_not_held() {
    let mut world = invited();
    let refused = |world: &World, of: &str, starts_at: &str| {
        let refused = world.decide(schedule_review(of, starts_at, "Room 3")).unwrap_err();
        refused.code()
    };
    assert_eq!(refused(&world, "2025-Q4", "2026-03-30T06:00:00Z"), "review_not_planned");
    assert_eq!(refused(&world, "2026-Q1", "2026-03-18T01:00:00Z"), "invalid_value");
    assert_eq!(refused(&world, "2026-Q1", "2026-07-02T06:00:00Z"), "invalid_value");
    world.must(schedule_review("2026-Q1", "2026-07-01T06:00:00Z", "Room 3"));
    assert_eq!(refused(&world, "2026-Q1", "2026-07-01T06:00:00Z"), "nothing_changes");
    world.must(record_review("2026-Q1"));
    assert_eq!(refused(&world, "2026-Q1", "2026-03-30T06:00:00Z"), "invalid_value");
    assert!(world.deadlines_of(NoticeKind::ReviewMoved).is_empty());
    assert!(world.procurement().operation.meeting(quarter("2026-Q1")).is_some());
}
