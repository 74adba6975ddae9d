//! The exit code of a command that failed.
//!
//! The rule: a damaged log is an answer, and a negative one; everything else that keeps a command
//! from answering is "cannot tell".

use std::process::ExitCode;

/// It was found out, and the answer is no.
pub(crate) const NEGATIVE: u8 = 1;
/// It could not be found out, or the input is not usable.
pub(crate) const CANNOT_TELL: u8 = 2;

pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    let damaged = error.chain().any(|cause| {
        let storage = cause.downcast_ref::<sixgate_storage::Error>();
        let engine = cause.downcast_ref::<sixgate_engine::Error>();
        matches!(storage, Some(sixgate_storage::Error::Corrupt { .. }))
            || matches!(engine, Some(sixgate_engine::Error::Gap { .. }))
    });
    ExitCode::from(if damaged { NEGATIVE } else { CANNOT_TELL })
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn damage_is_a_negative_answer_however_deep_it_lies() {
        let damage = sixgate_storage::Error::Corrupt { position: None, why: "torn".to_owned() };
        let error = Err::<(), _>(sixgate_engine::Error::Storage(damage)).context("opening");
        assert_eq!(exit_code(&error.unwrap_err()), ExitCode::from(NEGATIVE));
    }

    #[test]
    fn anything_else_cannot_be_told() {
        let busy = sixgate_storage::Error::Busy { directory: "data".into() };
        assert_eq!(exit_code(&busy.into()), ExitCode::from(CANNOT_TELL));
    }
}
