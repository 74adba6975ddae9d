//! A damaged data directory is refused with a reason, by whoever looks at it: never served, never
//! repaired in silence, never a crash.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ran, run};
use crate::server::Server;

/// A name that can be found in the log's file.
const NAME: &str = "Kept-Word-By-Word";

struct Kept {
    directory: TempDir,
    /// The log as it was after the first person, while more were registered later.
    earlier: TempDir,
    verified: Value,
}

fn add(data: &Path, name: &str) {
    let data = data.to_str().unwrap();
    let add = ["person", "add", "--data", data, "--name", name, "--mail", "kept@example.com"];
    run(&[&add[..], &["--function", "admin"]].concat()).succeeded();
}

fn verify(data: &Path) -> Ran {
    run(&["log", "verify", "--json", "--data", data.to_str().unwrap()])
}

impl Kept {
    fn directory() -> Self {
        let (directory, earlier) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        add(directory.path(), "First");
        copy(directory.path(), earlier.path());
        add(directory.path(), NAME);
        add(directory.path(), "Third");
        let verified = verify(directory.path()).json();
        assert_eq!(verified["ok"], true);
        assert_eq!(verified["commits"], 3);
        Self { directory, earlier, verified }
    }

    /// A copy to be damaged; sled writes to its files when it opens them.
    fn damaged(&self, damage: &impl Fn(&Path)) -> TempDir {
        let directory = tempfile::tempdir().unwrap();
        copy(self.directory.path(), directory.path());
        damage(directory.path());
        directory
    }

    /// Nobody takes the damaged directory for a good one, and each says why.
    fn refused(&self, what: &str, damage: impl Fn(&Path)) {
        let found = verify(self.damaged(&damage).path());
        assert_eq!(found.code, Some(1), "{what}: {found:?}");
        let told = found.json();
        assert_eq!(told["ok"], false, "{what}");
        assert!(!told["why"].as_str().unwrap().is_empty(), "{what}: {told}");
        assert_eq!(told.as_object().unwrap().len(), self.verified.as_object().unwrap().len());

        let directory = self.damaged(&damage);
        let refused = Server::refused(directory.path());
        assert_eq!(refused.code, Some(1), "{what}: {refused:?}");
        assert!(!refused.errors.contains("panic"), "{what}: {refused:?}");
        for word in ["sixgate: ", "damaged", "nothing was deleted", "backup"] {
            assert!(refused.errors.contains(word), "{what}: {word}: {refused:?}");
        }
        let stats = ["log", "stats", "--data", directory.path().to_str().unwrap()];
        let told = run(&stats).refused(1);
        assert!(told.contains("damaged"), "{what}: {told}");
        // It stays refused: a start must not make it good.
        let again = Server::refused(directory.path());
        assert_eq!(again.code, Some(1), "{what}: {again:?}");
    }

    /// Damage where perhaps nothing lies is refused, or the log is whole; nothing in between.
    fn refused_or_whole(&self, what: &str, damage: impl Fn(&Path)) -> bool {
        let found = verify(self.damaged(&damage).path());
        match found.code {
            Some(0) => assert_eq!(found.json(), self.verified, "{what}: something is lost"),
            Some(1) => assert_eq!(found.json()["ok"], false, "{what}: {found:?}"),
            _ => panic!("{what}: {found:?}"),
        }
        found.code == Some(1)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let (entry, target) =
            (entry.as_ref().unwrap(), to.join(entry.as_ref().unwrap().file_name()));
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn log_file(data: &Path) -> PathBuf {
    data.join("log/db")
}

fn high_water(data: &Path) -> PathBuf {
    data.join("high-water")
}

fn flip(file: &Path, at: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at] ^= 0x20;
    fs::write(file, bytes).unwrap();
}

fn truncate(file: &Path, bytes: u64) {
    fs::OpenOptions::new().write(true).open(file).unwrap().set_len(bytes).unwrap();
}

#[test]
fn a_log_with_a_flipped_byte_is_refused() {
    let kept = Kept::directory();
    let bytes = fs::read(log_file(kept.directory.path())).unwrap();
    // Of the person that is kept; the name itself is sealed.
    let kind = b"person.registered";
    let words = bytes.windows(kind.len()).enumerate().filter(|(_, word)| word == kind);
    let places: Vec<usize> = words.map(|(place, _)| place).collect();
    assert!(!places.is_empty());
    for place in places {
        kept.refused(&format!("byte {place}"), |data| flip(&log_file(data), place + 3));
    }
}

#[test]
fn wherever_a_byte_is_flipped_nothing_is_lost_in_silence() {
    let kept = Kept::directory();
    let bytes = fs::read(log_file(kept.directory.path())).unwrap();
    let used: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, byte)| **byte != 0).map(|(place, _)| place).collect();
    let mut refused = 0;
    for place in used.iter().step_by(used.len() / 80 + 1) {
        let damage = |data: &Path| flip(&log_file(data), *place);
        refused += usize::from(kept.refused_or_whole(&format!("byte {place}"), damage));
    }
    assert!(refused > 0);
}

#[test]
fn a_truncated_log_is_refused() {
    let kept = Kept::directory();
    let bytes = fs::read(log_file(kept.directory.path())).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap() as u64;
    for length in [0, 1, used / 4, used / 2] {
        kept.refused(&format!("{length} bytes"), |data| truncate(&log_file(data), length));
    }
    for eighth in 5..=8 {
        let length = used * eighth / 8;
        let damage = |data: &Path| truncate(&log_file(data), length);
        kept.refused_or_whole(&format!("{length} of {used} bytes"), damage);
    }
}

#[test]
fn a_log_without_a_part_is_refused() {
    let kept = Kept::directory();
    kept.refused("no log file", |data| fs::remove_file(log_file(data)).unwrap());
    kept.refused("no mark", |data| fs::remove_file(high_water(data)).unwrap());
    kept.refused("no format", |data| fs::remove_file(data.join("format")).unwrap());
    kept.refused("no blobs", |data| fs::remove_dir_all(data.join("blobs")).unwrap());
    kept.refused("no log", |data| fs::remove_dir_all(data.join("log")).unwrap());
}

#[test]
fn a_damaged_high_water_mark_is_refused_unless_the_other_half_is_good() {
    let kept = Kept::directory();
    let bytes = fs::read(high_water(kept.directory.path())).unwrap();
    let half = bytes.len() / 2;
    kept.refused("both halves", |data| {
        flip(&high_water(data), 20);
        flip(&high_water(data), half + 20);
    });
    kept.refused("an empty mark", |data| truncate(&high_water(data), 0));
    kept.refused("a few bytes of a mark", |data| truncate(&high_water(data), 30));
    for place in [3, 12, 20, 40, 70, half + 3, half + 12, half + 20, half + 40, half + 70] {
        // One torn half is what a crash may leave, and the log itself tells the rest.
        let directory = kept.damaged(&|data: &Path| flip(&high_water(data), place));
        let found = verify(directory.path());
        assert!(matches!(found.code, Some(0 | 1)), "byte {place}: {found:?}");
        if found.code == Some(0) {
            assert_eq!(found.json()["head_hash"], kept.verified["head_hash"], "byte {place}");
        }
    }
}

#[test]
fn a_log_that_was_rolled_back_is_refused() {
    let kept = Kept::directory();
    kept.refused("an older log", |data| {
        fs::remove_dir_all(data.join("log")).unwrap();
        fs::create_dir(data.join("log")).unwrap();
        copy(&kept.earlier.path().join("log"), &data.join("log"));
    });
    kept.refused("an empty log", |data| {
        let empty = tempfile::tempdir().unwrap();
        run(&["person", "list", "--data", empty.path().to_str().unwrap()]).refused(2);
        let other = tempfile::tempdir().unwrap();
        add(other.path(), "Somebody else");
        fs::remove_dir_all(data.join("log")).unwrap();
        fs::create_dir(data.join("log")).unwrap();
        copy(&other.path().join("log"), &data.join("log"));
    });
}

#[test]
fn a_lost_or_damaged_checkpoint_only_costs_time() {
    let kept = Kept::directory();
    let served = |data: &Path| {
        let server = Server::serve(data);
        assert_eq!(server.terminate().code, Some(0));
    };
    let directory = kept.damaged(&|_: &Path| {});
    served(directory.path());
    let checkpoints = directory.path().join("checkpoints");
    let files: Vec<PathBuf> =
        fs::read_dir(&checkpoints).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty(), "a stop saves a checkpoint");
    for file in files {
        let half = fs::metadata(&file).unwrap().len() / 2;
        truncate(&file, half);
    }
    served(directory.path());
    fs::remove_dir_all(&checkpoints).unwrap();
    served(directory.path());
    let list = ["person", "list", "--json", "--data", directory.path().to_str().unwrap()];
    assert_eq!(run(&list).json().as_array().unwrap().len(), 3);
    assert_eq!(verify(directory.path()).json()["ok"], true);
}
