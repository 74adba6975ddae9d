//! Waivers: with a reason and an end, for a criterion of the present stage that is unmet.

use sixgate_workflows::{
    checklist::{Item, Status},
    gate::Criterion,
    procurement::{Command, Course, CourseEvent},
    rejection::Rejection,
    stage::Stage,
};

use crate::{
    fixture::{at_stage, day, filled_but, text},
    harness::{Who, World},
};

fn waive(criterion: Criterion, until: &str) -> Course {
    Course::Waive {
        criterion,
        reason: text("known from the last purchase"),
        expires_on: day(until),
    }
}

/// Everything but the sizing.
fn unsized_needs() -> World {
    let is_sizing = |command: &Command| {
        matches!(command, Command::Needs(sixgate_workflows::needs::Command::RecordSizing { .. }))
    };
    filled_but(Stage::Needs, is_sizing)
}

#[test]
fn a_waiver_opens_the_gate_and_is_shown_with_its_reason() {
    let mut world = unsized_needs();
    let criterion = Criterion::SizingFits;
    let (reason, expires_on) = (text("known from the last purchase"), day("2026-01-20"));
    world.by(Who::Maya).when(waive(criterion, "2026-01-20")).then([CourseEvent::Waived {
        criterion,
        reason: reason.clone(),
        expires_on,
    }]);
    let finding = world.gate().findings.into_iter().find(|f| f.criterion == criterion).unwrap();
    assert!(finding.outcome.is_err(), "it stays unmet");
    assert_eq!(finding.waiver.unwrap().reason, reason);
    world.sign(Who::Ruben, sixgate_workflows::function::Function::Requester);
    world.sign(Who::Paul, sixgate_workflows::function::Function::Procurement);
    world.must(Course::Advance);
}

#[test]
fn an_expired_waiver_blocks_again() {
    let mut world = unsized_needs();
    world.by(Who::Maya).must(waive(Criterion::SizingFits, "2026-01-20"));
    world.at("2026-01-20T15:59:59Z");
    assert!(!world.blockers().contains(&"needs.sizing_fits".to_owned()), "its last second");
    world.at("2026-01-20T16:00:00Z");
    assert!(world.blockers().contains(&"needs.sizing_fits".to_owned()), "midnight in Shanghai");
}

#[test]
fn a_waiver_ends_on_a_day_that_has_not_passed() {
    let mut world = unsized_needs();
    let expires_on = day("2026-01-04");
    world
        .by(Who::Maya)
        .when(waive(Criterion::SizingFits, "2026-01-04"))
        .then_rejects(Rejection::AlreadyExpired { expires_on });
    world.must(waive(Criterion::SizingFits, "2026-01-05"));
}

#[test]
fn a_waiver_lasts_no_longer_than_the_policy_allows() {
    let mut world = unsized_needs();
    world
        .by(Who::Maya)
        .when(waive(Criterion::SizingFits, "2026-04-06"))
        .then_rejects(Rejection::WaiverTooLong { days_max: 90 });
    world.must(waive(Criterion::SizingFits, "2026-04-05"));
}

#[test]
fn only_the_present_stage_s_criteria_can_be_waived() {
    let mut world = at_stage(Stage::Budget);
    for criterion in [Criterion::SizingFits, Criterion::LegalReviewed] {
        let stage = criterion.stage();
        world
            .by(Who::Maya)
            .when(waive(criterion, "2026-01-30"))
            .then_rejects(Rejection::CriterionOfOtherStage { criterion, stage });
    }
}

#[test]
fn what_is_met_needs_no_waiver() {
    let mut world = unsized_needs();
    let criterion = Criterion::UseKnown;
    world
        .by(Who::Maya)
        .when(waive(criterion, "2026-01-30"))
        .then_rejects(Rejection::CriterionMet { criterion });
}

#[test]
fn an_item_is_waived_when_all_its_unmet_criteria_are() {
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Maya).must(waive(Criterion::UseKnown, "2026-01-30"));
    world.must(waive(Criterion::ModelKnown, "2026-01-30"));
    assert_eq!(world.item(Item::NeedsAssessed).status, Status::Unmet);
    world.must(waive(Criterion::ConcurrencyKnown, "2026-01-20"));
    assert_eq!(world.item(Item::NeedsAssessed).status, Status::Waived);
    assert!(world.item(Item::NeedsAssessed).reason.is_some(), "it says what is waived");
    world.at("2026-01-21T01:00:00Z");
    assert_eq!(world.item(Item::NeedsAssessed).status, Status::Unmet);
}
