//! Reads what `dcgmi diag` says: the JSON of versions 3 and 4, and the table for people.
//!
//! A test that was skipped did not run, and a run in which nothing ran is not a success.
//! Whether an error is the hardware's fault or a setting is left to who judges; its numbers are kept.

mod table;
mod tree;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DcgmDiag {
    pub version: Option<String>,
    pub driver: Option<String>,
    pub tests: Vec<DiagTest>,
    /// Tests with a result other than skipped and not run.
    pub executed: usize,
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// Devices that took part; null when the output does not list them.
    pub entities: Option<usize>,
    /// Why the diagnostic could not run at all.
    pub runtime_error: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiagTest {
    pub name: String,
    pub category: Option<String>,
    /// The worst of all devices; null where none is given.
    pub status: Option<DiagStatus>,
    pub errors: Vec<DiagError>,
    pub info: Vec<String>,
}

/// From the mildest to the worst; one device that ran outweighs one that was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiagStatus {
    NotRun,
    Skip,
    Pass,
    Warn,
    Fail,
}

/// The numbers are those of DCGM: id of the error, severity 1–6, category 1–16.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiagError {
    pub id: Option<u64>,
    pub severity: Option<u64>,
    pub category: Option<u64>,
    pub text: String,
}

const TESTS_MAX: usize = 500;
const NOTES_MAX: usize = 100;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let mut warnings = Warnings::default();
    let found = match tree::find(text.content(), &mut warnings) {
        Some(found) => Some(found),
        None => table::find(text)?,
    };
    let Some((mut facts, mut incomplete_because)) = found else {
        let looked_for = "the JSON or the table of dcgmi diag";
        return Err(Refused::not_this_kind(Kind::DcgmDiag, looked_for));
    };
    facts.count();
    if let Some(error) = &facts.runtime_error {
        incomplete_because.get_or_insert_with(|| format!("the diagnostic could not run: {error}"));
    } else if facts.tests.is_empty() {
        incomplete_because.get_or_insert_with(|| "no test is listed".to_owned());
    }
    if facts.executed == 0 && !facts.tests.is_empty() {
        let said = "no test was executed, which says nothing about the cards";
        warnings.push(Warning::new("nothing_executed", said));
    }
    Ok(Document::new(
        Kind::DcgmDiag,
        Facts::DcgmDiag(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

impl DcgmDiag {
    fn count(&mut self) {
        let with = |status: &[DiagStatus]| {
            let is = |test: &&DiagTest| test.status.is_some_and(|known| status.contains(&known));
            self.tests.iter().filter(is).count()
        };
        let (passed, failed) = (with(&[DiagStatus::Pass]), with(&[DiagStatus::Fail]));
        let skipped = with(&[DiagStatus::Skip]);
        let executed = passed + failed + with(&[DiagStatus::Warn]);
        (self.executed, self.passed, self.failed, self.skipped) =
            (executed, passed, failed, skipped);
    }

    /// The test of this name, which another iteration or device may have brought already.
    fn test(&mut self, name: &str, category: Option<&str>) -> Option<&mut DiagTest> {
        let known = self
            .tests
            .iter()
            .position(|test| test.name == name && test.category.as_deref() == category);
        if known.is_none() && self.tests.len() == TESTS_MAX {
            return None;
        }
        let at = known.unwrap_or_else(|| {
            self.tests.push(DiagTest {
                name: name.to_owned(),
                category: category.map(str::to_owned),
                status: None,
                errors: Vec::new(),
                info: Vec::new(),
            });
            self.tests.len() - 1
        });
        self.tests.get_mut(at)
    }
}

impl DiagTest {
    fn found(&mut self, status: Option<DiagStatus>) {
        self.status = self.status.max(status);
    }

    /// Version 4.5.2 repeats the errors of the devices in its summary.
    fn error(&mut self, error: DiagError) {
        if self.errors.len() < NOTES_MAX && !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    fn note(&mut self, text: &str) {
        let text = text.trim();
        if self.info.len() < NOTES_MAX && !text.is_empty() {
            self.info.push(text.to_owned());
        }
    }
}

impl DiagStatus {
    /// `Pass`, `PASS`, `Pass - All`, `Fail - GPU: 0`.
    fn parse(text: &str) -> Option<Self> {
        let word = text.split(" - ").next().unwrap_or(text).trim().to_ascii_lowercase();
        match word.as_str() {
            "pass" => Some(Self::Pass),
            "fail" => Some(Self::Fail),
            "warn" | "warning" => Some(Self::Warn),
            "skip" | "skipped" => Some(Self::Skip),
            "not run" | "notrun" => Some(Self::NotRun),
            _ => None,
        }
    }
}
