//! What is due on the way through the stages: signatures, overdue stages, dates that lapse.

use sixgate_workflows::{
    deadline::NoticeKind, function::Function, procurement::Course, stage::Stage,
};

use crate::{
    fixture::{
        AURORA, BOREAL, at_stage, choose, closed, day, filled, quote, record_quote, record_sizing,
        text,
    },
    harness::{Who, World, given},
};

fn newest_due(world: &World, kind: NoticeKind) -> Option<String> {
    let now = world.context.now;
    let mut due = world.deadlines_of(kind).into_iter().filter(|deadline| deadline.due <= now);
    due.next_back().map(|deadline| deadline.due.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

#[test]
fn a_signature_is_wanted_at_once_and_then_every_three_working_days() {
    let mut world = filled(Stage::Budget);
    // Monday; three working days later is Thursday, then Tuesday, over the weekend.
    for (now, expected) in [
        ("2026-01-12T01:00:00Z", ["2026-01-12T01:00:00Z", "2026-01-15T01:00:00Z"]),
        ("2026-01-15T00:59:59Z", ["2026-01-12T01:00:00Z", "2026-01-15T01:00:00Z"]),
        ("2026-01-15T01:00:00Z", ["2026-01-15T01:00:00Z", "2026-01-20T01:00:00Z"]),
        ("2026-01-20T01:00:00Z", ["2026-01-20T01:00:00Z", "2026-01-23T01:00:00Z"]),
    ] {
        world.at(now);
        assert_eq!(world.due(NoticeKind::SignOffWanted), expected, "at {now}");
    }
    let wanted = &world.deadlines_of(NoticeKind::SignOffWanted)[0];
    assert_eq!(wanted.to, [Function::Finance].into());
    assert_eq!(wanted.details["function"], "finance");
    assert_eq!(wanted.details["version"], world.version().to_string());
}

#[test]
fn only_whoever_has_not_signed_is_asked() {
    let mut world = filled(Stage::Needs);
    world.sign(Who::Rita, Function::Requester);
    for wanted in world.deadlines_of(NoticeKind::SignOffWanted) {
        assert_eq!(wanted.to, [Function::Procurement].into());
    }
    world.sign(Who::Paul, Function::Procurement);
    assert!(world.due(NoticeKind::SignOffWanted).is_empty());
}

#[test]
fn nobody_is_asked_to_sign_while_a_criterion_blocks() {
    assert!(at_stage(Stage::Needs).due(NoticeKind::SignOffWanted).is_empty());
    let mut world = filled(Stage::Shortlist);
    assert!(!world.due(NoticeKind::SignOffWanted).is_empty());
    world.at("2027-01-01T01:00:00Z");
    assert!(world.due(NoticeKind::SignOffWanted).is_empty(), "the quotes have run out");
}

#[test]
fn after_a_long_downtime_only_the_newest_reminder_is_due() {
    let mut world = filled(Stage::Budget);
    world.at("2026-03-31T12:00:00Z");
    for kind in [NoticeKind::SignOffWanted, NoticeKind::StageOverdue] {
        let now = world.context.now;
        let due = world.deadlines_of(kind).into_iter().filter(|deadline| deadline.due <= now);
        assert_eq!(due.count(), 1, "{kind:?}");
    }
}

#[test]
fn a_voided_signature_is_told_at_once_to_whoever_had_signed() {
    let mut world = filled(Stage::Needs);
    world.sign_all().at("2026-01-07T06:30:00Z").by(Who::Otto).must(record_sizing());
    let [voided] = &world.deadlines_of(NoticeKind::SignOffVoided)[..] else { panic!("not one") };
    assert_eq!(voided.due, world.context.now);
    assert_eq!(voided.to, [Function::Requester, Function::Procurement].into());
    assert_eq!(voided.details["change"], "needs.sizing_recorded");
    assert_eq!(newest_due(&world, NoticeKind::SignOffWanted).unwrap(), "2026-01-07T06:30:00Z");
    world.sign_all();
    assert!(world.due(NoticeKind::SignOffVoided).is_empty(), "it has been signed again");
}

#[test]
fn a_new_version_asks_again_under_a_new_key() {
    let mut world = filled(Stage::Needs);
    let before = world.deadlines_of(NoticeKind::SignOffWanted)[0].key.clone();
    world.by(Who::Otto).must(record_sizing());
    assert_ne!(world.deadlines_of(NoticeKind::SignOffWanted)[0].key, before);
}

#[test]
fn a_stage_is_overdue_after_its_planned_days_and_then_weekly() {
    let mut world = given::<Course>([]);
    assert_eq!(world.due(NoticeKind::StageOverdue), ["2026-01-19T01:00:00Z"]);
    world.at("2026-01-19T01:00:00Z");
    let expected = ["2026-01-19T01:00:00Z", "2026-01-26T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::StageOverdue), expected);
    world.at("2026-02-04T01:00:00Z");
    let expected = ["2026-02-02T01:00:00Z", "2026-02-09T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::StageOverdue), expected);
    let overdue = &world.deadlines_of(NoticeKind::StageOverdue)[0];
    assert_eq!((&*overdue.details["days"], &*overdue.details["planned"]), ("28", "14"));
}

#[test]
fn an_overdue_stage_is_told_to_whoever_can_remove_a_blocker() {
    let mut world = at_stage(Stage::Budget);
    world.at("2026-01-20T01:00:00Z");
    let to = |world: &World| world.deadlines_of(NoticeKind::StageOverdue)[0].to.clone();
    assert_eq!(to(&world), [Function::Procurement, Function::Finance].into());
    world.fill();
    assert_eq!(to(&world), [Function::Finance].into());
    world.sign_all();
    assert_eq!(to(&world), [Function::Procurement].into(), "somebody has to advance");
}

#[test]
fn operation_is_never_overdue() {
    let mut world = at_stage(Stage::Operation);
    world.at("2026-12-31T01:00:00Z");
    assert!(world.due(NoticeKind::StageOverdue).is_empty());
}

#[test]
fn a_resumed_stage_has_its_planned_days_anew() {
    let mut world = given::<Course>([]);
    world.must(Course::Hold { reason: text("holiday") }).at("2026-02-02T02:00:00Z");
    assert!(world.deadlines().is_empty());
    world.must(Course::Resume);
    assert_eq!(world.due(NoticeKind::StageOverdue), ["2026-02-16T01:00:00Z"]);
}

#[test]
fn nothing_is_due_on_hold_cancelled_or_closed() {
    for stage in Stage::ALL {
        let mut world = filled(stage);
        assert!(!world.deadlines().is_empty(), "{stage}");
        world.must(Course::Hold { reason: text("holiday") });
        assert!(world.deadlines().is_empty(), "{stage}");
        world.must(Course::Cancel { reason: text("enough") });
        assert!(world.deadlines().is_empty(), "{stage}");
    }
    assert!(closed().deadlines().is_empty());
}

#[test]
fn a_quote_counts_down_to_its_last_day() {
    let mut world = filled(Stage::Shortlist);
    let mut quote = quote();
    quote.valid_until = day("2026-05-20");
    world.by(Who::Paul).must(record_quote(AURORA, quote));
    let due = |world: &World| -> Vec<String> {
        let deadlines = world.deadlines_of(NoticeKind::QuoteValidity);
        let own = deadlines.iter().filter(|deadline| deadline.key.contains("2026-05-20"));
        own.map(|deadline| deadline.due.format("%Y-%m-%d").to_string()).collect()
    };
    assert_eq!(due(&world), ["2026-02-19"], "90 days before");
    for (now, expected) in [
        ("2026-02-19T01:00:00Z", vec!["2026-02-19", "2026-03-21"]),
        ("2026-03-21T01:00:00Z", vec!["2026-03-21", "2026-04-20"]),
        ("2026-04-20T01:00:00Z", vec!["2026-04-20", "2026-05-13"]),
        ("2026-05-13T01:00:00Z", vec!["2026-05-13"]),
        ("2026-05-20T15:59:59Z", vec!["2026-05-13"]),
        ("2026-05-20T16:00:00Z", vec![]),
    ] {
        world.at(now);
        assert_eq!(due(&world), expected, "at {now}");
    }
}

#[test]
fn a_date_at_the_end_of_the_calendar_keeps_no_other_deadline_back() {
    let mut world = filled(Stage::Shortlist);
    let mut quote = quote();
    quote.valid_until = day("2026-05-20");
    world.by(Who::Paul).must(record_quote(BOREAL, quote.clone()));
    quote.valid_until = chrono::NaiveDate::MAX;
    world.must(record_quote(AURORA, quote));
    let due = world.due(NoticeKind::QuoteValidity);
    assert!(due.contains(&"2026-02-19T01:00:00Z".to_owned()), "{due:?}");
}

#[test]
fn qualifications_count_down_for_whoever_is_in_the_running() {
    let mut world = at_stage(Stage::Shortlist);
    for certificate in world.supplier_mut(AURORA).certificates.values_mut() {
        certificate.value.expires_on = day("2026-04-30");
    }
    world.fill();
    let own = |world: &World| -> Vec<String> {
        let deadlines = world.deadlines_of(NoticeKind::QualificationExpiry);
        let own = deadlines.iter().filter(|d| d.details["supplier"] == "Aurora Compute");
        own.map(|deadline| deadline.due.format("%Y-%m-%d").to_string()).collect()
    };
    assert_eq!(own(&world), ["2026-01-30"]);
    world.at("2026-04-01T01:00:00Z");
    assert_eq!(own(&world), ["2026-03-31", "2026-04-23"]);
    let all = world.deadlines_of(NoticeKind::QualificationExpiry);
    assert!(all.iter().all(|deadline| deadline.details["supplier"] != "Faded Light"));
    assert!(all.iter().all(|deadline| deadline.to == [Function::Procurement].into()));
}

#[test]
fn a_trial_counts_down_three_days_and_one_before_its_end() {
    let mut world = at_stage(Stage::Poc);
    world.by(Who::Rita).must(choose(AURORA));
    assert_eq!(world.due(NoticeKind::TrialEnd), ["2026-02-25T01:00:00Z"]);
    world.at("2026-02-25T01:00:00Z");
    let both = ["2026-02-25T01:00:00Z", "2026-02-27T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::TrialEnd), both);
    world.at("2026-03-01T01:00:00Z");
    assert!(world.due(NoticeKind::TrialEnd).is_empty());
    let world = at_stage(Stage::Negotiation);
    assert!(world.due(NoticeKind::TrialEnd).is_empty(), "the trial is over with its stage");
}

#[test]
fn whoever_signed_hears_that_it_was_sent_back() {
    let mut world = filled(Stage::Budget);
    world.sign(Who::Fiona, Function::Finance);
    world.by(Who::Paul).must(Course::SendBack { to: Stage::Needs, reason: text("new model") });
    let told = world.deadlines_of(NoticeKind::SignOffVoided).remove(0);
    assert_eq!(told.to, [Function::Requester, Function::Procurement, Function::Finance].into());
    world.sign(Who::Rita, Function::Requester).sign(Who::Paul, Function::Procurement);
    let left = world.deadlines_of(NoticeKind::SignOffVoided).remove(0);
    assert_eq!(left.to, [Function::Finance].into());
    world.by(Who::Paul).must(Course::Advance);
    assert_eq!(world.deadlines_of(NoticeKind::SignOffVoided), []);
}
