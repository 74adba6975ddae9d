//! A relay that is away or set up wrongly: letters wait untouched, and it is asked now and then
//! whether it is back.

use chrono::Duration;
use sixgate_engine::{RelayState, mail::Outcome};
use sixgate_workflows::{ids::ProcurementId, notice::Status, stage::Stage};
use uuid::Uuid;

use crate::{
    people::Who,
    scripted::{Scripted, away, taken},
    world::World,
};

/// Four letters to four people at one gate.
async fn many_letters(relay: &Scripted) -> World {
    let mut world = World::filled(Stage::Negotiation).await;
    world.restart_with(relay.transport()).await;
    world
}

fn wrong() -> Outcome {
    Outcome::Misconfigured { why: "535 wrong password".to_owned() }
}

#[tokio::test]
async fn a_relay_that_is_set_up_wrongly_is_left_alone_at_once_and_shown_to_administrators() {
    let relay = Scripted::always(wrong);
    let world = many_letters(&relay).await;
    world.settle().await;
    let tried = relay.offered().len();
    assert_eq!(tried, 4, "those that were under way at once");
    let waiting = world.letters();
    world.later(Duration::seconds(30));
    world.settle().await;
    assert_eq!((world.letters(), relay.offered().len()), (waiting, tried), "nothing is attempted");
    let room = world.engine.mail_room(&world.viewer(Who::Ada)).unwrap();
    let RelayState::Misconfigured { why, .. } = &room.relay else { panic!("{room:?}") };
    assert_eq!(why, "535 wrong password");
    assert_eq!(room.waiting, world.letters().len());
    assert!(world.engine.mail_room(&world.viewer(Who::Rita)).is_err(), "not everybody's business");
}

#[tokio::test]
async fn a_relay_that_comes_back_is_found_by_a_probe_and_gets_every_letter() {
    let relay = Scripted::always(wrong);
    let world = many_letters(&relay).await;
    let pass = world.settle().await;
    let tried = relay.offered().len();
    assert_eq!(pass.next, Some(world.now() + Duration::minutes(1)), "the time of the probe");
    relay.answers_now(taken);
    relay.probes([away(), wrong()]);
    for (minutes, probed) in [(1, 1), (2, 2)] {
        world.later(Duration::minutes(minutes));
        world.settle().await;
        world.settle().await;
        assert_eq!((relay.probed(), relay.offered().len()), (probed, tried), "once each time");
    }
    world.later(Duration::minutes(4));
    world.settle().await;
    assert_eq!(relay.probed(), 3);
    assert!(world.letters().iter().all(|l| matches!(l.status, Status::Sent { .. })));
    assert_eq!(world.engine.relay(), RelayState::Well);
}

#[tokio::test]
async fn a_relay_that_is_away_is_left_alone_after_five_letters_in_a_row() {
    let relay = Scripted::always(away);
    relay.probes((0..20).map(|_| away()));
    let mut world = World::filled(Stage::Needs).await;
    world.restart_with(relay.transport()).await;
    for number in 1..=3 {
        world.open(ProcurementId(Uuid::from_u128(number))).await;
    }
    // Rita's and Paul's letter are tried together, again and again.
    for _ in 0..12 {
        world.settle().await;
        world.later(Duration::minutes(1));
    }
    assert!(matches!(world.engine.relay(), RelayState::Away { .. }));
    assert_eq!(relay.offered().len(), 6, "the sixth was under way beside the fifth");
    assert!(relay.probed() >= 1);
}
