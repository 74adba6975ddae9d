//! The checks made on one file.
//!
//! The rule in one place: a bad figure is bad, even in a file cut short; a good one counts only if
//! the test ran to its end under the promised conditions; no figure is no verdict.

use super::check::{Because, Check, CheckName, Outcome};
use crate::text::Name;

pub(super) struct Sheet<'a> {
    evidence: Option<Option<&'a Name>>,
    complete: bool,
    checks: Vec<Check>,
}

/// What a figure needs to be believed when it is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rests {
    /// One line of the file says it.
    OnOneLine,
    /// The whole run says it.
    OnWholeRun,
    /// The whole run says it, but something speaks against the conditions.
    Not(Because),
}

impl<'a> Sheet<'a> {
    pub(super) fn of(file: Option<&'a Name>, complete: bool) -> Self {
        Self { evidence: Some(file), complete, checks: Vec::new() }
    }

    pub(super) fn without_evidence() -> Self {
        Self { evidence: None, complete: false, checks: Vec::new() }
    }

    pub(super) fn into_checks(self) -> Vec<Check> {
        self.checks
    }

    pub(super) fn complete(&self) -> bool {
        self.complete
    }

    /// A figure and whether it is good.
    pub(super) fn figure<T: ToString>(
        &mut self,
        name: CheckName,
        measured: Option<T>,
        promised: impl ToString,
        rests: Rests,
        good: impl Fn(&T) -> bool,
    ) -> &mut Check {
        let doubt = match rests {
            Rests::OnOneLine => None,
            Rests::OnWholeRun => (!self.complete).then_some(Because::CutShort),
            Rests::Not(because) => Some(because),
        };
        let found = match (measured.as_ref().map(good), doubt) {
            (Some(true), None) => Ok(Outcome::Pass),
            (Some(false), _) => Ok(Outcome::Fail),
            (Some(true), Some(because)) => Err(because),
            (None, _) => Err(Because::NoReading),
        };
        let measured = measured.map(|value| value.to_string());
        match found {
            Ok(outcome) => self.decided(name, outcome, measured, promised),
            Err(because) => self.open(name, because, measured, promised),
        }
    }

    /// A check whose outcome is known.
    pub(super) fn decided(
        &mut self,
        name: CheckName,
        outcome: Outcome,
        measured: Option<String>,
        promised: impl ToString,
    ) -> &mut Check {
        self.push(Check {
            name,
            outcome,
            measured,
            promised: promised.to_string(),
            of: None,
            because: None,
            detail: None,
            file: self.evidence.flatten().cloned(),
        })
    }

    /// A check that nobody can decide.
    pub(super) fn open(
        &mut self,
        name: CheckName,
        because: Because,
        measured: Option<String>,
        promised: impl ToString,
    ) -> &mut Check {
        let because = if self.evidence.is_none() { Because::NoEvidence } else { because };
        let check = self.decided(name, Outcome::Inconclusive, measured, promised);
        check.because = Some(because);
        check
    }

    fn push(&mut self, check: Check) -> &mut Check {
        self.checks.push(check);
        self.checks.last_mut().expect("a check was just pushed")
    }
}

impl Check {
    pub(super) fn of(&mut self, which: impl Into<String>) -> &mut Self {
        self.of = Some(which.into());
        self
    }

    pub(super) fn detail(&mut self, words: impl Into<String>) -> &mut Self {
        let words = words.into();
        self.detail = (!words.is_empty()).then_some(words);
        self
    }
}
