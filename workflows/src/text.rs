//! Words that people enter: bounded, trimmed, and free of characters that could forge a line.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

/// One line of 1 to 200 characters, such as a title or a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// One or more lines of 1 to 2 000 characters together, such as a reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text(String);

impl Name {
    pub const CHARACTERS_MAX: usize = 200;

    pub fn new(text: &str) -> Result<Self, Invalid> {
        checked(text, "name", Self::CHARACTERS_MAX, |_| false).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Text {
    pub const CHARACTERS_MAX: usize = 2_000;

    pub fn new(text: &str) -> Result<Self, Invalid> {
        let unix = text.replace("\r\n", "\n");
        checked(&unix, "text", Self::CHARACTERS_MAX, |c| c == '\n' || c == '\t').map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn checked(
    text: &str,
    what: &'static str,
    characters_max: usize,
    permitted: fn(char) -> bool,
) -> Result<String, Invalid> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(Invalid::new(what, "must not be empty"));
    }
    let characters = trimmed.chars().count();
    if characters > characters_max {
        return Err(Invalid::new(
            what,
            format!("has {characters} characters, at most {characters_max} are kept"),
        ));
    }
    match trimmed.chars().find(|&c| forges_lines(c) && !permitted(c)) {
        Some(c) => Err(Invalid::new(what, format!("contains the control character {c:?}"))),
        None => Ok(trimmed.to_owned()),
    }
}

/// Control characters break lines and headers; bidirectional overrides make a text read otherwise
/// than it is stored.
fn forges_lines(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

macro_rules! string_conversions {
    ($($name:ident),+) => {$(
        impl TryFrom<String> for $name {
            type Error = Invalid;

            fn try_from(text: String) -> Result<Self, Invalid> {
                Self::new(&text)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

string_conversions!(Name, Text);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_trimmed_line() {
        assert_eq!(Name::new("  昇腾 910B ").unwrap().as_str(), "昇腾 910B");
        for bad in ["", "  ", "a\nb", "a\u{0}b", "a\u{202e}b", &"x".repeat(201)] {
            assert!(Name::new(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn a_text_keeps_its_lines_and_loses_carriage_returns() {
        assert_eq!(Text::new("a\r\nb").unwrap().as_str(), "a\nb");
        assert!(Text::new("a\rb").is_err());
    }
}
