//! The six stages, in the order in which a procurement goes through them.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Needs,
    Budget,
    Shortlist,
    Poc,
    Negotiation,
    Operation,
}

impl Stage {
    pub const ALL: [Self; 6] =
        [Self::Needs, Self::Budget, Self::Shortlist, Self::Poc, Self::Negotiation, Self::Operation];

    pub fn id(self) -> &'static str {
        match self {
            Self::Needs => "needs",
            Self::Budget => "budget",
            Self::Shortlist => "shortlist",
            Self::Poc => "poc",
            Self::Negotiation => "negotiation",
            Self::Operation => "operation",
        }
    }

    pub fn next(self) -> Option<Self> {
        match self {
            Self::Needs => Some(Self::Budget),
            Self::Budget => Some(Self::Shortlist),
            Self::Shortlist => Some(Self::Poc),
            Self::Poc => Some(Self::Negotiation),
            Self::Negotiation => Some(Self::Operation),
            Self::Operation => None,
        }
    }

    /// This stage and all after it.
    pub fn onwards(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |&stage| stage >= self)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
