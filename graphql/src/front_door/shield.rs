//! Keeps internal failures out of what the schema answers.
//!
//! The rule: every error that leaves has `extensions.code`, and a resolver's error leaves with its
//! own text only if the resolver gave it a code on purpose.
//! Resolvers therefore return `Error::new(text).extend_with(|_, e| e.set("code", "…"))` for what
//! the client may know; whatever comes up through `?` without a code becomes `internal` with an
//! `extensions.incident`, and its text goes to the log under that incident.
//! It deliberately does not look at the text of errors that carry a code.

use async_graphql::{Response, ServerError, Value};

use super::Door;
use super::answer::INTERNAL_TEXT;

/// How the library begins the text of an argument that a scalar could not read.
const ARGUMENT_TEXTS: [&str; 2] = ["Failed to parse \"", "Expected input type \""];

pub(super) fn shield<D: Door>(mut response: Response, door: &D) -> Response {
    for error in &mut response.errors {
        if !has_code(error) {
            replace(error, door);
        }
    }
    response
}

/// Whether the document was turned down as a whole, before any field was resolved.
pub(super) fn is_refused(response: &Response) -> bool {
    response.data == Value::Null
        && !response.errors.is_empty()
        && response.errors.iter().all(|error| error.path.is_empty())
}

fn has_code(error: &ServerError) -> bool {
    let code = error.extensions.as_ref().and_then(|extensions| extensions.get("code"));
    matches!(code, Some(Value::String(_)))
}

fn replace<D: Door>(error: &mut ServerError, door: &D) {
    let code = if error.source.is_some() {
        "internal"
    } else if error.path.is_empty() {
        // No field was reached, so this is the library about the document itself.
        "query_invalid"
    } else if ARGUMENT_TEXTS.iter().any(|text| error.message.starts_with(text)) {
        "argument_invalid"
    } else {
        "internal"
    };
    let mut extensions = error.extensions.take().unwrap_or_default();
    if code == "internal" {
        let incident = door.incident();
        let path = format!("{:?}", error.path);
        tracing::error!(incident, path, detail = error.message, "a resolver failed");
        INTERNAL_TEXT.clone_into(&mut error.message);
        extensions = async_graphql::ErrorExtensionValues::default();
        extensions.set("incident", incident);
        error.source = None;
    }
    extensions.set("code", code);
    error.extensions = Some(extensions);
}
