//! The redo journal: what is acknowledged before sled has it.
//!
//! ```text
//! journal/00…041   full, sled holds it       kept a while, to repair sled's tail
//! journal/00…042   being written             frame | frame | frame | zeros …
//! journal/00…043   ready, still unused
//! ```
//!
//! Sled needs three steps one after another to make a group durable; a frame at the end of a file
//! that already has its size needs one. So a group is acknowledged when its frame is synced, sled
//! takes the same commits a moment later, and a segment goes when sled provably holds all of it.
//!
//! The rule: a frame is synced before anybody hears of its commits, and a segment is given up only
//! after sled was flushed and its file synced. What is not a whole frame was never acknowledged,
//! unless the high-water mark or a later frame says otherwise; then the log is refused.

pub(crate) mod disk;
pub(crate) mod frame;
#[cfg(test)]
pub(crate) mod simulated;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::disk::{Disk, Segment};
use self::frame::{ALIGNMENT, Frame};
use super::encoded::Encoded;
use crate::{Error, Position};

/// The first segment of a log that was just opened; each further one is twice as large.
const SEGMENT_BYTES_MIN: usize = 256 * 1024;
const SEGMENT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// So many full segments stay although sled holds them: should sled lose its tail, as it was
/// measured to do after damage, it can be repaired from them.
const KEPT: usize = 2;

/// The end of the journal, where the writer adds frames.
#[derive(Debug)]
pub(crate) struct Journal {
    shelf: Arc<Shelf>,
    current: Box<dyn Segment>,
    number: u64,
    offset: usize,
    last: Position,
    buffer: Vec<u8>,
}

/// The segments that are not being written, shared with whoever gives them up.
#[derive(Debug)]
pub(crate) struct Shelf {
    disk: Box<dyn Disk>,
    state: Mutex<Segments>,
}

#[derive(Debug, Default)]
struct Segments {
    /// Full ones, the oldest first, with the last position in them.
    full: VecDeque<(u64, Position)>,
    /// One to go on with.
    ready: Option<(u64, Box<dyn Segment>)>,
    /// The number of the segment being written.
    current: u64,
    /// The largest number that was ever used.
    newest: u64,
    /// How large the next new one is.
    size_bytes: usize,
}

impl Journal {
    /// Begins a new segment behind all that there are. `last` is what sled provably holds.
    pub(crate) fn begin(disk: Box<dyn Disk>, last: Position) -> Result<Self, Error> {
        let begin = |source| Error::io("begin a segment of the journal", source);
        let known = disk.list().map_err(begin)?;
        let number = known.last().map_or(1, |newest| newest + 1);
        let current = disk.create(number, SEGMENT_BYTES_MIN).map_err(begin)?;
        let segments = Segments {
            full: known.into_iter().map(|number| (number, last)).collect(),
            ready: None,
            current: number,
            newest: number,
            size_bytes: SEGMENT_BYTES_MIN * 2,
        };
        let shelf = Arc::new(Shelf { disk, state: Mutex::new(segments) });
        let buffer = Vec::new();
        let journal = Self { shelf, current, number, offset: 0, last, buffer };
        journal.shelf.give_up(last)?;
        Ok(journal)
    }

    pub(crate) fn shelf(&self) -> Arc<Shelf> {
        Arc::clone(&self.shelf)
    }

    /// Makes a group durable. After an error nothing may be appended any more.
    pub(crate) fn append(&mut self, commits: &[Arc<Encoded>]) -> Result<(), Error> {
        let Some(last) = commits.last() else { return Ok(()) };
        frame::encode(self.number, commits, &mut self.buffer);
        if self.offset + self.buffer.len() > self.current.size_bytes() {
            self.turn_over()?;
            frame::encode(self.number, commits, &mut self.buffer);
        }
        self.current
            .write_at(&self.buffer, self.offset)
            .and_then(|()| self.current.sync())
            .map_err(|source| Error::io("append to the journal", source))?;
        self.offset += self.buffer.len();
        self.last = last.position;
        Ok(())
    }

    /// Goes on in a segment that is large enough for the frame in the buffer.
    fn turn_over(&mut self) -> Result<(), Error> {
        let turned = self.shelf.next(self.buffer.len(), self.last);
        let (number, segment) =
            turned.map_err(|source| Error::io("begin a segment of the journal", source))?;
        (self.number, self.current, self.offset) = (number, segment, 0);
        Ok(())
    }
}

impl Shelf {
    /// A segment to go on with, after the present one was filled up to `last`.
    fn next(&self, needed: usize, last: Position) -> io::Result<(u64, Box<dyn Segment>)> {
        let mut state = self.lock();
        let full = state.current;
        state.full.push_back((full, last));
        let ready = state.ready.take().filter(|(_, segment)| segment.size_bytes() >= needed);
        let (number, segment) = match ready {
            Some(ready) => ready,
            None => {
                state.newest += 1;
                (state.newest, self.disk.create(state.newest, state.size_bytes.max(needed))?)
            }
        };
        state.current = number;
        Ok((number, segment))
    }

    /// Gives up what sled provably holds through a position.
    pub(crate) fn give_up(&self, held: Position) -> Result<(), Error> {
        let mut state = self.lock();
        while state.full.len() > KEPT && state.full.front().is_some_and(|(_, last)| *last <= held) {
            let Some((number, _)) = state.full.pop_front() else { break };
            self.disk
                .remove(number)
                .map_err(|source| Error::io("remove a segment of the journal", source))?;
        }
        Ok(())
    }

    /// Gets a segment ready before it is needed, so that the writer need not wait for it.
    pub(crate) fn prepare(&self) -> Result<(), Error> {
        let failed = |source| Error::io("prepare a segment of the journal", source);
        let (number, size_bytes) = {
            let mut state = self.lock();
            if state.ready.is_some() {
                return Ok(());
            }
            state.newest += 1;
            let size_bytes = state.size_bytes;
            state.size_bytes = (size_bytes * 2).min(SEGMENT_BYTES_MAX);
            (state.newest, size_bytes)
        };
        let segment = self.disk.create(number, size_bytes).map_err(failed)?;
        let mut state = self.lock();
        if state.current > number {
            // The writer could not wait; segments are read in the order of their numbers.
            return self.disk.remove(number).map_err(failed);
        }
        state.ready = Some((number, segment));
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Segments> {
        // Every change is made whole before the next fallible step, or ends the journal.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hands over every whole frame of the journal, the oldest segment first.
pub(crate) fn replay(
    disk: &dyn Disk,
    mut each: impl FnMut(Frame) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |source| Error::io("read the journal", source);
    for number in disk.list().map_err(failed)? {
        let bytes = disk.read(number).map_err(failed)?;
        let mut offset = 0;
        while offset < bytes.len() {
            match frame::decode(number, &bytes[offset..]) {
                Some((frame, length)) => {
                    each(frame)?;
                    offset += length;
                }
                // Not the end yet: behind damage there may be frames that were acknowledged.
                None => offset += ALIGNMENT,
            }
        }
    }
    Ok(())
}
