//! Read models: folds of the log that can be thrown away and built again.
//!
//! A projection takes every commit in the order of positions and stops loudly at a gap. It stores
//! its rows and its checkpoint in one file, replaced as a whole, and starts from zero when that
//! file is missing, of another shape, or does not belong to this log. What it holds is the same
//! either way. It has no side effects and no way to have any.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use sixgate_storage::{Commit, Position, Revision};
use sixgate_workflows::{
    evidence::ContentHash,
    ids::{CommandId, ProcurementId},
    procurement,
};

use crate::{
    error::Error,
    ids,
    keys::Keys,
    record::{self, Metadata},
    subject::{OneNotice, OnePerson, OneProcurement, OneSupplier, Subject, ThePolicy, ThePrices},
};

/// The present state of every stream of one kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Entities<S: Subject> {
    rows: BTreeMap<String, Entity<S>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Entity<S: Subject> {
    pub revision: Revision,
    pub position: Position,
    pub state: Arc<S::State>,
}

impl<S: Subject> Clone for Entity<S> {
    fn clone(&self) -> Self {
        Self { revision: self.revision, position: self.position, state: Arc::clone(&self.state) }
    }
}

impl<S: Subject> Clone for Entities<S> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone() }
    }
}

impl<S: Subject> PartialEq for Entity<S> {
    fn eq(&self, other: &Self) -> bool {
        self.revision == other.revision
            && self.position == other.position
            && self.state == other.state
    }
}

impl<S: Subject> PartialEq for Entities<S> {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

impl<S: Subject> Default for Entities<S> {
    fn default() -> Self {
        Self { rows: BTreeMap::new() }
    }
}

impl<S: Subject> Default for Entity<S> {
    fn default() -> Self {
        Self {
            revision: Revision::ZERO,
            position: Position::ZERO,
            state: Arc::new(S::State::default()),
        }
    }
}

impl<S: Subject> Entity<S> {
    /// The next commit of its stream, and no other.
    pub fn apply(&mut self, commit: &Commit, zone: Tz, keys: &Keys) -> Result<(), Error> {
        if commit.revision != self.revision.next() {
            return Err(Error::Gap { after: self.position.0, found: commit.position.0 });
        }
        let state = Arc::make_mut(&mut self.state);
        for (event, stamp) in record::decoded::<S::Event>(commit, keys)? {
            S::evolve(state, &event, stamp, zone);
        }
        self.revision = commit.revision;
        self.position = commit.position;
        Ok(())
    }
}

impl<S: Subject> Entities<S> {
    pub fn find(&self, subject: &S) -> Option<&Entity<S>> {
        self.rows.get(subject.stream().as_str())
    }

    pub fn states(&self) -> impl DoubleEndedIterator<Item = &S::State> {
        self.rows.values().map(|entity| &*entity.state)
    }

    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Entity<S>> {
        self.rows.values()
    }

    fn apply(&mut self, commit: &Commit, zone: Tz, keys: &Keys) -> Result<(), Error> {
        self.rows.entry(commit.stream.as_str().to_owned()).or_default().apply(commit, zone, keys)
    }
}

/// Where each command went, so that sending it again answers the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    pub input: ContentHash,
    pub stream: String,
    pub position: Position,
    pub revision: Revision,
}

/// All read models, moved forward together by one commit at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    pub commands: BTreeMap<CommandId, Carried>,
    /// Which procurements refer to a file, so that whoever may read one of them may read it.
    pub files: BTreeMap<ContentHash, BTreeSet<ProcurementId>>,
}

impl Views {
    /// The names and kinds of everything that the rows are made of, one a line. A test compares it
    /// with rows as they are written, so it cannot be forgotten when they change.
    const OUTLINE: &str = include_str!("projection/outline.txt");

    /// Of the present shape of the rows; a checkpoint with another is not used.
    pub fn shape() -> ContentHash {
        ids::content_hash(Self::OUTLINE.as_bytes())
    }

    pub fn apply(&mut self, commit: &Commit, zone: Tz, keys: &Keys) -> Result<(), Error> {
        if commit.position != self.position.next() {
            return Err(Error::Gap { after: self.position.0, found: commit.position.0 });
        }
        let stream = commit.stream.as_str();
        if stream.starts_with(OneProcurement::PREFIX) {
            self.procurements.apply(commit, zone, keys)?;
            self.note_files(commit, keys)?;
        } else if stream.starts_with(OneSupplier::PREFIX) {
            self.suppliers.apply(commit, zone, keys)?;
        } else if stream.starts_with(OnePerson::PREFIX) {
            self.people.apply(commit, zone, keys)?;
        } else if stream.starts_with(OneNotice::PREFIX) {
            self.notices.apply(commit, zone, keys)?;
        } else if stream == ThePolicy::PREFIX {
            self.policy.apply(commit, zone, keys)?;
        } else if stream == ThePrices::PREFIX {
            self.prices.apply(commit, zone, keys)?;
        }
        let metadata = Metadata::of(commit)?;
        let carried = Carried {
            input: metadata.input,
            stream: stream.to_owned(),
            position: commit.position,
            revision: commit.revision,
        };
        self.commands.insert(metadata.command, carried);
        self.position = commit.position;
        self.hash = commit.hash;
        Ok(())
    }

    fn note_files(&mut self, commit: &Commit, keys: &Keys) -> Result<(), Error> {
        let id = commit.stream.as_str().strip_prefix(OneProcurement::PREFIX);
        let Some(id) = id.and_then(|id| id.parse::<ProcurementId>().ok()) else { return Ok(()) };
        for (event, _) in record::decoded::<procurement::Event>(commit, keys)? {
            if let Some(file) = event.file() {
                self.files.entry(file.hash.clone()).or_default().insert(id);
            }
        }
        Ok(())
    }
}
