//! Typed identifiers, so that a supplier is never passed where a person is meant.
//!
//! Ids are made outside and come in with the command; nothing here makes one up.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::invalid::Invalid;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            fn from_str(text: &str) -> Result<Self, Invalid> {
                Uuid::parse_str(text)
                    .map(Self)
                    .map_err(|_| Invalid::new(stringify!($name), format!("`{text}` is not a UUID")))
            }
        }
    )+};
}

id! {
    /// Names one command; the same id sent twice is the same command.
    CommandId,
    IncidentId,
    PersonId,
    ProcurementId,
    SupplierId,
    TokenId,
}
