//! A commit as the bytes that are kept of it: the same values in the journal, in memory and in sled.
//!
//! The rule: a commit is encoded once, when the writer accepts it, and whoever keeps it keeps these
//! bytes.

use ::sled::Batch;

use super::keys;
use super::record::{Event, Header, Payload, Totals};
use super::store::Prepared;
use crate::{Hash, Head, Position, Revision, StreamId};

/// The values of one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) position: Position,
    pub(crate) stream: StreamId,
    pub(crate) revision: Revision,
    pub(crate) previous: Hash,
    pub(crate) hash: Hash,
    pub(crate) totals: Totals,
    pub(crate) header: Vec<u8>,
    pub(crate) events: Vec<Vec<u8>>,
}

impl Encoded {
    /// The commit that follows `head`.
    pub(crate) fn new(prepared: &Prepared, head: Head, revision: Revision, totals: Totals) -> Self {
        let commit = &prepared.commit;
        let position = head.position.next();
        let fields = commit.events.iter();
        let fields = fields.map(|event| (event.kind.as_str(), event.schema, &event.data[..]));
        let hash = crate::chain_hash(
            head.hash,
            position,
            &commit.stream,
            revision,
            &commit.metadata,
            fields,
        );
        let header = Header {
            position,
            stream: commit.stream.clone(),
            revision,
            previous: head.hash,
            hash,
            events: u32::try_from(commit.events.len()).expect("a commit has few events"),
            totals,
            metadata: payload(&commit.metadata, prepared.metadata),
        };
        let encode = |(event, blob): (&crate::NewEvent, &Option<Hash>)| {
            let data = payload(&event.data, *blob);
            Event { kind: &event.kind, schema: event.schema, data }.encode()
        };
        Self {
            position,
            stream: commit.stream.clone(),
            revision,
            previous: head.hash,
            hash,
            totals,
            header: header.encode(),
            events: commit.events.iter().zip(&prepared.data).map(encode).collect(),
        }
    }

    /// Where the log stands after this commit.
    pub(crate) fn head(&self) -> Head {
        Head { position: self.position, hash: self.hash }
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.header.len() + self.events.iter().map(Vec::len).sum::<usize>()
    }

    /// Adds the keys of this commit to a batch.
    pub(crate) fn put_into(&self, batch: &mut Batch) {
        batch.insert(keys::commit(self.position), self.header.as_slice());
        let position = self.position.0.to_be_bytes();
        batch.insert(keys::stream(&self.stream, self.revision), &position[..]);
        for (index, event) in (0..).zip(&self.events) {
            batch.insert(keys::event(self.position, index), event.as_slice());
        }
    }

    /// Appends this commit to the body of a frame.
    pub(crate) fn write_to(&self, body: &mut Vec<u8>) {
        let mut value = |bytes: &[u8]| {
            let length = u32::try_from(bytes.len()).expect("a value has at most 4 KiB");
            body.extend(length.to_be_bytes());
            body.extend(bytes);
        };
        value(&self.header);
        self.events.iter().for_each(|event| value(event));
    }

    /// Takes one commit off the front of the body of a frame.
    pub(crate) fn read_from(body: &mut &[u8]) -> Result<Self, String> {
        let header_bytes = take_value(body)?.to_vec();
        let header = Header::decode(&header_bytes)?;
        let mut events = Vec::new();
        for _ in 0..header.events {
            events.push(take_value(body)?.to_vec());
        }
        Ok(Self {
            position: header.position,
            stream: header.stream.clone(),
            revision: header.revision,
            previous: header.previous,
            hash: header.hash,
            totals: header.totals,
            events,
            header: header_bytes,
        })
    }
}

fn take_value<'body>(body: &mut &'body [u8]) -> Result<&'body [u8], String> {
    let short = || "the body of a frame ends in the middle of a value".to_owned();
    let (length, rest) = body.split_first_chunk::<4>().ok_or_else(short)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|error| error.to_string())?;
    let (value, rest) = rest.split_at_checked(length).ok_or_else(short)?;
    *body = rest;
    Ok(value)
}

fn payload(bytes: &[u8], blob: Option<Hash>) -> Payload<'_> {
    match blob {
        Some(hash) => Payload::Blob { hash, size_bytes: bytes.len() as u64 },
        None => Payload::Inline(bytes),
    }
}
