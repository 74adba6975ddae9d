//! What is due while capacity runs: reviews, interruptions, the split, reconciliation, contracts.

use chrono::Duration;
use sixgate_workflows::{
    checklist::Item, deadline::NoticeKind, function::Function, gate::Criterion, ids::IncidentId,
    procurement::Course, stage::Stage,
};
use uuid::Uuid;

use crate::{
    fixture::{
        AURORA, BOREAL, INCIDENT, at_stage, award, bill, contract, day, decide_award, plan_reviews,
        record_bill, record_review, record_usage, report, resolve, sign_contract, text, usage,
    },
    harness::{Who, World, time},
};

/// In operation since Monday, 9 February, nine in the morning in Shanghai.
fn running() -> World {
    let mut world = at_stage(Stage::Operation);
    world.by(Who::Otto);
    world
}

#[test]
fn a_review_is_invited_to_a_fortnight_before_the_quarter_ends() {
    let mut world = running();
    world.must(plan_reviews("2026-Q1"));
    let [invitation] = &world.deadlines_of(NoticeKind::ReviewInvitation)[..] else {
        panic!("not one")
    };
    assert_eq!(invitation.due, time("2026-03-17T01:00:00Z"), "nine in Shanghai");
    assert_eq!(invitation.meeting_on, Some(day("2026-03-31")));
    assert_eq!(invitation.details["quarter"], "2026-Q1");
    assert!(invitation.to.contains(&Function::Manager));
}

#[test]
fn the_meeting_is_on_the_last_working_day_of_the_quarter() {
    let mut world = running();
    world.must(plan_reviews("2027-Q1")).must(plan_reviews("2027-Q4"));
    let invitation = &world.deadlines_of(NoticeKind::ReviewInvitation)[0];
    assert_eq!(invitation.meeting_on, Some(day("2027-12-31")), "a Friday");
    world.must(plan_reviews("2026-Q4")).must(plan_reviews("2028-Q4"));
    let invitation = &world.deadlines_of(NoticeKind::ReviewInvitation)[0];
    assert_eq!(invitation.meeting_on, Some(day("2028-12-29")), "the 31st is a Sunday");
}

#[test]
fn the_pack_follows_on_the_first_working_day_and_the_chaser_after_ten_more() {
    let mut world = running();
    world.must(plan_reviews("2026-Q1"));
    assert_eq!(world.due(NoticeKind::ReviewPack), ["2026-04-01T01:00:00Z"]);
    assert_eq!(world.due(NoticeKind::ReviewChaser), ["2026-04-15T01:00:00Z"]);
}

#[test]
fn once_the_review_is_recorded_nobody_is_chased() {
    let mut world = running();
    world.must(plan_reviews("2026-Q1")).at("2026-04-02T01:00:00Z");
    let chasers = |world: &World| -> Vec<String> {
        let all = world.deadlines_of(NoticeKind::ReviewChaser);
        all.into_iter().map(|deadline| deadline.details["quarter"].clone()).collect()
    };
    assert_eq!(chasers(&world), ["2026-Q1", "2026-Q2"]);
    world.must(record_review("2026-Q1"));
    assert_eq!(chasers(&world), ["2026-Q2"]);
}

#[test]
fn a_quarter_long_past_is_not_invited_to() {
    let mut world = running();
    world.must(plan_reviews("2026-Q1")).at("2027-01-20T01:00:00Z");
    let quarters: Vec<_> = world
        .deadlines_of(NoticeKind::ReviewInvitation)
        .into_iter()
        .map(|deadline| deadline.details["quarter"].clone())
        .collect();
    assert_eq!(quarters, ["2027-Q1"]);
    let chased = world.deadlines_of(NoticeKind::ReviewChaser).remove(0);
    assert_eq!(chased.details["quarter"], "2026-Q4");
}

#[test]
fn an_incident_is_told_at_once_and_once() {
    let mut world = running();
    world.at("2026-02-10T03:20:00Z").must(report(INCIDENT, AURORA, time("2026-02-10T03:00:00Z")));
    assert_eq!(world.due(NoticeKind::SlaIncident), ["2026-02-10T03:20:00Z"]);
    let incident = world.deadlines_of(NoticeKind::SlaIncident).remove(0);
    assert_eq!(incident.to, [Function::Operations, Function::Procurement, Function::Legal].into());
    assert_eq!(incident.details["started"], "2026-02-10 03:00 UTC");
    assert_eq!(incident.details["severity"], "P0");
    let (responded, ended) = (time("2026-02-10T03:05:00Z"), time("2026-02-10T03:15:00Z"));
    world.must(resolve(INCIDENT, responded, ended)).at("2026-02-20T00:00:00Z");
    assert_eq!(world.deadlines_of(NoticeKind::SlaIncident), [incident]);
}

#[test]
fn a_breach_is_due_in_the_second_in_which_the_month_is_lost() {
    let mut world = running();
    // 99.9 % of February's 28 days allow 2 419 seconds.
    world.at("2026-02-10T03:00:00Z").must(report(INCIDENT, AURORA, time("2026-02-10T03:00:00Z")));
    world.at("2026-02-10T03:40:19Z");
    assert!(world.due(NoticeKind::SlaBreach).is_empty());
    world.at("2026-02-10T03:40:20Z");
    assert_eq!(world.due(NoticeKind::SlaBreach), ["2026-02-10T03:40:20Z"]);
    let breach = &world.deadlines_of(NoticeKind::SlaBreach)[0];
    assert_eq!(breach.details["supplier"], "Aurora Compute");
    assert_eq!((&*breach.details["month"], &*breach.details["promised"]), ("2026-02", "99.9 %"));
    world.at("2026-02-20T00:00:00Z");
    assert_eq!(world.due(NoticeKind::SlaBreach), ["2026-02-10T03:40:20Z"], "it stays the same");
}

#[test]
fn the_minutes_of_one_supplier_are_not_another_s() {
    let mut world = running();
    world.at("2026-02-12T03:00:00Z");
    for (number, supplier, start) in
        [(1, AURORA, "2026-02-10T03:00:00Z"), (2, BOREAL, "2026-02-11T03:00:00Z")]
    {
        let incident = IncidentId(Uuid::from_u128(number));
        let start = time(start);
        world.must(report(incident, supplier, start));
        world.must(resolve(incident, start, start + Duration::minutes(30)));
    }
    assert!(world.due(NoticeKind::SlaBreach).is_empty());
}

#[test]
fn a_breach_reported_after_the_month_is_told_all_the_same() {
    let mut world = running();
    let start = time("2026-02-20T03:00:00Z");
    world.at("2026-03-03T01:00:00Z").must(report(INCIDENT, BOREAL, start));
    world.must(resolve(INCIDENT, start, start + Duration::hours(2)));
    assert_eq!(world.due(NoticeKind::SlaBreach), ["2026-02-20T03:40:20Z"]);
    assert_eq!(world.deadlines_of(NoticeKind::SlaBreach)[0].details["month"], "2026-02");
}

#[test]
fn a_statement_is_due_on_the_first_working_day_of_the_next_month() {
    let mut world = running();
    // The first day of March 2026 is a Sunday.
    assert_eq!(world.due(NoticeKind::SlaStatement), ["2026-03-02T01:00:00Z"]);
    world.at("2026-03-05T01:00:00Z");
    let expected = ["2026-03-02T01:00:00Z", "2026-04-01T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::SlaStatement), expected);
    assert_eq!(world.deadlines_of(NoticeKind::SlaStatement)[0].details["month"], "2026-02");
}

#[test]
fn a_split_out_of_its_band_is_told_monthly() {
    let mut world = running();
    let now = time("2026-02-16T01:00:00Z");
    world.at("2026-02-16T01:00:00Z").must(record_usage(AURORA, usage(now, "800")));
    world.must(record_usage(BOREAL, usage(now, "200")));
    let [split] = &world.deadlines_of(NoticeKind::SupplierSplit)[..] else { panic!("not one") };
    assert_eq!(split.due, time("2026-03-02T01:00:00Z"));
    assert_eq!(split.to, [Function::Procurement, Function::Manager].into());
    assert_eq!(
        split.details["shares"],
        "Aurora Compute 80 % (60–70 %); Boreal Cloud 20 % (30–40 %)"
    );
}

#[test]
fn a_split_within_its_band_is_no_news() {
    let mut world = running();
    let now = world.context.now;
    world.must(record_usage(AURORA, usage(now, "650")));
    world.must(record_usage(BOREAL, usage(now, "350")));
    assert!(world.due(NoticeKind::SupplierSplit).is_empty());
}

fn with_boreal_until(last: &str) -> World {
    let mut world = at_stage(Stage::Shortlist);
    for certificate in world.supplier_mut(BOREAL).certificates.values_mut() {
        certificate.value.expires_on = day(last);
    }
    world.pass_to(Stage::Operation).by(Who::Otto);
    world
}

#[test]
fn too_few_suppliers_are_told_when_a_certificate_expires() {
    let mut world = with_boreal_until("2026-06-30");
    assert_eq!(world.due(NoticeKind::TooFewSuppliers), ["2026-06-30T16:00:00Z"]);
    world.at("2026-06-30T16:00:00Z");
    assert_eq!(world.due(NoticeKind::TooFewSuppliers), ["2026-06-30T16:00:00Z"]);
    let few = &world.deadlines_of(NoticeKind::TooFewSuppliers)[0];
    assert_eq!((&*few.details["kept"], &*few.details["least"]), ("1", "2"));
    assert_eq!(few.to, [Function::Procurement, Function::Manager].into());
}

#[test]
fn a_lapse_that_is_noted_is_not_told_a_second_time() {
    let mut world = with_boreal_until("2026-06-30");
    let keys = |world: &World| -> Vec<String> {
        let all = world.deadlines_of(NoticeKind::TooFewSuppliers);
        all.into_iter().map(|deadline| deadline.key).collect()
    };
    let before = keys(&world);
    world.at("2026-06-30T16:00:07Z");
    assert_eq!(keys(&world), before);
    world.by(Who::System).must(Course::NoteLapse { item: Item::TwoSuppliers });
    assert_eq!(keys(&world), before);
}

fn with_one_supplier() -> World {
    let mut world = at_stage(Stage::Negotiation);
    world.fill().by(Who::Paul);
    let all = vec![award(AURORA, sixgate_workflows::negotiation::award::Role::Primary, 100)];
    world.must(decide_award(all)).must(sign_contract(AURORA, contract()));
    world.sign_all().later(Duration::days(7)).by(Who::Paul).must(Course::Advance);
    world
}

#[test]
fn operation_that_begins_with_one_supplier_is_told_at_once() {
    let world = with_one_supplier();
    let entered = "2026-02-09T01:00:00Z";
    assert_eq!(world.due(NoticeKind::TooFewSuppliers), [entered]);
}

#[test]
fn a_waiver_keeps_quiet_about_too_few_suppliers_until_it_expires() {
    let mut world = with_one_supplier();
    world.by(Who::Maya).must(Course::Waive {
        criterion: Criterion::TwoSuppliers,
        reason: text("a second one is being tested"),
        expires_on: day("2026-03-01"),
    });
    assert!(world.due(NoticeKind::TooFewSuppliers).is_empty());
    world.at("2026-03-02T01:00:00Z");
    assert_eq!(world.due(NoticeKind::TooFewSuppliers).len(), 1);
}

#[test]
fn reconciliation_is_due_every_monday_morning() {
    let mut world = running();
    assert_eq!(world.due(NoticeKind::WeeklyReconciliation), ["2026-02-16T01:00:00Z"]);
    world.at("2026-02-24T08:00:00Z");
    let expected = ["2026-02-23T01:00:00Z", "2026-03-02T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::WeeklyReconciliation), expected);
    let weekly = &world.deadlines_of(NoticeKind::WeeklyReconciliation)[0];
    assert_eq!(weekly.to, [Function::Operations, Function::Finance].into());
}

#[test]
fn nine_in_the_morning_is_nine_across_a_clock_change() {
    let mut world = running();
    world.context.zone = chrono_tz::Tz::America__New_York;
    world.at("2026-03-10T20:00:00Z");
    let expected = ["2026-03-09T13:00:00Z", "2026-03-16T13:00:00Z"];
    assert_eq!(world.due(NoticeKind::WeeklyReconciliation), expected);
    world.at("2026-03-05T20:00:00Z");
    let expected = ["2026-03-02T14:00:00Z", "2026-03-09T13:00:00Z"];
    assert_eq!(world.due(NoticeKind::WeeklyReconciliation), expected);
}

#[test]
fn a_contract_counts_down_to_its_last_day() {
    let mut world = running();
    for (now, expected) in [
        ("2026-11-03T00:59:59Z", vec!["2026-11-03T01:00:00Z"]),
        ("2026-11-03T01:00:00Z", vec!["2026-11-03T01:00:00Z", "2026-12-03T01:00:00Z"]),
        ("2027-01-25T01:00:00Z", vec!["2027-01-25T01:00:00Z"]),
        ("2027-02-01T16:00:00Z", vec![]),
    ] {
        world.at(now);
        let mut due = world.due(NoticeKind::ContractExpiry);
        due.dedup();
        assert_eq!(due, expected, "at {now}");
    }
}

#[test]
fn the_budget_s_burn_is_told_at_eighty_and_at_a_hundred_percent() {
    let mut world = running();
    // The term's total is 849 600 at the high end.
    world.must(record_bill(AURORA, bill("679679.99")));
    assert!(world.due(NoticeKind::BudgetBurn).is_empty());
    world.at("2026-03-09T01:00:00Z").must(record_bill(BOREAL, bill("0.01")));
    assert_eq!(world.due(NoticeKind::BudgetBurn), ["2026-03-09T01:00:00Z"]);
    world.at("2026-04-09T01:00:00Z").must(record_bill(AURORA, bill("169920")));
    let expected = ["2026-03-09T01:00:00Z", "2026-04-09T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::BudgetBurn), expected);
    let percents: Vec<_> = world
        .deadlines_of(NoticeKind::BudgetBurn)
        .into_iter()
        .map(|deadline| deadline.details["percent"].clone())
        .collect();
    assert_eq!(percents, ["80", "100"]);
}

#[test]
fn one_bill_can_burn_through_both_marks() {
    let mut world = running();
    world.must(record_bill(AURORA, bill("900000")));
    assert_eq!(world.due(NoticeKind::BudgetBurn).len(), 2);
    let mut dollars = bill("900000");
    dollars.currency = sixgate_workflows::money::Currency::Usd;
    let mut world = running();
    world.must(record_bill(AURORA, dollars));
    assert!(world.due(NoticeKind::BudgetBurn).is_empty(), "unlike currencies are never added");
}
