//! Every kind of event is produced by some command, reads in both languages, and fits its state.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sixgate_workflows::{
    checklist::Item,
    function::Function,
    gate::Criterion,
    locale::Locale,
    notice::{self, Outcome, Step},
    person, policy,
    procurement::Course,
    stage::Stage,
    stored::{SCHEMA, StoredEvent},
    texts,
};

use crate::{
    delivery::gathered,
    fixture::{
        CUMULUS, brief, closed, day, drop_candidate, filled, record_brief, record_sizing,
        record_trial, schedule_review, size_model, text,
    },
    harness::{Ask, Who, given, nothing},
    notices::{about, attempted, busy, queued, withdraw},
    organisation::{
        grant, issue_token, person_after, publish, record_billing, record_certificate,
        register_person, register_supplier, revoke, revoke_token, set_delivery, set_preferences,
        substitute, supplier_after, withdraw_supplier,
    },
    rejections::variants,
};

/// The first event of each kind that the rules produce, as it is stored.
pub(crate) fn produced() -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let mut add = |kind: String, data: Value| {
        found.entry(kind).or_insert(data);
    };
    let worlds = [closed(), with_detours(), tried(), lapsed(), cancelled()];
    for (event, _) in worlds.iter().flat_map(|world| &world.log) {
        add(event.kind(), event.data());
    }
    for event in suppliers() {
        add(event.kind(), event.data());
    }
    for event in people() {
        add(event.kind(), event.data());
    }
    for event in policies() {
        add(event.kind(), event.data());
    }
    for event in crate::price_index::events() {
        add(event.kind(), event.data());
    }
    for event in notices() {
        add(event.kind(), event.data());
    }
    found
}

/// Members, a waiver, a voided signature, a way back, a dropped candidate, a newer policy.
fn with_detours() -> crate::harness::World {
    let mut world = given([
        (Who::Rita, Course::AddMember { person: Who::Otto.id() }),
        (Who::Rita, Course::RemoveMember { person: Who::Otto.id() }),
    ]);
    world.by(Who::Maya).must(Course::Waive {
        criterion: Criterion::UseKnown,
        reason: text("settled by the board"),
        expires_on: day("2026-02-01"),
    });
    world.fill().sign_all().by(Who::Otto).must(record_sizing());
    world.sign_all().by(Who::Paul).must(Course::Advance);
    world.pass_to(Stage::Shortlist).fill().by(Who::Paul).must(drop_candidate(CUMULUS));
    world.must(Course::SendBack { to: Stage::Budget, reason: text("dearer than planned") });
    world.by(Who::Fiona).must(crate::own_or_rent::compare_owning());
    world.set_policy(|policy| policy.version = 2).by(Who::Maya).must(Course::AdoptPolicy);
    world
}

/// A model sized by its size alone, and a trial run.
fn tried() -> crate::harness::World {
    let mut world = filled(Stage::Needs);
    world.by(Who::Otto).must(size_model()).must(record_trial());
    world
}

fn lapsed() -> crate::harness::World {
    let mut world = filled(Stage::Operation);
    world.by(Who::Otto).must(schedule_review("2026-Q2", "2026-06-29T06:00:00Z", "Room 3"));
    world.later(chrono::Duration::days(9)).by(Who::System);
    world.must(Course::NoteLapse { item: Item::MonitoringLive });
    world
}

fn cancelled() -> crate::harness::World {
    given([
        (Who::Rita, Course::Hold { reason: text("waits for its funding") }.ask()),
        (Who::Rita, Course::Resume.ask()),
        (Who::Rita, record_brief(brief()).ask()),
        (Who::Rita, Course::Cancel { reason: text("not needed any more") }.ask()),
        (Who::Maya, Course::EraseContact.ask()),
    ])
}

fn suppliers() -> Vec<sixgate_workflows::supplier::Event> {
    let commands = vec![
        register_supplier(),
        record_certificate("2027-06-30"),
        record_billing(),
        withdraw_supplier(),
        sixgate_workflows::supplier::Command::EraseContact,
    ];
    supplier_after(commands).1
}

fn people() -> Vec<person::Event> {
    let commands = vec![
        register_person(),
        grant(Function::Legal),
        revoke(Function::Legal),
        set_preferences(),
        set_delivery(),
        substitute(Who::Fiona.id(), "2026-02-10", "2026-02-20"),
        issue_token(720),
        revoke_token(),
        person::Command::Deactivate,
        person::Command::Erase,
    ];
    person_after(commands).1
}

fn policies() -> Vec<policy::Event> {
    policy::decide(&policy::Policies::default(), publish(|_| ()), &nothing().context).unwrap()
}

fn notices() -> Vec<notice::Event> {
    let mut events = Vec::new();
    for outcome in [
        Outcome::Sent { reply: text("250 taken") },
        busy(),
        Outcome::Refused { why: text("550 no such mailbox") },
        Outcome::Unknown { why: text("the line dropped") },
    ] {
        let mut post = attempted();
        post.settle(outcome).unwrap();
        events.extend(post.log);
    }
    let mut post = queued();
    for _ in 0..10 {
        post.attempt().unwrap();
        post.settle(busy()).unwrap();
    }
    post.run(about(Step::Requeue)).unwrap();
    post.run(withdraw()).unwrap();
    events.extend(post.log);
    let mut post = queued();
    for step in [Step::Release, Step::NoteDelivery] {
        post.run(about(Step::Bundle { digest: "digest:17".to_owned() })).unwrap();
        post.run(about(step)).unwrap();
    }
    events.extend(post.log);
    events.extend(gathered());
    events
}

/// Every kind that the sources name.
pub(crate) fn kinds() -> BTreeSet<String> {
    let sources = [
        ("procurement", include_str!("../../src/procurement/event.rs"), "pub enum CourseEvent {"),
        ("needs", include_str!("../../src/needs.rs"), "pub enum Event {"),
        ("budget", include_str!("../../src/budget.rs"), "pub enum Event {"),
        ("shortlist", include_str!("../../src/shortlist.rs"), "pub enum Event {"),
        ("poc", include_str!("../../src/poc.rs"), "pub enum Event {"),
        ("negotiation", include_str!("../../src/negotiation.rs"), "pub enum Event {"),
        ("operation", include_str!("../../src/operation.rs"), "pub enum Event {"),
        ("supplier", include_str!("../../src/supplier.rs"), "pub enum Event {"),
        ("person", include_str!("../../src/person.rs"), "pub enum Event {"),
        ("policy", include_str!("../../src/policy.rs"), "pub enum Event {"),
        ("notice", include_str!("../../src/notice.rs"), "pub enum Event {"),
        ("prices", include_str!("../../src/budget/price_index.rs"), "pub enum Event {"),
    ];
    sources
        .into_iter()
        .flat_map(|(room, source, opening)| {
            variants(source, opening).into_iter().map(move |fact| format!("{room}.{fact}"))
        })
        .collect()
}

#[test]
fn every_kind_of_event_is_produced_by_some_command() {
    let produced: BTreeSet<String> = produced().into_keys().collect();
    assert_eq!(produced, kinds());
    assert!(produced.len() > 60, "the kinds were not found in their sources");
}

#[test]
fn every_kind_of_event_has_its_line_of_history() {
    for kind in kinds() {
        let key = format!("event.{kind}");
        for locale in Locale::ALL {
            assert_ne!(texts::text(&key, locale), key);
        }
    }
}

#[test]
fn a_kind_or_schema_that_nobody_knows_is_not_read() {
    use sixgate_workflows::procurement::Event;
    for (kind, schema) in [
        ("procurement.held", SCHEMA + 1),
        ("procurement.held", 0),
        ("procurement.sold", SCHEMA),
        ("notice.sent", SCHEMA),
        ("held", SCHEMA),
    ] {
        let data = serde_json::json!({ "reason": "a reason" });
        let unreadable = Event::read(kind, schema, data).unwrap_err();
        assert_eq!((&*unreadable.kind, unreadable.schema), (kind, schema));
    }
    let empty = serde_json::json!({ "reason": "" });
    assert!(Event::read("procurement.held", SCHEMA, empty).is_err(), "a reason is not blank");
}
