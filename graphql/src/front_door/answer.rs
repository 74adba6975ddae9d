//! Answers of the door itself, shaped like GraphQL errors.
//!
//! The rule: every refusal has an HTTP status, a stable code and a sentence written for people;
//! no text of a library and no Debug output goes out through here.
//! It deliberately does not touch what the schema answered; see `shield`.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::guard::Refusal;

/// All that a client is told about an internal failure, besides its incident.
pub(super) const INTERNAL_TEXT: &str =
    "something went wrong inside; the log has the detail under this incident";

#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    code: &'static str,
    message: Cow<'static, str>,
    incident: Option<String>,
    header: Option<(HeaderName, &'static str)>,
}

impl Problem {
    pub(super) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { status, code, message: message.into(), incident: None, header: None }
    }

    fn with(self, name: HeaderName, value: &'static str) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    pub(super) fn unauthenticated() -> Self {
        let message = "send a valid token as \"Authorization: Bearer …\"";
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", message)
            .with(header::WWW_AUTHENTICATE, "Bearer")
    }

    pub(super) fn method_not_allowed(allowed: &'static str) -> Self {
        let message = format!("this address only answers {allowed}");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
            .with(header::ALLOW, allowed)
    }

    pub(super) fn busy() -> Self {
        let message = "too many requests are being answered, try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message).with(header::RETRY_AFTER, "1")
    }

    /// A command may still be carried out, which is why it must be repeated with its own id.
    pub(super) fn timed_out() -> Self {
        let message = "the answer took too long; repeat a command with the same commandId";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "timed_out", message)
            .with(header::RETRY_AFTER, "5")
    }

    pub(super) fn internal(incident: String) -> Self {
        let problem = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", INTERNAL_TEXT);
        Self { incident: Some(incident), ..problem }
    }

    /// The list under `errors`, which is also the payload of an `error` message on a socket.
    pub(super) fn errors(&self) -> Value {
        let mut extensions = json!({ "code": self.code });
        if let Some(incident) = &self.incident {
            extensions["incident"] = json!(incident);
        }
        json!([{ "message": self.message, "extensions": extensions }])
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::new(StatusCode::BAD_REQUEST, refusal.code, refusal.message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({ "errors": self.errors() }).to_string();
        let mut response =
            (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        seal(response.headers_mut());
        response
    }
}

pub(super) fn seal(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}
