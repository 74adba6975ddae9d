//! The hash chain: what exactly is hashed, so that anyone can check a log with a few lines of code.
//!
//! ```text
//! hash(n) = SHA-256( field("sixgate commit 1") field(hash(n-1)) field(position) field(stream)
//!                    field(revision) field(metadata) field(count of events)
//!                    for each event: field(kind) field(schema) field(data) )
//! field(x) = length of x in bytes, as 8 bytes big-endian, then x; numbers are big-endian
//! ```
//!
//! The rule: this layout is for ever, because changing it would break every chain ever written.
//! The hash always covers the full bytes, wherever they are kept.

use sha2::{Digest, Sha256};

use crate::{Hash, Position, Revision, StreamId};

/// Computes the hash of a commit from everything in it and the hash before it.
pub fn chain_hash<'event>(
    previous: Hash,
    position: Position,
    stream: &StreamId,
    revision: Revision,
    metadata: &[u8],
    events: impl ExactSizeIterator<Item = (&'event str, u16, &'event [u8])>,
) -> Hash {
    let mut hasher = Sha256::new();
    let mut field = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    field(b"sixgate commit 1");
    field(previous.as_bytes());
    field(&position.0.to_be_bytes());
    field(stream.as_str().as_bytes());
    field(&revision.0.to_be_bytes());
    field(metadata);
    field(&(events.len() as u64).to_be_bytes());
    for (kind, schema, data) in events {
        field(kind.as_bytes());
        field(&schema.to_be_bytes());
        field(data);
    }
    Hash::from_bytes(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed once and then for ever: a change here means that old logs no longer verify.
    #[test]
    fn the_layout_of_the_hash_never_changes() {
        let stream = StreamId::new("procurement-1").unwrap();
        let events = [("needs.opened", 1, &b"{}"[..]), ("needs.sized", 2, &b"[1]"[..])];
        let hash = chain_hash(
            Hash::of(b"before"),
            Position(7),
            &stream,
            Revision(3),
            b"actor",
            events.into_iter(),
        );
        assert_eq!(
            hash.to_string(),
            "db2868d5d7da799430fc1960a754e7d6d6045cb47a5858257586ad51bac80d4b"
        );
    }

    #[test]
    fn bytes_cannot_move_from_one_field_to_the_next() {
        let stream = StreamId::new("a").unwrap();
        let hash = |kind, data| {
            let event = [(kind, 1, data)];
            chain_hash(Hash::ZERO, Position(1), &stream, Revision(1), b"", event.into_iter())
        };
        assert_ne!(hash("ab", &b"c"[..]), hash("a", &b"bc"[..]));
    }
}
