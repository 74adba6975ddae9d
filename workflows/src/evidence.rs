//! A reference to a file that proves something: its content hash, so that it cannot be exchanged
//! afterwards, and the name it was uploaded under.
//!
//! The bytes are kept by the storage; the rules only ever see the hash and what a reader made of
//! the file.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{invalid::Invalid, text::Name};

/// SHA-256 of a file, as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(String);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceFile {
    pub hash: ContentHash,
    pub name: Name,
}

impl ContentHash {
    pub fn new(text: &str) -> Result<Self, Invalid> {
        let hexadecimal = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if text.len() == 64 && text.chars().all(hexadecimal) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Invalid::new("content hash", "is not 64 lower-case hexadecimal digits"))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ContentHash {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        Self::new(&text)
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
