//! What becomes of a letter at `smtp-sink` of Postfix with each of its faults, and afterwards.

use chrono::Duration;
use sixgate_workflows::stage::Stage;

use crate::{
    mail_failures::relay,
    people::Who,
    sink_process::Sink,
    world::{World, header},
};

/// Fiona's letter is tried while the relay has a fault, and again when that has passed.
async fn through_a_fault(switches: &[&str], fate: &str) {
    let faulty = Sink::start(switches).await;
    let mut world = World::filled(Stage::Budget).await;
    world.restart_with(relay(faulty.port)).await;
    world.settle().await;
    let letter = world.letter_to(Who::Fiona);
    assert_eq!(letter.status.id(), fate, "{switches:?}: {:?}", letter.status);
    if letter.status.is_dead() {
        return;
    }
    let port = faulty.port;
    drop(faulty);
    let well = Sink::start_on(port, &[]).await;
    world.later(Duration::minutes(1));
    world.settle().await;
    let letter = world.letter_to(Who::Fiona);
    assert_eq!((letter.status.id(), letter.attempts), ("sent", 2), "{switches:?}");
    let (_, received) = well.dump("").await;
    assert_eq!(header(&received, "Message-ID: "), format!("<{}>", letter.message_id));
}

#[tokio::test]
async fn a_mailbox_that_is_busy_or_greylists_gets_the_letter_later() {
    through_a_fault(&["-r", "RCPT"], "deferred").await;
    through_a_fault(&["-r", "."], "deferred").await;
}

#[tokio::test]
async fn a_relay_that_drops_before_the_dot_gets_the_letter_again() {
    through_a_fault(&["-q", "DATA"], "deferred").await;
    through_a_fault(&["-q", "MAIL"], "deferred").await;
}

#[tokio::test]
async fn a_relay_that_drops_after_the_dot_leaves_it_unknown_and_gets_it_again() {
    through_a_fault(&["-q", "."], "unknown").await;
}

#[tokio::test]
async fn a_mailbox_that_does_not_exist_makes_the_letter_dead() {
    through_a_fault(&["-f", "RCPT"], "refused").await;
    through_a_fault(&["-f", "."], "refused").await;
}
