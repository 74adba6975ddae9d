//! Everything that can go wrong in the log, as few kinds as callers can act on.
//!
//! The rule: a message says what, where and what to do, and never repeats its source. Only
//! [`Error::Conflict`] may be retried by a caller, on fresh state; the rest are final.

use std::io;
use std::path::PathBuf;

use crate::{Expected, Hash, Position, Revision, StreamId};

/// Why the log or the blob store refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The stream is not where the writer thought it was. Nothing was stored.
    #[error("stream {stream} is at revision {actual}, but the append expected {expected}")]
    Conflict {
        /// The stream.
        stream: StreamId,
        /// What the append expected.
        expected: Expected,
        /// Where the stream is.
        actual: Revision,
    },
    /// Too many bytes. Nothing was stored.
    #[error("the {what} has {size_bytes} bytes, and may have at most {size_bytes_max}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How large it is.
        size_bytes: u64,
        /// How large it may be.
        size_bytes_max: u64,
    },
    /// A value that the log does not take. Nothing was stored.
    #[error("the {what} is not valid: {why}")]
    Invalid {
        /// What is not valid.
        what: &'static str,
        /// Why not.
        why: String,
    },
    /// Stored bytes are not what was written. The log must not be used until it is restored.
    #[error(
        "stored bytes are damaged{}: {why}; nothing was deleted: keep the files for analysis and \
         restore the newest backup into a new directory",
        place(*.position)
    )]
    Corrupt {
        /// The first position known to be affected, where one is known.
        position: Option<Position>,
        /// What was found.
        why: String,
    },
    /// Another process has the log open.
    #[error(
        "the log in {} is already open in another process; stop that process first, \
         or choose another directory",
        .directory.display()
    )]
    Busy {
        /// The directory of the log.
        directory: PathBuf,
    },
    /// No space is left. Nothing was stored by this call.
    #[error("no space is left to {operation}; free some space and try again")]
    Full {
        /// What was being done.
        operation: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// An earlier failure closed the log to writing. This commit was certainly not stored.
    #[error(
        "the log no longer accepts commits after an earlier failure ({why}); \
         check the disk, then restart the process"
    )]
    Poisoned {
        /// The earlier failure.
        why: String,
    },
    /// The write may or may not have reached the disk.
    #[error(
        "it is not known whether the commit is stored ({why}); check the disk, restart the \
         process, and look for the commit before sending it again"
    )]
    Unknown {
        /// The failure that left the outcome open.
        why: String,
    },
    /// No blob with this hash is stored.
    #[error("no blob {hash} is stored")]
    BlobAbsent {
        /// The hash that was asked for.
        hash: Hash,
    },
    /// A line of an export or a bundle is not what was written.
    #[error("line {line} is not as it was written: {why}; take another copy of the file")]
    BadLine {
        /// The line, from 1 on.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The directory holds no log.
    #[error("{} holds no log; check the path", .directory.display())]
    LogAbsent {
        /// The directory that was looked at.
        directory: PathBuf,
    },
    /// The log was written by a version of the program that this one does not know.
    #[error(
        "the log has format {found}, and this program knows format {supported}; \
         use the version of the program that wrote it"
    )]
    Format {
        /// What the log says.
        found: String,
        /// What this program can read.
        supported: u32,
    },
    /// The operating system refused. Nothing was stored by this call.
    #[error("could not {operation}")]
    Io {
        /// What was being done.
        operation: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
}

impl Error {
    /// The stable name of the kind of error, for logs and for callers in other languages.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "conflict",
            Self::TooLarge { .. } => "too_large",
            Self::Invalid { .. } => "invalid",
            Self::Corrupt { .. } => "corrupt",
            Self::Busy { .. } => "busy",
            Self::Full { .. } => "full",
            Self::Poisoned { .. } => "poisoned",
            Self::Unknown { .. } => "unknown",
            Self::BlobAbsent { .. } => "blob_absent",
            Self::BadLine { .. } => "bad_line",
            Self::LogAbsent { .. } => "log_absent",
            Self::Format { .. } => "format",
            Self::Io { .. } => "io",
        }
    }

    /// An error of the operating system, with what was being done.
    pub(crate) fn io(operation: impl Into<String>, source: io::Error) -> Self {
        let operation = operation.into();
        if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            Self::Full { operation, source }
        } else {
            Self::Io { operation, source }
        }
    }

    /// Damage found at a position.
    pub(crate) fn corrupt(position: impl Into<Option<Position>>, why: impl Into<String>) -> Self {
        Self::Corrupt { position: position.into(), why: why.into() }
    }
}

/// The message of an error and of all its sources, for a place that can only keep text.
pub(crate) fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

fn place(position: Option<Position>) -> String {
    position.map(|position| format!(" at position {position}")).unwrap_or_default()
}
