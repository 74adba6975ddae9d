//! A log that fails: what the caller hears, and what can be found out afterwards.

use std::sync::Arc;

use sixgate_engine::{Error, Parts};
use sixgate_storage::EventLog;
use sixgate_workflows::procurement::{Command, Course};

use crate::{
    people::Who,
    rigged::{Failure, Rigged},
    world::{Ask, CLUSTER, World, envelope},
};

async fn rigged() -> (Arc<Rigged>, World) {
    let log = Rigged::new();
    let world = World::on(Arc::clone(&log) as _).await;
    world.open(CLUSTER).await;
    (log, world)
}

fn add_ruben() -> Command {
    Course::AddMember { person: Who::Ruben.id() }.ask()
}

#[tokio::test]
async fn an_unknown_outcome_is_told_as_such_and_the_id_clears_it_up() {
    for (failure, stored) in [(Failure::UnknownAndStored, true), (Failure::UnknownAndLost, false)] {
        let (log, mut world) = rigged().await;
        log.fail(failure);
        let (rita, once) = (world.viewer(Who::Rita), envelope());
        let error = world.engine.procure(&rita, once, CLUSTER, add_ruben()).await.unwrap_err();
        assert!(matches!(error, Error::Unknown(_)), "{error:?}");
        assert_eq!(error.code(), "outcome_unknown");

        world.restart().await;
        let done = world.engine.procure(&rita, once, CLUSTER, add_ruben()).await.unwrap();
        assert_eq!(done.repeated, stored);
        assert!(world.procurement().members.contains(&Who::Ruben.id()));
    }
}

#[tokio::test]
async fn a_poisoned_log_is_a_storage_error_and_nothing_is_stored() {
    let (log, world) = rigged().await;
    let head = log.head().await.unwrap();
    log.fail(Failure::Poisoned);
    let error = world.ask(Who::Rita, add_ruben()).await.unwrap_err();
    assert!(matches!(error, Error::Storage(sixgate_storage::Error::Poisoned { .. })), "{error:?}");
    assert_eq!(error.code(), "storage");
    assert_eq!(log.head().await.unwrap(), head);
    assert_eq!(world.engine.views().position, head.position);
}

#[tokio::test]
async fn a_gap_in_the_log_stops_the_start() {
    let (log, world) = rigged().await;
    let missing = sixgate_storage::Position(7);
    log.hide(Some(missing));
    let error = world.another(world.folder()).await.err().unwrap();
    assert!(matches!(error, Error::Gap { after: 6, found: 8 }), "{error:?}");
    assert!(matches!(world.engine.rebuilt().await, Err(Error::Gap { after: 6, found: 8 })));
    log.hide(None);
}

#[tokio::test]
async fn a_gap_at_the_end_of_the_log_stops_the_start() {
    let (log, world) = rigged().await;
    let head = log.head().await.unwrap().position;
    log.hide(Some(head));
    let error = world.another(world.folder()).await.err().unwrap();
    assert!(matches!(error, Error::Gap { after, found } if after + 1 == found), "{error:?}");
    log.hide(None);
}

#[tokio::test]
async fn an_engine_that_cannot_follow_the_log_takes_no_more_commands() {
    let (log, world) = rigged().await;
    let inner = Arc::clone(&log.inner) as _;
    let elsewhere = world.another_with(|parts| Parts { log: inner, ..parts }).await.unwrap();
    let rita = world.viewer(Who::Rita);
    let other = sixgate_workflows::ids::ProcurementId(uuid::Uuid::from_u128(0x901));
    let opened = Course::Open { title: crate::world::name("Another cluster") }.ask();
    let missing =
        elsewhere.procure(&rita, envelope(), other, opened.clone()).await.unwrap().position;
    let more = Course::AddMember { person: Who::Otto.id() }.ask();
    elsewhere.procure(&rita, envelope(), CLUSTER, more).await.unwrap();
    log.hide(Some(missing));

    let head = log.head().await.unwrap();
    for _ in 0..2 {
        let error = world.ask(Who::Rita, add_ruben()).await.unwrap_err();
        assert!(matches!(error, Error::Gap { .. }), "{error:?}");
        assert_eq!(error.code(), "gap");
        assert!(matches!(world.engine.settle().await, Err(Error::Gap { .. })));
        // Not even on a stream that the gap has nothing to do with.
        let third = sixgate_workflows::ids::ProcurementId(uuid::Uuid::from_u128(0x902));
        let answer = world.engine.procure(&rita, envelope(), third, opened.clone()).await;
        assert!(matches!(answer, Err(Error::Gap { .. })), "{answer:?}");
    }
    assert_eq!(log.head().await.unwrap(), head, "nothing is stored on a view that is behind");

    log.hide(None);
    world.must(Who::Rita, add_ruben()).await;
}

#[tokio::test]
async fn an_event_that_cannot_be_read_stops_the_start() {
    let (log, world) = rigged().await;
    let stream = sixgate_storage::StreamId::new(format!("procurement-{CLUSTER}")).unwrap();
    let commits = log.read_stream(&stream, sixgate_storage::Revision::ZERO, 1).await.unwrap();
    let event = sixgate_storage::NewEvent {
        kind: "procurement.moved_to_the_moon".to_owned(),
        schema: 1,
        data: b"{}".to_vec(),
    };
    let commit = sixgate_storage::NewCommit {
        stream,
        expected: sixgate_storage::Expected::Any,
        metadata: commits[0].metadata.clone(),
        events: vec![event],
    };
    log.append(commit).await.unwrap();
    let error = world.another(world.folder()).await.err().unwrap();
    assert!(matches!(error, Error::Unreadable(_)), "{error:?}");
    assert_eq!(error.code(), "unreadable");
    let error = world.ask(Who::Rita, add_ruben()).await.unwrap_err();
    assert!(matches!(error, Error::Unreadable(_)), "{error:?}");
}
