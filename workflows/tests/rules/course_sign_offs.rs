//! Signatures: bound to a version, by two pairs of eyes, one function per person, or a substitute.

use sixgate_workflows::{
    context::Actor,
    function::Function,
    negotiation::LegalReview,
    procurement::{Course, CourseEvent},
    rejection::Rejection,
    stage::Stage,
};

use crate::{
    fixture::{
        approve, at_stage, brief, decide_outcome, filled, plan_reviews, record_brief,
        record_sizing, text,
    },
    harness::{Who, World, time},
};

fn sign(function: Function, version: u32) -> Course {
    Course::SignOff { function, version }
}

fn needs_by(author: Who) -> World {
    let mut world = at_stage(Stage::Needs);
    world.by(author).must(record_brief(brief())).must(record_sizing());
    world
}

#[test]
fn a_signature_names_the_version_it_saw() {
    let mut world = filled(Stage::Needs);
    assert_eq!(world.version(), 2);
    let (stage, function) = (Stage::Needs, Function::Requester);
    world.by(Who::Rita).when(sign(function, 2)).then([CourseEvent::SignedOff {
        stage,
        function,
        version: 2,
        on_behalf_of: None,
    }]);
}

#[test]
fn a_stale_version_cannot_be_signed() {
    let mut world = filled(Stage::Needs);
    for signed in [0, 1, 3] {
        world
            .by(Who::Rita)
            .when(sign(Function::Requester, signed))
            .then_rejects(Rejection::VersionChanged { signed, current: 2 });
    }
}

#[test]
fn a_material_change_voids_what_was_signed_and_says_which() {
    let mut world = filled(Stage::Needs);
    world.sign_all();
    world
        .by(Who::Otto)
        .when(record_sizing())
        .then_kinds(["needs.sizing_recorded", "procurement.sign_offs_voided"]);
    assert!(world.signed(Stage::Needs).is_empty());
    let voided = world.procurement().voided.clone().unwrap();
    assert_eq!(voided.because, "needs.sizing_recorded");
    assert_eq!(voided.functions, [Function::Requester, Function::Procurement].into());
    assert_eq!(world.version(), 3);
    world
        .by(Who::Rita)
        .when(sign(Function::Requester, 2))
        .then_rejects(Rejection::VersionChanged { signed: 2, current: 3 });
}

#[test]
fn a_change_before_anybody_signed_voids_nothing() {
    let mut world = filled(Stage::Needs);
    world.by(Who::Otto).when(record_sizing()).then_kinds(["needs.sizing_recorded"]);
}

#[test]
fn a_voiding_is_over_for_whoever_signs_again() {
    let mut world = filled(Stage::Needs);
    world.sign_all().by(Who::Otto).must(record_sizing());
    world.sign(Who::Rita, Function::Requester);
    let voided = world.procurement().voided.clone().unwrap();
    assert_eq!(voided.functions, [Function::Procurement].into());
    world.sign(Who::Paul, Function::Procurement);
    assert_eq!(world.procurement().voided, None);
}

#[test]
fn what_runs_in_from_day_to_day_voids_nothing_but_a_new_outcome_does() {
    let mut world = filled(Stage::Operation);
    world.sign_all();
    world.by(Who::Otto).when(plan_reviews("2026-Q2")).then_kinds(["operation.reviews_planned"]);
    world
        .by(Who::Paul)
        .when(decide_outcome())
        .then_kinds(["operation.outcome_decided", "procurement.sign_offs_voided"]);
}

#[test]
fn legal_s_word_changes_what_the_others_signed() {
    let mut world = filled(Stage::Negotiation);
    world.sign_all();
    let objection = text("the exit clause has no date");
    let review = LegalReview::Objected { objection };
    let supplier = crate::fixture::AURORA;
    world
        .by(Who::Lena)
        .when(sixgate_workflows::negotiation::Command::ReviewTerms { supplier, review })
        .then_kinds(["negotiation.terms_reviewed", "procurement.sign_offs_voided"]);
    world.must(approve(supplier));
}

#[test]
fn nobody_signs_what_they_alone_entered() {
    let mut world = needs_by(Who::Rita);
    let function = Function::Requester;
    world.by(Who::Rita).when(sign(function, 2)).then_rejects(Rejection::FourEyes { function });
    world.by(Who::Ruben).when(sign(function, 2)).then_kinds(["procurement.signed_off"]);
}

#[test]
fn a_second_author_makes_four_eyes() {
    let mut world = needs_by(Who::Rita);
    world.by(Who::Otto).must(record_sizing());
    world.by(Who::Rita).when(sign(Function::Requester, 3)).then_kinds(["procurement.signed_off"]);
}

#[test]
fn a_substitute_is_no_second_pair_of_eyes() {
    let mut world = needs_by(Who::Rita);
    let function = Function::Requester;
    world
        .by(Who::Pia.standing_in(Who::Rita, function))
        .when(sign(function, 2))
        .then_rejects(Rejection::FourEyes { function });
}

#[test]
fn one_person_signs_for_one_function_at_a_gate() {
    let mut world = filled(Stage::Needs);
    world.sign(Who::Tessa, Function::Requester);
    world
        .when(sign(Function::Procurement, 2))
        .then_rejects(Rejection::SignedForOther { function: Function::Requester });
    world.sign(Who::Paul, Function::Procurement);
}

#[test]
fn two_functions_cannot_be_joined_by_standing_in() {
    let mut world = filled(Stage::Needs);
    world.sign(Who::Rita, Function::Requester);
    let rejected = Rejection::SignedForOther { function: Function::Requester };
    // Rita for absent Paul, and somebody for an absent colleague who signed for something else.
    world
        .by(Who::Rita.standing_in(Who::Paul, Function::Procurement))
        .when(sign(Function::Procurement, 2))
        .then_rejects(rejected.clone());
    world
        .by(Who::Pia.standing_in(Who::Rita, Function::Procurement))
        .when(sign(Function::Procurement, 2))
        .then_rejects(rejected);
}

#[test]
fn whoever_was_stood_in_for_cannot_sign_for_another_function() {
    let mut world = filled(Stage::Needs);
    world.sign(Who::Pia.standing_in(Who::Tessa, Function::Requester), Function::Requester);
    world
        .by(Who::Tessa)
        .when(sign(Function::Procurement, 2))
        .then_rejects(Rejection::SignedForOther { function: Function::Requester });
}

#[test]
fn a_substitute_signs_and_the_absent_one_is_named() {
    let mut world = filled(Stage::Needs);
    let (stage, function) = (Stage::Needs, Function::Procurement);
    world.by(Who::Pia.standing_in(Who::Paul, function)).when(sign(function, 2)).then([
        CourseEvent::SignedOff { stage, function, version: 2, on_behalf_of: Some(Who::Paul.id()) },
    ]);
}

#[test]
fn whoever_holds_the_function_signs_for_themselves() {
    let mut world = filled(Stage::Needs);
    let actor = Who::Ruben.standing_in(Who::Rita, Function::Requester);
    world.sign(actor, Function::Requester);
    let signed = &world.procurement().ledger(Stage::Needs).sign_offs[&Function::Requester];
    assert_eq!(signed.on_behalf_of, None);
}

#[test]
fn the_same_version_is_signed_once_per_function() {
    let mut world = filled(Stage::Needs);
    world.sign(Who::Rita, Function::Requester);
    for who in [Who::Rita, Who::Ruben] {
        let function = Function::Requester;
        world.by(who).when(sign(function, 2)).then_rejects(Rejection::AlreadySigned { function });
    }
}

#[test]
fn a_function_that_the_gate_does_not_ask_for_cannot_sign() {
    let mut world = filled(Stage::Needs);
    for (who, function) in [(Who::Fiona, Function::Finance), (Who::Maya, Function::Manager)] {
        world
            .by(who)
            .when(sign(function, 2))
            .then_rejects(Rejection::NotSignedHere { function, stage: Stage::Needs });
    }
}

#[test]
fn the_manager_is_not_asked_below_the_limit() {
    let mut world = filled(Stage::Budget);
    let (function, stage, version) = (Function::Manager, Stage::Budget, world.version());
    world
        .by(Who::Maya)
        .when(sign(function, version))
        .then_rejects(Rejection::NotSignedHere { function, stage });
}

#[test]
fn nobody_signs_for_a_function_they_do_not_have() {
    let mut world = filled(Stage::Needs);
    let function = Function::Procurement;
    world
        .by(Who::Rita)
        .when(sign(function, 2))
        .then_rejects(Rejection::FunctionMissing { function });
}

#[test]
fn the_program_signs_nothing() {
    let mut world = filled(Stage::Needs);
    let actor = Actor { functions: [Function::Requester].into(), ..Actor::system() };
    world.by(actor).when(sign(Function::Requester, 2)).then_rejects(Rejection::NotAPerson);
}

#[test]
fn the_time_of_readiness_is_that_of_the_event_that_completed_the_stage() {
    let mut world = at_stage(Stage::Needs);
    world.at("2026-01-06T02:00:00Z").fill();
    assert_eq!(world.procurement().ready_since.unwrap().at, time("2026-01-06T02:00:00Z"));
    world.at("2026-01-07T02:00:00Z").sign_all();
    assert_eq!(world.procurement().ready_since, None, "nobody is waited for");
    world.at("2026-01-08T02:00:00Z").by(Who::Otto).must(record_sizing());
    assert_eq!(world.procurement().ready_since.unwrap().at, time("2026-01-08T02:00:00Z"));
}
