//! The quarterly review as an event in the reader's calendar.
//!
//! The rule: one quarter of one procurement is one event, whatever happens to it: the same UID, a
//! higher SEQUENCE for each change, and CANCEL when it does not take place.

use sixgate_workflows::{
    content::{self, Source},
    deadline::{About, NoticeKind, meeting},
};

use super::page::Page;
use crate::mail::{self, Invitation, Method, Recipient, Sender};

pub(super) fn invitation(
    source: &Source,
    page: &Page,
    organizer: &Sender,
    attendee: &Recipient,
    text: &str,
) -> Option<Invitation> {
    let (start, end) = content::meeting(source)?;
    let About::Quarter(quarter) = source.deadline.about else { return None };
    let is_called_off = source.deadline.kind == NoticeKind::ReviewCancelled;
    let method = if is_called_off { Method::Cancel } else { Method::Request };
    let invitation = NoticeKind::ReviewInvitation.id();
    let key = format!("{}:{invitation}:{quarter}", source.procurement.id);
    Some(Invitation {
        method,
        uid: mail::message_id(&key, "sixgate"),
        sequence: meeting::sequence(source.procurement, source.deadline),
        stamp: source.moment.now,
        start,
        end,
        organizer: organizer.clone(),
        attendee: attendee.clone(),
        summary: page.filled(
            "mail.meeting",
            &[("quarter", &quarter.to_string()), ("title", source.procurement.title.as_str())],
        ),
        description: text.to_owned(),
        location: content::place(source).map(str::to_owned),
        url: page.link.clone(),
    })
}
