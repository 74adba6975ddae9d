//! What to do now with the letters that wait for one person.
//!
//! The rule, in this order:
//! 1. One thing at a time: while a letter to the person is being transmitted, nothing else is.
//! 2. Order is kept. A letter that failed and waits holds back the later ones, save urgent ones.
//! 3. Quiet hours, the daily digest and the digest window hold letters back, save urgent ones.
//! 4. What then goes goes by itself up to the hourly bound; what is above goes into one digest. With
//!    the hour's letters used up it waits until there is room, save urgent ones, which share one.
//!
//! What was attempted before is never put into a digest, since it may have arrived.

use chrono::{DateTime, Duration, Utc};
use chrono_tz::Tz;

use super::{
    Delivery, Frequency,
    rules::{MailRules, Urgency},
};

/// A letter that waits, or is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub urgency: Urgency,
    pub queued_at: DateTime<Utc>,
    /// `None` while it is being transmitted.
    pub next_attempt: Option<DateTime<Utc>>,
    /// It was never attempted, and a digest can say what it says.
    pub can_be_bundled: bool,
    /// The reader's wishes were kept to before: it is a digest, or it was attempted.
    pub is_released: bool,
}

/// Whom they are for.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub zone: Tz,
    pub delivery: &'a Delivery,
    /// When letters to them were sent within the last hour, in order.
    pub sent_lately: &'a [DateTime<Utc>],
}

/// By their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    Send(usize),
    Bundle(Vec<usize>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub moves: Vec<Move>,
    /// When there will be something else to do, as far as it is a matter of time.
    pub next: Option<DateTime<Utc>>,
}

/// How far back letters count towards the hourly bound.
pub const HOUR: Duration = Duration::hours(1);

/// `letters` in the order in which they were queued.
pub fn plan(
    letters: &[Waiting],
    reader: Reader<'_>,
    rules: &MailRules,
    now: DateTime<Utc>,
) -> Plan {
    if letters.iter().any(|letter| letter.next_attempt.is_none()) {
        return Plan::default();
    }
    let mut held: Vec<DateTime<Utc>> = Vec::new();
    let mut go: Vec<usize> = Vec::new();
    // Until when a letter that failed holds back those behind it.
    let mut blocked: Option<DateTime<Utc>> = None;
    let first_release = first_release(letters, reader, rules);
    for (index, letter) in letters.iter().enumerate() {
        let ready = ready(letter, reader, first_release, blocked, now);
        match ready > now {
            true => held.push(ready),
            false => go.push(index),
        }
        if letter.is_released && ready > now {
            blocked = blocked.max(Some(ready));
        }
    }
    let (moves, room_at) = within_bound(letters, &go, reader, rules, now);
    Plan { moves, next: held.into_iter().chain(room_at).min() }
}

/// When the oldest of the letters that wait to be gathered goes, and with it the others.
fn first_release(
    letters: &[Waiting],
    reader: Reader<'_>,
    rules: &MailRules,
) -> Option<DateTime<Utc>> {
    let window = Duration::minutes(i64::from(rules.digest_window_minutes));
    letters
        .iter()
        .filter(|letter| letter.urgency == Urgency::Normal && !letter.is_released)
        .map(|letter| {
            let release = reader.delivery.frequency.release(letter.queued_at, reader.zone);
            match reader.delivery.frequency {
                Frequency::Immediate if letter.can_be_bundled => release + window,
                Frequency::Immediate | Frequency::Daily { .. } => release,
            }
        })
        .min()
}

fn ready(
    letter: &Waiting,
    reader: Reader<'_>,
    first_release: Option<DateTime<Utc>>,
    blocked: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    let earliest = letter.next_attempt.unwrap_or(now);
    if letter.urgency == Urgency::Urgent {
        return earliest;
    }
    let released = first_release.filter(|_| !letter.is_released);
    let ready = released.into_iter().chain(blocked).fold(earliest, DateTime::max);
    let quiet = reader.delivery.quiet;
    quiet.and_then(|quiet| quiet.end(ready.max(now), reader.zone)).unwrap_or(ready)
}

/// What goes by itself and what goes together, and when there is room for what has to wait.
fn within_bound(
    letters: &[Waiting],
    go: &[usize],
    reader: Reader<'_>,
    rules: &MailRules,
    now: DateTime<Utc>,
) -> (Vec<Move>, Option<DateTime<Utc>>) {
    let lately: Vec<_> = reader.sent_lately.iter().filter(|sent| **sent + HOUR > now).collect();
    let most = usize::try_from(rules.letters_an_hour_max).unwrap_or(usize::MAX);
    let room = most.saturating_sub(lately.len());
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    let gathers = rules.digest_window_minutes > 0
        || matches!(reader.delivery.frequency, Frequency::Daily { .. });
    for index in go {
        let letter = &letters[*index];
        let is_gathered = gathers && letter.urgency == Urgency::Normal;
        match letter.can_be_bundled && (is_gathered || room == 0) {
            true => together.push(*index),
            false => alone.push(*index),
        }
    }
    // One place is for the digest of all that is above.
    let needed = alone.len() + usize::from(!together.is_empty());
    if needed > room && room > 0 {
        let mut too_many = needed + usize::from(together.is_empty()) - room;
        for index in alone.iter().rev().filter(|index| letters[**index].can_be_bundled) {
            if too_many == 0 {
                break;
            }
            together.push(*index);
            too_many -= 1;
        }
        alone.retain(|index| !together.contains(index));
        together.sort_unstable();
    }
    let is_urgent = |index: &usize| letters[*index].urgency == Urgency::Urgent;
    let mut waits = false;
    if room == 0 {
        let before = alone.len() + together.len();
        alone.retain(is_urgent);
        together.retain(is_urgent);
        waits = alone.len() + together.len() < before;
    } else if alone.len() + usize::from(!together.is_empty()) > room {
        // Those that no digest can take wait in their order.
        let fits = room - usize::from(!together.is_empty());
        let mut taken = 0;
        alone.retain(|index| {
            taken += 1;
            taken <= fits || is_urgent(index)
        });
        waits = true;
    }
    let mut moves: Vec<Move> = alone.into_iter().map(Move::Send).collect();
    match together[..] {
        [] => {}
        [only] => moves.push(Move::Send(only)),
        [..] => moves.push(Move::Bundle(together)),
    }
    moves.sort_by_key(Move::first);
    let room_at = lately.first().map(|sent| **sent + HOUR).filter(|_| waits);
    (moves, room_at)
}

impl Move {
    fn first(&self) -> usize {
        match self {
            Self::Send(index) => *index,
            Self::Bundle(indices) => indices.first().copied().unwrap_or(0),
        }
    }
}
