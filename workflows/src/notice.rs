//! One mail to one person, from the moment it is queued until its fate is known.
//!
//! The stream's name is the notice's key, and queueing expects the stream to be absent: that is
//! what keeps a mail from being queued twice. Sending is at least once: a connection lost after the
//! final dot leaves an outcome that nobody can know, which is a state of its own and is sent again
//! under the same Message-ID.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    context::Context,
    deadline::NoticeKind,
    ids::{PersonId, ProcurementId},
    person::MailAddress,
    recorded::Stamp,
    rejection::Rejection,
    text::Text,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Queue {
        notice: Box<Queued>,
    },
    /// Nobody holds the function that should hear of it; recorded so that somebody sees it.
    QueueForNobody {
        subject: Subject,
    },
    /// Recorded before anything is transmitted.
    Attempt,
    Settle {
        outcome: Outcome,
    },
    /// What it was about no longer holds.
    Withdraw,
    /// After a restart, an attempt without an outcome.
    FindInterrupted,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    Queued { notice: Box<Queued> },
    Unaddressed { subject: Subject },
    Attempted { attempt: u32 },
    Sent { reply: Text },
    Deferred { why: Text, retry_at: DateTime<Utc> },
    Refused { why: Text },
    OutcomeUnknown { why: Text, retry_at: DateTime<Utc> },
    GivenUp { why: Text },
    Withdrawn {},
}

/// What a notice is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub key: String,
    pub kind: NoticeKind,
    pub procurement: ProcurementId,
    pub due: DateTime<Utc>,
}

/// Frozen when it is queued: every attempt sends the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    pub subject: Subject,
    pub to: PersonId,
    pub address: MailAddress,
    pub message_id: String,
    pub title: String,
    /// The whole message, as it goes over the wire.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sent { reply: Text },
    Retry { why: Text },
    Refused { why: Text },
    Unknown { why: Text },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub subject: Subject,
    pub letter: Option<Letter>,
    pub status: Status,
    pub attempts: u32,
    pub queued_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

/// What a list of notices shows; the message itself stays in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub to: PersonId,
    pub address: MailAddress,
    pub message_id: String,
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Status {
    Queued,
    Unaddressed,
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
            Self::Unaddressed => "unaddressed",
            Self::Transmitting => "transmitting",
            Self::Sent { .. } => "sent",
            Self::Deferred { .. } => "deferred",
            Self::Refused { .. } => "refused",
            Self::Unknown { .. } => "unknown",
            Self::GivenUp { .. } => "given_up",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// When it may be tried next; `None` when it is settled or under way.
    pub fn next_attempt(&self, queued_at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self {
            Self::Queued => Some(queued_at),
            Self::Deferred { retry_at, .. } | Self::Unknown { retry_at, .. } => Some(*retry_at),
            Self::Unaddressed
            | Self::Transmitting
            | Self::Sent { .. }
            | Self::Refused { .. }
            | Self::GivenUp { .. }
            | Self::Withdrawn => None,
        }
    }
}

/// Minutes to wait after each failed attempt; after the last one it is given up (about three days).
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
    let one = |event| Ok(vec![event]);
    let Some(notice) = state else {
        return match command {
            Command::Queue { notice } => one(Event::Queued { notice }),
            Command::QueueForNobody { subject } => one(Event::Unaddressed { subject }),
            Command::Attempt
            | Command::Settle { .. }
            | Command::Withdraw
            | Command::FindInterrupted => Err(Rejection::NothingChanges),
        };
    };
    let waits = notice.status.next_attempt(notice.queued_at).is_some();
    let transmitting = notice.status == Status::Transmitting;
    match command {
        Command::Queue { .. } | Command::QueueForNobody { .. } => Err(Rejection::AlreadyRegistered),
        Command::Attempt if waits => one(Event::Attempted { attempt: notice.attempts + 1 }),
        Command::Withdraw if waits => one(Event::Withdrawn {}),
        Command::Settle { outcome } if transmitting => one(settled(notice, outcome, context)),
        Command::FindInterrupted if transmitting => {
            let why = Text::new("the program stopped while the mail was being transmitted")?;
            one(settled(notice, Outcome::Unknown { why }, context))
        }
        Command::Attempt
        | Command::Withdraw
        | Command::Settle { .. }
        | Command::FindInterrupted => Err(Rejection::NothingChanges),
    }
}

fn settled(notice: &Notice, outcome: Outcome, context: &Context) -> Event {
    let next = retry_at(notice.attempts, context.now);
    match (outcome, next) {
        (Outcome::Sent { reply }, _) => Event::Sent { reply },
        (Outcome::Refused { why }, _) => Event::Refused { why },
        (Outcome::Retry { why }, Some(retry_at)) => Event::Deferred { why, retry_at },
        (Outcome::Unknown { why }, Some(retry_at)) => Event::OutcomeUnknown { why, retry_at },
        (Outcome::Retry { why } | Outcome::Unknown { why }, None) => Event::GivenUp { why },
    }
}

pub fn evolve(state: &mut Option<Notice>, event: &Event, stamp: Stamp) {
    match event {
        Event::Queued { notice } => {
            *state = Some(Notice {
                subject: notice.subject.clone(),
                letter: Some(Letter {
                    to: notice.to,
                    address: notice.address.clone(),
                    message_id: notice.message_id.clone(),
                    title: notice.title.clone(),
                }),
                status: Status::Queued,
                attempts: 0,
                queued_at: stamp.at,
                settled_at: None,
            });
            return;
        }
        Event::Unaddressed { subject } => {
            *state = Some(Notice {
                subject: subject.clone(),
                letter: None,
                status: Status::Unaddressed,
                attempts: 0,
                queued_at: stamp.at,
                settled_at: Some(stamp.at),
            });
            return;
        }
        Event::Attempted { .. }
        | Event::Sent { .. }
        | Event::Deferred { .. }
        | Event::Refused { .. }
        | Event::OutcomeUnknown { .. }
        | Event::GivenUp { .. }
        | Event::Withdrawn {} => {}
    }
    let Some(notice) = state else { return };
    let (status, is_settled) = match event {
        Event::Queued { .. } | Event::Unaddressed { .. } => return,
        Event::Attempted { attempt } => {
            notice.attempts = *attempt;
            (Status::Transmitting, false)
        }
        Event::Sent { reply } => (Status::Sent { reply: reply.clone() }, true),
        Event::Deferred { why, retry_at } => {
            (Status::Deferred { why: why.clone(), retry_at: *retry_at }, false)
        }
        Event::OutcomeUnknown { why, retry_at } => {
            (Status::Unknown { why: why.clone(), retry_at: *retry_at }, false)
        }
        Event::Refused { why } => (Status::Refused { why: why.clone() }, true),
        Event::GivenUp { why } => (Status::GivenUp { why: why.clone() }, true),
        Event::Withdrawn {} => (Status::Withdrawn, true),
    };
    notice.status = status;
    notice.settled_at = is_settled.then_some(stamp.at);
}
