//! The present state of every stream of one kind, and stations on the way to it.
//!
//! A long stream keeps its state every so often, so that a question about its past folds a few
//! hundred commits and not all of them. Almost no stream is so long, and those have no stations.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sixgate_storage::{Commit, Position, Revision};
use sixgate_workflows::recorded::Stamp;

use super::held::Held;
use crate::{error::Error, subject::Subject};

/// A stream's state is kept after every so many of its commits.
pub(crate) const STATION_EVERY: u64 = 256;

#[derive(Debug)]
pub struct Entities<S: Subject> {
    pub(super) rows: BTreeMap<String, Row<S>>,
}

/// A stream as it is, and as it was at its stations.
#[derive(Debug)]
pub(super) struct Row<S: Subject> {
    pub(super) now: Entity<S>,
    pub(super) stations: Vec<Entity<S>>,
}

/// The state of one stream after one of its commits.
#[derive(Debug)]
pub struct Entity<S: Subject> {
    pub revision: Revision,
    pub position: Position,
    pub(super) state: Held<S::State>,
    /// When that commit was decided.
    pub(super) at: DateTime<Utc>,
    /// The latest such time of any commit up to there; clocks also go backward.
    pub(super) latest: DateTime<Utc>,
}

impl<S: Subject> Clone for Entity<S> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), ..*self }
    }
}

impl<S: Subject> Clone for Row<S> {
    fn clone(&self) -> Self {
        Self { now: self.now.clone(), stations: self.stations.clone() }
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
            && self.at == other.at
            && self.latest == other.latest
            && self.state() == other.state()
    }
}

impl<S: Subject> PartialEq for Row<S> {
    fn eq(&self, other: &Self) -> bool {
        self.now == other.now && self.stations == other.stations
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

impl<S: Subject> Default for Row<S> {
    fn default() -> Self {
        Self { now: Entity::default(), stations: Vec::new() }
    }
}

impl<S: Subject> Default for Entity<S> {
    fn default() -> Self {
        Self {
            revision: Revision::ZERO,
            position: Position::ZERO,
            state: Held::awake(Arc::default()),
            at: DateTime::UNIX_EPOCH,
            latest: DateTime::UNIX_EPOCH,
        }
    }
}

impl<S: Subject> Entity<S> {
    /// The next commit of its stream, and no other.
    pub(crate) fn apply(
        &mut self,
        commit: &Commit,
        at: DateTime<Utc>,
        events: &[(S::Event, Stamp)],
        zone: Tz,
    ) -> Result<(), Error> {
        if commit.revision != self.revision.next() {
            return Err(Error::Gap { after: self.position.0, found: commit.position.0 });
        }
        let state = self.state.get_mut();
        for (event, stamp) in events {
            S::evolve(state, event, *stamp, zone);
        }
        self.revision = commit.revision;
        self.position = commit.position;
        self.at = at;
        self.latest = self.latest.max(at);
        Ok(())
    }

    pub fn state(&self) -> &Arc<S::State> {
        self.state.get()
    }

    /// When its newest commit was decided.
    pub(crate) fn at(&self) -> DateTime<Utc> {
        self.at
    }
}

impl<S: Subject> Row<S> {
    fn apply(
        &mut self,
        commit: &Commit,
        at: DateTime<Utc>,
        events: &[(S::Event, Stamp)],
        zone: Tz,
    ) -> Result<(), Error> {
        self.now.apply(commit, at, events, zone)?;
        if self.now.revision.0.is_multiple_of(STATION_EVERY) {
            self.stations.push(self.now.clone());
        }
        Ok(())
    }
}

impl<S: Subject> Entities<S> {
    pub fn find(&self, subject: &S) -> Option<&Entity<S>> {
        self.rows.get(subject.stream().as_str()).map(|row| &row.now)
    }

    /// The last station at or before a position, or the beginning.
    pub(crate) fn station_at(&self, subject: &S, position: Position) -> Entity<S> {
        self.last_station(subject, |station| station.position <= position)
    }

    /// The last station before anything that was decided after a time, or the beginning.
    pub(crate) fn station_until(&self, subject: &S, time: DateTime<Utc>) -> Entity<S> {
        self.last_station(subject, |station| station.latest <= time)
    }

    fn last_station(&self, subject: &S, reached: impl Fn(&Entity<S>) -> bool) -> Entity<S> {
        let stations = self.rows.get(subject.stream().as_str()).map(|row| row.stations.as_slice());
        let stations = stations.unwrap_or_default();
        let passed = stations.partition_point(reached);
        passed.checked_sub(1).map_or_else(Entity::default, |last| stations[last].clone())
    }

    pub(super) fn at(&self, stream: &str) -> Option<&S::State> {
        self.rows.get(stream).map(|row| &**row.now.state())
    }

    pub fn states(&self) -> impl DoubleEndedIterator<Item = &S::State> {
        self.all().map(|entity| &**entity.state())
    }

    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Entity<S>> {
        self.rows.values().map(|row| &row.now)
    }

    pub(super) fn apply(
        &mut self,
        commit: &Commit,
        at: DateTime<Utc>,
        events: &[(S::Event, Stamp)],
        zone: Tz,
    ) -> Result<(), Error> {
        let stream = commit.stream.as_str();
        // Most commits go to a stream that is there, and its name need not be copied.
        match self.rows.get_mut(stream) {
            Some(row) => row.apply(commit, at, events, zone),
            None => self.rows.entry(stream.to_owned()).or_default().apply(commit, at, events, zone),
        }
    }
}
