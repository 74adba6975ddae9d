//! Mail: a letter becomes frozen bytes, and bytes are handed to one transport.
//!
//! The rule: a letter is frozen once and every attempt sends the same bytes with the same
//! Message-ID, so a reader who gets it twice can see that it is one letter.
//! [`Outcome::Unknown`] is a state of its own: once the final dot may have been sent, silence does
//! not mean failure, and nothing here pretends to deliver exactly once.
//!
//! ```text
//!   Letter --freeze--> bytes --Transport::send(envelope, bytes)--> Outcome
//!             |                     |
//!         Unsendable            Smtp | Folder | Own
//! ```
//!
//! It deliberately keeps no queue, no retry times and no record of attempts: those are events, and
//! the layer above appends them before and after it calls `send`.

use std::time::Duration;

use async_trait::async_trait;

mod calendar;
mod folder;
mod letter;
mod settings;
mod smtp;
mod text;
mod unsendable;
mod verdict;
mod wire;

pub use calendar::{Invitation, Method, invitation};
pub use folder::Folder;
pub use letter::{Letter, Recipient, Sender, freeze, message_id};
pub use settings::{Deadlines, Password, Security, SettingsInvalid, SmtpSettings};
pub use smtp::Smtp;
pub use unsendable::Unsendable;

/// The addresses of one SMTP transaction.
///
/// There is one recipient per envelope, because the first refused recipient ends the transaction
/// for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    pub from: String,
    pub to: String,
}

/// What an attempt to send came to. Each variant asks something else of the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The server took responsibility: it answered 250 to the final dot.
    Sent { reply: String },
    /// It was not taken and a later attempt may succeed; the relay itself is well.
    Retry { why: String },
    /// The relay could not be reached or turns everybody away, so every other letter would wait as
    /// well.
    Unavailable { why: String },
    /// This message or this recipient will never be taken.
    Refused { why: String },
    /// Signing in, TLS, the certificate or the sender is wrong: every other letter would fail in
    /// the same way, so pause and tell an administrator.
    Misconfigured { why: String },
    /// The connection was lost or the deadline passed after the final dot: it may have been taken.
    Unknown { why: String },
}

/// Where letters go: a relay, or a folder for development and for systems without one.
pub enum Transport {
    Smtp(Smtp),
    Folder(Folder),
    /// Whatever an embedding program brings.
    Own(Box<dyn Carrier>),
}

/// A way of handing letters over that is not built in. It keeps to the same contract as SMTP: bytes
/// are sent as they are, and an outcome is never better than what is known.
#[async_trait]
pub trait Carrier: Send + Sync {
    async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome;

    /// As [`Transport::probe`].
    async fn probe(&self, from: &str) -> Result<(), Outcome>;
}

impl Transport {
    /// Makes one attempt. Dropping the future closes the connection; the attempt must then be
    /// treated as unknown.
    pub async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome {
        match self {
            Self::Smtp(smtp) => smtp.send(envelope, bytes).await,
            Self::Folder(folder) => folder.send(envelope, bytes).await,
            Self::Own(carrier) => carrier.send(envelope, bytes).await,
        }
    }

    /// Whether letters would be taken, as far as that can be told without one: connects, signs in,
    /// and names the sender.
    pub async fn probe(&self, from: &str) -> Result<(), Outcome> {
        match self {
            Self::Smtp(smtp) => smtp.probe(from).await,
            // The next letter says it as cheaply.
            Self::Folder(_) => Ok(()),
            Self::Own(carrier) => carrier.probe(from).await,
        }
    }

    /// How long an attempt takes at most, all deadlines together.
    pub fn patience(&self) -> Duration {
        match self {
            Self::Smtp(smtp) => smtp.patience(),
            Self::Folder(_) | Self::Own(_) => Duration::from_secs(60),
        }
    }

    /// One line for a log or a status page, without secrets.
    pub fn describe(&self) -> String {
        match self {
            Self::Smtp(smtp) => smtp.describe(),
            Self::Folder(folder) => folder.describe(),
            Self::Own(_) => "a carrier of its own".to_owned(),
        }
    }
}
