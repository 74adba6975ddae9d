//! Verification: every commit read again, every hash computed again, every index looked up.
//!
//! The rule: a log is called good only if it is exactly what was acknowledged: gap-free, chained,
//! indexed, counted, reaching its high-water mark, and holding nothing else. Damage of any kind is
//! a finding, never a panic. It streams, so memory does not grow with the log.
//!
//! It deliberately repairs nothing, and finds the first damage only.

use std::path::Path;

use super::commits::Commits;
use super::high_water::HighWater;
use super::keys::{self, Key};
use super::layout::Layout;
use super::record::Totals;
use super::store::{Store, guarded};
use super::{Options, open};
use crate::{Error, Hash, Head, Position, Revision};

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Whether the log is exactly what was acknowledged.
    pub ok: bool,
    /// How many commits are good, from the first one on.
    pub commits: u64,
    /// How many events are in them.
    pub events: u64,
    /// The hash of the last good commit.
    pub head_hash: Hash,
    /// The newest acknowledged position, where it could be read.
    pub high_water: Option<Position>,
    /// The first position that is known to be bad.
    pub first_bad: Option<Position>,
    /// What is wrong.
    pub why: Option<String>,
}

/// How far a verification has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The commits that were verified.
    pub commits: u64,
    /// The commits that there are.
    pub commits_in_all: u64,
}

/// Verifies the whole log in a directory, which nobody may have open. This call blocks.
///
/// Sled cannot open its files without writing to them, so a directory that is known to be damaged
/// should be copied first, and the copy verified.
pub fn verify(directory: &Path, mut progress: impl FnMut(Progress)) -> Result<Verification, Error> {
    let mut found = Verification::nothing();
    let outcome = verify_directory(directory, &mut found, &mut progress);
    found.conclude(outcome)
}

fn verify_directory(
    directory: &Path,
    found: &mut Verification,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    let layout = Layout::existing(directory)?;
    found.high_water = HighWater::open(&layout.high_water())?.map(|mark| mark.head().position);
    if !layout.is_complete()? {
        let why = format!("{} has no format file", directory.display());
        return Err(Error::corrupt(None, why));
    }
    let (store, mark) = open::open_existing(layout, &Options::default())?;
    open::expect_journal(&store, &mark)?;
    guarded(|| open::recover(&store))?;
    let last = guarded(|| store.last())?.unwrap_or_default();
    verify_store(&store, last.0, true, found, progress)?;
    guarded(|| reaches_mark(&store, last.0, mark.head()))
}

/// Verifies the commits of an open log up to a head. `quiet` says that nobody is writing.
pub(crate) fn verify_store(
    store: &Store,
    head: Head,
    quiet: bool,
    found: &mut Verification,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    let mut span = guarded(|| Span::new(store, Position::ZERO, head))?;
    while let Some(good) = guarded(|| span.step())? {
        found.commits = good.position.0;
        found.events = span.totals.events;
        found.head_hash = good.hash;
        progress(Progress { commits: good.position.0, commits_in_all: head.position.0 });
    }
    guarded(|| span.finish(quiet))
}

/// Whether the log still holds everything that was acknowledged.
pub(crate) fn reaches_mark(store: &Store, head: Head, mark: Head) -> Result<(), Error> {
    if head.position < mark.position {
        let why = format!(
            "the log lost its tail: it ends at position {}, but position {} was acknowledged",
            head.position, mark.position
        );
        return Err(Error::corrupt(head.position.next(), why));
    }
    let (hash, _) = store.before(mark.position)?;
    if hash != mark.hash {
        let why = "the commit there is not the one that was acknowledged";
        return Err(Error::corrupt(mark.position, why));
    }
    Ok(())
}

/// A walk over the commits from one position to the head.
pub(crate) struct Span<'store> {
    store: &'store Store,
    commits: Commits<'store>,
    after: Position,
    last: Head,
    head: Head,
    totals: Totals,
}

impl<'store> Span<'store> {
    pub(crate) fn new(store: &'store Store, after: Position, head: Head) -> Result<Self, Error> {
        let (hash, totals) = store.before(after)?;
        let commits = store.commits_after(after);
        Ok(Self { store, commits, after, last: Head { position: after, hash }, head, totals })
    }

    /// Checks the next commit and answers where it is; `None` after the head.
    pub(crate) fn step(&mut self) -> Result<Option<Head>, Error> {
        if self.last.position >= self.head.position {
            return Ok(None);
        }
        let position = self.last.position.next();
        let stored = self.commits.step()?;
        let commit = &stored.commit;
        if commit.previous != self.last.hash {
            return Err(Error::corrupt(position, "the commit does not follow the one before it"));
        }
        let data = commit.events.iter().map(|event| &event.data[..]);
        self.totals = self.totals.plus(commit.revision, data);
        if stored.totals != self.totals {
            return Err(Error::corrupt(position, "the running sums are wrong"));
        }
        let indexed = self.store.indexed(&commit.stream, commit.revision)?;
        let earlier = match commit.revision {
            Revision(0) => None,
            Revision(1) => Some(Position::ZERO),
            Revision(revision) => self.store.indexed(&commit.stream, Revision(revision - 1))?,
        };
        if indexed != Some(position) || earlier.is_none_or(|earlier| earlier >= position) {
            let why = format!("the index of stream {} is damaged", commit.stream);
            return Err(Error::corrupt(position, why));
        }
        self.last = Head { position, hash: commit.hash };
        Ok(Some(self.last))
    }

    /// Checks that nothing is there besides the commits, as far as this walk can tell.
    pub(crate) fn finish(&self, quiet: bool) -> Result<(), Error> {
        if self.last != self.head {
            return Err(Error::corrupt(self.head.position, "the head is not the last commit"));
        }
        // What only the journal has was walked through already, and is not in sled.
        let (held, sums) = match quiet {
            true => self.store.last_held()?.unwrap_or_default(),
            false => (self.head, self.totals),
        };
        if quiet && self.store.last_event()? != held.position {
            return Err(Error::corrupt(held.position, "events are there without a commit"));
        }
        if self.after != Position::ZERO {
            return Ok(());
        }
        let (mut commits, mut events, mut indexed) = (0_u64, 0_u64, 0_u64);
        for entry in self.store.database.iter() {
            let (key, value) = entry.map_err(super::store::read_error)?;
            let (position, count) = match keys::parse(&key) {
                Some(Key::Commit(position)) => (Some(position), &mut commits),
                Some(Key::Event(position)) => (Some(position), &mut events),
                Some(Key::Stream) => (super::store::position(&value), &mut indexed),
                None => return Err(Error::corrupt(None, "a key is there that is never written")),
            };
            let newer = position.is_some_and(|position| position > self.head.position);
            *count += u64::from(quiet || !newer);
        }
        let due = held.position.0;
        if (commits, events, indexed) != (due, sums.events, due) {
            let why = format!(
                "{commits} commits, {events} events and {indexed} entries of streams are there, \
                 but {due}, {} and {due} are due",
                sums.events
            );
            return Err(Error::corrupt(None, why));
        }
        Ok(())
    }
}

impl Verification {
    pub(crate) fn nothing() -> Self {
        Self {
            ok: false,
            commits: 0,
            events: 0,
            head_hash: Hash::ZERO,
            high_water: None,
            first_bad: None,
            why: None,
        }
    }

    /// Damage is a finding; everything else that went wrong means that nothing was found out.
    pub(crate) fn conclude(mut self, outcome: Result<(), Error>) -> Result<Self, Error> {
        match outcome {
            Ok(()) => self.ok = true,
            Err(Error::Corrupt { position, why }) => {
                self.first_bad = position;
                self.why = Some(why);
            }
            Err(other) => return Err(other),
        }
        Ok(self)
    }
}
