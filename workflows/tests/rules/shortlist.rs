//! Candidates: qualified, quoted, scored, and neither too few nor too many.

use std::collections::BTreeMap;

use sixgate_workflows::{
    percent::Percent,
    procurement::Command,
    rejection::Rejection,
    shortlist::{
        self, Event,
        quote::{PriceUnit, Question, Quote},
        score::{ScoreCriterion, overall},
    },
    stage::Stage,
    supplier::Qualification,
};

use crate::{
    fixture::{
        AURORA, BOREAL, CUMULUS, DELTA, EREBUS, FADED, UNKNOWN, add, at_stage, day, drop_candidate,
        filled, filled_but, number, quote, record_quote, review, score, scores, text,
    },
    harness::{Who, World, without},
};

fn shortlisting() -> World {
    let mut world = at_stage(Stage::Shortlist);
    world.by(Who::Paul);
    world
}

#[test]
fn a_candidate_comes_from_the_registry_with_its_name() {
    let mut world = shortlisting();
    let name = world.context.suppliers[&AURORA].name.clone();
    world.when(add(AURORA)).then([Event::CandidateAdded { supplier: AURORA, name }]);
    world.when(add(AURORA)).then_rejects(Rejection::AlreadyACandidate { supplier: AURORA });
    world.when(add(UNKNOWN)).then_rejects(Rejection::NoSuchSupplier { supplier: UNKNOWN });
}

#[test]
fn a_supplier_that_left_the_registry_is_no_candidate() {
    let mut world = shortlisting();
    let stamp = world.procurement().opened;
    let reason = sixgate_workflows::recorded::Fact::new(text("went out of business"), stamp);
    world.supplier_mut(DELTA).withdrawn = Some(reason);
    world.when(add(DELTA)).then_rejects(Rejection::SupplierWithdrawn { supplier: DELTA });
}

#[test]
fn a_missing_hard_requirement_disqualifies_and_is_named() {
    let mut world = shortlisting();
    world.must(add(AURORA));
    let certificates = &world.context.suppliers[&AURORA].certificates;
    let kept = without(certificates, &Qualification::Mlps);
    world.supplier_mut(AURORA).certificates = kept;
    let valid = day("2027-12-31");
    world.when(review(AURORA)).then([Event::QualificationsReviewed {
        supplier: AURORA,
        valid_until: [(Qualification::IcpFiling, valid), (Qualification::TelecomLicence, valid)]
            .into(),
        missing: [Qualification::Mlps].into(),
    }]);
    assert_eq!(world.procurement().shortlist.running().count(), 0);
    assert_eq!(world.why("shortlist.qualifications_checked").key, "no_candidates");
}

#[test]
fn an_expired_certificate_is_none() {
    let mut world = shortlisting();
    world.must(add(FADED)).when(review(FADED)).then([Event::QualificationsReviewed {
        supplier: FADED,
        valid_until: BTreeMap::new(),
        missing: Qualification::ALL.into(),
    }]);
}

#[test]
fn a_certificate_is_valid_on_its_last_day() {
    let mut world = shortlisting();
    let last = day("2026-01-19");
    for certificate in world.supplier_mut(AURORA).certificates.values_mut() {
        certificate.value.expires_on = last;
    }
    world.must(add(AURORA)).must(review(AURORA));
    let candidate = world.procurement().shortlist.candidate(AURORA).unwrap();
    assert!(candidate.is_qualified_on(last));
    assert!(!candidate.is_qualified_on(day("2026-01-20")));
}

#[test]
fn a_review_that_ran_out_blocks_the_gate_again() {
    let mut world = shortlisting();
    for certificate in world.supplier_mut(BOREAL).certificates.values_mut() {
        certificate.value.expires_on = day("2026-02-15");
    }
    world.fill();
    assert!(world.gate().awaits_sign_offs());
    world.at("2026-02-15T16:00:00Z");
    let reason = world.why("shortlist.qualifications_checked");
    assert_eq!(reason.details["suppliers"], "Boreal Cloud");
}

#[test]
fn a_disqualified_candidate_does_not_count() {
    let world = filled(Stage::Shortlist);
    let shortlist = &world.procurement().shortlist;
    assert_eq!(shortlist.candidates.len(), 4);
    assert_eq!(shortlist.running().count(), 3);
    assert!(world.gate().awaits_sign_offs());
}

#[test]
fn fewer_than_three_candidates_keep_the_gate_closed() {
    let mut world = filled(Stage::Shortlist);
    world.by(Who::Paul).when(drop_candidate(CUMULUS)).then_kinds(["shortlist.candidate_dropped"]);
    let reason = world.why("shortlist.candidate_count");
    assert_eq!(
        (&*reason.details["count"], &*reason.details["least"], &*reason.details["most"]),
        ("2", "3", "5")
    );
    world
        .when(drop_candidate(CUMULUS))
        .then_rejects(Rejection::NoSuchCandidate { supplier: CUMULUS });
}

#[test]
fn a_sixth_candidate_is_too_many() {
    let mut world = shortlisting();
    for supplier in [AURORA, BOREAL, CUMULUS, DELTA, EREBUS] {
        world.must(add(supplier));
    }
    world.when(add(FADED)).then_rejects(Rejection::TooManyCandidates { most: 5 });
    world.must(drop_candidate(EREBUS)).must(add(FADED)).must(review(FADED));
    world.must(add(EREBUS));
}

#[test]
fn only_candidates_are_reviewed_quoted_and_scored() {
    let mut world = shortlisting();
    let rejection = Rejection::NoSuchCandidate { supplier: AURORA };
    world.when(review(AURORA)).then_rejects(rejection.clone());
    world.when(record_quote(AURORA, quote())).then_rejects(rejection.clone());
    world.when(score(AURORA, 80)).then_rejects(rejection);
}

fn quoted(change: impl FnOnce(&mut Quote)) -> World {
    let mut world = filled(Stage::Shortlist);
    let mut changed = quote();
    change(&mut changed);
    world.by(Who::Paul).must(record_quote(AURORA, changed));
    world
}

#[test]
fn a_quote_is_comparable_only_when_every_question_is_answered() {
    for question in Question::ALL {
        let world = quoted(|quote| quote.answers = without(&quote.answers, &question));
        let reason = world.why("shortlist.quotes_comparable");
        assert_eq!(reason.details["suppliers"], "Aurora Compute");
        let candidate = world.procurement().shortlist.candidate(AURORA).unwrap();
        let unanswered = candidate.quote.as_ref().unwrap().value.unanswered();
        assert_eq!(unanswered, [question].into());
    }
}

#[test]
fn a_quote_that_ran_out_cannot_be_compared() {
    let mut world = quoted(|quote| quote.valid_until = day("2026-01-25"));
    assert!(world.gate().awaits_sign_offs());
    world.at("2026-01-26T01:00:00Z");
    assert_eq!(world.why("shortlist.quotes_comparable").key, "quotes_not_comparable");
}

#[test]
fn a_quote_that_makes_no_sense_is_refused() {
    type Change = fn(&mut Quote);
    let mut world = filled(Stage::Shortlist);
    let cases: [Change; 4] = [
        |quote| quote.lines.clear(),
        |quote| quote.lines = vec![quote.lines[0].clone(); 21],
        |quote| quote.lines[0].unit_price = number("0"),
        |quote| quote.lines[0].cards = 0,
    ];
    for change in cases {
        let mut odd = quote();
        change(&mut odd);
        world.by(Who::Paul).when(record_quote(AURORA, odd)).then_rejects_as("invalid_value");
    }
    let mut old = quote();
    old.valid_until = day("2026-01-18");
    let expires_on = old.valid_until;
    world.when(record_quote(AURORA, old)).then_rejects(Rejection::AlreadyExpired { expires_on });
}

#[test]
fn prices_are_aligned_to_card_hours_net_of_tax() {
    let cases = [
        ("63.60", PriceUnit::CardHour, true, "60.0000"),
        ("1526.40", PriceUnit::CardDay, true, "60.0000"),
        ("43800", PriceUnit::CardMonth, false, "60.0000"),
        ("525600", PriceUnit::CardYear, false, "60.0000"),
    ];
    for (unit_price, unit, tax_included, expected) in cases {
        let mut quote = Quote { tax_included, ..quote() };
        quote.lines[0].unit_price = number(unit_price);
        quote.lines[0].unit = unit;
        let per_hour = quote.price_per_card_hour(&quote.lines[0]).unwrap();
        assert_eq!(per_hour.amount, number(expected), "{unit:?}");
    }
    let mut line = quote().lines[0].clone();
    assert_eq!(Quote::discount(&line).unwrap(), Percent::of(20));
    line.list_price = Some(number("40000"));
    assert_eq!(Quote::discount(&line), None, "above list there is no discount");
}

#[test]
fn a_candidate_needs_marks_from_enough_people() {
    let by_rita = |command: &Command| {
        matches!(
            command,
            Command::Shortlist(shortlist::Command::ScoreCandidate { supplier, scores })
                if *supplier == BOREAL && scores.values().all(|mark| *mark == Percent::of(75))
        )
    };
    let mut world = filled_but(Stage::Shortlist, by_rita);
    let reason = world.why("shortlist.candidates_scored");
    assert_eq!(reason.details["suppliers"], "Boreal Cloud");
    world.by(Who::Paul).must(score(BOREAL, 60));
    assert_eq!(world.why("shortlist.candidates_scored"), reason, "twice the same person is one");
    world.by(Who::Otto).must(score(BOREAL, 60));
    assert!(world.gate().awaits_sign_offs());
}

#[test]
fn every_weighted_criterion_gets_a_mark_from_a_person() {
    let mut world = filled(Stage::Shortlist);
    for criterion in ScoreCriterion::ALL {
        let scores = without(&scores(70), &criterion);
        world
            .by(Who::Otto)
            .when(shortlist::Command::ScoreCandidate { supplier: AURORA, scores })
            .then_rejects(Rejection::ScoreMissing { criterion });
    }
    world.by(Who::System).when(score(AURORA, 70)).then_rejects(Rejection::NotAPerson);
}

#[test]
fn the_overall_mark_is_the_mean_with_its_spread() {
    let world = filled(Stage::Shortlist);
    let weights = &world.procurement().policy.score_weights;
    let marks = &world.procurement().shortlist.candidate(AURORA).unwrap().scores;
    assert_eq!(overall(marks, weights), Some((number("85.50"), number("5.00"))));
    assert_eq!(overall(&BTreeMap::new(), weights), None, "not rated is not zero");
}

#[test]
fn a_low_mark_counts_as_heavily_as_its_weight() {
    let world = at_stage(Stage::Shortlist);
    let mut marks = scores(100);
    marks.insert(ScoreCriterion::Sla, Percent::ZERO);
    let by = [(Who::Paul.id(), marks)].into();
    let weights = &world.procurement().policy.score_weights;
    assert_eq!(overall(&by, weights), Some((number("80"), number("0"))));
}
