//! Terms, legal review, award and contract.

use sixgate_workflows::{
    function::Function,
    negotiation::{Event, LegalReview, award::Role, terms::ContractForm},
    percent::{Band, Percent},
    procurement::{Command, Course},
    rejection::Rejection,
    stage::Stage,
    supplier::Qualification,
};

use crate::{
    fixture::{
        AURORA, BOREAL, CUMULUS, UNKNOWN, approve, at_stage, award, both_awarded, contract, day,
        decide_award, drop_candidate, filled, filled_but, number, record_terms, review,
        sign_contract, terms, text,
    },
    harness::{Who, World, without},
};

/// With terms of both that passed.
fn bargaining() -> World {
    let mut world = at_stage(Stage::Negotiation);
    world.by(Who::Paul).must(record_terms(AURORA, terms())).must(record_terms(BOREAL, terms()));
    world
}

#[test]
fn an_online_agreement_is_no_contract() {
    let mut world = at_stage(Stage::Negotiation);
    let mut online = terms();
    online.form = ContractForm::OnlineAgreement;
    world
        .by(Who::Paul)
        .when(record_terms(AURORA, online))
        .then_rejects(Rejection::OnlineAgreement { supplier: AURORA });
}

#[test]
fn terms_are_negotiated_with_whoever_passed_alone() {
    let mut world = at_stage(Stage::Negotiation);
    world.by(Who::Paul);
    world
        .when(record_terms(CUMULUS, terms()))
        .then_rejects(Rejection::NotAccepted { supplier: CUMULUS });
    world
        .when(record_terms(UNKNOWN, terms()))
        .then_rejects(Rejection::NoSuchFinalist { supplier: UNKNOWN });
    world
        .when(record_terms(AURORA, terms()))
        .then([Event::TermsRecorded { supplier: AURORA, terms: Box::new(terms()) }]);
}

#[test]
fn a_term_is_between_one_and_120_months_and_no_price_is_negative() {
    let mut world = at_stage(Stage::Negotiation);
    for months in [0, 121] {
        let mut odd = terms();
        odd.term_months = months;
        world.by(Who::Paul).when(record_terms(AURORA, odd)).then_rejects_as("invalid_value");
    }
    let mut odd = terms();
    odd.price_per_month = number("-1");
    world.when(record_terms(AURORA, odd)).then_rejects_as("invalid_value");
    let mut odd = terms();
    odd.list_price_per_month = number("-1");
    world.when(record_terms(AURORA, odd)).then_rejects_as("invalid_value");
}

#[test]
fn legal_alone_reviews_and_only_what_is_there() {
    let mut world = bargaining();
    let function = Function::Legal;
    world.by(Who::Paul).when(approve(AURORA)).then_rejects(Rejection::FunctionMissing { function });
    world
        .by(Who::Lena)
        .when(approve(AURORA))
        .then([Event::TermsReviewed { supplier: AURORA, review: LegalReview::Approved }]);
    world.when(approve(CUMULUS)).then_rejects(Rejection::TermsMissing { supplier: CUMULUS });
    world
        .by(Who::Pia.standing_in(Who::Lena, function))
        .when(approve(BOREAL))
        .then_kinds(["negotiation.terms_reviewed"]);
}

#[test]
fn a_review_holds_for_the_terms_it_read() {
    let mut world = filled(Stage::Negotiation);
    world.by(Who::Paul).must(record_terms(BOREAL, terms()));
    let reason = world.why("negotiation.legal_reviewed");
    assert_eq!(reason.details["suppliers"], "Boreal Cloud");
}

#[test]
fn an_objection_is_no_approval() {
    let mut world = filled(Stage::Negotiation);
    let review = LegalReview::Objected { objection: text("no exit clause") };
    world
        .by(Who::Lena)
        .must(sixgate_workflows::negotiation::Command::ReviewTerms { supplier: AURORA, review });
    let reason = world.why("negotiation.legal_reviewed");
    assert_eq!(reason.details["suppliers"], "Aurora Compute");
}

#[test]
fn an_award_goes_to_suppliers_that_passed_and_made_an_offer() {
    let mut world = at_stage(Stage::Negotiation);
    world.by(Who::Paul);
    world
        .when(decide_award(both_awarded()))
        .then_rejects(Rejection::TermsMissing { supplier: AURORA });
    world
        .when(decide_award(vec![award(CUMULUS, Role::Primary, 100)]))
        .then_rejects(Rejection::NotAccepted { supplier: CUMULUS });
}

#[test]
fn shares_add_up_to_exactly_one_hundred() {
    let mut world = bargaining();
    let awards = vec![award(AURORA, Role::Primary, 65), award(BOREAL, Role::Backup, 34)];
    world
        .when(decide_award(awards))
        .then_rejects(Rejection::SharesDoNotAddUp { total: number("99") });
}

#[test]
fn nobody_is_awarded_twice() {
    let mut world = bargaining();
    let awards = vec![award(AURORA, Role::Primary, 65), award(AURORA, Role::Backup, 35)];
    world.when(decide_award(awards)).then_rejects(Rejection::AwardedTwice { supplier: AURORA });
}

#[test]
fn there_is_exactly_one_primary() {
    let mut world = bargaining();
    for (first, second, primaries) in
        [(Role::Primary, Role::Primary, 2), (Role::Backup, Role::Backup, 0)]
    {
        let awards = vec![award(AURORA, first, 65), award(BOREAL, second, 35)];
        world.when(decide_award(awards)).then_rejects(Rejection::NotOnePrimary { primaries });
    }
}

#[test]
fn a_share_lies_in_the_band_of_its_role() {
    let mut world = bargaining();
    let band = Band { low: Percent::of(60), high: Percent::of(70) };
    for share in [59, 71] {
        let awards =
            vec![award(AURORA, Role::Primary, share), award(BOREAL, Role::Backup, 100 - share)];
        let share = Percent::of(share);
        world.when(decide_award(awards)).then_rejects(Rejection::ShareOutsideBand {
            supplier: AURORA,
            share,
            band,
        });
    }
    for share in [60, 65, 70] {
        let awards =
            vec![award(AURORA, Role::Primary, share), award(BOREAL, Role::Backup, 100 - share)];
        world.when(decide_award(awards)).then_kinds(["negotiation.award_decided"]);
    }
}

#[test]
fn one_supplier_may_get_everything_and_none_may_get_anything() {
    let mut world = bargaining();
    let all = vec![award(AURORA, Role::Primary, 100)];
    world.when(decide_award(all)).then_kinds(["negotiation.award_decided"]);
    world.when(decide_award(Vec::new())).then_kinds(["negotiation.award_decided"]);
    for criterion in ["award_decided", "terms_complete", "legal_reviewed", "contracts_signed"] {
        assert_eq!(world.why(&format!("negotiation.{criterion}")).key, "award_open");
    }
}

#[test]
fn a_contract_is_signed_with_the_awarded_alone() {
    let mut world = bargaining();
    world
        .when(sign_contract(AURORA, contract()))
        .then_rejects(Rejection::NotAwarded { supplier: AURORA });
    world.must(decide_award(vec![award(AURORA, Role::Primary, 100)]));
    world
        .when(sign_contract(BOREAL, contract()))
        .then_rejects(Rejection::NotAwarded { supplier: BOREAL });
    world.when(sign_contract(AURORA, contract())).then_kinds(["negotiation.contract_recorded"]);
}

#[test]
fn a_contract_that_makes_no_sense_is_refused() {
    let mut world = filled(Stage::Negotiation);
    world.by(Who::Paul);
    let mut backwards = contract();
    backwards.ends_on = day("2026-02-01");
    let mut empty = contract();
    empty.cards = 0;
    let mut negative = contract();
    negative.value_per_month.amount = number("-1");
    for odd in [backwards, empty, negative] {
        world.when(sign_contract(AURORA, odd)).then_rejects_as("invalid_value");
    }
}

#[test]
fn a_new_award_drops_the_contracts_of_whoever_lost_it() {
    let mut world = filled(Stage::Negotiation);
    world.by(Who::Paul).must(decide_award(vec![award(AURORA, Role::Primary, 100)]));
    let contracts = &world.procurement().negotiation.contracts;
    assert_eq!(contracts.keys().copied().collect::<Vec<_>>(), [AURORA]);
}

#[test]
fn what_is_open_is_named_by_supplier() {
    let left_out = |command: &Command| {
        matches!(
            command,
            Command::Negotiation(sixgate_workflows::negotiation::Command::RecordContract {
                supplier,
                ..
            }) if *supplier == BOREAL
        )
    };
    let world = filled_but(Stage::Negotiation, left_out);
    assert_eq!(world.why("negotiation.contracts_signed").details["suppliers"], "Boreal Cloud");
    let is_plan = |command: &Command| {
        matches!(
            command,
            Command::Negotiation(sixgate_workflows::negotiation::Command::PlanScaling { .. })
        )
    };
    let world = filled_but(Stage::Negotiation, is_plan);
    assert_eq!(world.why("negotiation.scaling_planned").key, "scaling_plan_missing");
}

#[test]
fn whoever_was_dropped_or_disqualified_on_a_way_back_takes_its_deal_along() {
    let mut world = filled(Stage::Negotiation);
    world.by(Who::Paul).must(Course::SendBack { to: Stage::Shortlist, reason: text("news") });
    assert_eq!(world.procurement().negotiation.contracts.len(), 2);
    world.must(drop_candidate(AURORA));
    let kept = without(&world.context.suppliers[&BOREAL].certificates, &Qualification::Mlps);
    world.supplier_mut(BOREAL).certificates = kept;
    world.must(review(BOREAL));
    let procurement = world.procurement();
    for supplier in [AURORA, BOREAL] {
        assert!(!procurement.poc.finalists.contains_key(&supplier));
        assert!(!procurement.negotiation.offers.contains_key(&supplier));
    }
    assert_eq!(procurement.negotiation.contracts.len(), 0);
    assert_eq!(procurement.negotiation.awarded(), []);
}
