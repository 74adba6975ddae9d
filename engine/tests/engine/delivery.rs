//! Wishes of readers: digests, quiet hours, what is muted; and bounds that nobody wished for.

use std::sync::Arc;

use chrono::{Duration, NaiveTime};
use sixgate_engine::mail::Outcome;
use sixgate_workflows::{
    deadline::NoticeKind,
    delivery::{Delivery, Frequency, QuietHours, rules::Urgency},
    ids::IncidentId,
    notice::Status,
    person,
    procurement::Course,
    stage::Stage,
};

use crate::{
    deals,
    mail_failures::unreachable,
    people::Who,
    rigged::Rigged,
    scripted::{Scripted, taken},
    world::{AURORA, World, envelope, header},
};

fn clock(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, "%H:%M").unwrap()
}

fn daily(at: &str) -> Delivery {
    Delivery { frequency: Frequency::Daily { at: clock(at) }, ..Delivery::default() }
}

impl World {
    async fn wish(&self, who: Who, delivery: Delivery) {
        let command = person::Command::SetDelivery { delivery };
        let own = self.viewer(who).actor;
        self.engine.employ(&own, envelope(), who.id(), command).await.unwrap();
    }
}

/// Paul wants his letters at ten, Rita at once.
async fn one_for_ten_o_clock(relay: &Scripted) -> World {
    let mut world = World::filled(Stage::Needs).await;
    world.restart_with(relay.transport()).await;
    world.wish(Who::Paul, daily("10:00")).await;
    world.settle().await;
    world
}

/// Every letter to somebody, by status.
fn fates(world: &World, who: Who) -> Vec<&'static str> {
    let notices = world.notices();
    notices.iter().filter_map(|n| n.letters.get(&who.id())).map(|l| l.status.id()).collect()
}

/// Six incidents at once, which this policy does not take for urgent, for Otto's digest at half past
/// nine: too early for them to break the SLA of the month, which is urgent.
async fn six_for_the_digest(relay: &Scripted) -> World {
    let mut world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.settle().await;
    world.restart_with(relay.transport()).await;
    let urgency = [(NoticeKind::SlaIncident, Urgency::Normal)];
    world.mail_rules(|rules| rules.urgency = urgency.into()).await;
    world.wish(Who::Otto, daily("09:30")).await;
    six_incidents(&world).await;
    world.settle().await;
    world
}

async fn six_incidents(world: &World) {
    for number in 0..6 {
        let incident = IncidentId(uuid::Uuid::from_u128(0x700 + number));
        world.must(Who::Otto, deals::report(incident, AURORA, world.now())).await;
    }
}

/// What became of Otto's letters about the incidents.
fn fates_of_incidents(world: &World) -> Vec<Status> {
    let told = world.notices_of(NoticeKind::SlaIncident);
    told.iter().map(|notice| notice.letters[&Who::Otto.id()].status.clone()).collect()
}

/// What Otto was sent about the incidents.
fn to_otto(relay: &Scripted) -> Vec<String> {
    let offered = relay.offered().into_iter().filter(|(to, _)| *to == Who::Otto.address());
    let is_about_them = |mail: &String| {
        let subject = header(mail, "Subject: ");
        subject.contains("notices in one letter") || subject.contains(" at Aurora")
    };
    offered.map(|(_, mail)| mail).filter(is_about_them).collect()
}

#[tokio::test]
async fn a_daily_digest_is_one_letter_that_names_all_and_each_says_it_was_delivered_in_it() {
    let relay = Scripted::always(taken);
    let mut world = six_for_the_digest(&relay).await;
    assert!(fates_of_incidents(&world).iter().all(|status| *status == Status::Queued));
    assert!(to_otto(&relay).is_empty());
    world.later(Duration::minutes(30));
    world.settle().await;
    let mails = to_otto(&relay);
    assert_eq!(mails.len(), 1);
    assert!(header(&mails[0], "Subject: ").starts_with("6 notices in one letter"), "{}", mails[0]);
    for number in 1..=6 {
        assert!(mails[0].contains(&format!("{number}. ")), "{}", mails[0]);
    }
    let fates = fates_of_incidents(&world);
    assert!(fates.iter().all(|status| status.id() == "delivered"), "{fates:?}");
    assert!(fates.iter().all(|status| status.digest() == fates[0].digest()));
    world.restart_with(relay.transport()).await;
    world.settle().await;
    assert_eq!(to_otto(&relay).len(), 1, "nothing is sent again");
}

#[tokio::test]
async fn a_digest_that_fails_is_sent_again_as_it_was() {
    let relay = Scripted::always(taken);
    let world = six_for_the_digest(&relay).await;
    relay.answers_now(|| Outcome::Retry { why: "451 later".to_owned() });
    world.later(Duration::minutes(30));
    world.settle().await;
    let fates = fates_of_incidents(&world);
    assert!(fates.iter().all(|status| status.id() == "bundled"), "{fates:?}");
    relay.answers_now(taken);
    world.later(Duration::minutes(1));
    world.settle().await;
    let mails = to_otto(&relay);
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[0], mails[1]);
    assert!(fates_of_incidents(&world).iter().all(|status| status.id() == "delivered"));
}

#[tokio::test]
async fn a_digest_of_which_nothing_holds_any_more_is_withdrawn_with_all_that_is_in_it() {
    let relay = Scripted::always(taken);
    let world = six_for_the_digest(&relay).await;
    relay.answers_now(|| Outcome::Retry { why: "451 later".to_owned() });
    world.later(Duration::minutes(30));
    world.settle().await;
    let reason = crate::world::text("no longer needed");
    world.must(Who::Maya, Course::Cancel { reason }).await;
    relay.answers_now(taken);
    world.later(Duration::minutes(1));
    world.settle().await;
    assert_eq!(to_otto(&relay).len(), 1, "only the attempt in vain");
    let fates = fates_of_incidents(&world);
    assert!(fates.iter().all(|status| status.id() == "withdrawn"), "{fates:?}");
}

/// Stops the program after each of its first appends in turn, and goes on from there.
#[tokio::test]
async fn whenever_the_program_stops_while_it_bundles_each_letter_is_told_of_once() {
    for appends in 0..12 {
        let log = Rigged::new();
        let relay = Scripted::always(taken);
        let mut world = World::on(Arc::clone(&log) as _).await;
        world.open(crate::world::CLUSTER).await;
        world.pass_to(Stage::Operation).await;
        world.settle().await;
        world.restart_with(relay.transport()).await;
        let urgency = [(NoticeKind::SlaIncident, Urgency::Normal)];
        world.mail_rules(|rules| rules.urgency = urgency.into()).await;
        world.wish(Who::Otto, daily("09:30")).await;
        six_incidents(&world).await;
        world.settle().await;
        world.later(Duration::minutes(30));
        log.poison_after(appends);
        let broken = world.engine.settle().await.is_err();
        log.heal();
        world.restart_with(relay.transport()).await;
        for _ in 0..3 {
            world.settle().await;
            world.later(Duration::minutes(1));
        }
        let fates = fates_of_incidents(&world);
        assert!(
            fates.iter().all(|status| matches!(status.id(), "delivered" | "sent")),
            "after {appends} appends: {fates:?}"
        );
        let ids: std::collections::BTreeSet<String> =
            to_otto(&relay).iter().map(|mail| header(mail, "Message-ID: ").to_owned()).collect();
        let told =
            fates.iter().filter_map(Status::digest).collect::<std::collections::BTreeSet<_>>();
        let alone = fates.iter().filter(|status| status.id() == "sent").count();
        assert_eq!(ids.len(), told.len() + alone, "after {appends} appends, broken: {broken}");
    }
}

#[tokio::test]
async fn one_letter_for_the_day_goes_by_itself_at_the_reader_s_hour() {
    let relay = Scripted::always(taken);
    let world = one_for_ten_o_clock(&relay).await;
    assert_eq!(relay.addressees(), [Who::Rita.address()]);
    // Ten in the morning of the same day.
    world.at("2026-01-05T02:00:00Z");
    let pass = world.settle().await;
    assert_eq!(pass.sent, 1);
    assert_eq!(relay.addressees(), [Who::Rita.address(), Who::Paul.address()]);
}

#[tokio::test]
async fn quiet_hours_hold_letters_back_save_urgent_ones() {
    let relay = Scripted::always(taken);
    let mut world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.settle().await;
    world.restart_with(relay.transport()).await;
    let quiet = Some(QuietHours::new(clock("00:00"), clock("23:59")).unwrap());
    world.wish(Who::Otto, Delivery { quiet, ..Delivery::default() }).await;
    world.must(Who::Otto, deals::report(deals::INCIDENT, AURORA, world.now())).await;
    world.settle().await;
    let incident = world.notices_of(NoticeKind::SlaIncident).remove(0);
    assert_eq!(incident.letters[&Who::Otto.id()].status.id(), "sent");

    world.later(Duration::days(14));
    world.settle().await;
    let held: Vec<_> = fates(&world, Who::Otto).into_iter().filter(|f| *f == "queued").collect();
    assert!(!held.is_empty(), "weekly figures wait: {:?}", fates(&world, Who::Otto));
}

#[tokio::test]
async fn what_is_muted_is_not_sent_and_says_so() {
    let relay = Scripted::always(taken);
    let mut world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.restart_with(relay.transport()).await;
    let muted = [NoticeKind::WeeklyReconciliation].into();
    world.wish(Who::Otto, Delivery { muted, ..Delivery::default() }).await;
    world.later(Duration::days(8));
    world.settle().await;
    let weekly = world.notices_of(NoticeKind::WeeklyReconciliation).remove(0);
    assert_eq!(weekly.letters[&Who::Otto.id()].status.why(), Some("muted"));
    assert_eq!(weekly.letters[&Who::Fiona.id()].status.id(), "sent");
}

#[tokio::test]
async fn what_is_above_the_hourly_bound_is_bundled_and_nothing_is_lost() {
    let relay = Scripted::always(taken);
    let mut world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    world.restart_with(unreachable().await).await;
    world.mail_rules(|rules| rules.letters_an_hour_max = 2).await;
    world.restart_with(relay.transport()).await;
    six_incidents(&world).await;
    world.settle().await;
    let told = world.notices_of(NoticeKind::SlaIncident);
    assert_eq!(told.len(), 6);
    let offered = relay.offered();
    let to_otto: Vec<_> = offered.iter().filter(|(to, _)| *to == Who::Otto.address()).collect();
    assert!(to_otto.len() <= 2, "{} letters", to_otto.len());
    let (_, digest) = to_otto.last().unwrap();
    assert!(header(digest, "Subject: ").contains("notices in one letter"), "{digest}");
    for notice in &told {
        let status = &notice.letters[&Who::Otto.id()].status;
        assert!(matches!(status.id(), "sent" | "delivered"), "{status:?}");
    }
}
