//! Read models: folds of the log that can be thrown away and built again.
//!
//! A projection takes every commit in the order of positions and stops loudly at a gap. It stores
//! its rows and its checkpoint in one file, replaced as a whole, and starts from zero when that
//! file is missing, made by other rules, or does not belong to this log. What it holds is the same
//! either way. It has no side effects and no way to have any.

mod entities;
mod held;
pub mod post;
mod resting;

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use sixgate_storage::{Commit, Position};
use sixgate_workflows::{
    evidence::ContentHash,
    ids::{CommandId, PersonId, ProcurementId},
    procurement,
    recorded::Stamp,
};

pub use self::entities::{Entities, Entity};
use self::post::Post;
pub(crate) use self::resting::RestingViews;
use crate::{
    error::Error,
    ids,
    keys::Keys,
    record::{self, Metadata},
    subject::{
        OneDigest, OneNotice, OnePerson, OneProcurement, OneSupplier, Subject, ThePolicy, ThePrices,
    },
};

/// All read models, moved forward together by one commit at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Views {
    pub position: Position,
    /// Hash of the commit at `position`; what ties a checkpoint to its log.
    pub hash: sixgate_storage::Hash,
    pub procurements: Entities<OneProcurement>,
    pub suppliers: Entities<OneSupplier>,
    pub people: Entities<OnePerson>,
    pub policy: Entities<ThePolicy>,
    pub prices: Entities<ThePrices>,
    pub notices: Entities<OneNotice>,
    pub digests: Entities<OneDigest>,
    /// The letters of notices and digests that wait or are dead.
    pub post: Post,
    /// Where each command went, so that sending it again answers the same.
    pub commands: BTreeMap<CommandId, Position>,
    /// Which procurements refer to a file, so that whoever may read one of them may read it.
    pub files: BTreeMap<ContentHash, BTreeSet<ProcurementId>>,
}

impl Views {
    /// Of the program text that the rows come from; a checkpoint with another is not used. It says
    /// more than the names of their fields: the same events may come to other rows by a new rule.
    pub fn shape() -> ContentHash {
        ids::content_hash(env!("SIXGATE_RULES").as_bytes())
    }

    pub fn apply(&mut self, commit: &Commit, zone: Tz, keys: &Keys) -> Result<(), Error> {
        if commit.position != self.position.next() {
            return Err(Error::Gap { after: self.position.0, found: commit.position.0 });
        }
        let metadata = Metadata::of(commit)?;
        let stream = commit.stream.as_str();
        if stream.starts_with(OneProcurement::PREFIX) {
            let events = record::decoded(commit, &metadata, keys)?;
            self.procurements.apply(commit, metadata.at, &events, zone)?;
            self.note_files(stream, &events);
        } else if stream.starts_with(OneSupplier::PREFIX) {
            let events = record::decoded(commit, &metadata, keys)?;
            self.suppliers.apply(commit, metadata.at, &events, zone)?;
        } else if stream.starts_with(OnePerson::PREFIX) {
            let events = record::decoded(commit, &metadata, keys)?;
            self.people.apply(commit, metadata.at, &events, zone)?;
        } else if stream.starts_with(OneNotice::PREFIX) {
            let events = record::decoded(commit, &metadata, keys)?;
            let at = metadata.at;
            self.apply_post(commit, |views| views.notices.apply(commit, at, &events, zone))?;
        } else if stream.starts_with(OneDigest::PREFIX) {
            let events = record::decoded(commit, &metadata, keys)?;
            let at = metadata.at;
            self.apply_post(commit, |views| views.digests.apply(commit, at, &events, zone))?;
        } else if stream == ThePolicy::PREFIX {
            let events = record::decoded(commit, &metadata, keys)?;
            self.policy.apply(commit, metadata.at, &events, zone)?;
        } else if stream == ThePrices::PREFIX {
            let events = record::decoded(commit, &metadata, keys)?;
            self.prices.apply(commit, metadata.at, &events, zone)?;
        }
        self.commands.insert(metadata.command, commit.position);
        self.position = commit.position;
        self.hash = commit.hash;
        Ok(())
    }

    /// What a commit changes about letters is seen by how each stood before it.
    fn apply_post(
        &mut self,
        commit: &Commit,
        apply: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let stream = commit.stream.as_str();
        let before: BTreeMap<PersonId, &'static str> =
            self.letters_of(stream).map_or_else(BTreeMap::new, |(_, letters)| {
                letters.into_iter().map(|(to, letter)| (to, letter.status.id())).collect()
            });
        apply(self)?;
        let mut post = std::mem::take(&mut self.post);
        if let Some((source, letters)) = self.letters_of(stream) {
            for (to, letter) in letters {
                post.follow(&source, to, before.get(&to).copied(), letter);
            }
        }
        if let Some(notice) = self.notices.at(stream).and_then(Option::as_ref)
            && notice.subject.unaddressed
        {
            post.unaddressed.insert(notice.subject.key.clone());
        }
        self.post = post;
        Ok(())
    }

    fn note_files(&mut self, stream: &str, events: &[(procurement::Event, Stamp)]) {
        let mut files = events.iter().filter_map(|(event, _)| event.file()).peekable();
        if files.peek().is_none() {
            return;
        }
        let id = stream.strip_prefix(OneProcurement::PREFIX);
        let Some(id) = id.and_then(|id| id.parse::<ProcurementId>().ok()) else { return };
        for file in files {
            self.files.entry(file.hash.clone()).or_default().insert(id);
        }
    }
}
