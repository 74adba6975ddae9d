//! The built program, run to its end.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// What a run of the program came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// The program with these words, in an environment without settings of its own.
pub(crate) fn program(words: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixgate"));
    command.args(words).env_remove("SIXGATE_LOG").stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub(crate) fn run(words: &[impl AsRef<OsStr>]) -> Ran {
    let output = program(words).output().unwrap();
    let ran = Ran {
        code: output.status.code(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!ran.errors.contains("panic"), "{ran:?}");
    ran
}

impl Ran {
    /// What a successful run printed.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.output
    }

    /// Why a run was refused, which it tells on standard error in one line.
    #[track_caller]
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.errors.contains("sixgate: "), "{self:?}");
        self.errors
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
