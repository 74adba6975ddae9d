//! Why a file was not read: what is wrong, where, and what the person can do about it.
//!
//! A refusal is an expected outcome with a stable code; it never quotes more than a few words of the file.
//! It is not used for files that are cut short: those are read and marked incomplete.

use crate::Kind;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Refused {
    // Boxed, because results carry it through every reader.
    details: Box<Details>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    code: &'static str,
    what: String,
    line: Option<u64>,
    field: Option<String>,
    advice: String,
    tried: Vec<Tried>,
}

/// One kind that [`crate::read_auto`] tried, and why the file is not of that kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    pub kind: Kind,
    pub refused: Refused,
}

const NOT_THIS_KIND: &str = "not_this_kind";

impl Refused {
    pub(crate) fn new(
        code: &'static str,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        let details = Details {
            code,
            what: what.into(),
            line: None,
            field: None,
            advice: advice.into(),
            tried: Vec::new(),
        };
        Self { details: Box::new(details) }
    }

    pub(crate) fn not_this_kind(kind: Kind, looked_for: &str) -> Self {
        Self::new(
            NOT_THIS_KIND,
            format!("this is no {kind} file: {looked_for} was not found"),
            "check that the right file was chosen, or let the kind be recognised",
        )
    }

    pub(crate) fn is_not_this_kind(&self) -> bool {
        self.details.code == NOT_THIS_KIND
    }

    pub(crate) fn unrecognised(tried: Vec<Tried>) -> Self {
        let near: Vec<String> = tried
            .iter()
            .filter(|one| one.refused.code() != NOT_THIS_KIND)
            .map(|one| format!("as {}: {}", one.kind, one.refused))
            .collect();
        let what = if near.is_empty() {
            "the content is of no known kind".to_owned()
        } else {
            near.join("; ")
        };
        let mut refused =
            Self::new("unrecognised", what, "upload the unchanged output of the tool");
        refused.details.tried = tried;
        refused
    }

    pub(crate) fn on_line(mut self, line: u64) -> Self {
        self.details.line = Some(line);
        self
    }

    pub(crate) fn in_field(mut self, field: impl Into<String>) -> Self {
        self.details.field = Some(field.into());
        self
    }

    pub fn code(&self) -> &'static str {
        self.details.code
    }

    /// What is wrong, without the place and the advice.
    pub fn what(&self) -> &str {
        &self.details.what
    }

    pub fn line(&self) -> Option<u64> {
        self.details.line
    }

    pub fn field(&self) -> Option<&str> {
        self.details.field.as_deref()
    }

    /// What the person can do about it.
    pub fn advice(&self) -> &str {
        &self.details.advice
    }

    /// The kinds that were tried; empty when the kind was given.
    pub fn tried(&self) -> &[Tried] {
        &self.details.tried
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.details.what)?;
        match (self.details.line, &self.details.field) {
            (Some(line), Some(field)) => write!(formatter, " (line {line}, field {field})")?,
            (Some(line), None) => write!(formatter, " (line {line})")?,
            (None, Some(field)) => write!(formatter, " (field {field})")?,
            (None, None) => {}
        }
        write!(formatter, "; {}", self.details.advice)?;
        if !self.details.tried.is_empty() {
            let kinds: Vec<&str> = self.details.tried.iter().map(|one| one.kind.as_str()).collect();
            write!(formatter, "; tried: {}", kinds.join(", "))?;
        }
        Ok(())
    }
}
