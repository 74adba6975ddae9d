//! The read models keep up with the log, whoever moved it.

use std::sync::Arc;

use sixgate_engine::{Engine, Parts};
use sixgate_storage::{EventLog, Position};
use sixgate_workflows::procurement::{Command, Course};
use tokio::sync::watch;

use crate::{
    people::Who,
    rigged::{Failure, Rigged},
    world::{Ask, CLUSTER, World, envelope},
};

fn add_ruben() -> Command {
    Course::AddMember { person: Who::Ruben.id() }.ask()
}

async fn reaches(engine: &Engine, position: Position) {
    engine.moved().wait_for(|reached| *reached >= position).await.unwrap();
}

/// Sends a command, and goes away after it was stored and before the answer.
async fn send_and_leave(log: &Rigged, world: &World, envelope: sixgate_engine::Envelope) {
    log.fail(Failure::Silence);
    let (engine, rita) = (Arc::clone(&world.engine), world.viewer(Who::Rita));
    let sender =
        tokio::spawn(async move { engine.procure(&rita, envelope, CLUSTER, add_ruben()).await });
    log.silent.notified().await;
    sender.abort();
    assert!(sender.await.unwrap_err().is_cancelled());
}

#[tokio::test]
async fn a_command_whose_sender_went_away_is_followed_all_the_same() {
    let log = Rigged::new();
    let world = World::on(Arc::clone(&log) as _).await;
    world.open(CLUSTER).await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(Arc::clone(&world.engine).run(stopped));
    let once = envelope();
    send_and_leave(&log, &world, once).await;

    let stored = log.head().await.unwrap().position;
    reaches(&world.engine, stored).await;
    assert!(world.procurement().members.contains(&Who::Ruben.id()));

    let rita = world.viewer(Who::Rita);
    let again = world.engine.procure(&rita, once, CLUSTER, add_ruben()).await.unwrap();
    assert!(again.repeated);
    assert_eq!(again.position, stored);
    stop.send(true).unwrap();
    running.await.unwrap();
}

#[tokio::test]
async fn the_next_command_sees_what_a_sender_who_went_away_had_stored() {
    let log = Rigged::new();
    let world = World::on(Arc::clone(&log) as _).await;
    world.open(CLUSTER).await;
    let once = envelope();
    send_and_leave(&log, &world, once).await;
    let stored = log.head().await.unwrap().position;

    let otto = Course::AddMember { person: Who::Otto.id() };
    let done = world.must(Who::Rita, otto).await;
    assert_eq!(done.position, stored.next());
    assert_eq!(world.procurement().members.len(), 3);
}

#[tokio::test]
async fn what_another_engine_stored_becomes_visible_while_running() {
    let world = World::opened().await;
    let elsewhere = world.another(world.folder()).await.unwrap();
    let (_stop, stopped) = watch::channel(false);
    let running = tokio::spawn(Arc::clone(&elsewhere).run(stopped));
    let done = world.must(Who::Rita, add_ruben()).await;
    reaches(&elsewhere, done.position).await;
    let ruben = elsewhere.viewer(&Who::Ruben.token()).unwrap();
    assert!(elsewhere.procurement(&ruben, CLUSTER, None).await.is_ok());
    running.abort();
}

#[tokio::test]
async fn running_ends_when_nobody_is_left_to_stop_it() {
    let world = World::opened().await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(Arc::clone(&world.engine).run(stopped));
    drop(stop);
    running.await.unwrap();
}

#[tokio::test]
async fn running_sends_what_a_command_made_due() {
    let world = World::opened().await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(Arc::clone(&world.engine).run(stopped));
    world.fill().await;
    let mut moved = world.engine.moved();
    while world.mails().len() < 2 {
        moved.changed().await.unwrap();
    }
    stop.send(true).unwrap();
    running.await.unwrap();
    assert_eq!(world.addressees(), ["paul@buyer.example", "rita@buyer.example"]);
}

#[tokio::test]
async fn positions_are_announced_in_order() {
    let world = World::new().await;
    let mut moved = world.engine.moved();
    let before = *moved.borrow_and_update();
    let done = world.open(CLUSTER).await;
    moved.changed().await.unwrap();
    assert_eq!(*moved.borrow(), done.position);
    assert_eq!(done.position, before.next());
    let parts = |parts: Parts| parts;
    let reopened = world.another_with(parts).await.unwrap();
    assert_eq!(*reopened.moved().borrow(), done.position);
}
