//! What a checking constructor says when it refuses a value.
//!
//! A value type can only be built through its constructor, and serde goes through the same one, so
//! whatever holds here holds for commands, for stored events and for the API alike.

use serde::Serialize;

/// A value that may not exist: what it was meant to be, and why it is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{what}: {why}")]
pub struct Invalid {
    pub what: &'static str,
    pub why: String,
}

impl Invalid {
    pub fn new(what: &'static str, why: impl Into<String>) -> Self {
        Self { what, why: why.into() }
    }
}
