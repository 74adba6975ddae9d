//! What the writer says and does when the disk fails at each of its steps.

use std::collections::HashMap;
use std::sync::Mutex;
use std::thread;

use super::*;
use crate::{Expected, NewCommit, NewEvent, Position};

/// Where the disk fails, counted from the first call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Nowhere,
    Lookup,
    Write(usize),
    Sync,
    Mark,
    PanicInSync,
}

/// A disk in memory that fails once and remembers what was asked of it.
struct FakeDisk {
    fault: Fault,
    streams: HashMap<StreamId, Revision>,
    calls: Arc<Mutex<Vec<&'static str>>>,
    writes: usize,
}

impl FakeDisk {
    fn call(&self, name: &'static str, fails: bool) -> Result<(), Error> {
        self.calls.lock().unwrap().push(name);
        match fails {
            true => Err(Error::io(name, std::io::Error::other("the disk is gone"))),
            false => Ok(()),
        }
    }
}

impl Disk for FakeDisk {
    fn revision(&self, stream: &StreamId) -> Result<Revision, Error> {
        self.call("look up", self.fault == Fault::Lookup)?;
        Ok(self.streams.get(stream).copied().unwrap_or_default())
    }

    fn write(
        &mut self,
        prepared: &Prepared,
        head: Head,
        revision: Revision,
        _totals: Totals,
    ) -> Result<Hash, Error> {
        self.writes += 1;
        self.call("write", self.fault == Fault::Write(self.writes))?;
        self.streams.insert(prepared.commit.stream.clone(), revision);
        Ok(Hash::of(head.hash.as_bytes()))
    }

    fn sync(&mut self) -> Result<(), Error> {
        assert!(self.fault != Fault::PanicInSync, "the database fell over");
        self.call("sync", self.fault == Fault::Sync)
    }

    fn mark(&mut self, _head: Head) -> Result<(), Error> {
        self.call("mark", self.fault == Fault::Mark)
    }
}

fn request(
    stream: &str,
    expected: Expected,
) -> (Request, oneshot::Receiver<Result<Appended, Error>>) {
    let (reply, answer) = oneshot::channel();
    let event = NewEvent { kind: "a.b".to_owned(), schema: 1, data: vec![1] };
    let commit = NewCommit {
        stream: StreamId::new(stream).unwrap(),
        expected,
        metadata: Vec::new(),
        events: vec![event],
    };
    (Request { prepared: Prepared::inline(commit), reply }, answer)
}

/// Runs one group of requests and answers what each was told, the calls, and the head.
fn run(
    fault: Fault,
    requests: &[(&str, Expected)],
) -> (Vec<String>, Vec<&'static str>, Arc<Acknowledged>) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let disk = FakeDisk { fault, streams: HashMap::new(), calls: Arc::clone(&calls), writes: 0 };
    let acknowledged = Arc::new(Acknowledged::new(Head::default(), Totals::default()));
    let limits = GroupLimits { commits_max: 10, bytes_max: 1000 };
    let writer = Writer::new(disk, limits, Arc::clone(&acknowledged));
    let (sender, waiting) = mpsc::channel(20);
    let mut answers = Vec::new();
    for (stream, expected) in requests {
        let (request, answer) = request(stream, *expected);
        sender.try_send(request).unwrap();
        answers.push(answer);
    }
    drop(sender);
    thread::spawn(move || writer.run(waiting)).join().unwrap();
    let told = answers.into_iter().map(|answer| match answer.blocking_recv().unwrap() {
        Ok(appended) => format!("position {}", appended.position),
        Err(error) => error.code().to_owned(),
    });
    let told = told.collect();
    let calls = calls.lock().unwrap().clone();
    (told, calls, acknowledged)
}

const ANY: Expected = Expected::Any;

#[test]
fn a_group_shares_one_sync_and_sees_its_own_commits() {
    let one = Expected::Exactly(Revision(1));
    let (told, calls, acknowledged) =
        run(Fault::Nowhere, &[("a", Expected::Absent), ("a", Expected::Absent), ("a", one)]);
    assert_eq!(told, ["position 1", "conflict", "position 2"]);
    assert_eq!(calls, ["look up", "write", "look up", "look up", "write", "sync", "mark"]);
    assert_eq!(acknowledged.state().0.position, Position(2));
}

#[test]
fn a_group_of_conflicts_needs_no_sync() {
    let (told, calls, _) = run(Fault::Nowhere, &[("a", Expected::Exactly(Revision(3)))]);
    assert_eq!(
        (told.as_slice(), calls.as_slice()),
        (&["conflict".to_owned()][..], &["look up"][..])
    );
}

#[test]
fn a_group_is_bounded() {
    let (told, calls, _) = run(Fault::Nowhere, &[("a", ANY); 20]);
    assert_eq!(told.len(), 20);
    assert_eq!(calls.iter().filter(|call| **call == "sync").count(), 2);
}

#[test]
fn a_failed_write_leaves_the_rest_of_the_group_certainly_unwritten() {
    let (told, calls, acknowledged) = run(Fault::Write(2), &[("a", ANY), ("b", ANY), ("c", ANY)]);
    assert_eq!(told, ["unknown", "unknown", "poisoned"]);
    assert_eq!(calls, ["look up", "write", "look up", "write"]);
    assert_eq!(acknowledged.state().0, Head::default());
}

#[test]
fn a_failed_sync_or_mark_leaves_the_group_in_doubt_and_is_never_tried_again() {
    for (fault, last) in [(Fault::Sync, "sync"), (Fault::Mark, "mark")] {
        let (told, calls, acknowledged) = run(fault, &[("a", ANY); 12]);
        assert_eq!(told[..10], ["unknown"; 10]);
        assert_eq!(told[10..], ["poisoned"; 2]);
        assert_eq!(calls.last(), Some(&last));
        assert_eq!(calls.iter().filter(|call| **call == last).count(), 1);
        assert_eq!(acknowledged.state().0, Head::default());
        assert!(acknowledged.failure().unwrap().contains("the disk is gone"));
        assert!(!acknowledged.watch().has_changed().unwrap());
    }
}

#[test]
fn a_conflict_with_a_commit_in_doubt_is_not_reported_as_one() {
    let (told, ..) = run(Fault::Sync, &[("a", ANY), ("a", Expected::Absent)]);
    assert_eq!(told, ["unknown", "poisoned"]);
}

#[test]
fn a_failed_lookup_and_a_panic_end_writing_too() {
    let (told, calls, _) = run(Fault::Lookup, &[("a", ANY), ("b", ANY)]);
    assert_eq!((told[0].as_str(), told[1].as_str()), ("unknown", "poisoned"));
    assert_eq!(calls, ["look up"]);
    let (told, _, acknowledged) = run(Fault::PanicInSync, &[("a", ANY), ("b", ANY)]);
    assert_eq!(told, ["unknown"; 2]);
    assert!(acknowledged.failure().unwrap().contains("the database fell over"));
}
