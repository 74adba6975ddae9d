//! The table of who may ask for what.

use std::collections::BTreeSet;

use sixgate_workflows::{
    checklist::Item,
    context::{Actor, ActorId},
    function::Function,
    gate::Criterion,
    permission::{
        for_person, for_policy, for_prices, for_procurement, for_supplier, is_for_system,
        is_own_business,
    },
    person,
    procurement::{Command, Course},
    stage::Stage,
    supplier,
};

use crate::{
    fixture::{
        AURORA, approve, at_stage, brief, day, decide_outcome, drop_candidate, filling, name,
        record_brief, text,
    },
    harness::{Ask, Who},
    organisation::{
        grant, issue_token, publish, record_billing, register_person, register_supplier,
        revoke_token, set_delivery, set_preferences, substitute,
    },
};

fn courses() -> Vec<Course> {
    vec![
        Course::Open { title: name("Another") },
        Course::AddMember { person: Who::Otto.id() },
        Course::RemoveMember { person: Who::Otto.id() },
        Course::SignOff { function: Function::Legal, version: 1 },
        Course::Waive {
            criterion: Criterion::UseKnown,
            reason: text("known"),
            expires_on: day("2026-02-01"),
        },
        Course::Advance,
        Course::SendBack { to: Stage::Needs, reason: text("again") },
        Course::Hold { reason: text("pause") },
        Course::Resume,
        Course::Cancel { reason: text("stop") },
        Course::Close,
        Course::AdoptPolicy,
    ]
}

/// Everything that people do on the happy path and beside it.
fn commands() -> Vec<(Who, Command)> {
    let mut commands: Vec<(Who, Command)> =
        Stage::ALL.into_iter().flat_map(|stage| filling(stage, &at_stage(stage))).collect();
    commands.push((Who::Paul, drop_candidate(AURORA).ask()));
    commands
}

#[test]
fn auditor_and_admin_have_no_say_in_a_procurement() {
    let courses = courses().into_iter().map(Ask::ask);
    for command in courses.chain(commands().into_iter().map(|(_, command)| command)) {
        let functions = for_procurement(&command);
        assert!(!functions.is_empty(), "{command:?} is nobody's");
        assert!(!functions.contains(&Function::Auditor), "{command:?}");
        assert!(!functions.contains(&Function::Admin), "{command:?}");
        assert!(!is_for_system(&command), "{command:?}");
    }
}

#[test]
fn everybody_on_the_happy_path_may_do_what_they_do() {
    for (who, command) in commands() {
        let functions = for_procurement(&command);
        assert!(
            functions.iter().any(|function| who.actor().acts_as(*function)),
            "{who:?} may not do {command:?}"
        );
    }
}

#[test]
fn who_people_are_is_taken_back_by_the_admin_alone() {
    let admin = [Function::Admin];
    assert_eq!(for_procurement(&Course::EraseContact.ask()), admin);
    assert_eq!(for_supplier(&supplier::Command::EraseContact), admin);
    assert_eq!(for_person(&person::Command::Erase), admin);
    assert!(!is_own_business(&person::Command::Erase));
}

#[test]
fn only_the_program_notes_a_lapse() {
    let lapse = Course::NoteLapse { item: Item::MonitoringLive }.ask();
    assert!(is_for_system(&lapse));
    assert!(for_procurement(&lapse).is_empty());
}

#[test]
fn the_manager_alone_waives_and_adopts_and_legal_alone_reviews() {
    let waive = courses().into_iter().find(|course| matches!(course, Course::Waive { .. }));
    for course in [waive.unwrap(), Course::AdoptPolicy] {
        assert_eq!(for_procurement(&course.ask()), [Function::Manager]);
    }
    assert_eq!(for_procurement(&approve(AURORA).ask()), [Function::Legal]);
    assert!(!for_procurement(&record_brief(brief()).ask()).contains(&Function::Finance));
    assert!(!for_procurement(&decide_outcome().ask()).contains(&Function::Requester));
}

#[test]
fn whoever_can_meet_a_criterion_may_do_something_in_its_stage() {
    for criterion in Criterion::ALL {
        let stage = criterion.stage();
        let may_act: BTreeSet<Function> = filling(stage, &at_stage(stage))
            .iter()
            .flat_map(|(_, command)| for_procurement(command).iter().copied())
            .collect();
        let named = criterion.can_be_met_by();
        assert!(named.iter().any(|function| may_act.contains(function)), "{criterion}");
    }
}

#[test]
fn people_and_policy_are_the_admin_s_and_suppliers_are_procurement_s() {
    let admin = [Function::Admin];
    for command in [register_person(), grant(Function::Legal), issue_token(1)] {
        assert_eq!(for_person(&command), admin);
        assert!(!is_own_business(&command));
    }
    let own = [
        set_preferences(),
        set_delivery(),
        substitute(Who::Otto.id(), "2026-02-01", "2026-02-02"),
        revoke_token(),
    ];
    for command in own {
        assert!(is_own_business(&command));
        assert_eq!(for_person(&command), admin);
    }
    assert_eq!(for_policy(&publish(|_| ())), admin);
    for command in [register_supplier(), record_billing()] {
        assert_eq!(for_supplier(&command), [Function::Procurement]);
    }
    for command in crate::price_index::commands() {
        assert_eq!(for_prices(&command), [Function::Procurement, Function::Finance]);
    }
}

#[test]
fn an_actor_acts_as_what_they_hold_and_as_whom_they_stand_in_for() {
    let actor = Who::Rita.standing_in(Who::Lena, Function::Legal);
    assert!(actor.acts_as(Function::Requester) && actor.acts_as(Function::Legal));
    assert!(!actor.acts_as(Function::Finance));
    assert!(Actor::system().is_system() && !actor.is_system());
    assert_eq!(ActorId::System.person(), None);
    assert_eq!(actor.id.person(), Some(Who::Rita.id()));
}
