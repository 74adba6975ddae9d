//! From what went wrong, and where in the conversation, to what the caller should do.
//!
//! The rule: the phase decides as much as the reply does. A 5xx before the recipient is named
//! concerns every letter, after it only this one; and silence after the final dot is not a
//! failure but ignorance. It deliberately does no I/O and counts no attempts.
//!
//! ```text
//!               4xx      5xx            silence, loss   client error   panic
//! Opening       Unavail. Misconfigured  Unavail. *      Misconfigured  Misconfigured
//! SigningIn     Unavail. Misconfigured  Unavail.        Misconfigured  Misconfigured
//! Sender        Unavail. Misconfigured  Unavail.        Refused        Refused
//! Recipient     Retry    Refused **     Retry           Refused        Refused
//! Content       Retry    Refused **     Retry           Refused        Refused
//! FinalDot      Retry    Refused **     Unknown         Unknown        Unknown
//!
//! *  a TLS alert or a bad certificate is Misconfigured
//!    A 421 says that the whole server goes away and is Unavailable in every phase.
//! ** 530, 534, 535 and 538 ask for signing in or TLS and are Misconfigured
//! ```

use super::{Outcome, text};
use lettre::transport::smtp;
use lettre::transport::smtp::response::Severity;
use std::error::Error;
use std::io;

/// How far the conversation had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Connection, greeting, EHLO, TLS.
    Opening,
    SigningIn,
    Sender,
    Recipient,
    /// DATA and the bytes, as long as the final dot cannot have left.
    Content,
    /// The final dot has left, or may have.
    FinalDot,
}

/// What ended it.
pub(super) enum Fault {
    Failed(smtp::Error),
    OutOfStep(String),
    TooLate,
    Panicked,
}

impl From<smtp::Error> for Fault {
    fn from(error: smtp::Error) -> Self {
        Self::Failed(error)
    }
}

pub(super) fn outcome(phase: Phase, fault: &Fault) -> Outcome {
    let place = match phase {
        Phase::Opening => "opening the connection",
        Phase::SigningIn => "signing in",
        Phase::Sender => "naming the sender",
        Phase::Recipient => "naming the recipient",
        Phase::Content => "sending the message",
        Phase::FinalDot => "after the end of the message",
    };
    let (what, reaction) = match fault {
        Fault::Failed(error) => (error.to_string(), to_error(phase, error)),
        Fault::OutOfStep(reply) => (format!("unexpected reply: {reply}"), to_silence(phase)),
        Fault::TooLate => ("the deadline passed".to_owned(), to_silence(phase)),
        Fault::Panicked => ("the mail library panicked".to_owned(), to_own_fault(phase)),
    };
    reaction(text::printable(&format!("{place}: {what}")))
}

type Reaction = fn(String) -> Outcome;

const RETRY: Reaction = |why| Outcome::Retry { why };
const UNAVAILABLE: Reaction = |why| Outcome::Unavailable { why };
const REFUSED: Reaction = |why| Outcome::Refused { why };
const MISCONFIGURED: Reaction = |why| Outcome::Misconfigured { why };
const UNKNOWN: Reaction = |why| Outcome::Unknown { why };

fn to_error(phase: Phase, error: &smtp::Error) -> Reaction {
    if let Some(code) = error.status() {
        return match code.severity {
            Severity::PermanentNegativeCompletion => to_refusal(phase, code.into()),
            Severity::TransientNegativeCompletion => to_delay(phase, code.into()),
            Severity::PositiveCompletion | Severity::PositiveIntermediate => to_silence(phase),
        };
    }
    if error.is_client() || error.is_tls() {
        return to_own_fault(phase);
    }
    if phase == Phase::Opening && is_tls_disagreement(error) {
        return MISCONFIGURED;
    }
    to_silence(phase)
}

fn to_refusal(phase: Phase, code: u16) -> Reaction {
    match phase {
        Phase::Opening | Phase::SigningIn | Phase::Sender => MISCONFIGURED,
        Phase::Recipient | Phase::Content | Phase::FinalDot => {
            if matches!(code, 530 | 534 | 535 | 538) { MISCONFIGURED } else { REFUSED }
        }
    }
}

/// A recipient's delay is that recipient's; before one is named, it is everybody's.
fn to_delay(phase: Phase, code: u16) -> Reaction {
    match phase {
        Phase::Opening | Phase::SigningIn | Phase::Sender => UNAVAILABLE,
        Phase::Recipient | Phase::Content | Phase::FinalDot => {
            if code == 421 {
                UNAVAILABLE
            } else {
                RETRY
            }
        }
    }
}

fn to_silence(phase: Phase) -> Reaction {
    match phase {
        Phase::Opening | Phase::SigningIn | Phase::Sender => UNAVAILABLE,
        Phase::Recipient | Phase::Content => RETRY,
        Phase::FinalDot => UNKNOWN,
    }
}

fn to_own_fault(phase: Phase) -> Reaction {
    match phase {
        Phase::Opening | Phase::SigningIn => MISCONFIGURED,
        Phase::Sender | Phase::Recipient | Phase::Content => REFUSED,
        Phase::FinalDot => UNKNOWN,
    }
}

/// Rustls reports a certificate it does not trust, an alert, and bytes that are no TLS as an I/O
/// error of invalid data; a connection that merely breaks has another kind.
fn is_tls_disagreement(error: &smtp::Error) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.kind() == io::ErrorKind::InvalidData;
        }
        cause = error.source();
    }
    false
}
