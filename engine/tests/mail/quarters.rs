//! Invitations to the reviews of every quarter of nine years, read by a calendar of another house.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use icalendar::{Calendar, CalendarDateTime, Component, DatePerhapsTime, EventLike};
use sixgate_engine::{
    mail::{Invitation, Method, Recipient, Sender, invitation, message_id},
    preview,
};
use sixgate_workflows::{
    calendar::{Quarter, instant},
    deadline::NoticeKind,
    locale::Locale,
};

fn quarters() -> impl Iterator<Item = Quarter> {
    (2024..=2032).flat_map(|year| (1..=4).map(move |number| Quarter::new(year, number).unwrap()))
}

fn meeting(quarter: Quarter, method: Method) -> Invitation {
    let day = quarter.last_day().and_hms_opt(14, 0, 0).unwrap();
    let start = instant(day, chrono_tz::Tz::Asia__Shanghai);
    Invitation {
        method,
        uid: message_id(&quarter.to_string(), "sixgate"),
        sequence: u32::from(method == Method::Cancel),
        stamp: start - Duration::days(14),
        start,
        end: start + Duration::hours(1),
        organizer: Sender { name: "采购部".into(), address: "gates@buyer.example".into() },
        attendee: Recipient { name: "Li, Lei; \"雷\"".into(), address: "li@buyer.example".into() },
        summary: format!("季度复盘{quarter}: 推理集群, phase 2; \\ 🚀"),
        description: "实际用量与预测、费用与预算；\nSLA record, split: 65/35\n".repeat(20),
        location: Some("3号会议室, 2F; dial 7711".into()),
        url: Some("https://sixgate.buyer.example/procurements/1".into()),
    }
}

fn read(text: &str) -> Calendar {
    text.parse().unwrap_or_else(|error: String| panic!("{error} in {text}"))
}

fn utc(time: Option<DatePerhapsTime>) -> DateTime<Utc> {
    match time {
        Some(DatePerhapsTime::DateTime(CalendarDateTime::Utc(time))) => time,
        other => panic!("{other:?} is not an instant"),
    }
}

#[test]
fn every_quarter_is_one_event_with_its_own_name_and_its_own_time() {
    let mut names = BTreeSet::new();
    for quarter in quarters() {
        for (method, name, status) in
            [(Method::Request, "REQUEST", "CONFIRMED"), (Method::Cancel, "CANCEL", "CANCELLED")]
        {
            let expected = meeting(quarter, method);
            let text = invitation(&expected);
            assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
            let calendar = read(&text);
            assert_eq!(calendar.property_value("METHOD"), Some(name));
            let [event] = &calendar.components[..] else { panic!("not one event in {text}") };
            let event = event.as_event().unwrap();
            assert_eq!(event.get_uid(), Some(expected.uid.as_str()));
            assert_eq!(event.get_sequence(), Some(expected.sequence));
            assert_eq!(event.property_value("STATUS"), Some(status));
            assert_eq!(utc(event.get_start()), expected.start);
            assert_eq!(utc(event.get_end()), expected.end);
            assert_eq!(event.get_timestamp(), Some(expected.stamp));
            assert_eq!(event.get_summary(), Some(expected.summary.as_str()));
            assert_eq!(event.get_description(), Some(expected.description.as_str()));
            assert_eq!(event.get_location(), expected.location.as_deref());
            assert_eq!(event.get_url(), expected.url.as_deref());
            names.insert(expected.uid);
        }
    }
    assert_eq!(names.len(), 36);
}

#[test]
fn an_invitation_its_move_and_its_cancellation_are_the_same_event() {
    for locale in Locale::ALL {
        let events = [
            (NoticeKind::ReviewInvitation, "REQUEST", "2026-03-31T06:00:00Z"),
            (NoticeKind::ReviewMoved, "REQUEST", "2026-03-30T06:00:00Z"),
            (NoticeKind::ReviewCancelled, "CANCEL", "2026-03-31T06:00:00Z"),
        ]
        .map(|(kind, method, start)| {
            let letter = preview(kind, locale).unwrap();
            let calendar = read(&letter.calendar.unwrap());
            assert_eq!(calendar.property_value("METHOD"), Some(method));
            let event = calendar.components[0].as_event().unwrap().clone();
            assert_eq!(utc(event.get_start()), crate::moment(start));
            assert_eq!(event.get_description(), Some(letter.text.as_str()));
            event
        });
        let names: BTreeSet<_> = events.iter().map(|event| event.get_uid().unwrap()).collect();
        assert_eq!(names.len(), 1);
        assert!(events[2].get_sequence() > events[0].get_sequence());
    }
}

#[test]
fn no_other_kind_of_letter_enters_a_calendar() {
    let reviews =
        [NoticeKind::ReviewInvitation, NoticeKind::ReviewMoved, NoticeKind::ReviewCancelled];
    for kind in NoticeKind::ALL {
        let letter = preview(kind, Locale::En).unwrap();
        assert_eq!(letter.calendar.is_some(), reviews.contains(&kind), "{}", kind.id());
    }
}
