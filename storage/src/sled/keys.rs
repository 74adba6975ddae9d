//! The keys of the one tree.
//!
//! ```text
//! c <position>                    the header of a commit
//! e <position> <index>            one event of a commit
//! s <stream> 0 <revision>         the position of a commit of a stream
//! ```
//!
//! The rule: numbers are big-endian, so that the order of keys is the order of the log. The zero
//! byte cannot occur in the name of a stream, so no stream is a prefix of another.

use crate::{Position, Revision, StreamId};

const COMMIT: u8 = b'c';
const EVENT: u8 = b'e';
const STREAM: u8 = b's';

/// What a key stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Commit(Position),
    Event(Position),
    Stream,
}

pub(crate) fn commit(position: Position) -> Vec<u8> {
    [&[COMMIT], &position.0.to_be_bytes()[..]].concat()
}

pub(crate) fn event(position: Position, index: u32) -> Vec<u8> {
    [&[EVENT], &position.0.to_be_bytes()[..], &index.to_be_bytes()].concat()
}

pub(crate) fn stream(stream: &StreamId, revision: Revision) -> Vec<u8> {
    [&[STREAM], stream.as_str().as_bytes(), &[0], &revision.0.to_be_bytes()].concat()
}

/// A key above those of all commits and below those of all events.
pub(crate) fn after_commits() -> [u8; 1] {
    [COMMIT + 1]
}

/// A key above those of all events and below those of all streams.
pub(crate) fn after_events() -> [u8; 1] {
    [EVENT + 1]
}

/// What this key stands for, or nothing where no such key is ever written.
pub(crate) fn parse(key: &[u8]) -> Option<Key> {
    let (kind, rest) = key.split_first()?;
    match *kind {
        COMMIT => Some(Key::Commit(Position(u64::from_be_bytes(rest.try_into().ok()?)))),
        EVENT => {
            let (position, _index) = rest.split_first_chunk::<8>().filter(|(_, i)| i.len() == 4)?;
            Some(Key::Event(Position(u64::from_be_bytes(*position))))
        }
        STREAM => {
            let (name, revision) = rest.split_last_chunk::<8>()?;
            let (zero, name) = name.split_last()?;
            let named = *zero == 0 && !name.is_empty() && !name.contains(&0);
            (named && u64::from_be_bytes(*revision) > 0).then_some(Key::Stream)
        }
        _ => None,
    }
}

/// The revision at the end of the key of a stream.
pub(crate) fn revision(key: &[u8]) -> Option<Revision> {
    let (_, revision) = key.split_last_chunk::<8>()?;
    Some(Revision(u64::from_be_bytes(*revision)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_the_log_does() {
        assert!(commit(Position(255)) < commit(Position(256)));
        assert!(event(Position(1), 9) < event(Position(2), 0));
        assert!(event(Position(1), 255) < event(Position(1), 256));
        let short = StreamId::new("a").unwrap();
        let long = StreamId::new("a-1").unwrap();
        assert!(stream(&short, Revision(u64::MAX)) < stream(&long, Revision(1)));
        assert!(commit(Position(u64::MAX)).as_slice() < &after_commits()[..]);
        assert!(event(Position(u64::MAX), u32::MAX).as_slice() < &after_events()[..]);
    }

    #[test]
    fn only_keys_of_the_log_are_understood() {
        let name = StreamId::new("a").unwrap();
        assert_eq!(parse(&commit(Position(3))), Some(Key::Commit(Position(3))));
        assert_eq!(parse(&event(Position(3), 1)), Some(Key::Event(Position(3))));
        assert_eq!(parse(&stream(&name, Revision(2))), Some(Key::Stream));
        assert_eq!(revision(&stream(&name, Revision(2))), Some(Revision(2)));
        for bad in [&b""[..], b"c", b"c123", b"e12345678", b"s", b"sa\0", b"x12345678"] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }
}
