//! A checkpoint shortens the start and changes nothing else.

use std::{fs, path::PathBuf, sync::Arc};

use chrono_tz::Tz;
use serde_json::Value;
use sixgate_engine::{
    Error, Parts, Settings,
    keys::{Found, Key},
    projection::Views,
};
use sixgate_storage::{MemoryLog, Position};
use sixgate_workflows::{procurement::Course, stage::Stage};

use crate::{
    people::Who,
    rigged::Rigged,
    world::{CLUSTER, World, text},
};

/// Needed for building anew, and passed by with a checkpoint.
const EARLY: Position = Position(3);

async fn with_checkpoint() -> (Arc<Rigged>, World) {
    let log = Rigged::new();
    let world = World::on(Arc::clone(&log) as _).await;
    world.open(CLUSTER).await;
    world.pass_to(Stage::Poc).await;
    world.engine.settle().await.unwrap();
    world.engine.save_checkpoint().unwrap();
    (log, world)
}

fn path(world: &World) -> PathBuf {
    world.directory.path().join("checkpoints/views")
}

fn edit(world: &World, change: impl FnOnce(&mut Value)) {
    let (header, key, sealed) = taken_apart(world);
    let plain = key.open(b"checkpoint", &sealed).unwrap();
    let (index, rows) = plain.split_at(plain.iter().position(|byte| *byte == b'\n').unwrap());
    let mut value = serde_json::from_slice(index).unwrap();
    change(&mut value);
    let plain = [value.to_string().as_bytes(), rows].concat();
    let sealed = key.seal(b"checkpoint", &plain);
    fs::write(path(world), [header, sealed].concat()).unwrap();
}

/// The line that names the key, the key, and what is sealed under it.
fn taken_apart(world: &World) -> (Vec<u8>, Key, Vec<u8>) {
    let bytes = fs::read(path(world)).unwrap();
    let end = 1 + bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let (header, sealed) = bytes.split_at(end);
    let id = serde_json::from_slice::<Value>(header).unwrap()["key"].take();
    match world.keys.find(&serde_json::from_value(id).unwrap()) {
        Found::Key(key) => (header.to_vec(), key, sealed.to_vec()),
        Found::Destroyed | Found::Unknown => panic!("the key of the checkpoint is gone"),
    }
}

#[tokio::test]
async fn a_checkpoint_that_was_not_sealed_yet_is_removed() {
    let (log, world) = with_checkpoint().await;
    let plain = path(&world).with_extension("json");
    fs::write(&plain, b"{\"views\":\"with names\"}").unwrap();
    assert!(!builds_anew(&log, &world).await);
    assert!(!plain.exists());
}

/// Only a start that reads the log from its beginning misses what is hidden there.
async fn builds_anew(log: &Rigged, world: &World) -> bool {
    log.hide(Some(EARLY));
    let opened = world.another(world.folder()).await;
    log.hide(None);
    match opened {
        Ok(_) => false,
        Err(Error::Gap { after: 2, found: 4 }) => true,
        Err(error) => panic!("{error:?}"),
    }
}

async fn equals_rebuilt(world: &World) {
    let opened = world.another(world.folder()).await.unwrap();
    let rebuilt = world.engine.rebuilt().await.unwrap();
    assert_eq!(*opened.views(), rebuilt);
    assert_eq!(*opened.views(), *world.engine.views());
}

#[tokio::test]
async fn a_start_from_a_checkpoint_equals_building_anew() {
    let (log, world) = with_checkpoint().await;
    assert!(!builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn commits_after_a_checkpoint_are_followed_at_the_start() {
    let (log, world) = with_checkpoint().await;
    world.fill().await;
    world.must(Who::Maya, Course::Hold { reason: text("the budget round comes first") }).await;
    assert!(!builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn every_stage_survives_its_checkpoint() {
    for stage in Stage::ALL {
        let world = World::filled(stage).await;
        world.engine.settle().await.unwrap();
        world.engine.save_checkpoint().unwrap();
        equals_rebuilt(&world).await;
    }
}

#[tokio::test]
async fn without_a_checkpoint_the_views_are_built_from_the_log() {
    let (log, world) = with_checkpoint().await;
    fs::remove_file(path(&world)).unwrap();
    assert!(builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn a_checkpoint_of_another_shape_is_left_aside() {
    let (log, world) = with_checkpoint().await;
    edit(&world, |value| value["shape"] = "0".repeat(64).into());
    assert!(builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn a_checkpoint_without_a_field_is_left_aside() {
    let (log, world) = with_checkpoint().await;
    edit(&world, |value| {
        value["views"].as_object_mut().unwrap().remove("notices").unwrap();
    });
    assert!(builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn a_checkpoint_whose_rows_lie_elsewhere_is_left_aside() {
    let (log, world) = with_checkpoint().await;
    for place in ["/views/procurements/0/now/state", "/views/commands"] {
        edit(&world, |value| value.pointer_mut(place).unwrap()["end"] = u32::MAX.into());
        assert!(builds_anew(&log, &world).await, "{place}");
        world.engine.save_checkpoint().unwrap();
    }
    equals_rebuilt(&world).await;
}

/// Rows that nobody looked at go from one checkpoint into the next as they are.
#[tokio::test]
async fn a_checkpoint_made_from_a_checkpoint_holds_the_same() {
    let (log, world) = with_checkpoint().await;
    let reopened = world.another(world.folder()).await.unwrap();
    reopened.save_checkpoint().unwrap();
    assert!(!builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn a_damaged_checkpoint_is_left_aside() {
    let (log, world) = with_checkpoint().await;
    let whole = fs::read(path(&world)).unwrap();
    for damaged in [&b""[..], b"{", b"\xff\xfe\x00", &whole[..whole.len() / 2]] {
        fs::write(path(&world), damaged).unwrap();
        assert!(builds_anew(&log, &world).await);
    }
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn a_checkpoint_of_another_log_is_left_aside() {
    let (_, world) = with_checkpoint().await;
    let other = World::on(Arc::new(MemoryLog::new())).await;
    other.open(CLUSTER).await;
    // Sealed under a key of the other log, so that it opens there.
    other.engine.save_checkpoint().unwrap();
    let (header, key_there, _) = taken_apart(&other);
    let (_, key, sealed) = taken_apart(&world);
    let sealed = key_there.seal(b"checkpoint", &key.open(b"checkpoint", &sealed).unwrap());
    fs::write(path(&world), [header, sealed].concat()).unwrap();
    let (log, keys) = (Arc::clone(&other.log), Arc::clone(&other.keys));
    let opened = world.another_with(|parts| Parts { log, keys, ..parts }).await.unwrap();
    assert_eq!(*opened.views(), *other.engine.views());
    assert!(opened.views().position < world.engine.views().position);
}

#[tokio::test]
async fn a_checkpoint_whose_commit_has_another_hash_is_left_aside() {
    let (log, world) = with_checkpoint().await;
    edit(&world, |value| value["views"]["position"] = 5.into());
    assert!(builds_anew(&log, &world).await);
    equals_rebuilt(&world).await;
}

#[tokio::test]
async fn a_checkpoint_from_another_zone_is_left_aside() {
    let (log, world) = with_checkpoint().await;
    let elsewhere = |parts: Parts| Parts {
        settings: Settings { zone: Tz::America__Los_Angeles, ..parts.settings },
        ..parts
    };
    log.hide(Some(EARLY));
    let opened = world.another_with(elsewhere).await;
    assert!(matches!(opened.err(), Some(Error::Gap { .. })));
    log.hide(None);
    let opened = world.another_with(elsewhere).await.unwrap();
    let rebuilt = opened.rebuilt().await.unwrap();
    assert_eq!(*opened.views(), rebuilt);
}

#[tokio::test]
async fn without_a_place_for_checkpoints_none_is_kept() {
    let world = World::opened().await;
    let nowhere = |parts: Parts| Parts {
        settings: Settings { checkpoints: None, ..parts.settings },
        ..parts
    };
    let opened = world.another_with(nowhere).await.unwrap();
    opened.save_checkpoint().unwrap();
    assert!(!path(&world).exists());
    assert_eq!(*opened.views(), *world.engine.views());
}

#[tokio::test]
async fn an_empty_log_gives_empty_views_and_nothing_to_do() {
    let world = World::empty(Arc::new(MemoryLog::new())).await;
    assert_eq!(*world.engine.views(), Views::default());
    let pass = world.engine.settle().await.unwrap();
    assert_eq!((pass.fired, pass.sent, pass.next), (0, 0, None));
    assert!(world.engine.viewer(&Who::Rita.token()).is_none());
    world.engine.save_checkpoint().unwrap();
    equals_rebuilt(&world).await;
    assert_eq!(world.log.head().await.unwrap().position, Position::ZERO);
}
