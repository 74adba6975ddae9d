//! The directory of a log: what lies where, who has it open, and which format it has.
//!
//! ```text
//! DIR/format       "sixgate log 1", written last when a log is created
//! DIR/lock         held by the process that has the log open
//! DIR/journal/     the newest groups of commits, before sled has them
//! DIR/log/         sled
//! DIR/high-water   the newest acknowledged commit
//! DIR/blobs/       what is too large for a value
//! ```
//!
//! The rule: a directory with a `format` file was completely created, so everything else in it
//! must be there. One without was at most begun, so it must hold nothing worth keeping.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::{Error, files};

/// The format that this program writes, and the only one it reads.
const FORMAT: u32 = 1;
const FORMAT_PREFIX: &str = "sixgate log ";

/// How long a log that this process closed before may take to let go of its file.
const CLOSING_MAX: Duration = Duration::from_secs(10);

/// A directory that this process has locked; dropping it gives the lock back.
#[derive(Debug)]
pub(crate) struct Layout {
    directory: PathBuf,
    lock: File,
}

impl Layout {
    /// Locks a directory that must hold a log, perhaps a damaged one.
    pub(crate) fn existing(directory: &Path) -> Result<Self, Error> {
        let known = ["format", "high-water", "log"];
        if !known.iter().any(|name| directory.join(name).exists()) {
            return Err(Error::LogAbsent { directory: directory.to_path_buf() });
        }
        Self::lock(directory)
    }

    /// Locks a directory, which is created where it is absent.
    pub(crate) fn existing_or_new(directory: &Path) -> Result<Self, Error> {
        fs::create_dir_all(directory).map_err(|source| {
            Error::io(format!("create the directory {}", directory.display()), source)
        })?;
        files::create_directory(directory)?;
        Self::lock(directory)
    }

    fn lock(directory: &Path) -> Result<Self, Error> {
        let path = directory.join("lock");
        let failed = |source| Error::io(format!("lock {}", path.display()), source);
        let lock =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { directory: directory.to_path_buf(), lock }),
            Err(TryLockError::WouldBlock) => {
                Err(Error::Busy { directory: directory.to_path_buf() })
            }
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Whether the log was completely created, in a format that this program knows.
    pub(crate) fn is_complete(&self) -> Result<bool, Error> {
        let path = self.directory.join("format");
        let content = match fs::read(&path) {
            Ok(content) => content,
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(source) => return Err(Error::io(format!("read {}", path.display()), source)),
        };
        let text = String::from_utf8_lossy(&content);
        let number = text.strip_prefix(FORMAT_PREFIX).and_then(|rest| rest.strip_suffix('\n'));
        match number.map(|number| (number, number.parse::<u32>())) {
            Some((_, Ok(FORMAT))) => Ok(true),
            Some((found, Ok(_))) => {
                Err(Error::Format { found: found.to_owned(), supported: FORMAT })
            }
            Some((_, Err(_))) | None => {
                Err(Error::corrupt(None, format!("{} does not name a format", path.display())))
            }
        }
    }

    /// Marks the log as completely created.
    pub(crate) fn complete(&self) -> Result<(), Error> {
        let content = format!("{FORMAT_PREFIX}{FORMAT}\n");
        let passing = self.directory.join("format.unfinished");
        files::write_whole(&passing, &self.directory.join("format"), content.as_bytes())
    }

    /// Waits until nothing holds the lock that sled puts on its file.
    ///
    /// Whoever has this layout is the only opener, but the threads of a log that was just dropped,
    /// and processes forked meanwhile, may hold on to the file for a moment longer.
    pub(crate) fn wait_until_closed(&self) -> Result<(), Error> {
        let path = self.log_file();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(Error::io(format!("open {}", path.display()), source)),
        };
        let (sender, locked) = mpsc::channel();
        let waiting = move || {
            // Unlocked at once, because only the moment at which it could be locked matters.
            let outcome = file.lock().and_then(|()| file.unlock());
            // Nobody waits any longer than they said, so the answer may come too late.
            let _ = sender.send(outcome);
        };
        thread::Builder::new()
            .name("log-lock".to_owned())
            .spawn(waiting)
            .map_err(|source| Error::io("start the thread that waits for the log", source))?;
        match locked.recv_timeout(CLOSING_MAX) {
            Ok(outcome) => {
                outcome.map_err(|source| Error::io(format!("lock {}", path.display()), source))
            }
            Err(_) => Err(Error::Busy { directory: self.directory.clone() }),
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// The file in which sled keeps everything that matters.
    pub(crate) fn log_file(&self) -> PathBuf {
        self.log().join("db")
    }

    pub(crate) fn high_water(&self) -> PathBuf {
        self.directory.join("high-water")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.directory.join("journal")
    }

    pub(crate) fn blobs(&self) -> PathBuf {
        self.directory.join("blobs")
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        // Closing alone would leave the lock to any process that was forked and has not yet begun
        // its own program. A failure leaves it to the end of this process at the latest.
        let _ = self.lock.unlock();
    }
}
