//! The event log: it takes commits of bytes, keeps them for ever, and hands them back in order.
//!
//! ```text
//! Log
//! └── Commit            one stream, one position in the whole log, one revision in its stream
//!     ├── metadata      bytes: who, why, when; opaque here
//!     ├── hash          SHA-256 over everything in the commit and the hash of the commit before
//!     └── Event 0..n    kind, schema number, bytes; opaque here
//! Blobs                 content-addressed files for what is too large for the log
//! ```
//!
//! The rule: acknowledged means durable. What [`EventLog::append`] has answered `Ok` to survives a
//! crash of the process and a loss of power, or the log refuses to open and says so.
//!
//! What it deliberately doesn't do: it knows nothing of procurement, never interprets the bytes it
//! stores, reads no clock, makes no ids, never deletes, and never repairs damage by guessing.

#![warn(missing_docs)]

pub mod blobs;
pub mod bundle;
mod chain;
pub mod checkpoint;
mod commit;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod directory;
mod error;
pub mod export;
mod files;
mod hash;
mod log;
pub mod memory;
mod position;
pub mod sled;
mod stream_id;
pub mod tree;

pub use blobs::BlobStore;
pub use chain::chain_hash;
pub use commit::{
    Appended, COMMIT_BYTES_MAX, COMMIT_EVENTS_MAX, Commit, Expected, KIND_BYTES_MAX, NewCommit,
    NewEvent, RecordedEvent,
};
pub use error::Error;
pub use hash::Hash;
pub use log::{EventLog, Head, PAGE_BYTES, Statistics};
pub use memory::MemoryLog;
pub use position::{Position, Revision};
pub use stream_id::StreamId;

pub use crate::sled::SledLog;
