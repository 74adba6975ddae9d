//! When, by whom and where in the log an event was recorded.
//!
//! Events do not repeat these; whoever folds them gets the stamp beside the event.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::context::ActorId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub at: DateTime<Utc>,
    pub by: ActorId,
    /// Position of the commit in the log; the evidence link of everything derived from the event.
    pub position: u64,
    /// Which event of that commit.
    pub index: u32,
}

/// A recorded value together with the event it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact<T> {
    pub value: T,
    pub stamp: Stamp,
}

impl<T> Fact<T> {
    pub fn new(value: T, stamp: Stamp) -> Self {
        Self { value, stamp }
    }
}
