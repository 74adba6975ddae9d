//! One letter in the place of several: what a person's digest names, and its fate.
//!
//! The rule: first every letter that goes into a digest is marked, each in its own notice, and only
//! those that are marked are named. A mark can be made once, so no letter is in two digests; and one
//! that was marked for a digest which does not name it is released and waits again, so none is lost
//! whenever the program stops. The digest has one frozen message, and goes the way of any letter.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Event, Frozen, Letter, Step, letter};
use crate::{context::Context, ids::PersonId, recorded::Stamp, rejection::Rejection};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Command {
    Gather { digest: Gathered, letter: Frozen },
    About { step: Step },
}

/// What a digest is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gathered {
    pub key: String,
    pub to: PersonId,
    /// The keys of the notices that it names.
    pub notices: BTreeSet<String>,
    /// As soon as one of them is.
    pub urgent: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    pub gathered: Gathered,
    pub at: DateTime<Utc>,
    pub letter: Option<Letter>,
}

pub fn decide(
    state: Option<&Digest>,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    match (command, state) {
        (Command::Gather { .. }, Some(_)) => Err(Rejection::AlreadyRegistered),
        (Command::Gather { digest, letter }, None) => {
            Ok(vec![Event::Gathered { digest }, Event::Queued { letter: Box::new(letter) }])
        }
        (Command::About { step }, Some(Digest { gathered, letter: Some(letter), .. })) => {
            letter::decide(letter, gathered.to, step, context).map(|event| vec![event])
        }
        (Command::About { .. }, Some(_) | None) => Err(Rejection::NothingChanges),
    }
}

pub fn evolve(state: &mut Option<Digest>, event: &Event, stamp: Stamp) {
    if let Event::Gathered { digest } = event {
        *state = Some(Digest { gathered: digest.clone(), at: stamp.at, letter: None });
        return;
    }
    let Some(digest) = state else { return };
    letter::evolve(&mut digest.letter, digest.gathered.to, event, stamp);
}
