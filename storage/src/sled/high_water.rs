//! The high-water mark: the newest acknowledged commit, kept where sled cannot roll it back.
//!
//! ```text
//! slot 0 (4096 bytes)  magic, sequence, position, hash, SHA-256 of these, zeros
//! slot 1 (4096 bytes)  the same; writes alternate, so a torn write leaves the other slot
//! ```
//!
//! The rule: the mark is moved before a commit is acknowledged and after the journal has it, so a
//! log that ends below the mark has lost something. After a failed write the mark must not be
//! written again.
//! It deliberately doesn't know why it differs from the log; that is judged when the log opens.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::{Error, Hash, Head, Position, files};

const SLOT_BYTES: usize = 4096;
const MAGIC: &[u8; 8] = b"sixgate2";
/// Written before there was a journal, whose absence then means nothing.
const MAGIC_WITHOUT_JOURNAL: &[u8; 8] = b"sixgate1";
/// Magic, sequence, position and hash.
const CONTENT_BYTES: usize = 8 + 8 + 8 + 32;
const SEAL_BYTES: usize = 32;

/// The open file of the mark.
#[derive(Debug)]
pub(crate) struct HighWater {
    file: File,
    sequence: u64,
    head: Head,
    has_journal: bool,
}

/// What one slot says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    sequence: u64,
    head: Head,
    has_journal: bool,
}

impl HighWater {
    /// Creates the file of an empty log, whole or not at all.
    pub(crate) fn create(path: &Path) -> Result<(), Error> {
        let slots = [slot(0, Head::default()), slot(1, Head::default())].concat();
        files::write_whole(&path.with_extension("unfinished"), path, &slots)
    }

    /// Opens the file; `None` where there is none.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>, Error> {
        let failed = |source| Error::io(format!("read {}", path.display()), source);
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed(source)),
        };
        let mut bytes = Vec::new();
        let bytes_max = 2 * SLOT_BYTES as u64;
        (&mut file).take(bytes_max).read_to_end(&mut bytes).map_err(failed)?;
        let newest = bytes.chunks(SLOT_BYTES).filter_map(decode).max_by_key(|mark| mark.sequence);
        let Mark { sequence, head, has_journal } = newest.ok_or_else(|| {
            Error::corrupt(
                None,
                format!(
                    "both slots of {} are damaged, so nobody can tell whether the log is complete",
                    path.display()
                ),
            )
        })?;
        Ok(Some(Self { file, sequence, head, has_journal }))
    }

    /// The newest acknowledged commit.
    pub(crate) fn head(&self) -> Head {
        self.head
    }

    /// Whether the mark was moved by a program that keeps a journal, which must then be there.
    pub(crate) fn has_journal(&self) -> bool {
        self.has_journal
    }

    /// A second handle, for whoever makes the mark durable in the background.
    pub(crate) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Moves the mark, durably.
    pub(crate) fn write(&mut self, head: Head) -> io::Result<()> {
        self.note(head)?;
        self.file.sync_data()
    }

    /// Moves the mark in the cache of the operating system, which outlives this process.
    pub(crate) fn note(&mut self, head: Head) -> io::Result<()> {
        let sequence = self.sequence + 1;
        let offset = (sequence % 2) * SLOT_BYTES as u64;
        self.file.write_all_at(&slot(sequence, head), offset)?;
        self.sequence = sequence;
        self.head = head;
        self.has_journal = true;
        Ok(())
    }

    /// Writes the same mark to both slots, so that damage to one of them loses nothing.
    pub(crate) fn settle(&mut self, head: Head) -> io::Result<()> {
        self.write(head)?;
        self.write(head)
    }
}

fn slot(sequence: u64, head: Head) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(SLOT_BYTES);
    bytes.extend(MAGIC);
    bytes.extend(sequence.to_be_bytes());
    bytes.extend(head.position.0.to_be_bytes());
    bytes.extend(head.hash.as_bytes());
    let seal = Hash::of(&bytes);
    bytes.extend(seal.as_bytes());
    bytes.resize(SLOT_BYTES, 0);
    bytes
}

fn decode(slot: &[u8]) -> Option<Mark> {
    let content = slot.get(..CONTENT_BYTES)?;
    let seal = slot.get(CONTENT_BYTES..CONTENT_BYTES + SEAL_BYTES)?;
    if seal != Hash::of(content).as_bytes() {
        return None;
    }
    let (magic, content) = content.split_first_chunk::<8>()?;
    let has_journal = match magic {
        MAGIC => true,
        MAGIC_WITHOUT_JOURNAL => false,
        _ => return None,
    };
    let (sequence, content) = content.split_first_chunk::<8>()?;
    let (position, hash) = content.split_first_chunk::<8>()?;
    let hash = Hash::from_bytes(hash.try_into().ok()?);
    let position = Position(u64::from_be_bytes(*position));
    // The sequence is counted on from here, so the last one of all cannot be accepted.
    let sequence = u64::from_be_bytes(*sequence);
    let head = Head { position, hash };
    (sequence < u64::MAX / 2).then_some(Mark { sequence, head, has_journal })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn head(position: u64) -> Head {
        Head { position: Position(position), hash: Hash::of(&position.to_be_bytes()) }
    }

    #[test]
    fn the_newest_mark_is_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("high-water");
        assert!(HighWater::open(&path).unwrap().is_none());
        HighWater::create(&path).unwrap();
        assert_eq!(HighWater::open(&path).unwrap().unwrap().head(), Head::default());
        for position in 1..=5 {
            HighWater::open(&path).unwrap().unwrap().write(head(position)).unwrap();
            assert_eq!(HighWater::open(&path).unwrap().unwrap().head(), head(position));
        }
    }

    #[test]
    fn a_torn_write_leaves_the_mark_before() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("high-water");
        HighWater::create(&path).unwrap();
        let mut mark = HighWater::open(&path).unwrap().unwrap();
        mark.write(head(1)).unwrap();
        mark.write(head(2)).unwrap();
        let whole = fs::read(&path).unwrap();
        let newest =
            if decode(&whole[..SLOT_BYTES]).unwrap().head == head(2) { 0 } else { SLOT_BYTES };
        for byte in 0..CONTENT_BYTES + SEAL_BYTES {
            let mut torn = whole.clone();
            torn[newest + byte] ^= 1;
            fs::write(&path, &torn).unwrap();
            assert_eq!(HighWater::open(&path).unwrap().unwrap().head(), head(1));
        }
    }

    #[test]
    fn damage_to_both_slots_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("high-water");
        for damaged in [vec![], vec![0; 2 * SLOT_BYTES], b"text".to_vec()] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(HighWater::open(&path).unwrap_err().code(), "corrupt");
        }
    }
}
