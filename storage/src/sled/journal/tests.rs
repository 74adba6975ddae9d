//! What of the journal survives the loss of power at any step: everything acknowledged, and of the
//! group that was under way all or nothing.

use super::simulated::SimulatedDisk;
use super::*;
use crate::sled::record::Totals;
use crate::sled::store::Prepared;
use crate::{Expected, Head, NewCommit, NewEvent, Revision, StreamId};

/// Power cuts in all.
const CRASHES: u64 = 5_000;

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// A group of one to five commits after `head`.
fn group(head: Head, random: &mut u64) -> Vec<Arc<Encoded>> {
    let (mut head, mut commits) = (head, Vec::new());
    for _ in 0..=next(random) % 5 {
        let size = usize::try_from(next(random) % 3_000).unwrap();
        let event = NewEvent { kind: "a.b".to_owned(), schema: 1, data: vec![7; size] };
        let commit = NewCommit {
            stream: StreamId::new("s").unwrap(),
            expected: Expected::Any,
            metadata: Vec::new(),
            events: vec![event],
        };
        let revision = Revision(head.position.0 + 1);
        let prepared = Prepared::inline(commit);
        let encoded = Encoded::new(&prepared, head, revision, Totals::default());
        head = encoded.head();
        commits.push(Arc::new(encoded));
    }
    commits
}

/// The newest commit that the journal has, walking from the oldest that it must have.
fn survived(disk: &SimulatedDisk, from: Head) -> Head {
    let mut head = from;
    replay(disk, |frame| {
        for commit in frame.commits {
            if commit.position == head.position.next() && commit.previous == head.hash {
                head = commit.head();
            } else {
                assert!(commit.position <= head.position, "a frame stands behind a gap");
            }
        }
        Ok(())
    })
    .unwrap();
    head
}

#[test]
fn nothing_acknowledged_is_lost_in_thousands_of_power_cuts() {
    let disk = SimulatedDisk::default();
    let mut random = 0x5eed_u64;
    let (mut acknowledged, mut kept_in_doubt, mut lost_in_doubt) = (Head::default(), 0, 0);
    for crash in 0..CRASHES {
        let mut journal = Journal::begin(Box::new(disk.clone()), acknowledged.position).unwrap();
        let shelf = journal.shelf();
        disk.fail_after(next(&mut random) % 40);
        let mut in_doubt = acknowledged;
        for _ in 0.. {
            let commits = group(acknowledged, &mut random);
            in_doubt = commits.last().unwrap().head();
            if journal.append(&commits).is_err() {
                break;
            }
            acknowledged = in_doubt;
            // What sled does meanwhile may fail at any step, too.
            if next(&mut random).is_multiple_of(3) && shelf.prepare().is_err() {
                break;
            }
        }
        disk.crash(|| next(&mut random));
        // Sled holds what was acknowledged before this round only.
        let head = survived(&disk, acknowledged_before(&disk, acknowledged, crash));
        assert!(head.position >= acknowledged.position, "crash {crash} lost {acknowledged:?}");
        if head != acknowledged {
            assert_eq!(head, in_doubt, "crash {crash} kept a part of a group");
            kept_in_doubt += 1;
        } else if in_doubt != acknowledged {
            lost_in_doubt += 1;
        }
        acknowledged = head;
    }
    println!("{CRASHES} crashes, in doubt: {kept_in_doubt} kept, {lost_in_doubt} lost");
    assert!(kept_in_doubt > 0 && lost_in_doubt > 0);
}

/// Where the oldest frame of the journal begins: what is before it, sled holds.
fn acknowledged_before(disk: &SimulatedDisk, acknowledged: Head, crash: u64) -> Head {
    let mut oldest: Option<Head> = None;
    replay(disk, |frame| {
        let before = Position(frame.first.0 - 1);
        oldest.get_or_insert(Head { position: before, hash: frame.previous });
        Ok(())
    })
    .unwrap();
    match oldest {
        Some(head) if head.position <= acknowledged.position => head,
        Some(head) => panic!("crash {crash}: the journal begins at {head:?}"),
        None => acknowledged,
    }
}

#[test]
fn a_frame_of_an_earlier_use_of_a_segment_is_not_taken_for_a_new_one() {
    let commits = group(Head::default(), &mut 1);
    let mut bytes = Vec::new();
    frame::encode(7, &commits, &mut bytes);
    assert!(frame::decode(7, &bytes).is_some());
    assert!(frame::decode(8, &bytes).is_none());
}

#[test]
fn a_frame_with_any_bit_changed_is_no_frame() {
    let commits = group(Head::default(), &mut 3);
    let mut bytes = Vec::new();
    frame::encode(1, &commits, &mut bytes);
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    for byte in 0..=used {
        let mut changed = bytes.clone();
        changed[byte] ^= 0x10;
        assert!(frame::decode(1, &changed).is_none(), "byte {byte}");
        assert!(frame::decode(1, &bytes[..byte]).is_none(), "cut at {byte}");
    }
}

#[test]
fn segments_are_given_up_only_when_sled_holds_them() {
    let disk = SimulatedDisk::default();
    let mut journal = Journal::begin(Box::new(disk.clone()), Position::ZERO).unwrap();
    let (mut random, mut head) = (9, Head::default());
    while disk.list().unwrap().len() < 6 {
        let commits = group(head, &mut random);
        journal.append(&commits).unwrap();
        head = commits.last().unwrap().head();
    }
    journal.shelf().give_up(Position::ZERO).unwrap();
    assert_eq!(disk.list().unwrap().len(), 6, "sled holds nothing yet");
    assert_eq!(survived(&disk, Head::default()), head);
    journal.shelf().give_up(head.position).unwrap();
    assert_eq!(disk.list().unwrap().len(), KEPT + 1);
}
