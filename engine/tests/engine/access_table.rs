//! Who may ask a procurement for what: every command, every function, member or not.

use std::collections::BTreeSet;

use sixgate_engine::{
    Error,
    access::{Action, Resource, authorise},
};
use sixgate_storage::Revision;
use sixgate_workflows::{
    budget::tco::CostKind,
    checklist::Item,
    context::{Actor, ActorId},
    function::Function,
    gate::Criterion,
    ids::ProcurementId,
    poc,
    poc::reading::Reading,
    procurement::{Command, Course},
    shortlist,
    stage::Stage,
};
use uuid::Uuid;

use crate::{
    deals,
    people::Who,
    wishes,
    world::{AURORA, Ask, BOREAL, CLUSTER, World, day, envelope, name, text, time},
};

fn course() -> Vec<(&'static str, Command)> {
    let reason = || text("as the meeting decided");
    let person = Who::Nils.id();
    let waive = Course::Waive {
        criterion: Criterion::UseKnown,
        reason: reason(),
        expires_on: day("2026-02-01"),
    };
    vec![
        ("RP......", Course::Open { title: name("Another cluster") }.ask()),
        ("RP...M..", Course::AddMember { person }.ask()),
        ("RP...M..", Course::RemoveMember { person }.ask()),
        ("RPFLOM..", Course::SignOff { function: Function::Requester, version: 0 }.ask()),
        (".....M..", waive.ask()),
        ("RP...M..", Course::Advance.ask()),
        ("RPFLOM..", Course::SendBack { to: Stage::Needs, reason: reason() }.ask()),
        ("RP...M..", Course::Hold { reason: reason() }.ask()),
        ("RP...M..", Course::Resume.ask()),
        ("RP...M..", Course::Cancel { reason: reason() }.ask()),
        ("RP...M..", Course::Close.ask()),
        (".....M..", Course::AdoptPolicy.ask()),
        (".......A", Course::EraseContact.ask()),
        ("........", Course::NoteLapse { item: Item::MonitoringLive }.ask()),
    ]
}

fn stages() -> Vec<(&'static str, Command)> {
    let now = time("2026-01-05T00:00:00Z");
    let dropped =
        shortlist::Command::DropCandidate { supplier: AURORA, reason: text("withdrew its offer") };
    let explained = poc::Command::RecordExplanation {
        supplier: AURORA,
        explanation: text("a fan was replaced"),
    };
    let review = deals::record_review("2026-Q1");
    vec![
        ("RP..O...", wishes::record_brief(wishes::brief()).ask()),
        ("RP..O...", wishes::record_sizing().ask()),
        ("RP..O...", wishes::size_model().ask()),
        ("RP..O...", wishes::record_trial().ask()),
        (".PF.....", wishes::plan_budget(wishes::plan()).ask()),
        (".PF.....", wishes::cost(CostKind::Storage, "1500").ask()),
        (".PF.....", wishes::compare_owning().ask()),
        (".P......", wishes::add(AURORA).ask()),
        (".P......", dropped.ask()),
        (".P......", wishes::review(AURORA).ask()),
        (".P......", wishes::record_quote(AURORA, wishes::quote()).ask()),
        ("RP..O...", wishes::score(AURORA, 80).ask()),
        ("RP..O...", wishes::choose(AURORA).ask()),
        ("RP..O...", wishes::measure(AURORA, Reading::Serving(wishes::serving())).ask()),
        ("RP..O...", explained.ask()),
        ("RP..O...", wishes::baseline(AURORA).ask()),
        (".P.L....", deals::record_terms(BOREAL, deals::terms()).ask()),
        ("...L....", deals::approve(BOREAL).ask()),
        (".P.L....", deals::decide_award(deals::both_awarded()).ask()),
        (".P.L....", deals::sign_contract(AURORA, deals::contract()).ask()),
        ("RP..O...", deals::plan_scaling().ask()),
        (".PF.O...", deals::record_usage(AURORA, deals::usage(now, "650")).ask()),
        (".PF.O...", deals::record_bill(AURORA, deals::bill("2688")).ask()),
        (".PF.O...", deals::probe(AURORA, now).ask()),
        (".PF.O...", deals::report(deals::INCIDENT, AURORA, now).ask()),
        (".PF.O...", deals::resolve(deals::INCIDENT, now, now).ask()),
        (".PF.O...", deals::plan_reviews("2026-Q1").ask()),
        (".PF.O...", deals::schedule_review("2026-Q1", "2026-03-30T06:00:00Z", "Room 3").ask()),
        (".PF.O...", review.ask()),
        (".P..O...", deals::decide_outcome().ask()),
    ]
}

/// Requester, Procurement, Finance, Legal, Operations, Manager, Auditor, Admin: a dot for each
/// that may not.
fn table() -> Vec<(&'static str, Command)> {
    [course(), stages()].concat()
}

fn kind(command: &Command) -> String {
    let json = serde_json::to_value(command).unwrap();
    let of = json["of"].as_str().unwrap();
    let kind = json["command"]["kind"].as_str().unwrap();
    format!("{of}.{kind}")
}

fn holder(person: Who, function: Function) -> Actor {
    let id = ActorId::Person(person.id());
    Actor { id, functions: [function].into(), stands_in: Vec::new() }
}

#[test]
fn the_table_has_every_command_once() {
    let kinds: BTreeSet<String> = table().iter().map(|(_, command)| kind(command)).collect();
    assert_eq!(kinds.len(), table().len());
    assert_eq!(kinds.len(), 44);
}

#[tokio::test]
async fn a_command_is_allowed_to_the_functions_of_the_table_that_see_the_procurement() {
    let world = World::opened().await;
    let procurement = world.procurement();
    for (allowed, command) in table() {
        for (function, mark) in Function::ALL.into_iter().zip(allowed.chars()) {
            for (person, is_member) in [(Who::Rita, true), (Who::Ruben, false)] {
                let actor = holder(person, function);
                let answer = authorise(&actor, Action::Procure(Some(&procurement), &command));
                let what = format!("{} by {function}, member {is_member}", kind(&command));
                let sees = function != Function::Requester || is_member;
                match (sees, mark != '.') {
                    (false, _) => assert!(matches!(answer, Err(Error::NotFound)), "{what}"),
                    (true, true) => assert!(answer.is_ok(), "{what}"),
                    (true, false) => assert!(matches!(answer, Err(Error::Forbidden)), "{what}"),
                }
            }
        }
    }
}

#[test]
fn an_absent_procurement_is_not_found_for_everything_but_opening_it() {
    for (allowed, command) in table() {
        for (function, mark) in Function::ALL.into_iter().zip(allowed.chars()) {
            let answer = authorise(&holder(Who::Rita, function), Action::Procure(None, &command));
            let opens = matches!(command, Command::Course(Course::Open { .. }));
            match (opens, mark != '.') {
                (true, true) => assert!(answer.is_ok()),
                (true, false) => assert!(matches!(answer, Err(Error::Forbidden))),
                (false, _) => assert!(matches!(answer, Err(Error::NotFound))),
            }
        }
    }
}

#[tokio::test]
async fn the_program_itself_may_note_a_lapse_and_nothing_else() {
    let world = World::opened().await;
    let procurement = world.procurement();
    for (_, command) in table() {
        let lapse = matches!(command, Command::Course(Course::NoteLapse { .. }));
        for state in [Some(&procurement), None] {
            let answer = authorise(&Actor::system(), Action::Procure(state, &command));
            assert_eq!(answer.is_ok(), lapse, "{}", kind(&command));
        }
    }
}

#[tokio::test]
async fn somebody_without_a_function_finds_nothing() {
    let world = World::opened().await;
    let nils = world.viewer(Who::Nils);
    assert!(world.engine.procurements(&nils).is_empty());
    assert!(world.engine.inbox(&nils).is_empty());
    assert!(matches!(world.engine.suppliers(&nils), Err(Error::NotFound)));
    assert!(matches!(world.engine.policies(&nils), Err(Error::NotFound)));
    assert!(matches!(world.engine.colleagues(&nils), Err(Error::NotFound)));
    assert!(matches!(world.engine.upload(&nils, vec![1]).await, Err(Error::Forbidden)));
    // A member without the function that makes members see is none the wiser.
    world.must(Who::Rita, Course::AddMember { person: Who::Nils.id() }).await;
    assert!(world.engine.procurements(&nils).is_empty());
}

#[tokio::test]
async fn what_a_requester_is_no_member_of_looks_like_what_does_not_exist() {
    let world = World::opened().await;
    let ruben = world.viewer(Who::Ruben);
    let absent = ProcurementId(Uuid::from_u128(0xdead));
    let head = world.log.head().await.unwrap();
    let mut answers = Vec::new();
    for id in [CLUSTER, absent] {
        let read = world.engine.procurement(&ruben, id, None).await.unwrap_err();
        let history = world.engine.history(&ruben, id, Revision::ZERO, 10).await.unwrap_err();
        let mut heard = vec![format!("{read:?} {read}"), format!("{history:?} {history}")];
        for (_, command) in table() {
            if matches!(command, Command::Course(Course::Open { .. })) {
                continue;
            }
            let asked = world.engine.procure(&ruben, envelope(), id, command).await.unwrap_err();
            heard.push(format!("{asked:?} {asked}"));
        }
        answers.push(heard);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].iter().all(|answer| answer == "NotFound not found"), "{answers:?}");
    assert!(world.engine.procurements(&ruben).is_empty());
    assert!(world.engine.inbox(&ruben).is_empty());
    assert_eq!(world.log.head().await.unwrap(), head);
}

#[tokio::test]
async fn auditor_and_admin_read_everything_of_a_procurement_and_change_nothing_but_its_contact() {
    let world = World::filled(Stage::Poc).await;
    let head = world.log.head().await.unwrap();
    for who in [Who::Aldo, Who::Ada] {
        let viewer = world.viewer(who);
        assert_eq!(world.engine.procurements(&viewer).len(), 1);
        assert!(world.engine.procurement(&viewer, CLUSTER, None).await.is_ok());
        assert!(
            !world.engine.history(&viewer, CLUSTER, Revision::ZERO, 9).await.unwrap().is_empty()
        );
        assert_eq!(world.engine.suppliers(&viewer).unwrap().len(), 3);
        assert_eq!(world.engine.policies(&viewer).unwrap().len(), 1);
        assert!(world.engine.may_see_record(&viewer, Who::Rita.id()));
        assert!(matches!(world.engine.upload(&viewer, vec![1]).await, Err(Error::Forbidden)));
        for (_, command) in table() {
            let asked = kind(&command);
            if who == Who::Ada && asked == "course.erase_contact" {
                continue;
            }
            let answer = world.ask(who, command).await;
            assert!(matches!(answer, Err(Error::Forbidden)), "{who:?}: {asked}: {answer:?}");
        }
    }
    assert_eq!(world.log.head().await.unwrap(), head);
}

#[tokio::test]
async fn the_record_of_a_person_is_seen_by_that_person_the_auditor_and_the_admin() {
    let world = World::new().await;
    for who in Who::ALL {
        let sees = matches!(who, Who::Fiona | Who::Aldo | Who::Ada);
        assert_eq!(world.engine.may_see_record(&world.viewer(who), Who::Fiona.id()), sees);
        let resource = Resource::PersonRecord(Who::Fiona.id());
        let answer = authorise(&world.viewer(who).actor, Action::Read(resource));
        assert_eq!(answer.is_ok(), sees);
    }
}
