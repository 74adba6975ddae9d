//! One firing of a deadline, and the mail to each person it concerns, until its fate is known.
//!
//! The stream's name is the deadline's key, and firing expects the stream to be absent: that is
//! what keeps a deadline from firing twice. All its letters are queued in the same commit, so none
//! is lost either. Sending is at least once: a connection lost after the final dot leaves an
//! outcome that nobody can know, which is a state of its own and is sent again under the same
//! Message-ID.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    calendar::working_days::Counted,
    context::Context,
    deadline::NoticeKind,
    ids::{PersonId, ProcurementId},
    person::MailAddress,
    recorded::Stamp,
    rejection::Rejection,
    text::Text,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Command {
    /// Without letters nobody holds a function that should hear of it; the firing is recorded all
    /// the same, so that somebody sees it.
    Fire {
        subject: Subject,
        letters: Vec<Frozen>,
    },
    /// Recorded before anything is transmitted.
    Attempt {
        to: PersonId,
    },
    Settle {
        to: PersonId,
        outcome: Outcome,
    },
    /// What it was about no longer holds.
    Withdraw {
        to: PersonId,
    },
    /// After a restart, an attempt without an outcome.
    FindInterrupted {
        to: PersonId,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    Fired { subject: Subject },
    Queued { letter: Box<Frozen> },
    Attempted { to: PersonId, attempt: u32 },
    Sent { to: PersonId, reply: Text },
    Deferred { to: PersonId, why: Text, retry_at: DateTime<Utc> },
    Refused { to: PersonId, why: Text },
    OutcomeUnknown { to: PersonId, why: Text, retry_at: DateTime<Utc> },
    GivenUp { to: PersonId, why: Text },
    Withdrawn { to: PersonId },
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
}

/// A letter as it was when it was queued: every attempt sends the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    pub to: PersonId,
    pub address: MailAddress,
    pub message_id: String,
    pub title: String,
    /// The whole message, as it goes over the wire.
    pub message: String,
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

/// What a list of letters shows; the message itself stays in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub address: MailAddress,
    pub message_id: String,
    pub title: String,
    pub status: Status,
    pub attempts: u32,
    pub changed_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Status {
    Queued,
    Transmitting,
    Sent { reply: Text },
    Deferred { why: Text, retry_at: DateTime<Utc> },
    Refused { why: Text },
    Unknown { why: Text, retry_at: DateTime<Utc> },
    GivenUp { why: Text },
    Withdrawn,
}

impl Status {
    pub fn id(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Transmitting => "transmitting",
            Self::Sent { .. } => "sent",
            Self::Deferred { .. } => "deferred",
            Self::Refused { .. } => "refused",
            Self::Unknown { .. } => "unknown",
            Self::GivenUp { .. } => "given_up",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Why it is not sent, where there is something to say.
    pub fn why(&self) -> Option<&Text> {
        match self {
            Self::Deferred { why, .. }
            | Self::Refused { why }
            | Self::Unknown { why, .. }
            | Self::GivenUp { why } => Some(why),
            Self::Queued | Self::Transmitting | Self::Sent { .. } | Self::Withdrawn => None,
        }
    }
}

impl Letter {
    /// When it may be tried next; `None` when it is settled or under way.
    pub fn next_attempt(&self) -> Option<DateTime<Utc>> {
        match &self.status {
            Status::Queued => Some(self.changed_at),
            Status::Deferred { retry_at, .. } | Status::Unknown { retry_at, .. } => Some(*retry_at),
            Status::Transmitting
            | Status::Sent { .. }
            | Status::Refused { .. }
            | Status::GivenUp { .. }
            | Status::Withdrawn => None,
        }
    }
}

/// Minutes to wait after each failed attempt; after the last one it is given up (about four days).
const RETRY_MINUTES: [i64; 9] = [1, 5, 15, 60, 240, 720, 1_440, 1_440, 1_440];

fn retry_at(attempts: u32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let index = usize::try_from(attempts.saturating_sub(1)).ok()?;
    RETRY_MINUTES.get(index).map(|minutes| now + Duration::minutes(*minutes))
}

pub fn decide(
    state: Option<&Notice>,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let (to, command) = match command {
        Command::Fire { subject, letters } => {
            return match state {
                Some(_) => Err(Rejection::AlreadyRegistered),
                None => {
                    let queued = letters
                        .into_iter()
                        .map(|letter| Event::Queued { letter: Box::new(letter) });
                    Ok([Event::Fired { subject }].into_iter().chain(queued).collect())
                }
            };
        }
        Command::Attempt { to } => (to, Step::Attempt),
        Command::Withdraw { to } => (to, Step::Withdraw),
        Command::Settle { to, outcome } => (to, Step::Settle(outcome)),
        Command::FindInterrupted { to } => {
            let why = Text::new("the program stopped while the mail was being transmitted")?;
            (to, Step::Settle(Outcome::Unknown { why }))
        }
    };
    let letter = state
        .and_then(|notice| notice.letters.get(&to))
        .ok_or(Rejection::NoSuchPerson { person: to })?;
    let waits = letter.next_attempt().is_some();
    let event = match command {
        Step::Attempt if waits => Event::Attempted { to, attempt: letter.attempts + 1 },
        Step::Withdraw if waits => Event::Withdrawn { to },
        Step::Settle(outcome) if letter.status == Status::Transmitting => {
            settled(to, letter, outcome, context)
        }
        Step::Attempt | Step::Withdraw | Step::Settle(_) => return Err(Rejection::NothingChanges),
    };
    Ok(vec![event])
}

/// What is asked for one letter.
enum Step {
    Attempt,
    Withdraw,
    Settle(Outcome),
}

fn settled(to: PersonId, letter: &Letter, outcome: Outcome, context: &Context) -> Event {
    let next = retry_at(letter.attempts, context.now);
    match (outcome, next) {
        (Outcome::Sent { reply }, _) => Event::Sent { to, reply },
        (Outcome::Refused { why }, _) => Event::Refused { to, why },
        (Outcome::Retry { why }, Some(retry_at)) => Event::Deferred { to, why, retry_at },
        (Outcome::Unknown { why }, Some(retry_at)) => Event::OutcomeUnknown { to, why, retry_at },
        (Outcome::Retry { why } | Outcome::Unknown { why }, None) => Event::GivenUp { to, why },
    }
}

pub fn evolve(state: &mut Option<Notice>, event: &Event, stamp: Stamp) {
    if let Event::Fired { subject } = event {
        *state =
            Some(Notice { subject: subject.clone(), fired_at: stamp.at, letters: BTreeMap::new() });
        return;
    }
    let Some(notice) = state else { return };
    let (to, status) = match event {
        Event::Fired { .. } => return,
        Event::Queued { letter } => {
            let queued = Letter {
                address: letter.address.clone(),
                message_id: letter.message_id.clone(),
                title: letter.title.clone(),
                status: Status::Queued,
                attempts: 0,
                changed_at: stamp.at,
            };
            notice.letters.insert(letter.to, queued);
            return;
        }
        Event::Attempted { to, .. } => (to, Status::Transmitting),
        Event::Sent { to, reply } => (to, Status::Sent { reply: reply.clone() }),
        Event::Deferred { to, why, retry_at } => {
            (to, Status::Deferred { why: why.clone(), retry_at: *retry_at })
        }
        Event::OutcomeUnknown { to, why, retry_at } => {
            (to, Status::Unknown { why: why.clone(), retry_at: *retry_at })
        }
        Event::Refused { to, why } => (to, Status::Refused { why: why.clone() }),
        Event::GivenUp { to, why } => (to, Status::GivenUp { why: why.clone() }),
        Event::Withdrawn { to } => (to, Status::Withdrawn),
    };
    let Some(letter) = notice.letters.get_mut(to) else { return };
    if let Event::Attempted { attempt, .. } = event {
        letter.attempts = *attempt;
    }
    letter.status = status;
    letter.changed_at = stamp.at;
}
