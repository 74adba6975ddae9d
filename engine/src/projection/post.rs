//! Which letters wait for whom, what came of those before, and which are dead.
//!
//! The rule: it follows from how each letter's status changes, so it is the same whether it is kept
//! up to date or built anew. What is settled leaves it, so asking what is to be done costs as much as
//! there is to do and not as much as there ever was.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sixgate_storage::StreamId;
use sixgate_workflows::{
    delivery::plan::HOUR,
    ids::PersonId,
    notice::{Letter, Status},
};

use super::Views;
use crate::subject::{OneDigest, OneNotice, Subject};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Post {
    pub lanes: BTreeMap<PersonId, Lane>,
    /// By Message-ID.
    pub dead: BTreeMap<String, Dead>,
    /// Keys of notices that nobody was there to read.
    pub unaddressed: BTreeSet<String>,
}

/// What goes to one person, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// Not settled, in the order in which they were queued.
    pub open: BTreeSet<(u64, Source)>,
    /// Within the hour before the newest of them.
    pub sent_lately: Vec<DateTime<Utc>>,
    /// Permanent ones in a row.
    pub refusals: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dead {
    pub to: PersonId,
    pub source: Source,
}

/// Where a letter is recorded, by its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "is", content = "key", rename_all = "snake_case")]
pub enum Source {
    Notice(String),
    Digest(String),
}

impl Source {
    pub(crate) fn stream(&self) -> StreamId {
        match self {
            Self::Notice(key) => OneNotice(key.clone()).stream(),
            Self::Digest(key) => OneDigest(key.clone()).stream(),
        }
    }

    /// Of a notice or a digest, by how their keys begin.
    pub fn key(&self) -> &str {
        match self {
            Self::Notice(key) | Self::Digest(key) => key,
        }
    }
}

impl Views {
    pub fn letter(&self, source: &Source, to: PersonId) -> Option<&Letter> {
        match source {
            Source::Notice(key) => {
                let notice = self.notices.find(&OneNotice(key.clone()))?;
                notice.state().as_ref().as_ref()?.letters.get(&to)
            }
            Source::Digest(key) => {
                let digest = self.digests.find(&OneDigest(key.clone()))?;
                let digest = digest.state().as_ref().as_ref()?;
                digest.letter.as_ref().filter(|_| digest.gathered.to == to)
            }
        }
    }

    /// The letters that a stream holds, with whom they are to.
    pub(crate) fn letters_of(&self, stream: &str) -> Option<(Source, Vec<(PersonId, &Letter)>)> {
        if let Some(notice) = self.notices.at(stream).and_then(Option::as_ref) {
            let letters = notice.letters.iter().map(|(to, letter)| (*to, letter)).collect();
            return Some((Source::Notice(notice.subject.key.clone()), letters));
        }
        let digest = self.digests.at(stream).and_then(Option::as_ref)?;
        let letter = digest.letter.iter().map(|letter| (digest.gathered.to, letter)).collect();
        Some((Source::Digest(digest.gathered.key.clone()), letter))
    }
}

impl Post {
    /// `was` is the id of the status before, of a letter that was there before.
    pub(super) fn follow(
        &mut self,
        source: &Source,
        to: PersonId,
        was: Option<&'static str>,
        letter: &Letter,
    ) {
        let status = &letter.status;
        if was == Some(status.id()) {
            return;
        }
        let lane = self.lanes.entry(to).or_default();
        let place = (letter.position, source.clone());
        match status.is_settled() {
            true => lane.open.remove(&place),
            false => lane.open.insert(place),
        };
        match status.is_dead() {
            true => {
                let dead = Dead { to, source: source.clone() };
                self.dead.insert(letter.message_id.clone(), dead);
            }
            false => drop(self.dead.remove(&letter.message_id)),
        }
        match status {
            Status::Sent { .. } => {
                lane.refusals = 0;
                lane.sent_lately.retain(|sent| *sent + HOUR > letter.changed_at);
                lane.sent_lately.push(letter.changed_at);
            }
            Status::Refused { .. } => lane.refusals += 1,
            // Whoever has a dead letter sent again trusts the address again.
            Status::Queued if was == Some("refused") || was == Some("given_up") => {
                lane.refusals = 0;
            }
            Status::Queued
            | Status::Transmitting { .. }
            | Status::Deferred { .. }
            | Status::Unknown { .. }
            | Status::GivenUp { .. }
            | Status::Withdrawn { .. }
            | Status::Bundled { .. }
            | Status::Delivered { .. } => {}
        }
    }
}
