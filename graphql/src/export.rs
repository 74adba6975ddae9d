//! The whole log over HTTP, for a backup that stops nobody.
//!
//! ```text
//! GET /log/export    200 an export, line by line · 401 · 403 · 429 while another one runs
//! ```
//!
//! The rule: administrators only, one at a time. An answer that breaks off lacks its last line, so
//! whoever reads it notices. How much is read ahead is bounded by how fast the client takes it.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::get,
};
use futures_util::stream;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::{app::House, front_door::authenticate};

struct Exports {
    house: Arc<House>,
    place: Arc<Semaphore>,
}

pub(crate) fn router(house: Arc<House>) -> Router {
    let exports = Exports { house, place: Arc::new(Semaphore::new(1)) };
    Router::new().route("/log/export", get(export)).with_state(Arc::new(exports))
}

async fn export(State(exports): State<Arc<Exports>>, headers: HeaderMap) -> Response {
    let viewer = match authenticate(&*exports.house, &headers).await {
        Ok(viewer) => viewer,
        Err(refusal) => return refusal,
    };
    let Ok(place) = Arc::clone(&exports.place).try_acquire_owned() else {
        return problem(StatusCode::TOO_MANY_REQUESTS, "busy", "another export is under way");
    };
    let export = match exports.house.0.export(&viewer).await {
        Ok(export) => export,
        Err(sixgate_engine::Error::Forbidden | sixgate_engine::Error::NotFound) => {
            return problem(
                StatusCode::FORBIDDEN,
                "forbidden",
                "only an administrator may do this",
            );
        }
        Err(error) => {
            tracing::error!(error = %error, "an export could not begin");
            return problem(StatusCode::INTERNAL_SERVER_ERROR, "internal", "an internal fault");
        }
    };
    let lines = stream::try_unfold((export, place), |(mut export, place)| async move {
        match export.next().await {
            Ok(lines) => Ok(lines.map(|lines| (lines, (export, place)))),
            Err(error) => {
                tracing::error!(error = %error, "an export broke off");
                Err(error)
            }
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(lines)).into_response()
}

fn problem(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(json!({ "error": { "code": code, "message": message } }))).into_response()
}
