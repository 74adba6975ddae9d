//! One letter to one person, from the queue until its fate is known.
//!
//! ```text
//! queued ──► transmitting ──► sent
//!   │  ▲       │   │   └────► unknown ──► transmitting …
//!   │  │       │   └────────► deferred ─► transmitting …   at most nine times, at most five days
//!   │  └───────┼── requeued ◄── refused, given up          the dead ones
//!   ├──────────┴──► withdrawn
//!   └──► bundled ──► delivered in the digest
//! ```
//!
//! The rule: an attempt is recorded before anything is transmitted, together with a lease, so that of
//! several engines on one log only one transmits. A lease that ran out does not make the letter
//! untouched again: nobody can know what became of the attempt, so its outcome is unknown, and the
//! same bytes go out again under the same Message-ID.
//!
//! It deliberately knows nothing of preferences and of relays: when a letter may go is asked of
//! [`crate::delivery`], and whether anybody would take it, of the runtime.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use super::{Event, Outcome};
use crate::{
    context::Context, ids::PersonId, person::MailAddress, recorded::Stamp, rejection::Rejection,
    text::Text,
};

/// A letter as it was when it was queued: every attempt sends the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    pub to: PersonId,
    pub address: MailAddress,
    pub message_id: String,
    pub title: String,
    /// The whole message, as it goes over the wire.
    pub message: String,
    /// What a digest says of it; without, it always goes by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// Who transmits, and until when nobody else may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The name of the engine; it keeps it when it is started again.
    pub by: String,
    pub until: DateTime<Utc>,
}

/// Why a letter was not needed any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// What it was about.
    #[default]
    NoLongerHolds,
    ReaderErased,
    /// Who was to read it is not active any more.
    ReaderLeft,
    /// By the reader's own preference.
    Muted,
    /// It was of use up to a time by the policy, and that has passed.
    NoLongerUseful,
}

impl Because {
    pub fn id(self) -> &'static str {
        match self {
            Self::NoLongerHolds => "no_longer_holds",
            Self::ReaderErased => "reader_erased",
            Self::ReaderLeft => "reader_left",
            Self::Muted => "muted",
            Self::NoLongerUseful => "no_longer_useful",
        }
    }

    pub(super) fn is_usual(&self) -> bool {
        *self == Self::NoLongerHolds
    }
}

/// What a list of letters shows; the message itself stays in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub address: MailAddress,
    pub message_id: String,
    pub title: String,
    /// Its place among the letters of one person.
    pub position: u64,
    /// When it was queued first or, if it was dead in between, again.
    pub queued_at: DateTime<Utc>,
    pub can_be_bundled: bool,
    pub status: Status,
    pub attempts: u32,
    /// Those before it was queued again do not count towards giving up.
    pub attempts_forgiven: u32,
    pub changed_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Status {
    Queued,
    /// The lease is absent of attempts that were recorded before there were leases.
    Transmitting {
        lease: Option<Lease>,
    },
    Sent {
        reply: Text,
    },
    Deferred {
        why: Text,
        retry_at: DateTime<Utc>,
    },
    Refused {
        why: Text,
    },
    Unknown {
        why: Text,
        retry_at: DateTime<Utc>,
    },
    GivenUp {
        why: Text,
    },
    Withdrawn {
        because: Because,
    },
    /// It goes out within this digest.
    Bundled {
        digest: String,
    },
    Delivered {
        digest: String,
    },
}

impl Status {
    pub fn id(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Transmitting { .. } => "transmitting",
            Self::Sent { .. } => "sent",
            Self::Deferred { .. } => "deferred",
            Self::Refused { .. } => "refused",
            Self::Unknown { .. } => "unknown",
            Self::GivenUp { .. } => "given_up",
            Self::Withdrawn { .. } => "withdrawn",
            Self::Bundled { .. } => "bundled",
            Self::Delivered { .. } => "delivered",
        }
    }

    /// Why it is not sent, where there is something to say.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Deferred { why, .. }
            | Self::Refused { why }
            | Self::Unknown { why, .. }
            | Self::GivenUp { why } => Some(why.as_str()),
            Self::Withdrawn { because } => Some(because.id()),
            Self::Queued
            | Self::Transmitting { .. }
            | Self::Sent { .. }
            | Self::Bundled { .. }
            | Self::Delivered { .. } => None,
        }
    }

    /// The digest that it is or was part of.
    pub fn digest(&self) -> Option<&str> {
        match self {
            Self::Bundled { digest } | Self::Delivered { digest } => Some(digest),
            Self::Queued
            | Self::Transmitting { .. }
            | Self::Sent { .. }
            | Self::Deferred { .. }
            | Self::Refused { .. }
            | Self::Unknown { .. }
            | Self::GivenUp { .. }
            | Self::Withdrawn { .. } => None,
        }
    }

    /// Nothing will be done about it any more, unless an administrator asks for it.
    pub fn is_settled(&self) -> bool {
        match self {
            Self::Sent { .. }
            | Self::Refused { .. }
            | Self::GivenUp { .. }
            | Self::Withdrawn { .. }
            | Self::Delivered { .. } => true,
            Self::Queued
            | Self::Transmitting { .. }
            | Self::Deferred { .. }
            | Self::Unknown { .. }
            | Self::Bundled { .. } => false,
        }
    }

    /// It was not delivered and waits for an administrator.
    pub fn is_dead(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::GivenUp { .. })
    }
}

impl Letter {
    /// However often it was tried by then (RFC 5321 asks for four to five days).
    pub const AGE_MAX: Duration = Duration::days(5);

    fn new(letter: &Frozen, stamp: Stamp) -> Self {
        Self {
            address: letter.address.clone(),
            message_id: letter.message_id.clone(),
            title: letter.title.clone(),
            position: stamp.position,
            queued_at: stamp.at,
            can_be_bundled: letter.body.is_some(),
            status: Status::Queued,
            attempts: 0,
            attempts_forgiven: 0,
            changed_at: stamp.at,
        }
    }

    /// When it may be tried next; `None` when it is settled, under way or part of a digest.
    pub fn next_attempt(&self) -> Option<DateTime<Utc>> {
        match &self.status {
            Status::Queued => Some(self.changed_at),
            Status::Deferred { retry_at, .. } | Status::Unknown { retry_at, .. } => Some(*retry_at),
            Status::Transmitting { .. }
            | Status::Sent { .. }
            | Status::Refused { .. }
            | Status::GivenUp { .. }
            | Status::Withdrawn { .. }
            | Status::Bundled { .. }
            | Status::Delivered { .. } => None,
        }
    }

    /// Since it was queued, nobody can have received any of it.
    pub fn is_fresh(&self) -> bool {
        self.status == Status::Queued && self.attempts == 0
    }

    pub fn is_too_old(&self, now: DateTime<Utc>) -> bool {
        now - self.queued_at > Self::AGE_MAX
    }

    /// When an attempt of somebody who never came back is taken over.
    pub fn lease_ends(&self) -> Option<DateTime<Utc>> {
        match &self.status {
            Status::Transmitting { lease } => {
                Some(lease.as_ref().map_or(self.changed_at, |lease| lease.until))
            }
            Status::Queued
            | Status::Sent { .. }
            | Status::Deferred { .. }
            | Status::Refused { .. }
            | Status::Unknown { .. }
            | Status::GivenUp { .. }
            | Status::Withdrawn { .. }
            | Status::Bundled { .. }
            | Status::Delivered { .. } => None,
        }
    }

    /// When it is tried again after one more failure, if at all.
    fn retry_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let failures = self.attempts.saturating_sub(self.attempts_forgiven);
        let index = usize::try_from(failures.saturating_sub(1)).ok()?;
        let wait = Duration::minutes(*RETRY_MINUTES.get(index)?);
        Some(now + wait - wait * permille_earlier(&self.message_id, self.attempts) / 1_000)
    }
}

/// Minutes to wait after each failed attempt, at most; after the last one it is given up.
const RETRY_MINUTES: [i64; 9] = [1, 5, 15, 60, 240, 720, 1_440, 1_440, 1_440];
/// Up to a fifth earlier, so that what failed together does not come back together.
const JITTER_PERMILLE: u64 = 201;

/// The same for the same letter and attempt on every machine: FNV-1a, whose low bits are folded.
fn permille_earlier(message_id: &str, attempt: u32) -> i32 {
    let bytes = message_id.bytes().chain(attempt.to_be_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    i32::try_from((hash ^ (hash >> 32)) % JITTER_PERMILLE).unwrap_or(0)
}

/// What is asked for one letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Step {
    /// Recorded before anything is transmitted.
    Attempt {
        lease: Lease,
    },
    /// By whoever made this attempt; somebody may have taken it over since.
    Settle {
        attempt: u32,
        outcome: Outcome,
    },
    Withdraw {
        because: Because,
    },
    /// An attempt without an outcome: its lease has run out, or it is of this engine's earlier life.
    FindInterrupted {
        attempt: u32,
        earlier_life_of: Option<String>,
    },
    /// It waits no longer: it is too old, or its address takes nothing.
    GiveUp {
        why: Text,
    },
    /// Dead, it gets another life under the same Message-ID, since nobody ever took it.
    Requeue,
    Bundle {
        digest: String,
    },
    /// The digest does not name it after all.
    Release,
    NoteDelivery,
}

pub(crate) fn decide(
    letter: &Letter,
    to: PersonId,
    step: Step,
    context: &Context,
) -> Result<Event, Rejection> {
    let waits = letter.next_attempt().is_some();
    match (step, &letter.status) {
        (Step::Attempt { lease }, _) if waits => {
            Ok(Event::Attempted { to, attempt: letter.attempts + 1, lease: Some(lease) })
        }
        (Step::Withdraw { because }, status)
            if waits || matches!(status, Status::Bundled { .. }) =>
        {
            Ok(Event::Withdrawn { to, because })
        }
        (Step::GiveUp { why }, _) if waits => Ok(Event::GivenUp { to, why }),
        (Step::Bundle { digest }, _) if letter.is_fresh() && letter.can_be_bundled => {
            Ok(Event::Bundled { to, digest })
        }
        (Step::Release, Status::Bundled { .. }) => Ok(Event::Released { to }),
        (Step::NoteDelivery, Status::Bundled { digest }) => {
            Ok(Event::DeliveredInDigest { to, digest: digest.clone() })
        }
        (Step::Requeue, status) if status.is_dead() => Ok(Event::Requeued { to }),
        (Step::Settle { attempt, outcome }, Status::Transmitting { .. })
            if attempt == letter.attempts =>
        {
            Ok(settled(to, letter, outcome, context))
        }
        (Step::FindInterrupted { attempt, earlier_life_of }, Status::Transmitting { lease })
            if attempt == letter.attempts =>
        {
            let is_over = lease.as_ref().is_none_or(|lease| {
                lease.until <= context.now || earlier_life_of.as_ref() == Some(&lease.by)
            });
            if !is_over {
                return Err(Rejection::NothingChanges);
            }
            let why = Text::new("the program stopped while the mail was being transmitted")?;
            Ok(settled(to, letter, Outcome::Unknown { why }, context))
        }
        (
            Step::Attempt { .. }
            | Step::Settle { .. }
            | Step::Withdraw { .. }
            | Step::FindInterrupted { .. }
            | Step::GiveUp { .. }
            | Step::Requeue
            | Step::Bundle { .. }
            | Step::Release
            | Step::NoteDelivery,
            _,
        ) => Err(Rejection::NothingChanges),
    }
}

fn settled(to: PersonId, letter: &Letter, outcome: Outcome, context: &Context) -> Event {
    let next = letter.retry_at(context.now);
    match (outcome, next) {
        (Outcome::Sent { reply }, _) => Event::Sent { to, reply },
        (Outcome::Refused { why }, _) => Event::Refused { to, why },
        (Outcome::Retry { why }, Some(retry_at)) => Event::Deferred { to, why, retry_at },
        (Outcome::Unknown { why }, Some(retry_at)) => Event::OutcomeUnknown { to, why, retry_at },
        (Outcome::Retry { why } | Outcome::Unknown { why }, None) => Event::GivenUp { to, why },
    }
}

/// What an event makes of the letter of one person, in the stream that it is in.
pub(crate) fn evolve(letter: &mut Option<Letter>, of: PersonId, event: &Event, stamp: Stamp) {
    if let Event::Queued { letter: frozen } = event
        && frozen.to == of
    {
        *letter = Some(Letter::new(frozen, stamp));
        return;
    }
    let (Some(letter), Some(to)) = (letter, event.to()) else { return };
    if to != of {
        return;
    }
    letter.status = match event {
        Event::Fired { .. } | Event::Gathered { .. } | Event::Queued { .. } => return,
        Event::Attempted { attempt, lease, .. } => {
            letter.attempts = *attempt;
            Status::Transmitting { lease: lease.clone() }
        }
        Event::Sent { reply, .. } => Status::Sent { reply: reply.clone() },
        Event::Deferred { why, retry_at, .. } => {
            Status::Deferred { why: why.clone(), retry_at: *retry_at }
        }
        Event::OutcomeUnknown { why, retry_at, .. } => {
            Status::Unknown { why: why.clone(), retry_at: *retry_at }
        }
        Event::Refused { why, .. } => Status::Refused { why: why.clone() },
        Event::GivenUp { why, .. } => Status::GivenUp { why: why.clone() },
        Event::Withdrawn { because, .. } => Status::Withdrawn { because: *because },
        Event::Bundled { digest, .. } => Status::Bundled { digest: digest.clone() },
        Event::DeliveredInDigest { digest, .. } => Status::Delivered { digest: digest.clone() },
        Event::Released { .. } => Status::Queued,
        Event::Requeued { .. } => {
            letter.queued_at = stamp.at;
            letter.attempts_forgiven = letter.attempts;
            Status::Queued
        }
    };
    letter.changed_at = stamp.at;
}
