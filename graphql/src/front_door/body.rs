//! Turns the body of a request into documents that may be run.
//!
//! The rule: never hold more bytes than the limit, measure the JSON before decoding it, and weigh
//! every document before returning any.
//! It deliberately does not repeat what it read in its messages: the body may hold secrets.

use std::borrow::Cow;

use async_graphql::{Request, Variables};
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::answer::Problem;
use crate::guard::{self, JsonShape, Kinds, Limits, Refusal};

/// A GraphQL request as it travels; everything else in it is ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Envelope {
    query: Option<String>,
    operation_name: Option<String>,
    variables: Option<Map<String, Value>>,
}

/// A document that has passed the guard.
pub(super) struct Weighed {
    pub(super) request: Request,
    pub(super) kinds: Kinds,
}

pub(super) enum Work {
    Single(Box<Weighed>),
    Batch(Vec<Weighed>),
}

pub(super) async fn read(headers: &HeaderMap, body: Body, most: usize) -> Result<Vec<u8>, Problem> {
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let mut bytes = Vec::with_capacity(declared.unwrap_or_default());
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let Ok(chunk) = chunk else {
            let message = "the body ended before it was complete";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "body_incomplete", message));
        };
        if bytes.len() + chunk.len() > most {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_large(most: usize) -> Problem {
    let message = format!("the body is longer than {most} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
}

pub(super) fn decode(bytes: &[u8], limits: &Limits) -> Result<Work, Refusal> {
    let JsonShape { items, .. } = measured(bytes, limits)?;
    let Some(count) = items else {
        let envelope: Envelope = serde_json::from_slice(bytes).map_err(|error| explain(&error))?;
        return Ok(Work::Single(Box::new(weigh(envelope, limits)?)));
    };
    if count == 0 || count > limits.batch {
        let message = format!("a batch holds between 1 and {} requests", limits.batch);
        return Err(Refusal::new("batch_too_large", message));
    }
    let envelopes: Vec<Envelope> =
        serde_json::from_slice(bytes).map_err(|error| explain(&error))?;
    let weighed = envelopes.into_iter().enumerate().map(|(index, envelope)| {
        weigh(envelope, limits).map_err(|refusal| {
            let message = format!("request {} of the batch: {}", index + 1, refusal.message);
            Refusal::new(refusal.code, message)
        })
    });
    Ok(Work::Batch(weighed.collect::<Result<_, _>>()?))
}

/// Refuses JSON that nests too deeply, before a decoder recurses into it.
pub(super) fn measured(bytes: &[u8], limits: &Limits) -> Result<JsonShape, Refusal> {
    let shape = guard::json_shape(bytes);
    if shape.nesting > limits.json_nesting {
        let message = format!("the JSON nests more than {} levels deep", limits.json_nesting);
        return Err(Refusal::new("json_too_deep", message));
    }
    Ok(shape)
}

pub(super) fn weigh(envelope: Envelope, limits: &Limits) -> Result<Weighed, Refusal> {
    let Some(query) = envelope.query else {
        return Err(Refusal::new("request_malformed", "the request has no \"query\" text"));
    };
    let kinds = guard::kinds(&query, limits)?;
    let mut request = Request::new(query);
    if let Some(variables) = envelope.variables {
        request = request.variables(Variables::from_json(Value::Object(variables)));
    }
    if let Some(name) = envelope.operation_name {
        request = request.operation_name(name);
    }
    Ok(Weighed { request, kinds })
}

pub(super) fn explain(error: &serde_json::Error) -> Refusal {
    let what: Cow<'_, str> = match error.classify() {
        serde_json::error::Category::Data => {
            "the JSON is not a GraphQL request: expected an object with the text \"query\" and, \
             if needed, the text \"operationName\" and the object \"variables\", each once"
                .into()
        }
        serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof
        | serde_json::error::Category::Io => "the body is not JSON".into(),
    };
    let message = format!("{what} (line {}, column {})", error.line(), error.column());
    Refusal::new("request_malformed", message)
}
