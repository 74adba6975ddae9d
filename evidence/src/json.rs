//! Finds JSON objects in a text that is more than JSON: logs around it, several objects, `NaN` and `Infinity`, a cut end.
//!
//! The work is bounded by the length of the text, and nesting by the 128 levels of `serde_json`.
//! It does not know what the objects mean.

pub(crate) mod tree;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// An object found in the text, from its opening brace.
pub(crate) struct Embedded<'a> {
    pub(crate) line: u64,
    pub(crate) json: Cow<'a, str>,
    /// The text ended inside; `json` was closed after the last whole member.
    pub(crate) cut: bool,
}

/// A member that is a plain value; arrays and objects become `Other` and cost no memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar {
    Number(f64),
    Text(String),
    Other,
}

const OBJECTS_MAX: usize = 10_000;

pub(crate) fn objects(text: &str) -> Vec<Embedded<'_>> {
    let mut found = Vec::new();
    // Each attempt may look at the whole rest, so the attempts share a budget of a few passes.
    let mut budget_bytes = text.len().saturating_mul(8) + 4096;
    let mut at = 0;
    let mut line = 1;
    while let Some(offset) = text[at..].find('{') {
        line += newlines(&text[at..at + offset]);
        at += offset;
        let rest = &text[at..];
        if found.len() >= OBJECTS_MAX || budget_bytes == 0 {
            break;
        }
        let scanned = Scanned::from(rest);
        budget_bytes = budget_bytes.saturating_sub(scanned.seen_bytes);
        let json = match scanned.end {
            Some(end) => valid(Cow::Borrowed(&rest[..end])),
            None => scanned.last_whole_member.and_then(|end| valid(closed(&rest[..end]))),
        };
        let step = match (json, scanned.end) {
            (Some(json), end) => {
                found.push(Embedded { line, json, cut: end.is_none() });
                end.unwrap_or(rest.len())
            }
            (None, _) => 1,
        };
        line += newlines(&text[at..at + step]);
        at += step;
    }
    found
}

fn newlines(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

/// The JSON as `serde_json` accepts it, with bare `NaN` and `Infinity` as null.
fn valid(json: Cow<'_, str>) -> Option<Cow<'_, str>> {
    if serde_json::from_str::<IgnoredAny>(&json).is_ok() {
        return Some(json);
    }
    let json = without_bare_words(&json);
    serde_json::from_str::<IgnoredAny>(&json).is_ok().then_some(Cow::Owned(json))
}

/// What one pass over a possible object found out.
#[derive(Default)]
struct Scanned {
    /// Behind the closing brace.
    end: Option<usize>,
    /// Before the last comma outside strings: everything up to there is whole.
    last_whole_member: Option<usize>,
    seen_bytes: usize,
}

impl From<&str> for Scanned {
    fn from(text: &str) -> Self {
        let mut scanned = Self::default();
        let mut open = Vec::new();
        let mut in_string = false;
        let mut escaped = false;
        for (at, byte) in text.bytes().enumerate() {
            scanned.seen_bytes = at + 1;
            if in_string {
                in_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                continue;
            }
            match byte {
                b'"' => in_string = true,
                b'{' | b'[' => open.push(byte),
                b'}' | b']' => {
                    let partner = if byte == b'}' { b'{' } else { b'[' };
                    if open.pop() != Some(partner) {
                        return scanned;
                    }
                    if open.is_empty() {
                        scanned.end = Some(at + 1);
                        return scanned;
                    }
                }
                b',' => scanned.last_whole_member = Some(at),
                _ => {}
            }
            if open.len() > 128 {
                return scanned;
            }
        }
        scanned
    }
}

/// Closes what is open at the end of a text that was cut between two members.
fn closed(text: &str) -> Cow<'_, str> {
    let mut open = Vec::new();
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
    }
    Cow::Owned(text.chars().chain(open.into_iter().rev()).collect())
}

fn without_bare_words(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(quote) = rest.find('"') {
        push_without_bare_words(&mut plain, &rest[..quote]);
        let length = string_length(&rest[quote..]);
        plain.push_str(&rest[quote..quote + length]);
        rest = &rest[quote + length..];
    }
    push_without_bare_words(&mut plain, rest);
    plain
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if byte == b'"' && !escaped {
            return at + 1;
        }
        escaped = !escaped && byte == b'\\';
    }
    text.len()
}

fn push_without_bare_words(plain: &mut String, outside: &str) {
    let mut outside = Cow::Borrowed(outside);
    for word in ["-Infinity", "Infinity", "-NaN", "NaN", "-nan", "nan"] {
        if outside.contains(word) {
            outside = Cow::Owned(outside.replace(word, "null"));
        }
    }
    plain.push_str(&outside);
}

impl Scalar {
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) if number.is_finite() => Some(*number),
            Self::Number(_) | Self::Text(_) | Self::Other => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Scalar, E> {
        Ok(Scalar::Other)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Scalar, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Scalar, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::objects;

    #[test]
    fn an_object_inside_a_log_is_found() {
        let found =
            objects("Starting {not json}\n<<<START>>>\n{\"a\": \"}\", \"b\": [1]}\n<<<END>>>\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].json, "{\"a\": \"}\", \"b\": [1]}");
        assert_eq!((found[0].line, found[0].cut), (3, false));
    }

    #[test]
    fn bare_words_become_null_outside_strings_only() {
        let found = objects(r#"{"a": Infinity, "b": "NaN", "c": -nan}"#);
        assert_eq!(found[0].json, r#"{"a": null, "b": "NaN", "c": null}"#);
    }

    #[test]
    fn a_cut_object_keeps_its_whole_members() {
        let found = objects(r#"{"a": {"b": [1, 2, 3"#);
        assert_eq!(found[0].json, r#"{"a": {"b": [1, 2]}}"#);
        assert!(found[0].cut);
    }

    #[test]
    fn a_wall_of_braces_is_given_up_quickly() {
        assert!(objects(&"{".repeat(300_000)).is_empty());
        assert!(objects(&"{\"".repeat(300_000)).is_empty());
    }
}
