//! Clause by clause: what falls short of the policy, and what that does to gate and checklist.

use sixgate_workflows::{
    checklist::{Item, Status},
    negotiation::terms::{Agreement, Clause, Terms},
    percent::Percent,
    policy::Policy,
    stage::Stage,
};

use crate::{
    fixture::{AURORA, filled, number, record_terms, terms},
    harness::{Who, World, without},
};

fn agreed_on(change: impl FnOnce(&mut Terms)) -> World {
    let mut world = filled(Stage::Negotiation);
    let mut changed = terms();
    change(&mut changed);
    world.by(Who::Paul).must(record_terms(AURORA, changed));
    world.by(Who::Lena).must(crate::fixture::approve(AURORA));
    world
}

#[test]
fn good_terms_fall_short_of_nothing() {
    assert!(terms().shortfalls(&Policy::shipped()).is_empty());
    assert!(agreed_on(|_| ()).gate().awaits_sign_offs());
}

#[test]
fn every_required_clause_must_be_agreed() {
    for clause in Clause::ALL {
        for agreement in [Agreement::Open, Agreement::Refused] {
            let mut terms = terms();
            terms.clauses.get_mut(&clause).unwrap().agreement = agreement;
            assert_eq!(terms.shortfalls(&Policy::shipped()), [clause.id()]);
        }
        let world = agreed_on(|terms| terms.clauses = without(&terms.clauses, &clause));
        let reason = world.why("negotiation.terms_complete");
        assert_eq!(reason.details["clauses"], clause.id());
        assert_eq!(reason.details["supplier"], "Aurora Compute");
    }
}

#[test]
fn a_clause_that_the_policy_does_not_ask_for_may_stay_open() {
    let mut policy = Policy::shipped();
    policy.required_clauses.remove(&Clause::Instalments);
    let mut terms = terms();
    terms.clauses = without(&terms.clauses, &Clause::Instalments);
    assert!(terms.shortfalls(&policy).is_empty());
}

#[test]
fn figures_fall_short_on_the_far_side_of_the_line() {
    let policy = Policy::shipped();
    let mut low = terms();
    low.availability = Percent::new(number("99.89")).unwrap();
    low.response_minutes = 16;
    assert_eq!(low.shortfalls(&policy), ["availability_figure", "response_figure"]);
    low.availability = Percent::tenths(999);
    low.response_minutes = 15;
    assert!(low.shortfalls(&policy).is_empty());
}

#[test]
fn the_discount_is_told_against_the_list_price() {
    let mut terms = terms();
    assert_eq!(terms.discount(), Some(Percent::of(20)));
    terms.list_price_per_month = number("0");
    assert_eq!(terms.discount(), None);
    terms.list_price_per_month = number("40000");
    assert_eq!(terms.discount(), None);
}

#[test]
fn the_data_clauses_carry_the_sla_item() {
    for clause in
        [Clause::Availability, Clause::Response, Clause::DataOwnership, Clause::DataDestruction]
    {
        let world = agreed_on(|terms| terms.clauses = without(&terms.clauses, &clause));
        assert_eq!(world.item(Item::SlaReviewed).status, Status::Unmet, "{clause:?}");
        assert_eq!(world.item(Item::PaymentAndInvoice).status, Status::Met, "{clause:?}");
    }
}

#[test]
fn transfer_and_invoice_carry_the_payment_item() {
    for clause in [Clause::CorporateTransfer, Clause::SpecialVatInvoice] {
        let world = agreed_on(|terms| terms.clauses = without(&terms.clauses, &clause));
        assert_eq!(world.item(Item::PaymentAndInvoice).status, Status::Unmet, "{clause:?}");
        assert_eq!(world.item(Item::SlaReviewed).status, Status::Met, "{clause:?}");
    }
}
