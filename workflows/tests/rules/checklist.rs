//! The ten points: not yet due, unmet, met, waived, and unmet again when evidence grows old.

use chrono::Duration;
use sixgate_workflows::{
    checklist::{Item, Status, checklist, counts},
    deadline::lapses,
    gate::Criterion,
    negotiation::award::Role,
    percent::Percent,
    poc::reading::Reading,
    procurement::{Course, CourseEvent},
    rejection::Rejection,
    stage::Stage,
    stored::StoredEvent,
    supplier::Qualification,
};

use crate::{
    fixture::{
        AURORA, BOREAL, CUMULUS, at_stage, award, baseline, brief, cards, contract, day,
        decide_award, filled, measure, probe, record_brief, record_terms, record_usage, review,
        sign_contract, terms, text, usage,
    },
    harness::{Who, World, given, time, without},
};

#[test]
fn every_item_is_not_yet_due_then_unmet_then_met() {
    for item in Item::ALL {
        // What the contracts carry is carried from the moment that operation begins.
        let starts_met = item == Item::TwoSuppliers;
        if item.stage() != Stage::Needs {
            let entry = given::<Course>([]).item(item);
            assert_eq!(entry.status, Status::NotYetDue, "{item:?}");
            assert_eq!((entry.since, entry.because, entry.reason), (None, None, None));
        }
        let due = at_stage(item.stage()).item(item);
        if !starts_met {
            assert_eq!(due.status, Status::Unmet, "{item:?}");
            assert!(due.reason.is_some() && due.evidence.is_empty(), "{item:?}");
        }
        let met = filled(item.stage()).item(item);
        assert_eq!(met.status, Status::Met, "{item:?}: {:?}", met.reason);
        assert!(met.reason.is_none() && !met.evidence.is_empty(), "{item:?}");
    }
}

#[test]
fn an_item_names_the_event_that_met_it_and_since_when() {
    let mut world = at_stage(Stage::Needs);
    world.at("2026-01-07T03:00:00Z").by(Who::Rita).must(record_brief(brief()));
    let entry = world.item(Item::NeedsAssessed);
    assert_eq!(entry.since, Some(time("2026-01-07T03:00:00Z")));
    let because = entry.because.unwrap();
    let (event, _) = world.log.iter().find(|(_, stamp)| *stamp == because).unwrap();
    assert_eq!(event.kind(), "needs.brief_recorded");
    world.at("2026-01-08T03:00:00Z").must(record_brief(brief()));
    assert_eq!(world.item(Item::NeedsAssessed).since, entry.since, "it has been met all along");
}

#[test]
fn an_item_turns_back_with_what_was_recorded() {
    let mut world = filled(Stage::Needs);
    let mut open = brief();
    open.model.parameters_b = sixgate_workflows::estimate::Estimate::tbd("to be asked");
    world.at("2026-01-09T03:00:00Z").by(Who::Rita).must(record_brief(open));
    let entry = world.item(Item::NeedsAssessed);
    assert_eq!(entry.status, Status::Unmet);
    assert_eq!(entry.since, Some(time("2026-01-09T03:00:00Z")));
    assert!(entry.because.is_some());
}

#[test]
fn every_item_can_be_waived_through_its_criteria() {
    for criterion in Criterion::ALL {
        let stage = criterion.stage();
        let mut world = at_stage(stage);
        let unmet =
            world.gate().findings.iter().any(|f| f.criterion == *criterion && f.outcome.is_err());
        let today = world.context.today();
        if unmet {
            world.by(Who::Maya).must(Course::Waive {
                criterion: *criterion,
                reason: text("settled outside"),
                expires_on: today,
            });
            assert!(!world.blockers().contains(&criterion.id().to_owned()), "{criterion}");
        }
    }
    for item in Item::ALL {
        let mut world = at_stage(item.stage());
        let today = world.context.today();
        for finding in world.gate().findings {
            if finding.outcome.is_err() {
                world.by(Who::Maya).must(Course::Waive {
                    criterion: finding.criterion,
                    reason: text("settled outside"),
                    expires_on: today,
                });
            }
        }
        let expected = if item == Item::TwoSuppliers { Status::Met } else { Status::Waived };
        assert_eq!(world.item(item).status, expected, "{item:?}");
    }
}

fn lapse_of(world: &World, item: Item) -> Option<String> {
    let moment = world.moment();
    let lapses = lapses(world.procurement(), moment);
    let found = lapses.into_iter().find(|(of, _)| *of == item);
    found.map(|(_, at)| at.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

#[test]
fn a_feed_older_than_the_policy_allows_turns_monitoring_back() {
    let mut world = filled(Stage::Operation);
    let last_good = world.context.now + Duration::days(8);
    world.context.now = last_good;
    assert_eq!(world.item(Item::MonitoringLive).status, Status::Met);
    assert_eq!(lapse_of(&world, Item::MonitoringLive).unwrap(), "2026-02-17T01:00:01Z");
    world.context.now = last_good + Duration::seconds(1);
    let entry = world.item(Item::MonitoringLive);
    assert_eq!(entry.status, Status::Unmet);
    assert_eq!(entry.since, Some(world.context.now), "since the second in which it lapsed");
    assert_eq!(entry.because, None, "no event brought it about");
}

#[test]
fn a_lapse_is_an_event_once_and_fresh_data_heals_it() {
    let mut world = filled(Stage::Operation);
    let item = Item::MonitoringLive;
    world.by(Who::System);
    world.when(Course::NoteLapse { item }).then_rejects(Rejection::NothingChanges);
    world.later(Duration::days(9));
    world.when(Course::NoteLapse { item }).then([CourseEvent::ItemLapsed { item }]);
    let entry = world.item(item);
    assert_eq!(entry.status, Status::Unmet);
    assert_eq!(entry.because.map(|stamp| stamp.at), Some(world.context.now));
    world.when(Course::NoteLapse { item }).then_rejects(Rejection::NothingChanges);
    let now = world.context.now;
    for supplier in [AURORA, BOREAL] {
        world.by(Who::Otto).must(record_usage(supplier, usage(now, "10")));
        world.must(probe(supplier, now));
    }
    assert_eq!(world.item(item).status, Status::Met);
}

#[test]
fn the_oldest_of_all_feeds_decides() {
    let mut world = filled(Stage::Operation);
    world.later(Duration::days(3));
    let now = world.context.now;
    world.by(Who::Otto).must(probe(AURORA, now)).must(probe(BOREAL, now));
    let mut fresh = usage(now, "10");
    fresh.from = now - Duration::days(3);
    world.must(record_usage(AURORA, fresh));
    assert_eq!(lapse_of(&world, Item::MonitoringLive).unwrap(), "2026-02-17T01:00:01Z");
}

#[test]
fn an_expired_certificate_leaves_too_few_suppliers() {
    let mut world = at_stage(Stage::Shortlist);
    for certificate in world.supplier_mut(BOREAL).certificates.values_mut() {
        certificate.value.expires_on = day("2026-06-30");
    }
    world.pass_to(Stage::Operation).fill();
    assert_eq!(lapse_of(&world, Item::TwoSuppliers).unwrap(), "2026-06-30T16:00:00Z");
    assert_eq!(world.item(Item::TwoSuppliers).status, Status::Met);
    world.at("2026-06-30T16:00:00Z");
    let entry = world.item(Item::TwoSuppliers);
    assert_eq!(entry.status, Status::Unmet);
    assert_eq!(entry.since, Some(world.context.now));
    assert_eq!(entry.reason.unwrap().details["kept"], "1");
}

#[test]
fn a_contract_that_ends_leaves_too_few_suppliers() {
    let mut world = filled(Stage::Operation);
    assert_eq!(lapse_of(&world, Item::TwoSuppliers).unwrap(), "2027-02-01T16:00:00Z");
    world.at("2027-02-01T16:00:00Z");
    assert_eq!(world.item(Item::TwoSuppliers).status, Status::Unmet);
}

#[test]
fn a_review_that_runs_out_turns_the_screening_back() {
    let mut world = at_stage(Stage::Shortlist);
    for certificate in world.supplier_mut(AURORA).certificates.values_mut() {
        certificate.value.expires_on = day("2026-02-01");
    }
    world.fill();
    assert_eq!(lapse_of(&world, Item::CandidatesScreened).unwrap(), "2026-02-01T16:00:00Z");
    world.at("2026-02-01T16:00:00Z");
    assert_eq!(world.item(Item::CandidatesScreened).status, Status::Unmet);
}

#[test]
fn nothing_lapses_on_hold_or_after_the_end() {
    let mut world = filled(Stage::Operation);
    assert!(!lapses(world.procurement(), world.moment()).is_empty());
    world.by(Who::Paul).must(Course::Hold { reason: text("moving house") });
    assert!(lapses(world.procurement(), world.moment()).is_empty());
}

#[test]
fn what_has_ended_is_shown_as_it_ended() {
    let mut world = crate::fixture::closed();
    let at_the_end = checklist(world.procurement(), world.moment());
    world.at("2031-01-01T00:00:00Z");
    assert_eq!(checklist(world.procurement(), world.moment()), at_the_end);
    let counts = counts(&at_the_end);
    assert_eq!((counts.met, counts.unmet, counts.waived, counts.not_yet_due), (10, 0, 0, 0));
}

/// Three suppliers under contract, as a policy with wider bands allows.
fn three_under_contract() -> World {
    let mut world = at_stage(Stage::Shortlist);
    world.set_policy(|policy| {
        policy.version = 2;
        policy.backup_share.low = Percent::of(20);
    });
    for certificate in world.supplier_mut(BOREAL).certificates.values_mut() {
        certificate.value.expires_on = day("2026-06-30");
    }
    world.by(Who::Maya).must(Course::AdoptPolicy).pass().fill();
    world.by(Who::Otto).must(measure(CUMULUS, Reading::Cards(cards()))).must(baseline(CUMULUS));
    world.sign_all().by(Who::Paul).must(Course::Advance).fill();
    world.by(Who::Paul).must(record_terms(CUMULUS, terms()));
    world.must(decide_award(vec![
        award(AURORA, Role::Primary, 60),
        award(BOREAL, Role::Backup, 20),
        award(CUMULUS, Role::Backup, 20),
    ]));
    for supplier in [AURORA, BOREAL, CUMULUS] {
        world.must(sign_contract(supplier, contract()));
    }
    world
}

#[test]
fn a_third_supplier_keeps_two_when_one_expires() {
    let world = three_under_contract();
    assert_eq!(lapse_of(&world, Item::TwoSuppliers).unwrap(), "2027-02-01T16:00:00Z");
}

#[test]
fn a_disqualified_supplier_under_contract_keeps_nothing_up() {
    let mut world = three_under_contract();
    world.must(Course::SendBack { to: Stage::Shortlist, reason: text("a licence was revoked") });
    let kept = without(&world.context.suppliers[&CUMULUS].certificates, &Qualification::Mlps);
    world.supplier_mut(CUMULUS).certificates = kept;
    world.must(review(CUMULUS));
    assert_eq!(world.item(Item::TwoSuppliers).status, Status::Met);
    assert_eq!(lapse_of(&world, Item::TwoSuppliers).unwrap(), "2026-06-30T16:00:00Z");
}
