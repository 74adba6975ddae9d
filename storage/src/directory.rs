//! Whole data directories: made of an export, or made anew of an old one, and then switched.
//!
//! ```text
//! restore   DIR.unfinished (import, verify, open again) ──rename──► DIR
//! compact   DIR.unfinished (copy,   verify, open again) ◄─exchange─► DIR, in one step
//! ```
//!
//! The rule: under the final name there is either what was there before or a directory that was
//! completely written, verified and opened again. While it is written, a directory lacks the file
//! that says that its log is complete, so it is refused by whoever opens it under its passing name.
//!
//! What a crash leaves under the passing name is never looked at again: it stays for whoever runs
//! the machine, is named in a refusal, and may be removed.

use std::fs::{self, File};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::checkpoint::CheckpointBook;
use crate::export::{self, Counts};
use crate::sled::{Options, verify};
use crate::{BlobStore, Error, EventLog, Head, SledLog, files};

/// What belongs to the log itself or is derived from it; everything else is carried along.
const NOT_CARRIED: [&str; 7] =
    ["format", "lock", "log", "journal", "high-water", "blobs", "checkpoints"];
const PAGE_COMMITS: usize = 250;

/// What became of the old directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// It is kept there.
    Kept(PathBuf),
    /// It was removed.
    Removed,
}

/// Makes a new data directory of an export. Reading the input blocks.
pub async fn restore(input: impl BufRead, target: &Path) -> Result<Counts, Error> {
    expect_nothing(target)?;
    let making = Making::begin(target)?;
    let outcome = fill(input, &making).await;
    let counts = making.prove(outcome, |counts| counts.head()).await?;
    // An empty directory is replaced, anything else makes this fail.
    fs::rename(&making.passing, target)
        .map_err(|source| Error::io(format!("create {}", target.display()), source))?;
    files::sync_parent(target)?;
    Ok(counts)
}

/// Writes the log of a directory anew, without what sled no longer needs, and switches to it.
///
/// The directory stays locked meanwhile, so no commit can be missed. `keep` says whether the old
/// directory stays beside it as `DIR.before-compaction`.
pub async fn compact(directory: &Path, keep: bool) -> Result<(Head, Before), Error> {
    let old = beside(directory, ".before-compaction");
    if keep {
        expect_nothing(&old)?;
    }
    let source = open(directory).await?;
    let head = source.head().await?;
    let making = Making::begin(directory)?;
    let outcome = copy(&source, head, &making).await;
    making.prove(outcome.map(|()| head), |head| *head).await?;
    for entry in files::list(directory)? {
        if !NOT_CARRIED.iter().any(|name| entry.file_name() == *name) {
            carry(&entry.path(), &making.passing.join(entry.file_name()))?;
        }
    }
    files::sync_directory(&making.passing)?;
    renameat_with(CWD, &making.passing, CWD, directory, RenameFlags::EXCHANGE).map_err(
        |errno| {
            let operation = "exchange the new directory with the old one in one step, which this \
                             file system may not offer; export and import instead";
            Error::io(operation, errno.into())
        },
    )?;
    files::sync_parent(directory)?;
    // From here on the passing name is the old directory, and the new one is proven.
    drop(source);
    if keep {
        fs::rename(&making.passing, &old)
            .map_err(|source| Error::io(format!("keep {}", old.display()), source))?;
        files::sync_parent(&old)?;
        return Ok((head, Before::Kept(old)));
    }
    remove(&making.passing)?;
    Ok((head, Before::Removed))
}

impl Counts {
    fn head(&self) -> Head {
        Head { position: self.position, hash: self.head_hash }
    }
}

/// A directory under its passing name.
struct Making {
    passing: PathBuf,
}

impl Making {
    fn begin(target: &Path) -> Result<Self, Error> {
        let passing = beside(target, ".unfinished");
        if passing.exists() {
            return Err(Error::Invalid {
                what: "directory",
                why: format!(
                    "{} is left from a run that did not end; nothing uses it, remove it first",
                    passing.display()
                ),
            });
        }
        Ok(Self { passing })
    }

    async fn open(&self) -> Result<SledLog, Error> {
        let log = open(&self.passing).await?;
        let (complete, hidden) = self.format();
        fs::rename(complete, hidden).map_err(|source| Error::io("hide the new log", source))?;
        files::sync_directory(&self.passing)?;
        Ok(log)
    }

    /// Shows that the directory opens again with just this head, or removes it.
    async fn prove<T>(
        &self,
        outcome: Result<T, Error>,
        head: impl Fn(&T) -> Head,
    ) -> Result<T, Error> {
        let proven = match outcome {
            Ok(done) => self.reopened(head(&done)).await.map(|()| done),
            Err(error) => Err(error),
        };
        if proven.is_err() {
            // The first failure is the one that matters.
            let _ = remove(&self.passing);
        }
        proven
    }

    async fn reopened(&self, head: Head) -> Result<(), Error> {
        let (complete, hidden) = self.format();
        fs::rename(hidden, complete).map_err(|source| Error::io("show the new log", source))?;
        files::sync_directory(&self.passing)?;
        let passing = self.passing.clone();
        let found = export::blocking(move || verify(&passing, |_| {})).await?;
        let reached = Head { position: crate::Position(found.commits), hash: found.head_hash };
        match found.ok && reached == head {
            true => Ok(()),
            false => {
                let why = found.why.unwrap_or_else(|| "it has another head".to_owned());
                Err(Error::corrupt(found.first_bad, format!("the new log: {why}")))
            }
        }
    }

    fn format(&self) -> (PathBuf, PathBuf) {
        (self.passing.join("format"), self.passing.join("format.hidden"))
    }
}

async fn fill(input: impl BufRead, making: &Making) -> Result<Counts, Error> {
    let log = making.open().await?;
    let (counts, checkpoints) = export::import(input, &log, log.blobs()).await?;
    CheckpointBook::new(&making.passing).restore(&checkpoints)?;
    Ok(counts)
}

async fn copy(source: &SledLog, head: Head, making: &Making) -> Result<(), Error> {
    let log = making.open().await?;
    let mut reached = crate::Position::ZERO;
    while reached < head.position {
        let mut page = source.read_all(reached, PAGE_COMMITS).await?;
        // A page that ends too early leaves another head, which is noticed when it is proven.
        reached = page.last().map_or(head.position, |commit| commit.position);
        export::append_in_groups(&log, &mut page).await?;
    }
    copy_blobs(source.blobs().clone(), log.blobs().clone()).await
}

async fn copy_blobs(from: BlobStore, to: BlobStore) -> Result<(), Error> {
    export::blocking(move || {
        for first in 0..=u8::MAX {
            for hash in from.shelf(first)? {
                to.put(&from.get(&hash)?)?;
            }
        }
        Ok(())
    })
    .await
}

async fn open(directory: &Path) -> Result<SledLog, Error> {
    let directory = directory.to_path_buf();
    export::blocking(move || SledLog::open(directory, Options::default())).await
}

fn expect_nothing(target: &Path) -> Result<(), Error> {
    match files::list(target)?.is_empty() {
        true => Ok(()),
        false => Err(Error::Invalid {
            what: "directory",
            why: format!("{} is there already; name one that is not", target.display()),
        }),
    }
}

/// Copies a file or a directory durably, with its permissions.
fn carry(from: &Path, to: &Path) -> Result<(), Error> {
    let failed = |source| Error::io(format!("copy {}", from.display()), source);
    if from.is_dir() {
        fs::create_dir(to).map_err(failed)?;
        for entry in files::list(from)? {
            carry(&entry.path(), &to.join(entry.file_name()))?;
        }
        return files::sync_directory(to);
    }
    fs::copy(from, to).and_then(|_| File::open(to)?.sync_all()).map_err(failed)
}

fn remove(directory: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(directory) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(Error::io(format!("remove {}", directory.display()), source))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn beside(directory: &Path, ending: &str) -> PathBuf {
    // A name such as `data/` or `.` has no last part to which an ending could be put.
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.components().collect());
    let mut name = directory.into_os_string();
    name.push(ending);
    PathBuf::from(name)
}
