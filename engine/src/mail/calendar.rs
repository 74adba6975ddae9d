//! One meeting as an iCalendar REQUEST, or the CANCEL of it (RFC 5545, 5546).
//!
//! The rule: whatever the words contain, they cannot start a content line of their own, and no
//! line exceeds 75 octets or is cut inside a character. Times are UTC, so no zone table is needed.
//! It deliberately writes no recurrence: quarter ends moved to working days are no recurrence rule,
//! each is its own event with its own UID.

use super::{Recipient, Sender};
use chrono::{DateTime, Utc};

const LINE_OCTETS_MAX: usize = 75;

/// What becomes of the meeting in the reader's calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// It is entered, or takes the place of what has the same `uid` and a lower `sequence`.
    Request,
    /// It is taken out.
    Cancel,
}

/// What the invitation says. A change of plan keeps the `uid` and raises the `sequence`, and so does
/// calling it off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub method: Method,
    pub uid: String,
    pub sequence: u32,
    pub stamp: DateTime<Utc>,
    pub start: DateTime<Utc>,
    pub end: DateTime<Utc>,
    pub organizer: Sender,
    pub attendee: Recipient,
    pub summary: String,
    pub description: String,
    pub location: Option<String>,
    /// The page that tells more.
    pub url: Option<String>,
}

/// The calendar text, with CR LF line ends, ready for [`Letter::calendar`](super::Letter).
pub fn invitation(invitation: &Invitation) -> String {
    let Invitation { uid, sequence, organizer, attendee, .. } = invitation;
    let (method, status) = match invitation.method {
        Method::Request => ("REQUEST", "CONFIRMED"),
        Method::Cancel => ("CANCEL", "CANCELLED"),
    };
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//sixgate//workflow//EN".to_owned(),
        format!("METHOD:{method}"),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}", escaped(uid)),
        format!("SEQUENCE:{sequence}"),
        format!("DTSTAMP:{}", utc(invitation.stamp)),
        format!("DTSTART:{}", utc(invitation.start)),
    ];
    // RFC 5545 wants an end after the start; an event without an end is a moment.
    if invitation.end > invitation.start {
        lines.push(format!("DTEND:{}", utc(invitation.end)));
    }
    lines.extend([
        format!(
            "ORGANIZER{}:mailto:{}",
            common_name(&organizer.name),
            uri_text(&organizer.address)
        ),
        format!(
            "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE{}:mailto:{}",
            common_name(&attendee.name),
            uri_text(&attendee.address)
        ),
        format!("SUMMARY:{}", escaped(&invitation.summary)),
        format!("DESCRIPTION:{}", escaped(&invitation.description)),
    ]);
    lines.extend(invitation.location.as_ref().map(|place| format!("LOCATION:{}", escaped(place))));
    lines.extend(invitation.url.as_ref().map(|url| format!("URL:{}", uri_text(url))));
    lines.extend([format!("STATUS:{status}"), "END:VEVENT".to_owned(), "END:VCALENDAR".to_owned()]);
    lines.iter().map(|line| folded(line)).collect()
}

fn utc(moment: DateTime<Utc>) -> String {
    moment.format("%Y%m%dT%H%M%SZ").to_string()
}

/// A TEXT value: line breaks of every kind become `\n`, other control characters go away.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.replace("\r\n", "\n").chars() {
        match character {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => value.push_str("\\n"),
            '\\' | ';' | ',' => value.extend(['\\', character]),
            _ if character.is_control() && character != '\t' => {}
            _ => value.push(character),
        }
    }
    value
}

/// A CN parameter, always quoted. A quotation mark cannot be escaped there, so it changes.
fn common_name(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    match name.trim() {
        "" => String::new(),
        name => format!(";CN=\"{}\"", name.replace('"', "'")),
    }
}

fn uri_text(address: &str) -> String {
    address.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect()
}

/// The content line with its line ends. A continuation begins with a space, which counts.
fn folded(line: &str) -> String {
    let mut text = String::with_capacity(line.len() + line.len() / 60 + 2);
    let mut octets = 0;
    for character in line.chars() {
        if octets + character.len_utf8() > LINE_OCTETS_MAX {
            text.push_str("\r\n ");
            octets = 1;
        }
        text.push(character);
        octets += character.len_utf8();
    }
    text.push_str("\r\n");
    text
}
