//! A walk over consecutive commits, which reads neighbours together instead of looking each one up.
//!
//! The rule: what it answers is what [`Store::commit`] answers, position by position. Where the
//! neighbour isn't where it should be – it is in the tail, or came into sled after the walk began –
//! that is asked instead, and it says what is wrong if something is.

use std::iter::Peekable;

use ::sled::{IVec, Iter};

use super::keys::{self, Key};
use super::store::{Store, Stored, read_error_at};
use crate::{Error, Position, RecordedEvent};

type Entry = ::sled::Result<(IVec, IVec)>;

pub(crate) struct Commits<'store> {
    store: &'store Store,
    next: Position,
    neighbours: Option<Neighbours>,
}

struct Neighbours {
    headers: Iter,
    events: Peekable<Iter>,
}

impl Store {
    /// The commits after a position, each checked against its own hash.
    pub(crate) fn commits_after(&self, position: Position) -> Commits<'_> {
        Commits { store: self, next: position.next(), neighbours: None }
    }

    /// The events of one commit, from entries that begin at or before them.
    pub(crate) fn take_events(
        &self,
        position: Position,
        entries: &mut Peekable<impl Iterator<Item = Entry>>,
    ) -> Result<Vec<RecordedEvent>, Error> {
        let mut events = Vec::new();
        let is_earlier =
            |entry: &Entry| matches!(entry, Ok((key, _)) if key[..] < keys::event(position, 0)[..]);
        while entries.next_if(is_earlier).is_some() {}
        let is_its_own = |entry: &Entry| match entry {
            Ok((key, _)) => keys::parse(key) == Some(Key::Event(position)),
            Err(_) => true,
        };
        while let Some(entry) = entries.next_if(is_its_own) {
            let (key, value) = entry.map_err(|error| read_error_at(position, error))?;
            let due = u32::try_from(events.len()).ok().map(|index| keys::event(position, index));
            if due.as_deref() != Some(&key) {
                let why = format!("event {} is missing", events.len());
                return Err(Error::corrupt(position, why));
            }
            events.push(self.event(position, &value)?);
        }
        Ok(events)
    }
}

impl Commits<'_> {
    /// The next commit. That there is one is for the caller to know.
    pub(crate) fn step(&mut self) -> Result<Stored, Error> {
        let position = self.next;
        let stored = match self.beside()? {
            Some(stored) => stored,
            None => {
                self.neighbours = None;
                self.store.commit(position)?
            }
        };
        self.next = position.next();
        Ok(stored)
    }

    fn beside(&mut self) -> Result<Option<Stored>, Error> {
        let position = self.next;
        if self.store.tail.holds(position) {
            return Ok(None);
        }
        let database = &self.store.database;
        let neighbours = self.neighbours.get_or_insert_with(|| Neighbours {
            headers: database.range(keys::commit(position)..keys::after_commits().to_vec()),
            events: database
                .range(keys::event(position, 0)..keys::after_events().to_vec())
                .peekable(),
        });
        let Some(entry) = neighbours.headers.next() else { return Ok(None) };
        let (key, value) = entry.map_err(|error| read_error_at(position, error))?;
        if key != keys::commit(position) {
            return Ok(None);
        }
        let header = self.store.header(position, &value)?;
        let events = self.store.take_events(position, &mut neighbours.events)?;
        self.store.checked(position, &header, events).map(Some)
    }
}
