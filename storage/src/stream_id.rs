//! The name of a stream.
//!
//! The rule: lower-case letters, digits and hyphens, 1 to 100 of them, so that a name is safe in a
//! key, a file name, a subject of a message broker and a URL without any escaping.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Error;

/// The name of one stream, such as `procurement-42`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StreamId(String);

impl StreamId {
    /// The longest name.
    pub const CHARACTERS_MAX: usize = 100;

    /// Checks a name.
    pub fn new(name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        if name.is_empty() || name.len() > Self::CHARACTERS_MAX {
            return Err(Error::Invalid {
                what: "stream name",
                why: format!(
                    "it has {} characters, and must have 1 to {}",
                    name.chars().count(),
                    Self::CHARACTERS_MAX
                ),
            });
        }
        let foreign =
            name.chars().find(|character| !matches!(character, 'a'..='z' | '0'..='9' | '-'));
        match foreign {
            Some(character) => Err(Error::Invalid {
                what: "stream name",
                why: format!("{character:?} is not one of a-z, 0-9 and -"),
            }),
            None => Ok(Self(name)),
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for StreamId {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::new(name)
    }
}

impl TryFrom<String> for StreamId {
    type Error = Error;

    fn try_from(name: String) -> Result<Self, Error> {
        Self::new(name)
    }
}

impl From<StreamId> for String {
    fn from(stream: StreamId) -> Self {
        stream.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_holds_lower_case_digits_and_hyphens_only() {
        for good in ["a", "0", "-", "procurement-0190", &"x".repeat(100)] {
            assert_eq!(StreamId::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "A", "a_b", "a.b", "a/b", "ä", "a\0", " a", &"x".repeat(101)] {
            assert_eq!(StreamId::new(bad).unwrap_err().code(), "invalid", "{bad:?}");
        }
    }

    #[test]
    fn serde_goes_through_the_check() {
        assert!(serde_json::from_str::<StreamId>("\"procurement-1\"").is_ok());
        assert!(serde_json::from_str::<StreamId>("\"Procurement\"").is_err());
    }
}
