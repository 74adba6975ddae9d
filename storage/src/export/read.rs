//! Reading the lines of an export or a bundle back into commits and blobs.
//!
//! The rule: what comes out of here was written by this program and is whole: each commit has the
//! hash of its content, each blob the hash of its bytes, and the last line was there. Everything
//! else is refused with the number of its line. Whether the commits follow each other is the
//! business of whoever reads on.

use std::io::{BufRead, Read as _};

use super::Counts;
use super::line::{self, BlobLine, EventLine, Header, Line, Proof};
use crate::blobs::BLOB_BYTES_MAX;
use crate::checkpoint::SignedCheckpoint;
use crate::{COMMIT_BYTES_MAX, COMMIT_EVENTS_MAX, Commit, Error, Hash, RecordedEvent};

/// Data and metadata of the largest commit, as base64, with what stands around them.
const LINE_BYTES_MAX: usize = COMMIT_BYTES_MAX / 2 * 3 + 64 * 1024;

/// What stands in a file after its header.
#[derive(Debug)]
pub(crate) enum Item {
    Commit(Box<Commit>),
    Proof(Proof),
    Checkpoint(SignedCheckpoint),
    Blob(Hash, Vec<u8>),
    End(Counts),
}

pub(crate) struct Lines<R> {
    input: R,
    number: u64,
    counted: Counts,
}

impl<R: BufRead> Lines<R> {
    /// Reads the header of a file in a format.
    pub(crate) fn open(input: R, format: &str) -> Result<(Self, Header), Error> {
        let mut lines = Self { input, number: 0, counted: Counts::default() };
        let line = lines.line()?;
        if let Line::Header(header) = line
            && header.format == format
        {
            lines.counted.position = header.position;
            lines.counted.head_hash = header.head_hash;
            return Ok((lines, header));
        }
        Err(lines.bad(format!("it does not begin a file in the form \"{format}\"")))
    }

    /// The next commit, blob or other thing; the last one is the end.
    pub(crate) fn next(&mut self) -> Result<Item, Error> {
        match self.line()? {
            Line::Event(first) => self.commit(*first).map(|commit| Item::Commit(Box::new(commit))),
            Line::Proof(proof) => Ok(Item::Proof(proof)),
            Line::Checkpoint(checkpoint) => Ok(Item::Checkpoint(checkpoint)),
            Line::Blob(blob) => self.blob(&blob),
            Line::End(counts) => self.end(counts),
            Line::Header(_) => Err(self.bad("a second header")),
            Line::Part(_) => Err(self.bad("it belongs to no blob")),
        }
    }

    /// A refusal of the line that was read last.
    pub(crate) fn bad(&self, why: impl Into<String>) -> Error {
        Error::BadLine { line: self.number, why: why.into() }
    }

    fn line(&mut self) -> Result<Line, Error> {
        self.number += 1;
        let mut bytes = Vec::new();
        let mut bounded = (&mut self.input).take(LINE_BYTES_MAX as u64 + 1);
        let read = bounded.read_until(b'\n', &mut bytes);
        read.map_err(|source| Error::io(format!("read line {}", self.number), source))?;
        if bytes.is_empty() {
            return Err(self.bad("the file ends before it; it was cut short"));
        }
        if bytes.len() > LINE_BYTES_MAX {
            return Err(self.bad(format!("it has more than {LINE_BYTES_MAX} bytes")));
        }
        if bytes.last() != Some(&b'\n') {
            return Err(self.bad("it was cut short"));
        }
        Line::read(&bytes).map_err(|why| self.bad(why))
    }

    fn commit(&mut self, first: EventLine) -> Result<Commit, Error> {
        if first.index != 0 || first.of == 0 || first.of > COMMIT_EVENTS_MAX {
            return Err(self.bad("it is not the first event of a commit"));
        }
        let of = first.of;
        let mut commit = Commit {
            position: first.position,
            stream: first.stream.clone(),
            revision: first.revision,
            hash: first.hash,
            previous: first.previous,
            metadata: first.metadata.stored().map_err(|why| self.bad(why))?,
            events: Vec::new(),
        };
        self.push(&mut commit, first)?;
        while commit.events.len() < of {
            let Line::Event(event) = self.line()? else {
                return Err(self.bad("the commit before it is not complete"));
            };
            if event.of != of {
                return Err(self.bad("it counts the events of the commit in another way"));
            }
            self.push(&mut commit, *event)?;
        }
        if commit.computed_hash() != commit.hash {
            return Err(self.bad("the commit does not have the hash of its content"));
        }
        self.counted.commits += 1;
        self.counted.events += commit.events.len() as u64;
        Ok(commit)
    }

    fn push(&self, commit: &mut Commit, event: EventLine) -> Result<(), Error> {
        let metadata = event.metadata.stored().map_err(|why| self.bad(why))?;
        let same = event.index == commit.events.len()
            && event.position == commit.position
            && event.stream == commit.stream
            && event.revision == commit.revision
            && event.previous == commit.previous
            && event.hash == commit.hash
            && metadata == commit.metadata;
        if !same {
            return Err(self.bad("it is not the next event of the commit before it"));
        }
        let data = event.data.stored().map_err(|why| self.bad(why))?;
        commit.events.push(RecordedEvent { kind: event.kind, schema: event.schema, data });
        if commit.size_bytes() > COMMIT_BYTES_MAX {
            return Err(self.bad("the commit is larger than any can be"));
        }
        Ok(())
    }

    fn blob(&mut self, blob: &BlobLine) -> Result<Item, Error> {
        if blob.bytes as u64 > BLOB_BYTES_MAX {
            return Err(self.bad("the blob is larger than any can be"));
        }
        let mut content = Vec::new();
        while content.len() < blob.bytes {
            let Line::Part(part) = self.line()? else {
                return Err(self.bad("the blob before it is not complete"));
            };
            let part = line::decoded(&part.base64).map_err(|why| self.bad(why))?;
            let due = (blob.bytes - content.len()).min(line::PART_BYTES);
            if part.len() != due {
                return Err(self.bad(format!("{} bytes instead of {due}", part.len())));
            }
            content.extend_from_slice(&part);
        }
        if Hash::of(&content) != blob.hash {
            return Err(self.bad("the blob does not have the hash of its content"));
        }
        self.counted.blobs += 1;
        self.counted.blob_bytes += content.len() as u64;
        Ok(Item::Blob(blob.hash, content))
    }

    fn end(&mut self, counts: Counts) -> Result<Item, Error> {
        if counts != self.counted {
            return Err(self.bad("it does not say what was in the file"));
        }
        self.number += 1;
        let rest = self.input.fill_buf();
        match rest.map_err(|source| Error::io("read the end of the file", source))?.is_empty() {
            true => Ok(Item::End(counts)),
            false => Err(self.bad("it comes after the end")),
        }
    }
}
