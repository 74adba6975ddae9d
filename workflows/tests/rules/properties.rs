//! What holds for every sequence of commands, not just for the ones somebody thought of.

mod figures;
mod owning;
mod tco;

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use proptest::{collection::vec, prelude::*, test_runner::Config};
use sixgate_workflows::{
    checklist::{Item, checklist, counts},
    deadline::deadlines,
    gate::{Criterion, Moment},
    procurement::{Command, Course, Event, Procurement, decide, evolve},
    stage::Stage,
    stored::{SCHEMA, StoredEvent},
};

use crate::{
    fixture::{AURORA, BOREAL, at_stage, drop_candidate, filling, signers, text},
    harness::{Ask, Who, World, id},
};

pub(crate) fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// One step: which of the commands that make sense here, and how many hours later.
type Step = (u16, u16);

fn steps() -> impl Strategy<Value = (usize, Vec<Step>)> {
    (0..Stage::ALL.len(), vec((any::<u16>(), 0_u16..200), 1..40))
}

fn waive(criterion: Criterion, world: &World) -> Command {
    let expires_on = world.context.today();
    Course::Waive { criterion, reason: text("settled outside"), expires_on }.ask()
}

/// The commands of the present stage, more often than not, and everything around them.
fn options(world: &World) -> Vec<(Who, Command)> {
    let procurement = world.procurement();
    let stage = procurement.stage;
    let mut options = filling(stage, world);
    options.extend(filling(stage, world));
    for (who, function) in signers(stage) {
        for version in [world.version(), 1] {
            options.push((who, Course::SignOff { function, version }.ask()));
        }
    }
    for to in Stage::ALL {
        let reason = text("once more");
        options.push((Who::Paul, Course::SendBack { to, reason }.ask()));
    }
    for criterion in Criterion::ALL.iter().filter(|criterion| criterion.stage() == stage) {
        options.push((Who::Maya, waive(*criterion, world)));
    }
    for item in [Item::MonitoringLive, Item::TwoSuppliers, Item::CandidatesScreened] {
        options.push((Who::System, Course::NoteLapse { item }.ask()));
    }
    let advance = || (Who::Paul, Course::Advance.ask());
    options.extend([
        advance(),
        advance(),
        advance(),
        (Who::Rita, Course::AddMember { person: Who::Otto.id() }.ask()),
        (Who::Rita, Course::RemoveMember { person: Who::Otto.id() }.ask()),
        (Who::Rita, Course::Hold { reason: text("holiday") }.ask()),
        (Who::Rita, Course::Resume.ask()),
        (Who::Rita, Course::Resume.ask()),
        (Who::Maya, Course::AdoptPolicy.ask()),
        (Who::Paul, Course::Close.ask()),
        (Who::Paul, drop_candidate(AURORA).ask()),
        (Who::Paul, drop_candidate(BOREAL).ask()),
    ]);
    if world.log.len().is_multiple_of(11) {
        options.push((Who::Maya, Course::Cancel { reason: text("not needed") }.ask()));
    }
    options
}

/// Walks the steps; a rejected command must leave no trace.
fn walked((stage, steps): (usize, Vec<Step>)) -> World {
    let mut world = at_stage(Stage::ALL[stage]);
    world.set_policy(|policy| policy.version = 2);
    for (choice, hours) in steps {
        world.later(Duration::hours(i64::from(hours)));
        let options = options(&world);
        let (who, command) = options[usize::from(choice) % options.len()].clone();
        let before = world.state.clone();
        let events = world.by(who).log.len();
        let decided = world.decide(command.clone());
        assert_eq!(decided, world.decide(command.clone()), "a decision is repeatable");
        if world.run(command).is_err() {
            assert_eq!((before, events), (world.state.clone(), world.log.len()));
        }
    }
    world
}

fn replayed(
    from: Option<Procurement>,
    world: &World,
    range: std::ops::Range<usize>,
) -> Option<Procurement> {
    let mut state = from;
    for (event, stamp) in &world.log[range] {
        evolve(&mut state, event, *stamp, world.context.zone);
    }
    state
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn replaying_a_part_and_then_the_rest_is_replaying_all(steps in steps(), cut in any::<prop::sample::Index>()) {
        let world = walked(steps);
        let all = world.log.len();
        let cut = cut.index(all + 1);
        let part = replayed(None, &world, 0..cut);
        // A snapshot in between is stored as JSON.
        let stored = serde_json::to_string(&part).unwrap();
        let part_again: Option<Procurement> = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(&part_again, &part);
        prop_assert_eq!(&replayed(part_again, &world, cut..all), &world.state);
    }

    #[test]
    fn every_event_survives_being_stored(steps in steps()) {
        for (event, _) in walked(steps).log {
            let written = event.data().to_string();
            let data = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(&Event::read(&event.kind(), SCHEMA, data).unwrap(), &event);
        }
    }

    #[test]
    fn deadlines_are_a_function_of_state_and_time(steps in steps(), later in vec(0_i64..2_000, 1..8)) {
        let world = walked(steps);
        let mut due_by_key = BTreeMap::new();
        for hours in later {
            let now = world.context.now + Duration::hours(hours);
            let moment = Moment { now, zone: world.context.zone };
            let found = deadlines(world.procurement(), moment);
            prop_assert_eq!(&found, &deadlines(world.procurement(), moment));
            prop_assert!(found.is_sorted_by_key(|deadline| deadline.due));
            let keys: BTreeSet<_> = found.iter().map(|deadline| &deadline.key).collect();
            prop_assert_eq!(keys.len(), found.len(), "keys are unique");
            prop_assert!(world.procurement().is_active() || found.is_empty());
            for deadline in found {
                prop_assert!(!deadline.to.is_empty());
                let due = *due_by_key.entry(deadline.key.clone()).or_insert(deadline.due);
                prop_assert_eq!(due, deadline.due, "{} moved", deadline.key);
            }
        }
    }

    #[test]
    fn the_gate_opens_exactly_when_nothing_blocks(steps in steps()) {
        let world = walked(steps);
        let gate = world.gate();
        let signed = gate.sign_offs.iter().all(|sign_off| sign_off.signed);
        prop_assert_eq!(gate.is_open(), gate.awaits_sign_offs() && signed);
        let last = world.procurement().stage == Stage::Operation;
        if world.procurement().is_active() {
            let leave = if last { Course::Close } else { Course::Advance };
            let left = decide(world.state.as_ref(), id(), leave.ask(), &world.context);
            prop_assert_eq!(left.is_ok(), gate.is_open());
        }
    }

    #[test]
    fn every_signature_is_of_the_present_version(steps in steps()) {
        let world = walked(steps);
        for stage in Stage::ALL {
            let ledger = world.procurement().ledger(stage);
            for signed in ledger.sign_offs.values() {
                prop_assert_eq!(signed.version, ledger.version);
            }
            let signers: BTreeSet<_> =
                ledger.sign_offs.values().filter_map(|signed| signed.stamp.by.person()).collect();
            prop_assert_eq!(signers.len(), ledger.sign_offs.len(), "one function per person");
        }
    }

    #[test]
    fn the_checklist_always_has_ten_points(steps in steps(), hours in 0_i64..20_000) {
        let world = walked(steps);
        let now = world.context.now + Duration::hours(hours);
        let entries = checklist(world.procurement(), Moment { now, zone: world.context.zone });
        let counts = counts(&entries);
        prop_assert_eq!(counts.met + counts.unmet + counts.waived + counts.not_yet_due, 10);
        for entry in entries {
            prop_assert!(entry.since.is_none_or(|since| since <= now), "{entry:?}");
        }
    }

    #[test]
    fn authors_and_history_only_grow(steps in steps()) {
        let world = walked(steps);
        let mut state = None;
        let mut versions = 0;
        for (event, stamp) in &world.log {
            evolve(&mut state, event, *stamp, world.context.zone);
            let state: &Procurement = state.as_ref().unwrap();
            let now: u32 = Stage::ALL.iter().map(|stage| state.ledger(*stage).version).sum();
            prop_assert!(now >= versions);
            versions = now;
        }
    }
}
