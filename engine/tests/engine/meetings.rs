//! The review in people's calendars: invited to, called off, and never twice.

use std::collections::BTreeSet;

use icalendar::{Calendar, Component, Event, EventLike};
use mail_parser::{MessageParser, MimeHeaders};
use sixgate_workflows::{
    deadline::NoticeKind,
    operation,
    procurement::{Command, Course},
    stage::Stage,
};

use crate::{
    deals::{self, plan_reviews, schedule_review},
    people::Who,
    world::{World, text, to},
};

const MEMBERS: [Who; 5] = [Who::Fiona, Who::Maya, Who::Otto, Who::Paul, Who::Rita];

/// Two weeks before the last day of the quarter, when the invitations have just gone out.
async fn invited() -> (World, Vec<(String, Calendar)>) {
    let world = running().await;
    world.at("2026-03-17T00:59:59Z");
    world.settle().await;
    assert!(world.notices_of(NoticeKind::ReviewInvitation).is_empty());
    world.empty_mail_folder();
    world.at("2026-03-17T01:00:00Z");
    world.settle().await;
    let invitations = calendars(&world);
    (world, invitations)
}

/// In operation, with reviews planned and none held.
async fn running() -> World {
    let world = World::opened().await;
    world.pass_to(Stage::Operation).await;
    for (who, command) in deals::operation(world.now()) {
        let review = matches!(command, Command::Operation(operation::Command::RecordReview { .. }));
        if !review {
            world.must(who, command).await;
        }
    }
    world
}

/// What came for whose calendar, with the method that the mail itself names.
fn calendars(world: &World) -> Vec<(String, Calendar)> {
    let mut found = Vec::new();
    for mail in world.mails() {
        let message = MessageParser::default().parse(mail.as_bytes()).unwrap();
        let is_calendar =
            |kind: &mail_parser::ContentType| kind.subtype().is_some_and(|sub| sub == "calendar");
        let parts = message.parts.iter();
        for part in parts.filter(|part| part.content_type().is_some_and(is_calendar)) {
            let calendar: Calendar = part.text_contents().unwrap().parse().unwrap();
            let method = part.content_type().unwrap().attribute("method");
            assert_eq!(method, calendar.property_value("METHOD"));
            found.push((to(&mail), calendar));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

fn event(calendar: &Calendar) -> &Event {
    let [event] = &calendar.components[..] else { panic!("not one event") };
    event.as_event().unwrap()
}

#[tokio::test]
async fn whoever_reviews_is_invited_to_one_event_at_the_end_of_the_quarter() {
    let (_world, invitations) = invited().await;
    let addressees: Vec<_> = invitations.iter().map(|(address, _)| address.as_str()).collect();
    assert_eq!(addressees, MEMBERS.map(Who::address));
    let mut names = BTreeSet::new();
    for (address, calendar) in &invitations {
        assert_eq!(calendar.property_value("METHOD"), Some("REQUEST"));
        let event = event(calendar);
        assert_eq!(event.property_value("DTSTART"), Some("20260331T060000Z"));
        assert_eq!(event.property_value("DTEND"), Some("20260331T070000Z"));
        assert_eq!(event.get_sequence(), Some(0));
        let attendee =
            event.multi_properties().get("ATTENDEE").map(|all| all[0].value().to_owned());
        assert_eq!(attendee, Some(format!("mailto:{address}")));
        names.insert(event.get_uid().unwrap().to_owned());
    }
    assert_eq!(names.len(), 1, "one meeting, whoever comes");
}

#[tokio::test]
async fn a_procurement_that_ends_calls_its_meeting_off_once() {
    let (world, invitations) = invited().await;
    world.empty_mail_folder();
    world.at("2026-03-20T02:00:00Z");
    world.must(Who::Maya, Course::Cancel { reason: text("no longer needed") }).await;
    world.settle().await;
    let cancellations = calendars(&world);
    let addressees: Vec<_> = cancellations.iter().map(|(address, _)| address.as_str()).collect();
    assert_eq!(addressees, MEMBERS.map(Who::address));
    for ((_, before), (_, after)) in invitations.iter().zip(&cancellations) {
        assert_eq!(after.property_value("METHOD"), Some("CANCEL"));
        let (before, after) = (event(before), event(after));
        assert_eq!(after.property_value("STATUS"), Some("CANCELLED"));
        assert_eq!(before.get_uid(), after.get_uid());
        assert!(before.get_sequence() < after.get_sequence());
    }
    world.empty_mail_folder();
    world.at("2026-03-21T02:00:00Z");
    world.settle().await;
    assert!(world.mails().is_empty());
}

#[tokio::test]
async fn another_time_and_place_change_the_event_in_every_calendar() {
    let (world, invitations) = invited().await;
    world.empty_mail_folder();
    world.at("2026-03-18T02:00:00Z");
    world.must(Who::Otto, schedule_review("2026-Q1", "2026-03-27T02:00:00Z", "Room 3")).await;
    world.settle().await;
    let changes = calendars(&world);
    assert_eq!(changes.len(), MEMBERS.len());
    for ((_, before), (_, after)) in invitations.iter().zip(&changes) {
        assert_eq!(after.property_value("METHOD"), Some("REQUEST"));
        let (before, after) = (event(before), event(after));
        assert_eq!(after.property_value("DTSTART"), Some("20260327T020000Z"));
        assert_eq!(after.get_location(), Some("Room 3"));
        assert_eq!(before.get_uid(), after.get_uid());
        assert_eq!(after.get_sequence(), Some(1));
    }
}

#[tokio::test]
async fn reviews_planned_to_begin_later_call_off_the_meeting_before() {
    let (world, _invitations) = invited().await;
    world.empty_mail_folder();
    world.at("2026-03-20T02:00:00Z");
    world.must(Who::Otto, plan_reviews("2026-Q2")).await;
    world.settle().await;
    assert_eq!(calendars(&world).len(), MEMBERS.len());
    assert_eq!(world.notices_of(NoticeKind::ReviewCancelled).len(), 1);
}

#[tokio::test]
async fn nobody_hears_of_the_end_of_a_meeting_that_they_were_not_invited_to() {
    let world = running().await;
    world.settle().await;
    world.empty_mail_folder();
    world.at("2026-03-10T02:00:00Z");
    world.must(Who::Maya, Course::Cancel { reason: text("no longer needed") }).await;
    world.settle().await;
    assert!(calendars(&world).is_empty());
    assert!(world.notices_of(NoticeKind::ReviewCancelled).is_empty());
}
