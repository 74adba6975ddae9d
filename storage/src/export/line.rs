//! The lines of an export or a bundle: one JSON object each, with one key that says what it is.
//!
//! The rule: there is one way to write a line. A line that was read must be what writing it again
//! gives, so that no byte of a file can change without being noticed. Stored bytes come back
//! exactly: they stand in a line as JSON only where they are JSON already, else as base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Counts;
use crate::checkpoint::SignedCheckpoint;
use crate::{Commit, Hash, Head, Position, Revision, StreamId};

/// The bytes of a blob that stand in one line.
pub(crate) const PART_BYTES: usize = 48 * 1024;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    Header(Header),
    Event(Box<EventLine>),
    Proof(Proof),
    Checkpoint(SignedCheckpoint),
    Blob(BlobLine),
    Part(PartLine),
    End(Counts),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) stream: Option<StreamId>,
    /// The newest commit of the log that the file speaks of.
    pub(crate) position: Position,
    pub(crate) head_hash: Hash,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventLine {
    pub(crate) position: Position,
    pub(crate) index: usize,
    /// How many events are in the commit.
    pub(crate) of: usize,
    pub(crate) stream: StreamId,
    pub(crate) revision: Revision,
    pub(crate) kind: String,
    pub(crate) schema: u16,
    pub(crate) data: Bytes,
    pub(crate) metadata: Bytes,
    pub(crate) previous: Hash,
    pub(crate) hash: Hash,
}

/// Where the commit before stands in the tree that a checkpoint signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proof {
    pub(crate) position: Position,
    pub(crate) path: Vec<Hash>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlobLine {
    pub(crate) hash: Hash,
    pub(crate) bytes: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartLine {
    pub(crate) base64: String,
}

/// Stored bytes in a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bytes {
    Json(Box<RawValue>),
    Base64(String),
}

impl Line {
    /// The line with its end.
    pub(crate) fn written(&self, into: &mut Vec<u8>) {
        serde_json::to_writer(&mut *into, self).expect("a line holds nothing that JSON cannot");
        into.push(b'\n');
    }

    /// Reads a line with its end; the error says what is wrong with it.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let line: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let mut again = Vec::with_capacity(bytes.len());
        line.written(&mut again);
        match again == bytes {
            true => Ok(line),
            false => Err("it is written in another way".to_owned()),
        }
    }
}

impl Bytes {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        // A line break inside would end the line, and blanks around are not part of the value.
        let one_line = !bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        let json = serde_json::from_slice::<Box<RawValue>>(bytes).ok();
        match json.filter(|json| one_line && json.get().as_bytes() == bytes) {
            Some(json) => Self::Json(json),
            None => Self::Base64(BASE64.encode(bytes)),
        }
    }

    pub(crate) fn stored(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Json(json) => Ok(json.get().as_bytes().to_vec()),
            Self::Base64(text) => decoded(text),
        }
    }
}

pub(crate) fn decoded(text: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|error| format!("base64: {error}"))
}

/// Writes the lines of a commit, one for each event.
pub(crate) fn write_commit(commit: &Commit, into: &mut Vec<u8>) {
    for (index, event) in commit.events.iter().enumerate() {
        let line = EventLine {
            position: commit.position,
            index,
            of: commit.events.len(),
            stream: commit.stream.clone(),
            revision: commit.revision,
            kind: event.kind.clone(),
            schema: event.schema,
            data: Bytes::of(&event.data),
            metadata: Bytes::of(&commit.metadata),
            previous: commit.previous,
            hash: commit.hash,
        };
        Line::Event(Box::new(line)).written(into);
    }
}

/// Writes the lines of a blob.
pub(crate) fn write_blob(hash: Hash, content: &[u8], into: &mut Vec<u8>) {
    Line::Blob(BlobLine { hash, bytes: content.len() }).written(into);
    for part in content.chunks(PART_BYTES) {
        Line::Part(PartLine { base64: BASE64.encode(part) }).written(into);
    }
}

impl Header {
    pub(crate) fn new(format: &str, stream: Option<StreamId>, head: Head) -> Self {
        Self { format: format.to_owned(), stream, position: head.position, head_hash: head.hash }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_come_back_exactly_whatever_they_are() {
        let cases: [&[u8]; 11] = [
            b"{\"b\":1,\"a\":2}",
            b"{ \"a\" : 1.0 }",
            b"null",
            b"1e400",
            b"\"\\u00e9\"",
            b"",
            b" 1",
            b"{\"a\":\n1}",
            b"\xff\x00",
            "\"预算\"".as_bytes(),
            b"{\"a\":1,\"a\":2}",
        ];
        for bytes in cases {
            let text = serde_json::to_vec(&Bytes::of(bytes)).unwrap();
            assert!(!text.contains(&b'\n'));
            let read: Bytes = serde_json::from_slice(&text).unwrap();
            assert_eq!(read.stored().unwrap(), bytes, "{text:?}");
            assert_eq!(serde_json::to_vec(&read).unwrap(), text);
        }
        assert!(matches!(Bytes::of(b"{\"b\":1.50}"), Bytes::Json(_)));
    }
}
