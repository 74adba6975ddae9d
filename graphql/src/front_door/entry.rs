//! What is judged from the headers alone: where a request comes from, what it claims to carry and
//! who sends it.
//!
//! The rule: a header that is present twice or cannot be read is refused, never guessed at, and
//! a browser page of another site gets no further than this file.
//! It deliberately does not trust `X-Forwarded-*`; a proxy's public origin is in the allow-list.

use axum::http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, ORIGIN,
};
use axum::http::{HeaderMap, StatusCode};

use super::Door;
use super::answer::Problem;

pub(super) const RESPONSE_TYPE: &str = "application/graphql-response+json";
pub(super) const JSON_TYPE: &str = "application/json";
/// Longer than any token we hand out; a lookup never hashes more than this.
const TOKEN_BYTES_MAX: usize = 512;

enum Header<'h> {
    Absent,
    Once(&'h str),
    Unusable,
}

fn header(headers: &HeaderMap, name: HeaderName) -> Header<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Header::Absent,
        (Some(value), None) => value.to_str().map_or(Header::Unusable, Header::Once),
        (Some(_), Some(_)) => Header::Unusable,
    }
}

/// Lets through programs, which send no origin, our own pages and the allow-list.
pub(super) fn check_origin(headers: &HeaderMap, allowed: &[String]) -> Result<(), Problem> {
    let known = match header(headers, ORIGIN) {
        Header::Absent => true,
        Header::Unusable => false,
        Header::Once(origin) => {
            allowed.iter().any(|known| known.eq_ignore_ascii_case(origin))
                || is_own(origin, headers)
        }
    };
    if known {
        return Ok(());
    }
    let message = "pages of this origin may not use this address";
    Err(Problem::new(StatusCode::FORBIDDEN, "origin_not_allowed", message))
}

fn is_own(origin: &str, headers: &HeaderMap) -> bool {
    let Header::Once(host) = header(headers, HOST) else { return false };
    let (authority, port) = match origin.split_once("://") {
        Some(("http", authority)) => (authority, ":80"),
        Some(("https", authority)) => (authority, ":443"),
        Some(_) | None => return false,
    };
    authority.eq_ignore_ascii_case(host.strip_suffix(port).unwrap_or(host))
}

/// Only types that a browser form cannot send, and only text that needs no decoding first.
pub(super) fn check_media_type(headers: &HeaderMap) -> Result<(), Problem> {
    let plain = match header(headers, CONTENT_ENCODING) {
        Header::Absent => true,
        Header::Once(encoding) => encoding.eq_ignore_ascii_case("identity"),
        Header::Unusable => false,
    };
    if plain && let Header::Once(value) = header(headers, CONTENT_TYPE) {
        let mut parts = value.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let known = [JSON_TYPE, RESPONSE_TYPE].iter().any(|one| one.eq_ignore_ascii_case(essence));
        if known && parts.all(is_harmless_parameter) {
            return Ok(());
        }
    }
    let message = "send the request as application/json in UTF-8, not compressed";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type_not_supported", message))
}

fn is_harmless_parameter(parameter: &str) -> bool {
    match parameter.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        Some(_) | None => true,
    }
}

/// The answer's media type, the newer one only for clients that name it.
pub(super) fn answer_type(headers: &HeaderMap) -> &'static str {
    match header(headers, ACCEPT) {
        Header::Once(accept) if accept.contains(RESPONSE_TYPE) => RESPONSE_TYPE,
        Header::Once(_) | Header::Absent | Header::Unusable => JSON_TYPE,
    }
}

pub(super) async fn viewer<D: Door>(door: &D, headers: &HeaderMap) -> Result<D::Viewer, Problem> {
    let Header::Once(value) = header(headers, AUTHORIZATION) else {
        return Err(Problem::unauthenticated());
    };
    match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            viewer_of(door, token.trim()).await.ok_or_else(Problem::unauthenticated)
        }
        Some(_) | None => Err(Problem::unauthenticated()),
    }
}

/// Asks the house only about text that could be a token at all.
pub(super) async fn viewer_of<D: Door>(door: &D, token: &str) -> Option<D::Viewer> {
    let plausible = !token.is_empty()
        && token.len() <= TOKEN_BYTES_MAX
        && token.bytes().all(|byte| byte.is_ascii_graphic());
    if plausible { door.viewer(token).await } else { None }
}
