//! Finalists: chosen among the qualified, measured, explained, and kept as a baseline.

use sixgate_workflows::{
    poc::{Baseline, Event, reading::Reading, verdict::Outcome},
    procurement::Command,
    rejection::Rejection,
    stage::Stage,
};

use crate::{
    fixture::{
        AURORA, BOREAL, CUMULUS, FADED, UNKNOWN, at_stage, baseline, cards, choose, collective,
        cut_short, day, explain, filled, filled_but, measure, number, record, serving, text,
        throttling,
    },
    harness::{Who, World},
};

fn testing() -> World {
    let mut world = at_stage(Stage::Poc);
    world.by(Who::Otto).must(choose(AURORA));
    world
}

fn outcome(world: &World) -> Option<Outcome> {
    world.procurement().poc.finalist(AURORA).unwrap().outcome()
}

#[test]
fn a_finalist_is_a_qualified_candidate() {
    let mut world = at_stage(Stage::Poc);
    world.by(Who::Rita);
    world.when(choose(UNKNOWN)).then_rejects(Rejection::NoSuchCandidate { supplier: UNKNOWN });
    world.when(choose(FADED)).then_rejects(Rejection::NotQualified { supplier: FADED });
    world.at("2028-01-01T01:00:00Z");
    world.when(choose(AURORA)).then_rejects(Rejection::NotQualified { supplier: AURORA });
}

#[test]
fn a_trial_that_is_over_cannot_begin() {
    let mut world = at_stage(Stage::Poc);
    let expires_on = day("2026-02-28");
    world
        .at("2026-03-01T01:00:00Z")
        .when(choose(AURORA))
        .then_rejects(Rejection::AlreadyExpired { expires_on });
}

#[test]
fn a_fourth_finalist_is_too_many_but_a_new_promise_is_not() {
    let mut world = at_stage(Stage::Shortlist);
    world.fill().by(Who::Paul);
    let delta = crate::fixture::DELTA;
    world.must(crate::fixture::add(delta)).must(crate::fixture::review(delta));
    world.must(crate::fixture::record_quote(delta, crate::fixture::quote()));
    world.must(crate::fixture::score(delta, 60));
    world.by(Who::Rita).must(crate::fixture::score(delta, 61));
    world.sign_all().by(Who::Paul).must(sixgate_workflows::procurement::Course::Advance);
    for supplier in [AURORA, BOREAL, CUMULUS] {
        world.must(choose(supplier));
    }
    world.when(choose(delta)).then_rejects(Rejection::TooManyFinalists { most: 3 });
    world.when(choose(AURORA)).then_kinds(["poc.finalist_chosen"]);
}

#[test]
fn a_single_finalist_is_too_few() {
    let world = testing();
    assert_eq!(world.why("poc.finalist_count").details["count"], "1");
}

#[test]
fn evidence_brings_its_verdict_with_it() {
    let mut world = testing();
    world
        .when(measure(AURORA, Reading::Cards(cards())))
        .then_kinds(["poc.evidence_recorded", "poc.verdict_reached"]);
    assert_eq!(outcome(&world), Some(Outcome::Inconclusive));
    world.must(measure(AURORA, Reading::Collective(collective())));
    world.must(measure(AURORA, Reading::Serving(serving())));
    assert_eq!(outcome(&world), Some(Outcome::Pass));
    world
        .when(measure(UNKNOWN, Reading::Cards(cards())))
        .then_rejects(Rejection::NoSuchFinalist { supplier: UNKNOWN });
}

#[test]
fn after_a_failure_nothing_is_tested_before_it_is_explained() {
    let mut world = testing();
    world.must(measure(AURORA, Reading::Cards(throttling())));
    assert_eq!(outcome(&world), Some(Outcome::Fail));
    let again = || measure(AURORA, Reading::Cards(cards()));
    world.when(again()).then_rejects(Rejection::ExplanationMissing { supplier: AURORA });
    let explanation = text("A fan had failed in rack 12 and was replaced.");
    world
        .when(explain(AURORA))
        .then([Event::ExplanationRecorded { supplier: AURORA, explanation }]);
    world.when(again()).then_kinds(["poc.evidence_recorded", "poc.verdict_reached"]);
    assert_eq!(outcome(&world), Some(Outcome::Inconclusive));
}

#[test]
fn what_was_not_tested_yet_is_tested_without_an_explanation() {
    let mut world = testing();
    world.must(measure(AURORA, Reading::Cards(throttling())));
    world.must(measure(AURORA, Reading::Collective(collective())));
    world.must(measure(AURORA, Reading::Serving(serving())));
    assert_eq!(outcome(&world), Some(Outcome::Fail));
    world
        .when(measure(AURORA, Reading::Serving(serving())))
        .then_rejects(Rejection::ExplanationMissing { supplier: AURORA });
}

#[test]
fn a_second_failure_needs_an_explanation_of_its_own() {
    let mut world = testing();
    let throttles = || measure(AURORA, Reading::Cards(throttling()));
    world.must(throttles()).must(explain(AURORA)).must(throttles());
    world.when(throttles()).then_rejects(Rejection::ExplanationMissing { supplier: AURORA });
}

#[test]
fn only_a_failure_is_explained() {
    let mut world = testing();
    let rejection = Rejection::NothingToExplain { supplier: AURORA };
    world.when(explain(AURORA)).then_rejects(rejection.clone());
    world.must(measure(AURORA, Reading::Cards(cards())));
    world.when(explain(AURORA)).then_rejects(rejection);
    world.when(explain(UNKNOWN)).then_rejects(Rejection::NoSuchFinalist { supplier: UNKNOWN });
}

#[test]
fn the_baseline_is_taken_from_what_was_measured() {
    let mut world = testing();
    let rejection = Rejection::NotAccepted { supplier: AURORA };
    world.when(baseline(AURORA)).then_rejects(rejection);
    world.must(measure(AURORA, Reading::Cards(cards())));
    world.must(measure(AURORA, Reading::Collective(collective())));
    world.must(measure(AURORA, Reading::Serving(serving())));
    world.when(baseline(AURORA)).then([Event::BaselineRecorded {
        supplier: AURORA,
        baseline: Baseline {
            first_token_p99_ms: Some(number("612.4")),
            per_token_p99_ms: Some(number("31.9")),
            output_tokens_s: Some(number("2310.5")),
            collective_gb_s: Some(number("478.3")),
            memory_growth_mib: Some(number("96")),
            ..Baseline::default()
        },
    }]);
    world.when(baseline(UNKNOWN)).then_rejects(Rejection::NoSuchFinalist { supplier: UNKNOWN });
}

#[test]
fn newer_evidence_makes_the_baseline_void() {
    let mut world = filled(Stage::Poc);
    world.by(Who::Otto).must(measure(AURORA, Reading::Cards(cards())));
    assert_eq!(world.why("poc.baseline_recorded").details["suppliers"], "Aurora Compute");
}

#[test]
fn a_changed_promise_starts_the_test_anew() {
    let mut world = filled(Stage::Poc);
    world.by(Who::Rita).must(choose(AURORA));
    assert_eq!(outcome(&world), None);
    assert_eq!(world.why("poc.evidence_complete").details["suppliers"], "Aurora Compute");
}

#[test]
fn missing_evidence_and_open_verdicts_are_named_by_supplier() {
    let of_boreal = |command: &Command| {
        matches!(
            command,
            Command::Poc(
                sixgate_workflows::poc::Command::RecordEvidence { supplier, .. }
                | sixgate_workflows::poc::Command::RecordBaseline { supplier }
            ) if *supplier == BOREAL
        )
    };
    let world = filled_but(Stage::Poc, of_boreal);
    for criterion in ["poc.evidence_complete", "poc.verdicts_reached"] {
        assert_eq!(world.why(criterion).details["suppliers"], "Boreal Cloud");
    }
}

#[test]
fn a_file_cut_short_leaves_the_verdict_open() {
    let mut world = filled(Stage::Poc);
    world.by(Who::Otto).must(record(AURORA, cut_short(Reading::Serving(serving()))));
    assert_eq!(outcome(&world), Some(Outcome::Inconclusive));
    assert_eq!(world.why("poc.verdicts_reached").details["suppliers"], "Aurora Compute");
}

#[test]
fn when_every_finalist_fails_the_gate_stays_closed() {
    let mut world = at_stage(Stage::Poc);
    for supplier in [AURORA, BOREAL] {
        world.by(Who::Otto).must(choose(supplier));
        world.must(measure(supplier, Reading::Serving(serving())));
        world.must(measure(supplier, Reading::Collective(collective())));
        world.must(measure(supplier, Reading::Cards(throttling())));
    }
    for criterion in ["poc.verdicts_reached", "poc.baseline_recorded"] {
        assert_eq!(world.why(criterion).key, "no_finalist_accepted");
    }
}
