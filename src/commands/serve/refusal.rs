//! The state in which every request is refused, health included.
//!
//! The rule: once begun it lasts until the process ends. What the read models say can no longer be
//! trusted, and a wrong answer is worse than none.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Whether everything is refused, and under which incident that was logged.
#[derive(Clone, Default)]
pub(super) struct Refusal(Arc<OnceLock<String>>);

impl Refusal {
    /// Refuses from now on; the first incident is kept.
    pub(super) fn begin(&self, incident: impl ToString) {
        let _ = self.0.set(incident.to_string());
    }
}

/// Stands before all routes.
pub(super) async fn refuse(
    State(refusal): State<Refusal>,
    request: Request,
    next: Next,
) -> Response {
    let Some(incident) = refusal.0.get() else { return next.run(request).await };
    let answer = json!({
        "errors": [{
            "message": "the service cannot follow its log and answers nothing until it is restarted",
            "extensions": { "code": "unavailable", "incident": incident },
        }]
    });
    (StatusCode::SERVICE_UNAVAILABLE, Json(answer)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_incident_is_kept() {
        let refusal = Refusal::default();
        assert_eq!(refusal.0.get(), None);
        refusal.begin("first");
        refusal.clone().begin("second");
        assert_eq!(refusal.0.get().map(String::as_str), Some("first"));
    }
}
