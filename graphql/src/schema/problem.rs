//! From the engine's errors to what clients get: a business answer, or a fault.
//!
//! A business answer goes into `userErrors` with a stable code and a text in the viewer's language.
//! A fault becomes a top-level error without a code of its own, which the front door turns into
//! `internal` with an incident number, keeping the detail for the log.

use async_graphql::{ErrorExtensions as _, SimpleObject};
use sixgate_engine::Error;
use sixgate_workflows::{gate, locale::Locale, texts};

use super::scalars::Function;

/// Why a command was not carried out.
#[derive(Clone, Debug, SimpleObject)]
pub(super) struct UserError {
    /// Stable: programs react to it.
    code: String,
    /// In the viewer's language.
    message: String,
    /// The argument of the mutation that it is about.
    path: Vec<String>,
    /// Everything that keeps a gate closed.
    blockers: Vec<Blocker>,
}

#[derive(Clone, Debug, SimpleObject)]
pub(super) struct Blocker {
    /// Id of the criterion, or `<stage>.sign_off.<function>`.
    criterion: String,
    reason: String,
    can_be_met_by: Vec<Function>,
}

impl Blocker {
    pub(super) fn new(blocker: &gate::Blocker, locale: Locale) -> Self {
        Self {
            criterion: blocker.criterion.clone(),
            reason: texts::reason(&blocker.reason, locale),
            can_be_met_by: blocker.can_be_met_by.iter().map(|f| (*f).into()).collect(),
        }
    }
}

impl UserError {
    fn new(code: String, message: String) -> Self {
        Self { code, message, path: vec!["input".to_owned()], blockers: Vec::new() }
    }
}

/// The business answer, or the fault that it really is.
pub(super) fn answer(error: &Error, locale: Locale) -> async_graphql::Result<UserError> {
    let code = error.code();
    let plain = |code: &str| texts::text(&format!("error.{code}"), locale).to_owned();
    match error {
        Error::Rejected(rejection) => {
            let mut answer = UserError::new(code, texts::rejection(rejection, locale));
            answer.blockers =
                rejection.blockers().iter().map(|b| Blocker::new(b, locale)).collect();
            Ok(answer)
        }
        Error::Forbidden
        | Error::NotFound
        | Error::CommandIdReused
        | Error::RevisionChanged { .. }
        | Error::Conflict { .. } => {
            let message = plain(&code);
            Ok(UserError::new(code, message))
        }
        Error::Import(refused) => {
            let message = format!("{}: {refused}", plain("import"));
            Ok(UserError::new(code, message))
        }
        Error::ImportValue(invalid) => {
            let message = format!("{}: {invalid}", plain("import"));
            Ok(UserError::new(code, message))
        }
        Error::Unknown(_) => Err(async_graphql::Error::new(plain("outcome_unknown"))
            .extend_with(|_, fields| fields.set("code", "outcome_unknown"))),
        Error::Storage(_)
        | Error::Unreadable(_)
        | Error::Gap { .. }
        | Error::Keys(_)
        | Error::Setup(_) => Err(fault(error)),
    }
}

/// For reads: absent and forbidden are the same `null`, a fault is a fault.
pub(super) fn absent<T>(result: Result<T, Error>) -> async_graphql::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::NotFound | Error::Forbidden) => Ok(None),
        Err(error) => Err(fault(&error)),
    }
}

/// For lists: what may not be seen at all is refused by code.
pub(super) fn allowed<T>(result: Result<T, Error>) -> async_graphql::Result<T> {
    absent(result)?.ok_or_else(|| {
        async_graphql::Error::new("not found")
            .extend_with(|_, fields| fields.set("code", "not_found"))
    })
}

/// An input that is not even a value, before any rule is asked.
pub(super) fn bad_input(invalid: &sixgate_workflows::invalid::Invalid) -> async_graphql::Error {
    async_graphql::Error::new(invalid.to_string())
        .extend_with(|_, fields| fields.set("code", "invalid_value"))
}

/// The whole chain, for the log; the front door keeps it from the client.
fn fault(error: &Error) -> async_graphql::Error {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    async_graphql::Error::new(text)
}
