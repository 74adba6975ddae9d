//! Two engines on one log share the work, and nobody hears of anything twice.

use std::{collections::BTreeSet, fs, sync::Arc};

use chrono::Duration;
use futures_util::future::join_all;
use sixgate_engine::{
    Engine,
    mail::{Folder, Transport},
};
use sixgate_storage::Revision;
use sixgate_workflows::{ids::ProcurementId, notice::Status, stage::Stage};
use uuid::Uuid;

use crate::{
    people::Who,
    world::{CLUSTER, World},
};

/// Another engine that sends into a folder of its own.
async fn second(world: &World) -> Arc<Engine> {
    let folder = world.directory.path().join("second");
    world.another(Transport::Folder(Folder::new(folder))).await.unwrap()
}

fn names(world: &World, folder: &str) -> Vec<String> {
    let Ok(files) = fs::read_dir(world.directory.path().join(folder)) else { return Vec::new() };
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_letter_is_sent_by_one_of_two_engines() {
    let world = World::filled(Stage::Needs).await;
    for number in 1..=6 {
        world.open(ProcurementId(Uuid::from_u128(number))).await;
    }
    let other = second(&world).await;
    for _ in 0..4 {
        let passes = [&world.engine, &other].map(|engine| {
            let engine = Arc::clone(engine);
            tokio::spawn(async move { engine.settle().await })
        });
        for pass in join_all(passes).await {
            pass.unwrap().unwrap();
        }
        world.later(Duration::days(7));
    }
    other.settle().await.unwrap();
    world.settle().await;

    let (here, there) = (names(&world, "mail"), names(&world, "second"));
    let once: BTreeSet<&String> = here.iter().chain(&there).collect();
    assert_eq!(once.len(), here.len() + there.len(), "a letter went out twice");
    let letters = world.letters();
    assert_eq!(letters.len(), once.len());
    assert!(letters.iter().all(|l| matches!(l.status, Status::Sent { .. }) && l.attempts == 1));
    assert_eq!(*other.views(), *world.engine.views());
}

#[tokio::test]
async fn what_one_engine_sent_the_other_does_not() {
    let world = World::filled(Stage::Needs).await;
    let other = second(&world).await;
    assert_eq!(world.settle().await.sent, 2);
    let pass = other.settle().await.unwrap();
    assert_eq!((pass.fired, pass.sent), (0, 0));
    assert!(names(&world, "second").is_empty());
}

#[tokio::test]
async fn a_lapse_is_noted_by_one_of_two_engines() {
    let world = World::filled(Stage::Operation).await;
    let other = second(&world).await;
    world.later(Duration::days(9));
    let (here, there) = tokio::join!(world.engine.settle(), other.settle());
    here.unwrap();
    there.unwrap();
    let maya = world.viewer(Who::Maya);
    let history = world.engine.history(&maya, CLUSTER, Revision::ZERO, 10_000).await.unwrap();
    let lapses = history.iter().filter(|event| event.kind == "procurement.item_lapsed").count();
    assert_eq!(lapses, 1);
    assert_eq!(world.log.head().await.unwrap().position, {
        world.settle().await;
        world.engine.views().position
    });
}
