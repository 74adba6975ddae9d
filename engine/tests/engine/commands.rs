//! A command is carried out once, says where, and leaves nothing behind when it is refused.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

use chrono::Duration;
use futures_util::future::join_all;
use sixgate_engine::{Envelope, Error};
use sixgate_storage::{EventLog, Revision, SledLog, sled::Options};
use sixgate_workflows::{procurement::Course, rejection::Rejection, stage::Stage, supplier};

use crate::{
    people::Who,
    rigged::Rigged,
    wishes,
    world::{AURORA, Ask, CLUSTER, World, envelope, name, text},
};

#[tokio::test]
async fn a_command_sent_again_answers_the_same_and_is_stored_once() {
    let log = Rigged::new();
    let world = World::on(Arc::clone(&log) as _).await;
    world.open(CLUSTER).await;
    let (rita, envelope) = (world.viewer(Who::Rita), envelope());
    let hold = Course::Hold { reason: text("the budget round comes first") }.ask();
    let first = world.engine.procure(&rita, envelope, CLUSTER, hold.clone()).await.unwrap();
    let stored = log.appends.load(Ordering::Relaxed);
    world.later(Duration::days(3));
    let again = world.engine.procure(&rita, envelope, CLUSTER, hold).await.unwrap();

    assert!(!first.repeated && again.repeated);
    assert_eq!((first.position, first.revision), (again.position, again.revision));
    assert_eq!(log.appends.load(Ordering::Relaxed), stored);
    assert_eq!(log.head().await.unwrap().position, first.position);
}

#[tokio::test]
async fn a_command_sent_again_is_recognised_after_a_restart() {
    let mut world = World::opened().await;
    let (rita, envelope) = (world.viewer(Who::Rita), envelope());
    let hold = Course::Hold { reason: text("the budget round comes first") }.ask();
    let first = world.engine.procure(&rita, envelope, CLUSTER, hold.clone()).await.unwrap();
    for with_checkpoint in [false, true] {
        if with_checkpoint {
            world.engine.save_checkpoint().unwrap();
        }
        world.restart().await;
        let again = world.engine.procure(&rita, envelope, CLUSTER, hold.clone()).await.unwrap();
        assert!(again.repeated);
        assert_eq!(again.position, first.position);
    }
}

#[tokio::test]
async fn a_command_id_cannot_be_used_for_anything_else() {
    let mut world = World::opened().await;
    let (rita, paul) = (world.viewer(Who::Rita), world.viewer(Who::Paul));
    let used = envelope();
    let hold = |why| Course::Hold { reason: text(why) }.ask();
    world.engine.procure(&rita, used, CLUSTER, hold("one reason")).await.unwrap();
    for restarted in [false, true] {
        if restarted {
            world.restart().await;
        }
        let head = world.log.head().await.unwrap();
        let other_input = world.engine.procure(&rita, used, CLUSTER, hold("another")).await;
        let other_actor = world.engine.procure(&paul, used, CLUSTER, hold("one reason")).await;
        let other_stream = world.engine.supply(&paul, used, AURORA, supplier_withdrawal()).await;
        for refused in [other_input, other_actor, other_stream] {
            assert!(matches!(refused, Err(Error::CommandIdReused)), "{refused:?}");
        }
        assert_eq!(world.log.head().await.unwrap(), head);
    }
}

fn supplier_withdrawal() -> supplier::Command {
    supplier::Command::Withdraw { reason: text("left the market") }
}

#[tokio::test]
async fn a_command_on_an_outdated_view_is_refused_with_both_revisions() {
    let world = World::opened().await;
    let hold = Course::Hold { reason: text("the budget round comes first") }.ask();
    let expecting = |revision| Envelope { expected: Some(Revision(revision)), ..envelope() };
    let rita = world.viewer(Who::Rita);
    for outdated in [0, 2] {
        let asked = expecting(outdated);
        let refused = world.engine.procure(&rita, asked, CLUSTER, hold.clone()).await.unwrap_err();
        let Error::RevisionChanged { expected, actual } = refused else {
            panic!("{refused:?}");
        };
        assert_eq!((expected, actual), (Revision(outdated), Revision(1)));
    }
    let done = world.engine.procure(&rita, expecting(1), CLUSTER, hold).await.unwrap();
    assert_eq!(done.revision, Revision(2));
}

#[tokio::test]
async fn a_rejected_command_leaves_the_log_as_it_was() {
    let world = World::opened().await;
    let head = world.log.head().await.unwrap();
    let refused = world.ask(Who::Paul, Course::Advance).await.unwrap_err();
    let Error::Rejected(Rejection::GateClosed { stage, blockers }) = &refused else {
        panic!("{refused:?}");
    };
    assert_eq!(*stage, Stage::Needs);
    assert!(!blockers.is_empty());
    assert_eq!(refused.code(), "gate_closed");
    assert_eq!(world.log.head().await.unwrap(), head);
}

#[tokio::test]
async fn a_rejected_command_may_be_sent_again_under_its_id_once_it_is_possible() {
    let world = World::opened().await;
    let (rita, envelope) = (world.viewer(Who::Rita), envelope());
    let resume = || Course::Resume.ask();
    let refused = world.engine.procure(&rita, envelope, CLUSTER, resume()).await.unwrap_err();
    assert!(matches!(refused, Error::Rejected(Rejection::NotOnHold)));
    world.must(Who::Rita, Course::Hold { reason: text("the budget round comes first") }).await;
    let done = world.engine.procure(&rita, envelope, CLUSTER, resume()).await.unwrap();
    assert!(!done.repeated);
}

#[tokio::test]
async fn what_was_accepted_is_visible_at_once() {
    let world = World::opened().await;
    for (who, command) in wishes::needs() {
        let done = world.must(who, command).await;
        assert_eq!(world.engine.views().position, done.position);
        let seen = world.engine.procurement(&world.viewer(who), CLUSTER, None).await.unwrap();
        assert_eq!((seen.position, seen.revision), (done.position, done.revision));
    }
    assert!(world.procurement().needs.brief.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_writers_at_once_are_each_accepted_once() {
    let world = World::opened().await;
    world.pass_to(Stage::Shortlist).await;
    world.must(Who::Paul, wishes::add(AURORA)).await;
    let base = world.log.head().await.unwrap().position;

    let writers = (0..32).map(|number| {
        let engine = Arc::clone(&world.engine);
        let viewer = world.viewer(if number % 2 == 0 { Who::Paul } else { Who::Rita });
        let command = wishes::score(AURORA, 50 + number).ask();
        tokio::spawn(async move { engine.procure(&viewer, envelope(), CLUSTER, command).await })
    });
    let done: Vec<_> =
        join_all(writers).await.into_iter().map(|done| done.unwrap().unwrap()).collect();

    assert!(done.iter().all(|done| !done.repeated));
    let positions: BTreeSet<u64> = done.iter().map(|done| done.position.0).collect();
    assert_eq!(positions, (base.0 + 1..=base.0 + 32).collect());
    let revisions: BTreeSet<_> = done.iter().map(|done| done.revision).collect();
    assert_eq!(revisions.len(), 32);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_command_from_eight_senders_at_once_is_stored_once() {
    let world = World::opened().await;
    let before = world.log.head().await.unwrap().position;
    let once = envelope();
    let senders = (0..8).map(|_| {
        let (engine, viewer) = (Arc::clone(&world.engine), world.viewer(Who::Rita));
        let hold = Course::Hold { reason: text("a double click") }.ask();
        tokio::spawn(async move { engine.procure(&viewer, once, CLUSTER, hold).await })
    });
    let done: Vec<_> =
        join_all(senders).await.into_iter().map(|done| done.unwrap().unwrap()).collect();
    assert_eq!(done.iter().filter(|done| !done.repeated).count(), 1);
    assert!(done.iter().all(|done| done.position == before.next()));
    assert_eq!(world.log.head().await.unwrap().position, before.next());
}

#[tokio::test]
async fn two_procurements_opened_under_one_id_are_one() {
    let world = World::opened().await;
    let open = Course::Open { title: name("Another cluster") };
    let refused = world.ask(Who::Rita, open).await.unwrap_err();
    assert!(matches!(refused, Error::Rejected(Rejection::AlreadyRegistered)));
}

#[tokio::test]
async fn a_log_on_disk_carries_a_command_id_over_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let open = || SledLog::open(directory.path().join("log"), Options::default()).unwrap();
    let used = envelope();
    let hold = || Course::Hold { reason: text("the budget round comes first") }.ask();
    let (first, keys) = {
        let world = World::on(Arc::new(open())).await;
        world.open(CLUSTER).await;
        let rita = world.viewer(Who::Rita);
        let done = world.engine.procure(&rita, used, CLUSTER, hold()).await.unwrap();
        let rebuilt = world.engine.rebuilt().await.unwrap();
        assert_eq!(*world.engine.views(), rebuilt);
        (done, Arc::clone(&world.keys))
    };
    let world = World::with_keys(tempfile::tempdir().unwrap(), Arc::new(open()), keys).await;
    let rita = world.viewer(Who::Rita);
    let again = world.engine.procure(&rita, used, CLUSTER, hold()).await.unwrap();
    assert!(again.repeated);
    assert_eq!((again.position, again.revision), (first.position, first.revision));
}
