//! The values of the tree: how commits and events become bytes and come back.
//!
//! The rule: a value has at most [`VALUE_BYTES_MAX`] bytes, because sled keeps large pages in
//! files that it never syncs; anything longer is a reference to a blob. Decoding trusts nothing:
//! every length is checked, and what is left over is an error. The first byte is the layout.

use crate::{Hash, Position, RecordedEvent, Revision, StreamId};

/// The most bytes in one value.
pub(crate) const VALUE_BYTES_MAX: usize = 4096;
/// What fits into a value beside the fields of a header or an event at their largest.
pub(crate) const INLINE_BYTES_MAX: usize = VALUE_BYTES_MAX - 256;

const LAYOUT: u8 = 1;
const INLINE: u8 = 0;
const BLOB: u8 = 1;

/// Bytes, or where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Payload<'bytes> {
    Inline(&'bytes [u8]),
    Blob { hash: Hash, size_bytes: u64 },
}

/// Running sums up to and including a commit, so that counting never needs a scan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) events: u64,
    pub(crate) streams: u64,
    pub(crate) bytes_of_events: u64,
}

/// Everything of a commit but its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header<'bytes> {
    pub(crate) position: Position,
    pub(crate) stream: StreamId,
    pub(crate) revision: Revision,
    pub(crate) previous: Hash,
    pub(crate) hash: Hash,
    pub(crate) events: u32,
    pub(crate) totals: Totals,
    pub(crate) metadata: Payload<'bytes>,
}

/// One event, its data perhaps elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event<'bytes> {
    pub(crate) kind: &'bytes str,
    pub(crate) schema: u16,
    pub(crate) data: Payload<'bytes>,
}

impl Totals {
    /// The sums after one more commit.
    pub(crate) fn plus<'event>(
        self,
        revision: Revision,
        events: impl ExactSizeIterator<Item = &'event [u8]>,
    ) -> Self {
        Self {
            events: self.events.saturating_add(events.len() as u64),
            streams: self.streams.saturating_add(u64::from(revision == Revision(1))),
            bytes_of_events: events
                .fold(self.bytes_of_events, |sum, data| sum.saturating_add(data.len() as u64)),
        }
    }
}

impl<'bytes> Header<'bytes> {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut value = vec![LAYOUT];
        value.extend(self.position.0.to_be_bytes());
        encode_short(&mut value, self.stream.as_str());
        value.extend(self.revision.0.to_be_bytes());
        value.extend(self.previous.as_bytes());
        value.extend(self.hash.as_bytes());
        value.extend(self.events.to_be_bytes());
        value.extend(self.totals.events.to_be_bytes());
        value.extend(self.totals.streams.to_be_bytes());
        value.extend(self.totals.bytes_of_events.to_be_bytes());
        encode_payload(&mut value, &self.metadata);
        value
    }

    pub(crate) fn decode(value: &'bytes [u8]) -> Result<Self, String> {
        let mut fields = Fields::new(value)?;
        let header = Self {
            position: Position(fields.u64()?),
            stream: StreamId::new(fields.short()?).map_err(|error| error.to_string())?,
            revision: Revision(fields.u64()?),
            previous: Hash::from_bytes(fields.array()?),
            hash: Hash::from_bytes(fields.array()?),
            events: u32::from_be_bytes(fields.array()?),
            totals: Totals {
                events: fields.u64()?,
                streams: fields.u64()?,
                bytes_of_events: fields.u64()?,
            },
            metadata: fields.payload()?,
        };
        fields.end()?;
        Ok(header)
    }
}

impl<'bytes> Event<'bytes> {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut value = vec![LAYOUT];
        encode_short(&mut value, self.kind);
        value.extend(self.schema.to_be_bytes());
        encode_payload(&mut value, &self.data);
        value
    }

    pub(crate) fn decode(value: &'bytes [u8]) -> Result<Self, String> {
        let mut fields = Fields::new(value)?;
        let event = Self {
            kind: fields.short()?,
            schema: u16::from_be_bytes(fields.array()?),
            data: fields.payload()?,
        };
        fields.end()?;
        Ok(event)
    }

    pub(crate) fn with_data(&self, data: Vec<u8>) -> RecordedEvent {
        RecordedEvent { kind: self.kind.to_owned(), schema: self.schema, data }
    }
}

fn encode_short(value: &mut Vec<u8>, text: &str) {
    let length = u8::try_from(text.len()).expect("names and kinds have at most 100 bytes");
    value.push(length);
    value.extend(text.as_bytes());
}

fn encode_payload(value: &mut Vec<u8>, payload: &Payload<'_>) {
    match payload {
        Payload::Inline(bytes) => {
            value.push(INLINE);
            value.extend((bytes.len() as u64).to_be_bytes());
            value.extend(*bytes);
        }
        Payload::Blob { hash, size_bytes } => {
            value.push(BLOB);
            value.extend(size_bytes.to_be_bytes());
            value.extend(hash.as_bytes());
        }
    }
}

/// Takes fields off the front of a value.
struct Fields<'bytes> {
    rest: &'bytes [u8],
}

impl<'bytes> Fields<'bytes> {
    fn new(value: &'bytes [u8]) -> Result<Self, String> {
        let mut fields = Self { rest: value };
        match fields.u8()? {
            LAYOUT => Ok(fields),
            other => Err(format!("the layout of a value is {other}, and only {LAYOUT} is known")),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'bytes [u8], String> {
        let (front, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| "a value ends in the middle of a field".to_owned())?;
        self.rest = rest;
        Ok(front)
    }

    fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], String> {
        let bytes = self.take(COUNT)?;
        Ok(bytes.try_into().expect("take answers exactly as many bytes as asked for"))
    }

    fn u8(&mut self) -> Result<u8, String> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.array().map(u64::from_be_bytes)
    }

    fn short(&mut self) -> Result<&'bytes str, String> {
        let length = self.u8()?;
        let bytes = self.take(usize::from(length))?;
        std::str::from_utf8(bytes).map_err(|_| "a name in a value is not text".to_owned())
    }

    fn payload(&mut self) -> Result<Payload<'bytes>, String> {
        let place = self.u8()?;
        let size_bytes = self.u64()?;
        match place {
            INLINE => {
                let length = usize::try_from(size_bytes).unwrap_or(usize::MAX);
                self.take(length).map(Payload::Inline)
            }
            BLOB => Ok(Payload::Blob { hash: Hash::from_bytes(self.array()?), size_bytes }),
            other => Err(format!("a payload is in a place of kind {other}, which is unknown")),
        }
    }

    fn end(self) -> Result<(), String> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(format!("a value has {left} bytes too many")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(metadata: Payload<'_>) -> Header<'_> {
        Header {
            position: Position(u64::MAX),
            stream: StreamId::new("s".repeat(StreamId::CHARACTERS_MAX)).unwrap(),
            revision: Revision(3),
            previous: Hash::of(b"previous"),
            hash: Hash::of(b"hash"),
            events: 2,
            totals: Totals { events: 7, streams: 2, bytes_of_events: 99 },
            metadata,
        }
    }

    #[test]
    fn the_largest_values_fit() {
        let payload = vec![1; INLINE_BYTES_MAX];
        let kind = "k".repeat(crate::KIND_BYTES_MAX);
        let event = Event { kind: &kind, schema: 1, data: Payload::Inline(&payload) };
        assert!(header(Payload::Inline(&payload)).encode().len() <= VALUE_BYTES_MAX);
        assert!(event.encode().len() <= VALUE_BYTES_MAX);
    }

    #[test]
    fn values_come_back_and_no_cut_or_longer_one_does() {
        for payload in [
            Payload::Inline(b""),
            Payload::Inline(b"some"),
            Payload::Blob { hash: Hash::of(b"blob"), size_bytes: 5000 },
        ] {
            let header = header(payload.clone());
            let event = Event { kind: "a.b", schema: 9, data: payload };
            let (mut header_value, mut event_value) = (header.encode(), event.encode());
            assert_eq!(Header::decode(&header_value).unwrap(), header);
            assert_eq!(Event::decode(&event_value).unwrap(), event);
            for length in 0..header_value.len() {
                assert!(Header::decode(&header_value[..length]).is_err());
            }
            for length in 0..event_value.len() {
                assert!(Event::decode(&event_value[..length]).is_err());
            }
            header_value.push(0);
            event_value.push(0);
            assert!(Header::decode(&header_value).is_err());
            assert!(Event::decode(&event_value).is_err());
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_decoding_panic(value: Vec<u8>) {
            let mut value = value;
            let _ = (Header::decode(&value), Event::decode(&value));
            value.insert(0, LAYOUT);
            let _ = (Header::decode(&value), Event::decode(&value));
        }
    }
}
