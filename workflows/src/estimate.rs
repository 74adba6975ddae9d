//! A number that somebody is more or less sure of: known, a range, or to be determined.
//!
//! A range or an honest "to be determined" beats a blank, so every estimated field says which of
//! the three it is, and calculations carry ranges through.

use serde::{Deserialize, Serialize};

use crate::{
    invalid::Invalid,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    bound(deserialize = "T: Deserialize<'de> + PartialOrd + Clone"),
    try_from = "Raw<T>"
)]
pub enum Estimate<T> {
    Known { known: T },
    Range { low: T, high: T },
    Tbd { tbd: Text },
}

/// The same three shapes before they are checked.
#[derive(Deserialize)]
#[serde(untagged)]
enum Raw<T> {
    Known { known: T },
    Range { low: T, high: T },
    Tbd { tbd: Text },
}

impl<T: PartialOrd + Clone> Estimate<T> {
    pub fn known(value: T) -> Self {
        Self::Known { known: value }
    }

    pub fn range(low: T, high: T) -> Result<Self, Invalid> {
        match low.partial_cmp(&high) {
            Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal) => {
                Ok(Self::Range { low, high })
            }
            Some(std::cmp::Ordering::Greater) | None => {
                Err(Invalid::new("range", "its lower end is above its upper end"))
            }
        }
    }

    pub fn tbd(note: &str) -> Self {
        let tbd = Text::new(note).unwrap_or_else(|_| Self::without_note());
        Self::Tbd { tbd }
    }

    fn without_note() -> Text {
        Text::new("TBD").expect("`TBD` is a valid text")
    }

    /// Whether anything is known, exactly or as a range.
    pub fn is_given(&self) -> bool {
        match self {
            Self::Known { .. } | Self::Range { .. } => true,
            Self::Tbd { .. } => false,
        }
    }

    pub fn low(&self) -> Option<&T> {
        match self {
            Self::Known { known } => Some(known),
            Self::Range { low, .. } => Some(low),
            Self::Tbd { .. } => None,
        }
    }

    pub fn high(&self) -> Option<&T> {
        match self {
            Self::Known { known } => Some(known),
            Self::Range { high, .. } => Some(high),
            Self::Tbd { .. } => None,
        }
    }

    /// As people write it; nothing while it is to be determined.
    pub fn written(&self) -> Option<String>
    where
        T: std::fmt::Display,
    {
        match self {
            Self::Known { known } => Some(known.to_string()),
            Self::Range { low, high } => Some(format!("{low}–{high}")),
            Self::Tbd { .. } => None,
        }
    }

    pub fn try_map<U: PartialOrd + Clone, E>(
        &self,
        convert: impl Fn(&T) -> Result<U, E>,
    ) -> Result<Estimate<U>, E> {
        Ok(match self {
            Self::Known { known } => Estimate::Known { known: convert(known)? },
            Self::Range { low, high } => {
                Estimate::Range { low: convert(low)?, high: convert(high)? }
            }
            Self::Tbd { tbd } => Estimate::Tbd { tbd: tbd.clone() },
        })
    }
}

impl<T: PartialOrd + Clone> TryFrom<Raw<T>> for Estimate<T> {
    type Error = Invalid;

    fn try_from(raw: Raw<T>) -> Result<Self, Invalid> {
        match raw {
            Raw::Known { known } => Ok(Self::Known { known }),
            Raw::Range { low, high } => Self::range(low, high),
            Raw::Tbd { tbd } => Ok(Self::Tbd { tbd }),
        }
    }
}

/// A word that is not known yet, for fields of a brief that nobody has filled in.
pub fn unnamed() -> Estimate<Name> {
    Estimate::tbd("TBD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_shapes_survive_json() {
        for shape in [r#"{"known":8}"#, r#"{"low":4,"high":8}"#, r#"{"tbd":"待定"}"#] {
            let estimate: Estimate<u32> = serde_json::from_str(shape).unwrap();
            assert_eq!(serde_json::to_string(&estimate).unwrap(), shape);
        }
    }

    #[test]
    fn a_range_upside_down_is_refused_everywhere() {
        assert!(Estimate::range(8, 4).is_err());
        assert!(serde_json::from_str::<Estimate<u32>>(r#"{"low":8,"high":4}"#).is_err());
    }
}
