//! The runtime: everything between a door and the log.
//!
//! ```text
//! door ──► execute ──► access check ──► workflows::decide ──► log ──► projection ──► read
//!                                                              ▲
//!              clock ──► schedule ──► letters ──► notice ──────┤
//!                                                 outbox ──► mail
//! ```
//!
//! Side effects are in `outbox` alone. A projection cannot reach it, so building the read models
//! anew can never send a mail.

pub mod access;
pub mod chart;
mod checkpoint;
pub mod clock;
pub mod engine;
pub mod error;
mod execute;
mod export;
mod files;
pub mod ids;
pub mod import;
pub mod keys;
mod letters;
mod locks;
pub mod mail;
mod outbox;
pub mod prices;
pub mod projection;
pub mod read;
mod record;
mod schedule;
mod seal;
pub mod subject;
pub mod template;
mod xml;

pub use self::{
    checkpoint::CheckpointUnsaved,
    engine::{Engine, Parts, Settings},
    error::Error,
    execute::{Done, Envelope},
    export::files_of,
    letters::preview,
    outbox::{
        breaker::RelayState,
        room::{DeadLetter, MailRoom, StoppedAddress, Unaddressed},
    },
    schedule::Pass,
};
