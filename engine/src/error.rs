//! What a door hears when something was not done.
//!
//! Few variants: one for each thing a caller does differently. What may be shown to people is in
//! `Rejected`, `Import` and the codes; the rest of the detail goes to the log.

use sixgate_storage::Revision;
use sixgate_workflows::{invalid::Invalid, rejection::Rejection, stored::Unreadable};

use crate::keys::KeysError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rules say no, and why.
    #[error("rejected: {0}")]
    Rejected(Rejection),
    /// The functions of the actor do not allow it.
    #[error("the actor's functions do not allow this")]
    Forbidden,
    /// It does not exist, or may not be seen; the two look the same.
    #[error("not found")]
    NotFound,
    /// The same command id was used before for something else.
    #[error("the command id was used for another command")]
    CommandIdReused,
    /// The caller looked at another revision than the present one.
    #[error("the revision is {actual}, the caller expected {expected}")]
    RevisionChanged { expected: Revision, actual: Revision },
    /// Too many others changed the same thing at the same time.
    #[error("changed by others {attempts} times in a row")]
    Conflict { attempts: u32 },
    /// An evidence file could not be read as what it was said to be.
    #[error("the file could not be read")]
    Import(#[source] sixgate_evidence::Refused),
    /// A file was read, but a figure in it is not one that the product keeps.
    #[error("the file holds a value that is not accepted: {0}")]
    ImportValue(Invalid),
    /// The commit may or may not be stored; the same command id tells, once the log is back.
    #[error("it is not known whether the command was stored")]
    Unknown(#[source] sixgate_storage::Error),
    #[error("the log failed")]
    Storage(#[source] sixgate_storage::Error),
    /// The log holds something that this program cannot read.
    #[error("an event cannot be read")]
    Unreadable(#[source] Unreadable),
    /// Positions of the log do not follow each other.
    #[error("position {found} follows {after} in the log")]
    Gap { after: u64, found: u64 },
    /// A key could not be kept, so what it should seal was not stored.
    #[error("the keys of personal data failed")]
    Keys(#[source] KeysError),
    #[error("{0}")]
    Setup(String),
}

impl Error {
    /// Stable for ever: programs react to it.
    pub fn code(&self) -> String {
        match self {
            Self::Rejected(rejection) => return rejection.code(),
            Self::Import(refused) => return refused.code().to_owned(),
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::CommandIdReused => "command_id_reused",
            Self::RevisionChanged { .. } => "revision_changed",
            Self::Conflict { .. } => "conflict",
            Self::ImportValue(_) => "import_value",
            Self::Unknown(_) => "outcome_unknown",
            Self::Storage(_) => "storage",
            Self::Unreadable(_) => "unreadable",
            Self::Gap { .. } => "gap",
            Self::Keys(_) => "keys",
            Self::Setup(_) => "setup",
        }
        .to_owned()
    }
}

impl Error {
    /// Whether the log itself is in trouble, so that nothing else will go better.
    pub(crate) fn is_of_the_log(&self) -> bool {
        match self {
            Self::Unknown(_)
            | Self::Storage(_)
            | Self::Unreadable(_)
            | Self::Gap { .. }
            | Self::Keys(_) => true,
            Self::Rejected(_)
            | Self::Forbidden
            | Self::NotFound
            | Self::CommandIdReused
            | Self::RevisionChanged { .. }
            | Self::Conflict { .. }
            | Self::Import(_)
            | Self::ImportValue(_)
            | Self::Setup(_) => false,
        }
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

impl From<KeysError> for Error {
    fn from(error: KeysError) -> Self {
        Self::Keys(error)
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::Rejected(invalid.into())
    }
}

impl From<sixgate_storage::Error> for Error {
    fn from(error: sixgate_storage::Error) -> Self {
        if matches!(error, sixgate_storage::Error::Unknown { .. }) {
            Self::Unknown(error)
        } else {
            Self::Storage(error)
        }
    }
}
