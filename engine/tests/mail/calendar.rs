//! The invitation, line by line.

use crate::moment;
use sixgate_engine::mail::{Invitation, Method, Recipient, Sender, invitation};

fn review() -> Invitation {
    Invitation {
        method: Method::Request,
        uid: "review-17@procurement.example".into(),
        sequence: 2,
        stamp: moment("2027-03-01T00:00:00Z"),
        start: moment("2027-03-31T14:00:00+08:00"),
        end: moment("2027-03-31T15:30:00+08:00"),
        organizer: Sender { name: "采购部".into(), address: "gates@procurement.example".into() },
        attendee: Recipient { name: "Li; \"Lei\"".into(), address: "li@buyer.example".into() },
        summary: "Review, contract C-17".into(),
        description: "First\nSecond".into(),
        location: None,
        url: None,
    }
}

fn unfolded(text: &str) -> Vec<String> {
    text.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
}

#[test]
fn an_invitation_has_exactly_these_lines() {
    let expected = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//sixgate//workflow//EN",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        "UID:review-17@procurement.example",
        "SEQUENCE:2",
        "DTSTAMP:20270301T000000Z",
        "DTSTART:20270331T060000Z",
        "DTEND:20270331T073000Z",
        "ORGANIZER;CN=\"采购部\":mailto:gates@procurement.example",
        "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;\
         CN=\"Li; 'Lei'\":mailto:li@buyer.example",
        "SUMMARY:Review\\, contract C-17",
        "DESCRIPTION:First\\nSecond",
        "STATUS:CONFIRMED",
        "END:VEVENT",
        "END:VCALENDAR",
    ];
    assert_eq!(unfolded(&invitation(&review())), expected);
}

#[test]
fn words_cannot_start_a_line_of_their_own() {
    let attack = "a\r\nMETHOD:CANCEL\rX:1\nY:2\u{b}\u{85}\0 \\;,b";
    let invited = invitation(&Invitation {
        method: Method::Request,
        uid: attack.into(),
        organizer: Sender { name: attack.into(), address: attack.into() },
        attendee: Recipient { name: attack.into(), address: attack.into() },
        summary: attack.into(),
        description: attack.into(),
        ..review()
    });
    let lines = unfolded(&invited);
    assert_eq!(lines.len(), unfolded(&invitation(&review())).len());
    assert!(lines.contains(&"SUMMARY:a\\nMETHOD:CANCEL\\nX:1\\nY:2 \\\\\\;\\,b".to_owned()));
    assert!(!invited.replace("\r\n", "").chars().any(char::is_control));
}

#[test]
fn no_line_exceeds_75_octets_or_cuts_a_character() {
    for offset in 0..4 {
        let description = format!("{}{}", "x".repeat(offset), "评审🚀".repeat(100));
        let text = invitation(&Invitation { description: description.clone(), ..review() });
        assert!(text.split("\r\n").all(|line| line.len() <= 75));
        assert!(unfolded(&text).contains(&format!("DESCRIPTION:{description}")));
    }
}

#[test]
fn an_event_that_does_not_last_has_no_end() {
    let text = invitation(&Invitation { end: review().start, ..review() });
    assert!(!text.contains("DTEND"));
}
