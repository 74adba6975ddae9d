//! Deadlines come when the clock says so, and a checklist item lapses when its evidence is old.

use chrono::Duration;
use sixgate_engine::Error;
use sixgate_storage::Revision;
use sixgate_workflows::{
    checklist::{Item, Status},
    context::ActorId,
    deadline::NoticeKind,
    procurement::Course,
    stage::Stage,
};

use crate::{
    deals,
    people::Who,
    world::{AURORA, BOREAL, CLUSTER, World, text, time},
};

#[tokio::test]
async fn a_stage_is_overdue_after_its_planned_days_and_weekly_from_then_on() {
    let world = World::opened().await;
    assert_eq!(world.settle().await.fired, 0);
    world.at("2026-01-19T00:59:59Z");
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.next), (0, Some(time("2026-01-19T01:00:00Z"))));
    for (at, notices) in [
        ("2026-01-19T01:00:00Z", 1),
        ("2026-01-26T00:59:59Z", 1),
        ("2026-01-26T01:00:00Z", 2),
        ("2026-02-02T01:00:00Z", 3),
    ] {
        world.at(at);
        world.settle().await;
        assert_eq!(world.notices_of(NoticeKind::StageOverdue).len(), notices, "{at}");
    }
    // Whoever can meet one of the open points.
    let to: Vec<_> = world.notices()[0].letters.keys().copied().collect();
    assert_eq!(to, [Who::Rita.id(), Who::Paul.id(), Who::Otto.id()]);
}

#[tokio::test]
async fn of_what_was_missed_only_the_newest_is_sent() {
    let world = World::opened().await;
    world.at("2026-03-31T00:00:00Z");
    assert_eq!(world.settle().await.fired, 1);
    let overdue = world.notices_of(NoticeKind::StageOverdue);
    assert_eq!(overdue[0].subject.due, time("2026-03-30T01:00:00Z"));
}

#[tokio::test]
async fn a_procurement_on_hold_is_not_overdue_and_starts_anew_when_it_goes_on() {
    let world = World::opened().await;
    world.at("2026-01-18T01:00:00Z");
    world.must(Who::Maya, Course::Hold { reason: text("the budget round comes first") }).await;
    world.at("2026-02-28T01:00:00Z");
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.next), (0, None));
    world.must(Who::Maya, Course::Resume).await;
    assert_eq!(world.settle().await.fired, 0);
    world.at("2026-03-14T00:59:59Z");
    assert_eq!(world.settle().await.fired, 0);
    world.at("2026-03-14T01:00:00Z");
    assert_eq!(world.settle().await.fired, 1);
}

#[tokio::test]
async fn a_cancelled_procurement_has_no_deadlines() {
    let world = World::filled(Stage::Needs).await;
    world.must(Who::Maya, Course::Cancel { reason: text("no longer needed") }).await;
    world.at("2027-01-01T00:00:00Z");
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent, pass.next), (0, 0, None));
}

/// In operation, with feeds up to now.
async fn monitored() -> World {
    let world = World::filled(Stage::Operation).await;
    world.settle().await;
    world
}

async fn lapses(world: &World) -> Vec<(ActorId, String)> {
    let maya = world.viewer(Who::Maya);
    let history = world.engine.history(&maya, CLUSTER, Revision::ZERO, 10_000).await.unwrap();
    history
        .into_iter()
        .filter(|event| event.kind == "procurement.item_lapsed")
        .map(|event| (event.stamp.by, event.data["item"].as_str().unwrap().to_owned()))
        .collect()
}

fn status(world: &World) -> Status {
    let entries =
        sixgate_workflows::checklist::checklist(&world.procurement(), world.engine.moment());
    entries.into_iter().find(|entry| entry.item == Item::MonitoringLive).unwrap().status
}

#[tokio::test]
async fn a_feed_that_grew_old_lapses_its_item_once() {
    let mut world = monitored().await;
    assert_eq!(status(&world), Status::Met);
    world.later(Duration::days(8));
    world.settle().await;
    assert!(lapses(&world).await.is_empty());
    world.later(Duration::seconds(1));
    world.settle().await;
    let noted = [(ActorId::System, "monitoring_live".to_owned())];
    assert_eq!(lapses(&world).await, noted);
    assert_eq!(status(&world), Status::Unmet);
    world.settle().await;
    world.restart().await;
    world.later(Duration::days(1));
    world.settle().await;
    assert_eq!(lapses(&world).await, noted);
}

#[tokio::test]
async fn a_fresh_feed_restores_the_item_and_may_lapse_again() {
    let world = monitored().await;
    for round in 1..=3 {
        world.later(Duration::days(9));
        world.settle().await;
        assert_eq!(lapses(&world).await.len(), round);
        for supplier in [AURORA, BOREAL] {
            let usage = deals::usage(world.now(), "650");
            world.must(Who::Otto, deals::record_usage(supplier, usage)).await;
            world.must(Who::Otto, deals::probe(supplier, world.now())).await;
        }
        assert_eq!(status(&world), Status::Met);
    }
}

#[tokio::test]
async fn a_lapse_that_has_not_come_cannot_be_noted_by_anybody() {
    let world = monitored().await;
    for who in Who::ALL {
        let note = Course::NoteLapse { item: Item::MonitoringLive };
        let answer = world.ask(who, note).await;
        let refused = matches!(answer, Err(Error::Forbidden | Error::NotFound));
        assert!(refused, "{who:?}: {answer:?}");
    }
    world.settle().await;
    assert!(lapses(&world).await.is_empty());
}

#[tokio::test]
async fn an_interruption_is_told_at_once() {
    let world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.settle().await;
    let report = deals::report(deals::INCIDENT, AURORA, world.now() - Duration::hours(1));
    world.must(Who::Otto, report).await;
    world.settle().await;
    let told = world.notices_of(NoticeKind::SlaIncident);
    assert_eq!(told.len(), 1);
    let readers: Vec<_> = told[0].letters.keys().copied().collect();
    assert_eq!(readers, [Who::Paul.id(), Who::Lena.id(), Who::Otto.id()]);
}
