//! One firing of a deadline, and the mail to each person it concerns, until its fate is known.
//!
//! The stream's name is the deadline's key, and firing expects the stream to be absent: that is
//! what keeps a deadline from firing twice. All its letters are queued in the same commit, so none
//! is lost either. Sending is at least once: a connection lost after the final dot leaves an
//! outcome that nobody can know, which is a state of its own and is sent again under the same
//! Message-ID.

pub mod digest;
pub mod letter;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use self::digest::Gathered;
pub use self::letter::{Because, Frozen, Lease, Letter, Status, Step};
use crate::{
    calendar::working_days::Counted,
    context::Context,
    deadline::NoticeKind,
    ids::{PersonId, ProcurementId},
    recorded::Stamp,
    rejection::Rejection,
    text::Text,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Command {
    /// Without letters there is nobody at all to tell; the firing is recorded all the same, so that
    /// somebody sees it.
    Fire {
        subject: Subject,
        letters: Vec<Frozen>,
    },
    About {
        to: PersonId,
        step: Step,
    },
}

/// Of a notice, and of a digest that takes the place of several (`digest`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    Fired {
        subject: Subject,
    },
    /// Begins a digest instead of a notice.
    Gathered {
        digest: Gathered,
    },
    Queued {
        letter: Box<Frozen>,
    },
    Attempted {
        to: PersonId,
        attempt: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lease: Option<Lease>,
    },
    Sent {
        to: PersonId,
        reply: Text,
    },
    Deferred {
        to: PersonId,
        why: Text,
        retry_at: DateTime<Utc>,
    },
    Refused {
        to: PersonId,
        why: Text,
    },
    OutcomeUnknown {
        to: PersonId,
        why: Text,
        retry_at: DateTime<Utc>,
    },
    GivenUp {
        to: PersonId,
        why: Text,
    },
    Withdrawn {
        to: PersonId,
        #[serde(default, skip_serializing_if = "Because::is_usual")]
        because: Because,
    },
    Requeued {
        to: PersonId,
    },
    /// From now on it is the digest that is sent.
    Bundled {
        to: PersonId,
        digest: String,
    },
    Released {
        to: PersonId,
    },
    DeliveredInDigest {
        to: PersonId,
        digest: String,
    },
}

impl Event {
    /// Whose letter it begins or is about.
    fn concerns(&self) -> Option<PersonId> {
        match self {
            Self::Queued { letter } => Some(letter.to),
            Self::Fired { .. }
            | Self::Gathered { .. }
            | Self::Attempted { .. }
            | Self::Sent { .. }
            | Self::Deferred { .. }
            | Self::Refused { .. }
            | Self::OutcomeUnknown { .. }
            | Self::GivenUp { .. }
            | Self::Withdrawn { .. }
            | Self::Requeued { .. }
            | Self::Bundled { .. }
            | Self::Released { .. }
            | Self::DeliveredInDigest { .. } => self.to(),
        }
    }

    /// Whose letter it is about; `None` of what begins a stream or a letter.
    fn to(&self) -> Option<PersonId> {
        match self {
            Self::Fired { .. } | Self::Gathered { .. } | Self::Queued { .. } => None,
            Self::Attempted { to, .. }
            | Self::Sent { to, .. }
            | Self::Deferred { to, .. }
            | Self::Refused { to, .. }
            | Self::OutcomeUnknown { to, .. }
            | Self::GivenUp { to, .. }
            | Self::Withdrawn { to, .. }
            | Self::Requeued { to }
            | Self::Bundled { to, .. }
            | Self::Released { to }
            | Self::DeliveredInDigest { to, .. } => Some(*to),
        }
    }
}

/// What a notice is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub key: String,
    pub kind: NoticeKind,
    pub procurement: ProcurementId,
    pub due: DateTime<Utc>,
    /// By which holidays it was due, where working days were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
    /// Nobody held a function that should hear of it; administrators, if any, were told so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unaddressed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    Sent { reply: Text },
    Retry { why: Text },
    Refused { why: Text },
    Unknown { why: Text },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub subject: Subject,
    pub fired_at: DateTime<Utc>,
    pub letters: BTreeMap<PersonId, Letter>,
}

pub fn decide(
    state: Option<&Notice>,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::Fire { subject, letters } => match state {
            Some(_) => Err(Rejection::AlreadyRegistered),
            None => {
                let queued =
                    letters.into_iter().map(|letter| Event::Queued { letter: Box::new(letter) });
                Ok([Event::Fired { subject }].into_iter().chain(queued).collect())
            }
        },
        Command::About { to, step } => {
            let letter = state
                .and_then(|notice| notice.letters.get(&to))
                .ok_or(Rejection::NoSuchPerson { person: to })?;
            letter::decide(letter, to, step, context).map(|event| vec![event])
        }
    }
}

pub fn evolve(state: &mut Option<Notice>, event: &Event, stamp: Stamp) {
    if let Event::Fired { subject } = event {
        *state =
            Some(Notice { subject: subject.clone(), fired_at: stamp.at, letters: BTreeMap::new() });
        return;
    }
    let Some(notice) = state else { return };
    let Some(of) = event.concerns() else { return };
    let mut letter = notice.letters.remove(&of);
    letter::evolve(&mut letter, of, event, stamp);
    notice.letters.extend(letter.map(|letter| (of, letter)));
}
