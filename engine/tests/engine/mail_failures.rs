//! A relay that cannot be reached: letters wait, with times for the next attempts.

use std::time::Duration as StdDuration;

use chrono::Duration;
use sixgate_engine::mail::{Deadlines, Outcome, Security, Smtp, SmtpSettings, Transport};
use sixgate_workflows::{
    context::Actor,
    deadline::NoticeKind,
    notice::{Because, Letter, Status},
    person,
    stage::Stage,
};
use tokio::net::TcpListener;

use crate::{
    deals,
    people::Who,
    scripted::Scripted,
    world::{AURORA, World, envelope},
};

pub(crate) fn relay(port: u16) -> Transport {
    let ample = StdDuration::from_secs(20);
    let deadlines = Deadlines { connect: ample, session: ample, envelope: ample, content: ample };
    let settings = SmtpSettings {
        host: "127.0.0.1".to_owned(),
        port,
        security: Security::None,
        user: None,
        password: None,
        hello_name: Some("client.example".to_owned()),
        certificate_authority_file: None,
        deadlines,
    };
    Transport::Smtp(Smtp::new(settings).unwrap())
}

/// A relay on a port where nobody listens any more.
pub(crate) async fn unreachable() -> Transport {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    relay(listener.local_addr().unwrap().port())
}

impl World {
    pub(crate) fn letters(&self) -> Vec<Letter> {
        self.engine.letters()
    }
}

/// A world whose two letters could not be handed over.
async fn deferred() -> World {
    let mut world = World::filled(Stage::Needs).await;
    world.restart_with(unreachable().await).await;
    world.settle().await;
    world
}

#[tokio::test]
async fn a_letter_that_cannot_be_handed_over_waits_a_minute() {
    let world = deferred().await;
    let letters = world.letters();
    assert_eq!(letters.len(), 2);
    for letter in letters {
        let Status::Deferred { why, retry_at } = &letter.status else {
            panic!("{letter:?}");
        };
        assert!(why.as_str().starts_with("opening the connection"), "{why}");
        let wait = *retry_at - world.now();
        assert!(Duration::seconds(48) <= wait && wait <= Duration::minutes(1), "{wait}");
        assert_eq!(letter.attempts, 1);
    }
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (0, 0));
    let first = world.letters().iter().filter_map(Letter::next_attempt).min();
    assert_eq!(pass.next, first);
}

#[tokio::test]
async fn attempts_grow_rarer_and_are_given_up_after_four_days() {
    let mut world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.settle().await;
    // The relay itself is well, or no letter would be attempted.
    let busy = Scripted::always(|| Outcome::Retry { why: "451 mailbox busy".to_owned() });
    world.restart_with(busy.transport()).await;
    let started = world.now();
    // Stands for as long as the operation goes on.
    world.must(Who::Otto, deals::report(deals::INCIDENT, AURORA, started)).await;
    world.settle().await;
    let letters = |world: &World| -> Vec<Letter> {
        let told = world.notices_of(NoticeKind::SlaIncident);
        told.iter().flat_map(|notice| notice.letters.values().cloned()).collect()
    };
    for (attempts, minutes) in (1..).zip([1, 5, 15, 60, 240, 720, 1_440, 1_440, 1_440]) {
        world.later(Duration::seconds(48 * minutes - 1));
        world.settle().await;
        assert!(letters(&world).iter().all(|letter| letter.attempts == attempts));
        world.later(Duration::seconds(12 * minutes + 1));
        world.settle().await;
        assert!(letters(&world).iter().all(|letter| letter.attempts == attempts + 1));
    }
    assert!(world.now() - started > Duration::days(3));
    assert_eq!(letters(&world).len(), 3);
    for letter in letters(&world) {
        assert!(matches!(letter.status, Status::GivenUp { .. }), "{letter:?}");
    }
    let refused = letters(&world);
    world.later(Duration::days(5));
    world.settle().await;
    assert_eq!(letters(&world), refused);
}

#[tokio::test]
async fn a_letter_that_waited_is_sent_once_the_relay_is_there() {
    let mut world = deferred().await;
    world.restart().await;
    assert_eq!(world.settle().await.sent, 0, "its time has not come");
    world.later(Duration::minutes(1));
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (0, 2));
    assert_eq!(world.addressees(), [Who::Paul.address(), Who::Rita.address()]);
    for letter in world.letters() {
        assert!(matches!(letter.status, Status::Sent { .. }), "{letter:?}");
        assert_eq!(letter.attempts, 2);
    }
    world.later(Duration::minutes(10));
    assert_eq!(world.settle().await.sent, 0);
}

#[tokio::test]
async fn a_letter_that_waits_is_replaced_by_the_reminder_after_the_next() {
    let mut world = deferred().await;
    world.at("2026-01-08T01:00:00Z");
    world.settle().await;
    world.restart().await;
    world.at("2026-01-13T01:00:00Z");
    world.settle().await;
    let statuses: Vec<_> = world.letters().iter().map(|l| l.status.id().to_owned()).collect();
    let count = |id| statuses.iter().filter(|status| *status == id).count();
    assert_eq!((count("sent"), count("withdrawn")), (2, 4), "{statuses:?}");
    assert_eq!(world.mails().len(), 2, "nobody gets three letters about one thing at once");
}

#[tokio::test]
async fn a_letter_that_waits_for_somebody_who_has_left_meanwhile_is_withdrawn() {
    let mut world = deferred().await;
    world.restart_with(world.folder()).await;
    let system = Actor::system();
    let paul = Who::Paul.id();
    world.engine.employ(&system, envelope(), paul, person::Command::Deactivate).await.unwrap();
    world.later(Duration::minutes(1));
    world.settle().await;
    assert_eq!(world.addressees(), [Who::Rita.address()]);
    let left = Status::Withdrawn { because: Because::ReaderLeft };
    assert!(world.letters().iter().any(|letter| letter.status == left));
}
