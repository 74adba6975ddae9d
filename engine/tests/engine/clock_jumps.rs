//! Whatever the clock does, nothing is sent twice.

use std::collections::BTreeSet;

use chrono::Duration;
use sixgate_workflows::stage::Stage;

use crate::{
    people::Who,
    world::{CLUSTER, World, header, time},
};

/// What was sent so far, by Message-ID.
fn sent(world: &World) -> BTreeSet<String> {
    world.mails().iter().map(|mail| header(mail, "Message-ID: ").to_owned()).collect()
}

async fn settle_daily(world: &World, days: i64) {
    for _ in 0..days {
        world.settle().await;
        world.later(Duration::days(1));
    }
}

#[tokio::test]
async fn a_month_back_and_forth_sends_nothing_twice() {
    for stage in [Stage::Needs, Stage::Operation] {
        let world = World::filled(stage).await;
        settle_daily(&world, 45).await;
        world.settle().await;
        let (notices, mails, there) = (world.notices(), sent(&world), world.now());
        assert!(!mails.is_empty());
        let head = world.log.head().await.unwrap();
        world.empty_mail_folder();

        for instant in [there - Duration::days(31), there - Duration::hours(1), there] {
            world.clock.set(instant);
            let pass = world.settle().await;
            assert_eq!((pass.fired, pass.sent), (0, 0), "{stage} at {instant}");
        }
        assert_eq!(world.notices(), notices);
        assert_eq!(world.log.head().await.unwrap(), head);
        assert!(world.mails().is_empty());

        settle_daily(&world, 15).await;
        let later = sent(&world);
        assert!(!later.is_empty(), "it goes on");
        assert!(later.is_disjoint(&mails));
    }
}

#[tokio::test]
async fn a_clock_that_stands_back_before_everything_fires_nothing() {
    let world = World::filled(Stage::Needs).await;
    world.at("2020-01-01T00:00:00Z");
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (0, 0));
    world.at(crate::world::START);
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (2, 2));
}

#[tokio::test]
async fn a_pass_after_each_restart_sends_as_much_as_passes_without_any() {
    let mut whole = Vec::new();
    for restarts in [false, true] {
        let mut world = World::filled(Stage::Needs).await;
        for day in 0..30 {
            world.settle().await;
            world.later(Duration::days(1));
            if restarts {
                if day % 2 == 0 {
                    world.engine.save_checkpoint().unwrap();
                }
                world.restart().await;
            }
        }
        whole.push(sent(&world));
    }
    assert!(whole[0].len() > 4);
    assert_eq!(whole[0].len(), whole[1].len());
}

#[tokio::test]
async fn a_key_is_the_same_wherever_the_clock_stands() {
    let world = World::opened().await;
    let maya = world.viewer(Who::Maya);
    let keys = async |at: &str| {
        world.clock.set(time(at));
        let seen = world.engine.procurement(&maya, CLUSTER, None).await.unwrap();
        seen.deadlines().into_iter().map(|d| (d.key, d.due)).collect::<BTreeSet<_>>()
    };
    let early = keys("2026-01-06T00:00:00Z").await;
    let late = keys("2026-01-20T00:00:00Z").await;
    assert_eq!(early.len(), 1, "the first reminder that a stage takes long");
    assert!(early.is_subset(&late));
}
