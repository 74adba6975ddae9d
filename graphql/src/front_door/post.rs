//! `POST /graphql`: one request or a small batch.
//!
//! The rule: the order of the checks is the order of this function, cheapest and most telling
//! first, and nothing of the body is read before the token is known.
//! It deliberately answers 200 whenever the schema ran, also with errors in the answer; only
//! clients that name the newer media type get 400 for a document that is not valid.

use std::sync::Arc;

use async_graphql::Executor;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use tokio::time::timeout_at;

use super::answer::Problem;
use super::body::{self, Work};
use super::shield::is_refused;
use super::{Door, Front, entry};

pub(super) async fn answer<D: Door, E: Executor>(
    State(front): State<Arc<Front<D, E>>>,
    request: Request,
) -> Response {
    serve(&front, request).await.unwrap_or_else(Problem::into_response)
}

async fn serve<D: Door, E: Executor>(
    front: &Front<D, E>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let (headers, limits) = (&parts.headers, &front.options.limits);
    entry::check_origin(headers, &front.options.allowed_origins)?;
    entry::check_media_type(headers)?;
    let viewer = entry::viewer(&*front.door, headers).await?;
    let _waiting = front.waiting.try_acquire().map_err(|_| Problem::busy())?;

    let deadline = front.execution.deadline();
    let bytes = timeout_at(deadline, body::read(headers, body, limits.body_bytes))
        .await
        .map_err(|_| too_slow())??;
    let (work, alone) = match body::decode(&bytes, limits)? {
        Work::Single(weighed) => (vec![*weighed], true),
        Work::Batch(batch) => (batch, false),
    };
    drop(bytes);

    let answers = front.execution.run(work, &viewer, deadline).await?;
    let media_type = if alone { entry::answer_type(headers) } else { entry::JSON_TYPE };
    let (status, text) = match answers.as_slice() {
        [answer] if alone => {
            let strict = media_type == entry::RESPONSE_TYPE && is_refused(answer);
            let status = if strict { StatusCode::BAD_REQUEST } else { StatusCode::OK };
            (status, serde_json::to_vec(answer))
        }
        all => (StatusCode::OK, serde_json::to_vec(all)),
    };
    let text = text.map_err(|error| {
        let incident = front.door.incident();
        tracing::error!(incident, detail = %error, "an answer could not be written as JSON");
        Problem::internal(incident)
    })?;
    Ok((status, [(header::CONTENT_TYPE, media_type)], text).into_response())
}

fn too_slow() -> Problem {
    let message = "the body did not arrive in time";
    Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", message)
}
