//! Evidence files over HTTP: uploaded before a command refers to them, downloaded by their hash.
//!
//! ```text
//! POST /evidence          the bytes as body      201 {"hash": …, "bytes": …}
//! GET  /evidence/<hash>                          200 the bytes, always as an attachment
//! ```
//!
//! What may not be seen answers like what does not exist.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::to_bytes,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::json;
use sixgate_engine::Error;
use sixgate_workflows::{evidence::ContentHash, texts};

use crate::{app::House, front_door::authenticate};

/// The largest file that the readers take.
const FILE_BYTES_MAX: usize = 64 * 1024 * 1024;

pub(crate) fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/evidence", post(upload))
        .route("/evidence/{hash}", get(download))
        .with_state(house)
}

/// The token is checked before a byte of the body is read.
async fn upload(State(house): State<Arc<House>>, request: Request) -> Response {
    let viewer = match authenticate(&*house, request.headers()).await {
        Ok(viewer) => viewer,
        Err(refusal) => return refusal,
    };
    let Ok(body) = to_bytes(request.into_body(), FILE_BYTES_MAX).await else {
        return problem(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            "the file did not arrive whole, or has more than 64 MiB",
        );
    };
    if body.is_empty() {
        return problem(StatusCode::BAD_REQUEST, "empty", "the file is empty");
    }
    let bytes = body.len();
    match house.0.upload(&viewer, body.to_vec()).await {
        Ok(hash) => (StatusCode::CREATED, Json(json!({ "hash": hash.as_str(), "bytes": bytes })))
            .into_response(),
        Err(error) => refused(&error, viewer.locale),
    }
}

async fn download(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Path(hash): Path<String>,
) -> Response {
    let viewer = match authenticate(&*house, &headers).await {
        Ok(viewer) => viewer,
        Err(refusal) => return refusal,
    };
    let found = match ContentHash::new(&hash) {
        Ok(hash) => house.0.download(&viewer, &hash).await,
        Err(_) => Err(Error::NotFound),
    };
    match found {
        Ok(bytes) => {
            let headers = [
                (header::CONTENT_TYPE, "application/octet-stream"),
                (header::CONTENT_DISPOSITION, "attachment"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::CACHE_CONTROL, "no-store"),
            ];
            (headers, bytes).into_response()
        }
        Err(error) => refused(&error, viewer.locale),
    }
}

fn refused(error: &Error, locale: sixgate_workflows::locale::Locale) -> Response {
    let code = error.code();
    let status = if matches!(error, Error::Forbidden) {
        StatusCode::FORBIDDEN
    } else if matches!(error, Error::NotFound) {
        StatusCode::NOT_FOUND
    } else {
        tracing::error!(error = %error, "an evidence file could not be kept or served");
        return problem(StatusCode::INTERNAL_SERVER_ERROR, "internal", "an internal fault");
    };
    problem(status, &code, texts::text(&format!("error.{code}"), locale))
}

fn problem(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(json!({ "error": { "code": code, "message": message } }))).into_response()
}
