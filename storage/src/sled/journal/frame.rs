//! A group of commits on its way to disk: one write, one sync, whole or not at all.
//!
//! ```text
//! magic 4 | CRC-32 of what follows 4 | segment 8 | bytes of the body 4 | commits 4
//! first position 8 | hash before it 32 | body | zeros up to a multiple of 512 bytes
//! ```
//!
//! The rule: a frame counts only in the segment whose number it bears, so what an earlier use of
//! the same file left behind is never taken for something new.

use std::sync::Arc;

use crate::sled::encoded::Encoded;
use crate::{Hash, Position};

/// Frames begin at multiples of this, the least that disks write at once.
pub(crate) const ALIGNMENT: usize = 512;

const MAGIC: &[u8; 4] = b"6gfr";
const HEADER_BYTES: usize = 4 + 4 + 8 + 4 + 4 + 8 + 32;
/// Where the part begins that the checksum covers.
const CHECKED_FROM: usize = 8;

/// A frame that was read back whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) first: Position,
    pub(crate) previous: Hash,
    pub(crate) commits: Vec<Encoded>,
}

/// Makes a frame of a group; `buffer` is emptied first.
pub(crate) fn encode(segment: u64, commits: &[Arc<Encoded>], buffer: &mut Vec<u8>) {
    buffer.clear();
    let Some(first) = commits.first() else { return };
    buffer.extend([0; HEADER_BYTES]);
    commits.iter().for_each(|commit| commit.write_to(buffer));
    let body = u32::try_from(buffer.len() - HEADER_BYTES).expect("a group is far below 4 GiB");
    let count = u32::try_from(commits.len()).expect("a group has few commits");
    let mut header = Vec::with_capacity(HEADER_BYTES);
    header.extend(MAGIC);
    header.extend([0; 4]);
    header.extend(segment.to_be_bytes());
    header.extend(body.to_be_bytes());
    header.extend(count.to_be_bytes());
    header.extend(first.position.0.to_be_bytes());
    header.extend(first.previous.as_bytes());
    buffer[..HEADER_BYTES].copy_from_slice(&header);
    let checksum = crc32fast::hash(&buffer[CHECKED_FROM..]);
    buffer[4..CHECKED_FROM].copy_from_slice(&checksum.to_be_bytes());
    buffer.resize(buffer.len().next_multiple_of(ALIGNMENT), 0);
}

/// The frame at the front of these bytes and how many of them it takes, if there is a whole one.
pub(crate) fn decode(segment: u64, bytes: &[u8]) -> Option<(Frame, usize)> {
    let header = bytes.get(..HEADER_BYTES)?;
    let rest = header.strip_prefix(MAGIC)?;
    let (checksum, rest) = rest.split_first_chunk::<4>()?;
    let (number, rest) = rest.split_first_chunk::<8>()?;
    let (body, rest) = rest.split_first_chunk::<4>()?;
    let (count, rest) = rest.split_first_chunk::<4>()?;
    let (first, previous) = rest.split_first_chunk::<8>()?;
    if u64::from_be_bytes(*number) != segment {
        return None;
    }
    let end = HEADER_BYTES.checked_add(usize::try_from(u32::from_be_bytes(*body)).ok()?)?;
    let content = bytes.get(..end)?;
    if crc32fast::hash(&content[CHECKED_FROM..]) != u32::from_be_bytes(*checksum) {
        return None;
    }
    let mut body = &content[HEADER_BYTES..];
    let mut commits = Vec::new();
    for _ in 0..u32::from_be_bytes(*count) {
        commits.push(Encoded::read_from(&mut body).ok()?);
    }
    let first = Position(u64::from_be_bytes(*first));
    let previous = Hash::from_bytes(previous.try_into().ok()?);
    let whole = body.is_empty() && chained(first, previous, &commits);
    whole.then(|| (Frame { first, previous, commits }, end.next_multiple_of(ALIGNMENT)))
}

fn chained(first: Position, previous: Hash, commits: &[Encoded]) -> bool {
    let (mut position, mut previous) = (first, previous);
    for commit in commits {
        if commit.position != position || commit.previous != previous {
            return false;
        }
        (position, previous) = (position.next(), commit.hash);
    }
    !commits.is_empty()
}
