//! Another writer on the same log comes in between deciding and storing.

use std::sync::{Arc, atomic::Ordering};

use sixgate_engine::{Engine, Envelope, Error};
use sixgate_storage::Revision;
use sixgate_workflows::{
    procurement::{Course, Phase},
    rejection::Rejection,
};

use crate::{
    people::Who,
    rigged::Rigged,
    world::{Ask, CLUSTER, World, envelope, text},
};

/// A world on a rigged log, and somebody else's engine on the log behind it.
async fn shared() -> (Arc<Rigged>, World, Arc<Engine>) {
    let log = Rigged::new();
    let world = World::on(Arc::clone(&log) as _).await;
    world.open(CLUSTER).await;
    let inner = Arc::clone(&log.inner) as _;
    let elsewhere =
        world.another_with(|parts| sixgate_engine::Parts { log: inner, ..parts }).await.unwrap();
    (log, world, elsewhere)
}

/// Right before the next append, somebody asks the other engine for this.
fn intrude(log: &Rigged, elsewhere: &Arc<Engine>, who: Who, course: Course) {
    let elsewhere = Arc::clone(elsewhere);
    log.intrude(async move {
        let viewer = elsewhere.viewer(&who.token()).unwrap();
        elsewhere.procure(&viewer, envelope(), CLUSTER, course.ask()).await.unwrap();
    });
}

fn add(who: Who) -> Course {
    Course::AddMember { person: who.id() }
}

fn remove(who: Who) -> Course {
    Course::RemoveMember { person: who.id() }
}

#[tokio::test]
async fn a_conflict_is_decided_again_on_the_fresh_state() {
    let (log, world, elsewhere) = shared().await;
    intrude(&log, &elsewhere, Who::Maya, add(Who::Otto));
    let appends = log.appends.load(Ordering::Relaxed);
    let done = world.must(Who::Rita, add(Who::Ruben)).await;
    assert_eq!(done.revision, Revision(3));
    assert_eq!(log.appends.load(Ordering::Relaxed), appends + 2);
    let members = world.procurement().members;
    assert_eq!(members, [Who::Rita.id(), Who::Ruben.id(), Who::Otto.id()].into());
}

#[tokio::test]
async fn what_another_writer_changed_may_turn_an_acceptance_into_a_rejection() {
    let (log, world, elsewhere) = shared().await;
    intrude(&log, &elsewhere, Who::Maya, add(Who::Ruben));
    let refused = world.ask(Who::Rita, add(Who::Ruben)).await.unwrap_err();
    assert!(matches!(refused, Error::Rejected(Rejection::NothingChanges)), "{refused:?}");

    intrude(&log, &elsewhere, Who::Maya, Course::Cancel { reason: text("no longer needed") });
    let refused = world.ask(Who::Rita, add(Who::Otto)).await.unwrap_err();
    assert!(matches!(refused, Error::Rejected(Rejection::HasEnded)), "{refused:?}");
    assert!(matches!(world.procurement().phase, Phase::Cancelled { .. }));
}

#[tokio::test]
async fn what_another_writer_changed_may_take_the_access_away() {
    let (log, world, elsewhere) = shared().await;
    intrude(&log, &elsewhere, Who::Maya, remove(Who::Rita));
    let refused = world.ask(Who::Rita, add(Who::Otto)).await.unwrap_err();
    assert!(matches!(refused, Error::NotFound), "{refused:?}");
}

#[tokio::test]
async fn an_expected_revision_is_looked_at_again_after_a_conflict() {
    let (log, world, elsewhere) = shared().await;
    intrude(&log, &elsewhere, Who::Maya, add(Who::Otto));
    let expecting = Envelope { expected: Some(Revision(1)), ..envelope() };
    let rita = world.viewer(Who::Rita);
    let refused = world.engine.procure(&rita, expecting, CLUSTER, add(Who::Ruben).ask()).await;
    assert!(matches!(
        refused,
        Err(Error::RevisionChanged { expected: Revision(1), actual: Revision(2) })
    ));
}

#[tokio::test]
async fn conflicts_in_a_row_are_given_up_after_five() {
    let (log, world, elsewhere) = shared().await;
    for number in 0..5 {
        let course = if number % 2 == 0 { add(Who::Otto) } else { remove(Who::Otto) };
        intrude(&log, &elsewhere, Who::Maya, course);
    }
    let appends = log.appends.load(Ordering::Relaxed);
    let once = envelope();
    let rita = world.viewer(Who::Rita);
    let asked = || add(Who::Ruben).ask();
    let refused = world.engine.procure(&rita, once, CLUSTER, asked()).await.unwrap_err();
    assert!(matches!(refused, Error::Conflict { attempts: 5 }), "{refused:?}");
    assert_eq!(log.appends.load(Ordering::Relaxed), appends + 5);

    let done = world.engine.procure(&rita, once, CLUSTER, asked()).await.unwrap();
    assert!(!done.repeated, "nothing had been stored under the id");
    assert_eq!(done.revision, Revision(7));
}

#[tokio::test]
async fn four_conflicts_in_a_row_are_still_overcome() {
    let (log, world, elsewhere) = shared().await;
    for number in 0..4 {
        let course = if number % 2 == 0 { add(Who::Otto) } else { remove(Who::Otto) };
        intrude(&log, &elsewhere, Who::Maya, course);
    }
    assert_eq!(world.must(Who::Rita, add(Who::Ruben)).await.revision, Revision(6));
}

#[tokio::test]
async fn an_id_that_was_used_elsewhere_is_recognised() {
    let (_log, world, elsewhere) = shared().await;
    let once = envelope();
    let rita = world.viewer(Who::Rita);
    let there = elsewhere.procure(&rita, once, CLUSTER, add(Who::Ruben).ask()).await.unwrap();
    let here = world.engine.procure(&rita, once, CLUSTER, add(Who::Ruben).ask()).await.unwrap();
    assert!(here.repeated);
    assert_eq!(here.position, there.position);
    let other = world.engine.procure(&rita, once, CLUSTER, add(Who::Otto).ask()).await;
    assert!(matches!(other, Err(Error::CommandIdReused)));
    assert_eq!(world.log.head().await.unwrap().position, there.position);
}
