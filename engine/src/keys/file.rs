//! The file of the keys: lines that are only ever appended, until an erasure writes it anew.
//!
//! The rule: a line counts once it is synced, and nothing is sealed before. So a last line that was
//! cut short belongs to nothing in the log and is dropped; damage anywhere else is refused with the
//! number of the line. After a failed write nothing more is written, since nobody knows what is on
//! the disk.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::entry::Entry;

#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    #[error("could not {doing} the key file {}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("line {line} of the key file {} is damaged: {why}; restore the file from a backup", path.display())]
    Damaged { path: PathBuf, line: usize, why: String },
    #[error("the key file {} takes no more keys after a failed write; start again", path.display())]
    Poisoned { path: PathBuf },
}

/// What the file begins with.
const HEADER: &str = "sixgate keys 1\n";

pub(super) struct KeyFile {
    path: PathBuf,
    /// A file that was there and is gone is not begun again.
    begun: bool,
    poisoned: bool,
}

impl KeyFile {
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<Entry>), KeysError> {
        let mut file = Self { path: path.to_owned(), begun: false, poisoned: false };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((file, Vec::new())),
            Err(error) => return Err(file.io("read", error)),
        };
        file.begun = true;
        let damaged = |line, why: String| KeysError::Damaged { path: path.to_owned(), line, why };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let text = str::from_utf8(&bytes[..whole]).map_err(|error| {
            let before = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            damaged(before + 1, "it is not text".to_owned())
        })?;
        let lines = text
            .strip_prefix(HEADER)
            .ok_or_else(|| damaged(1, format!("it is not `{}`", HEADER.trim_end())))?;
        let entries = lines
            .lines()
            .enumerate()
            .map(|(index, line)| Entry::read(line).map_err(|why| damaged(index + 2, why)))
            .collect::<Result<_, _>>()?;
        if whole < bytes.len() {
            tracing::warn!(path = %path.display(), "the last key was cut short and is dropped");
            file.cut_to(whole).map_err(|error| file.io("shorten", error))?;
        }
        Ok((file, entries))
    }

    pub(super) fn append(&mut self, entries: &[Entry]) -> Result<(), KeysError> {
        if !self.begun {
            self.replace(entries)?;
            self.begun = true;
            return Ok(());
        }
        let lines: String = entries.iter().map(Entry::line).collect();
        self.changing("append to", |path| {
            let mut file = OpenOptions::new().append(true).open(path)?;
            file.write_all(lines.as_bytes())?;
            file.sync_all()
        })
    }

    /// Under a passing name first, so that there is the old file or the new one. The name counts
    /// once its directory is synced; only then are the keys that it leaves out gone.
    pub(super) fn replace(&mut self, entries: &[Entry]) -> Result<(), KeysError> {
        let lines: String = entries.iter().map(Entry::line).collect();
        self.changing("replace", |path| {
            let directory = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                Some(_) | None => Path::new("."),
            };
            // Only its owner may read such a file.
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            file.write_all(HEADER.as_bytes())?;
            file.write_all(lines.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(path)?;
            File::open(directory)?.sync_all()
        })
    }

    fn changing(
        &mut self,
        doing: &'static str,
        change: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), KeysError> {
        if self.poisoned {
            return Err(KeysError::Poisoned { path: self.path.clone() });
        }
        change(&self.path).map_err(|error| {
            self.poisoned = true;
            self.io(doing, error)
        })
    }

    fn cut_to(&self, bytes: usize) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(&self.path)?;
        file.set_len(bytes as u64)?;
        file.sync_all()
    }

    fn io(&self, doing: &'static str, source: io::Error) -> KeysError {
        KeysError::Io { doing, path: self.path.clone(), source }
    }
}
