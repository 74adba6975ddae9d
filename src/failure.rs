//! How a command that failed is told, in words and as an exit code.
//!
//! The rule: the whole chain of causes is told, each once. A damaged log is an answer, and a
//! negative one; everything else that keeps a command from answering is "cannot tell".

use std::process::ExitCode;

/// It was found out, and the answer is no.
pub(crate) const NEGATIVE: u8 = 1;
/// It could not be found out, or the input is not usable.
pub(crate) const CANNOT_TELL: u8 = 2;

/// The error and everything that caused it, on one line.
pub(crate) fn explanation(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // Some foreign errors repeat what caused them.
        if text.ends_with(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text
}

pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    let damaged = error.chain().any(|cause| {
        let storage = cause.downcast_ref::<sixgate_storage::Error>();
        let engine = cause.downcast_ref::<sixgate_engine::Error>();
        matches!(
            storage,
            Some(sixgate_storage::Error::Corrupt { .. } | sixgate_storage::Error::BadLine { .. })
        ) || matches!(engine, Some(sixgate_engine::Error::Gap { .. }))
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
    fn the_chain_is_told_without_repeating_itself() {
        let error = anyhow::anyhow!("no such file").context("not read: no such file");
        assert_eq!(explanation(&error.context("serve")), "serve: not read: no such file");
    }

    #[test]
    fn anything_else_cannot_be_told() {
        let busy = sixgate_storage::Error::Busy { directory: "data".into() };
        assert_eq!(exit_code(&busy.into()), ExitCode::from(CANNOT_TELL));
    }
}
