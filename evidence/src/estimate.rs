//! A value that somebody may not be sure of: known, a range, or to be determined with a note.
//!
//! A blank is never a value: what a brief leaves out becomes `tbd` and says so.
//! Nothing is calculated here; ranges are carried through by whoever calculates.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Estimate<T> {
    Known { known: T },
    Range { low: T, high: T },
    Tbd { tbd: String },
}

impl<T> Estimate<T> {
    pub fn known(known: T) -> Self {
        Self::Known { known }
    }

    pub fn range(low: T, high: T) -> Self {
        Self::Range { low, high }
    }

    pub fn tbd(note: impl Into<String>) -> Self {
        Self::Tbd { tbd: note.into() }
    }

    pub fn is_tbd(&self) -> bool {
        matches!(self, Self::Tbd { .. })
    }
}
