//! Which fields of events are about a person, and whose they are.
//!
//! The rules work on plain values and know nothing of secrecy; whoever stores events seals what is
//! marked here under a key of the person it is about. Destroying that key is what erases somebody:
//! the events stay, and a pseudonym is read in the place of each sealed field.
//!
//! The rule: a field that says who somebody is or how to reach them is marked here. Free texts,
//! such as reasons, are not; whoever writes a name there has put it on record.

use crate::person::MailAddress;

/// Whose a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Of whom or what the event's stream is about: a person, or the contact of a supplier or of a
    /// procurement.
    OfTheStream,
    /// Of the person whose id is at this place in the event.
    OfThePersonAt(&'static str),
}

/// What a field has to look like, also when all that is left of it is a pseudonym.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Words,
    /// As [`MailAddress`] has it.
    Address,
}

/// The marked fields of one kind of event. Places are JSON pointers into its data; every string at
/// or below a place is meant.
#[derive(Debug, PartialEq, Eq)]
pub struct Mark {
    pub kind: &'static str,
    pub whose: Whose,
    pub places: &'static [(&'static str, Form)],
}

const TO: Whose = Whose::OfThePersonAt("/to");

/// A place is for ever, like the kind: a field that moves is marked at its old and its new place.
pub const MARKS: &[Mark] = &[
    Mark {
        kind: "person.registered",
        whose: Whose::OfTheStream,
        places: &[("/name", Form::Words), ("/mail", Form::Address)],
    },
    Mark {
        kind: "person.token_issued",
        whose: Whose::OfTheStream,
        places: &[("/label", Form::Words)],
    },
    Mark {
        kind: "supplier.registered",
        whose: Whose::OfTheStream,
        places: &[("/contact", Form::Words)],
    },
    Mark {
        kind: "needs.brief_recorded",
        whose: Whose::OfTheStream,
        places: &[("/brief/contact", Form::Words)],
    },
    // The letter goes on as a whole; its Message-ID is a hash, and finds it at the relay.
    Mark {
        kind: "notice.queued",
        whose: Whose::OfThePersonAt("/letter/to"),
        places: &[
            ("/letter/address", Form::Address),
            ("/letter/title", Form::Words),
            ("/letter/message", Form::Words),
            ("/letter/body", Form::Words),
        ],
    },
    // Mail servers like to repeat the address.
    Mark { kind: "notice.sent", whose: TO, places: &[("/reply", Form::Words)] },
    Mark { kind: "notice.deferred", whose: TO, places: &[("/why", Form::Words)] },
    Mark { kind: "notice.refused", whose: TO, places: &[("/why", Form::Words)] },
    Mark { kind: "notice.outcome_unknown", whose: TO, places: &[("/why", Form::Words)] },
    Mark { kind: "notice.given_up", whose: TO, places: &[("/why", Form::Words)] },
];

/// Events after which everything that was said before about whom their stream is about is erased.
pub const ERASURES: [&str; 3] =
    ["person.erased", "supplier.contact_erased", "procurement.contact_erased"];

pub fn mark(kind: &str) -> Option<&'static Mark> {
    MARKS.iter().find(|mark| mark.kind == kind)
}

pub fn erases(kind: &str) -> bool {
    ERASURES.contains(&kind)
}

/// What is read instead of an erased field. `tag` tells erased people apart without telling who
/// they were; a few hexadecimal digits of their id do.
pub fn pseudonym(form: Form, tag: &str) -> String {
    match form {
        Form::Words => format!("erased-{tag}"),
        // Names below `.invalid` are reserved and never exist (RFC 2606).
        Form::Address => format!("erased-{tag}@erased.invalid"),
    }
}

/// Whether mail to this address would go to nobody, since it is a pseudonym.
pub fn is_pseudonym(address: &MailAddress) -> bool {
    address.as_str().ends_with("@erased.invalid")
}
