//! Several letters at once, each by one engine; dead ones that come back; addresses that take nothing.

use std::sync::Arc;

use chrono::Duration;
use sixgate_engine::mail::Outcome;
use sixgate_workflows::{
    context::Actor,
    deadline::NoticeKind,
    delivery::rules::MailRules,
    ids::ProcurementId,
    notice::{Letter, Status},
    policy,
    stage::Stage,
};
use uuid::Uuid;

use crate::{
    deals,
    people::Who,
    scripted::{Scripted, taken},
    world::{AURORA, World, envelope, header, name},
};

impl World {
    /// Publishes rules of mail that are otherwise than shipped.
    pub(crate) async fn mail_rules(&self, change: impl FnOnce(&mut MailRules)) {
        let ada = self.viewer(Who::Ada);
        let newest = self.engine.policies(&ada).unwrap().pop().unwrap();
        let mut policy = newest.clone();
        policy.version += 1;
        change(&mut policy.mail);
        let command = policy::Command::Publish {
            policy: Box::new(policy),
            reason: name("mail is otherwise"),
        };
        self.engine.govern(&ada, envelope(), command).await.unwrap();
    }

    /// The newest.
    pub(crate) fn letter_to(&self, who: Who) -> Letter {
        let notices = self.notices();
        let letters = notices.iter().filter_map(|notice| notice.letters.get(&who.id()));
        letters.max_by_key(|letter| letter.position).cloned().unwrap()
    }
}

fn no_such_mailbox() -> Outcome {
    Outcome::Refused { why: "550 no such mailbox".to_owned() }
}

async fn served_by(relay: &Scripted, stage: Stage) -> World {
    let mut world = World::filled(stage).await;
    world.restart_with(relay.transport()).await;
    world
}

#[tokio::test]
async fn one_slow_mailbox_keeps_only_its_owner_waiting() {
    let relay = Scripted::always(taken);
    relay.slow_for(&Who::Paul.address());
    let world = served_by(&relay, Stage::Needs).await;
    let engine = Arc::clone(&world.engine);
    let sending = tokio::spawn(async move { engine.settle().await });
    relay.arrived().await;
    let mut moved = world.engine.moved();
    while world.letter_to(Who::Rita).status.id() != "sent" {
        moved.changed().await.unwrap();
    }
    assert_eq!(world.letter_to(Who::Paul).status.id(), "transmitting");
    relay.go_on();
    sending.await.unwrap().unwrap();
    assert_eq!(world.letter_to(Who::Paul).status.id(), "sent");
}

#[tokio::test]
async fn letters_to_one_person_go_in_the_order_in_which_they_were_queued() {
    let relay = Scripted::always(taken);
    let world = served_by(&relay, Stage::Operation).await;
    world.settle().await;
    for day in 1..40 {
        world.later(Duration::days(day));
        world.settle().await;
    }
    for who in Who::ALL {
        let offered = relay.offered();
        let ids: Vec<_> = offered
            .iter()
            .filter(|(to, _)| *to == who.address())
            .map(|(_, mail)| header(mail, "Message-ID: ").to_owned())
            .collect();
        let mut queued: Vec<(u64, String)> = world
            .notices()
            .iter()
            .filter_map(|notice| notice.letters.get(&who.id()))
            .filter(|letter| letter.status.id() == "sent")
            .map(|letter| (letter.position, format!("<{}>", letter.message_id)))
            .collect();
        queued.sort();
        let queued: Vec<_> = queued.into_iter().map(|(_, id)| id).collect();
        assert_eq!(ids, queued, "{who:?}");
    }
}

#[tokio::test]
async fn another_engine_waits_for_the_lease_to_end_and_then_sends_the_same_bytes() {
    let relay = Scripted::always(taken);
    relay.slow_for(&Who::Fiona.address());
    let world = served_by(&relay, Stage::Budget).await;
    let engine = Arc::clone(&world.engine);
    let sending = tokio::spawn(async move { engine.settle().await });
    relay.arrived().await;
    // It never comes back.
    sending.abort();
    assert!(sending.await.unwrap_err().is_cancelled());

    let there = Scripted::always(taken);
    let other = world
        .another_with(|mut parts| {
            parts.settings.instance = "there".to_owned();
            sixgate_engine::Parts { transport: there.transport(), ..parts }
        })
        .await
        .unwrap();
    let until = world.letter_to(Who::Fiona).lease_ends().unwrap();
    let pass = other.settle().await.unwrap();
    assert_eq!((pass.sent, there.offered().len()), (0, 0), "the lease holds");
    assert_eq!(pass.next, Some(until), "and it knows when to look again");
    world.clock.set(until);
    other.settle().await.unwrap();
    let reached = other.views().position;
    world.engine.follow_to(reached).await.unwrap();
    assert_eq!(world.letter_to(Who::Fiona).status.id(), "unknown");
    world.later(Duration::minutes(1));
    other.settle().await.unwrap();
    assert_eq!(there.offered(), relay.offered(), "twice at worst, and as one letter");
}

#[tokio::test]
async fn a_dead_letter_is_seen_and_sent_again_under_its_message_id_by_an_administrator() {
    let relay = Scripted::always(taken);
    relay.first([no_such_mailbox()]);
    let world = served_by(&relay, Stage::Budget).await;
    world.settle().await;
    let ada = world.viewer(Who::Ada);
    let dead = world.engine.mail_room(&ada).unwrap().dead;
    assert_eq!(dead.len(), 1);
    assert_eq!((dead[0].to, dead[0].kind), (Who::Fiona.id(), Some(NoticeKind::SignOffWanted)));
    let id = &dead[0].letter.message_id;

    let fiona = world.viewer(Who::Fiona);
    let refused = world.engine.requeue(&fiona.actor, envelope(), id).await;
    assert!(refused.is_err(), "only administrators");
    let again = envelope();
    let done = world.engine.requeue(&ada.actor, again, id).await.unwrap();
    let repeated = world.engine.requeue(&ada.actor, again, id).await.unwrap();
    assert_eq!((repeated.position, repeated.repeated), (done.position, true));
    world.settle().await;
    let offered = relay.offered();
    assert_eq!(offered.len(), 2);
    assert_eq!(offered[0], offered[1], "the same bytes");
    let repeated = world.engine.requeue(&ada.actor, again, id).await.unwrap();
    assert!(repeated.repeated, "also once it is sent");
    assert!(world.engine.requeue(&ada.actor, envelope(), id).await.is_err(), "it is not dead");
    assert!(world.engine.mail_room(&ada).unwrap().dead.is_empty());
    let nothing = world.engine.requeue(&Actor::system(), envelope(), "nobody@nowhere").await;
    assert!(nothing.is_err());
}

#[tokio::test]
async fn a_letter_that_waited_for_more_than_five_days_is_dead() {
    let relay = Scripted::always(|| Outcome::Misconfigured { why: "535 no".to_owned() });
    relay.probes((0..1_000).map(|_| Outcome::Misconfigured { why: "535 no".to_owned() }));
    let mut world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.settle().await;
    world.restart_with(relay.transport()).await;
    world.must(Who::Otto, deals::report(deals::INCIDENT, AURORA, world.now())).await;
    world.settle().await;
    world.later(Duration::days(5) + Duration::seconds(1));
    // Another engine, whose relay is well, finds them too old.
    world.restart_with(Scripted::always(taken).transport()).await;
    world.settle().await;
    let told = world.notices_of(NoticeKind::SlaIncident);
    let letters: Vec<_> = told.iter().flat_map(|notice| notice.letters.values()).collect();
    assert!(!letters.is_empty());
    assert!(letters.iter().all(|l| matches!(l.status, Status::GivenUp { .. })), "{letters:?}");
}

#[tokio::test]
async fn an_address_that_refuses_three_letters_in_a_row_gets_no_more_until_one_is_sent_again() {
    let relay = Scripted::always(no_such_mailbox);
    let world = served_by(&relay, Stage::Needs).await;
    let room = |world: &World| world.engine.mail_room(&world.viewer(Who::Paul)).unwrap();
    // A reminder every three working days.
    for at in ["2026-01-05T01:00:00Z", "2026-01-08T01:00:00Z", "2026-01-13T01:00:00Z"] {
        assert!(room(&world).stopped.is_empty());
        world.at(at);
        world.settle().await;
    }
    assert_eq!(relay.offered().len(), 6);
    let stopped: Vec<_> = room(&world).stopped.iter().map(|s| (s.person, s.refusals)).collect();
    assert_eq!(stopped.len(), 2);
    assert!(stopped.contains(&(Who::Rita.id(), 3)) && stopped.contains(&(Who::Paul.id(), 3)));

    relay.answers_now(taken);
    world.at("2026-01-16T01:00:00Z");
    world.settle().await;
    assert_eq!(relay.offered().len(), 6, "nothing goes there any more");
    let letter = world.letter_to(Who::Rita);
    assert!(matches!(letter.status, Status::GivenUp { .. }), "{letter:?}");

    world.engine.requeue(&Actor::system(), envelope(), &letter.message_id).await.unwrap();
    world.settle().await;
    assert_eq!(relay.addressees()[6..], [Who::Rita.address()]);
    assert_eq!(room(&world).stopped.len(), 1, "Paul's address is still stopped");
}

#[tokio::test]
async fn a_letter_that_is_of_no_use_any_more_by_the_policy_is_not_sent() {
    let relay = Scripted::always(|| Outcome::Retry { why: "451 later".to_owned() });
    let world = served_by(&relay, Stage::Budget).await;
    world.mail_rules(|rules| rules.useful_hours = [(NoticeKind::SignOffWanted, 1)].into()).await;
    world.settle().await;
    relay.answers_now(taken);
    world.later(Duration::minutes(61));
    world.settle().await;
    assert_eq!(world.letter_to(Who::Fiona).status.why(), Some("no_longer_useful"));
    assert_eq!(relay.offered().len(), 1);
}

#[tokio::test]
async fn a_pass_without_anything_to_send_looks_at_no_settled_letter() {
    let world = World::filled(Stage::Needs).await;
    for number in 1..=6 {
        world.open(ProcurementId(Uuid::from_u128(number))).await;
    }
    world.settle().await;
    assert!(world.engine.views().post.lanes.values().all(|lane| lane.open.is_empty()));
}
