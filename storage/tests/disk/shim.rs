//! A disk that fails: every sync, every write, the opening of files, once and for good.
//!
//! The test builds a small library that stands before the C library and makes calls fail, and
//! starts itself again with it. The rule under test: the log says so with a typed error, accepts
//! nothing more, never panics, and opens again on a sound disk with everything acknowledged.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sixgate_storage::sled::{Options, verify};
use sixgate_storage::{Error, EventLog, Expected, Hash, Position, SledLog};

use crate::crash::{next, parse};
use crate::support::{append_some, commit, open, read_everything};

const NAME: &str = "shim::a_disk_that_fails_loses_nothing_acknowledged";
const DIRECTORY: &str = "SIXGATE_SHIM_DIRECTORY";

/// What can fail, and about how often a short run does it.
const CALLS: [(&str, u64); 5] =
    [("fdatasync", 60), ("fsync", 6), ("sync_file_range", 6), ("pwrite", 60), ("open", 10)];

/// I/O error, no space left, read-only file system.
const ERRORS: [(i32, &str); 3] = [(5, "EIO"), (28, "ENOSPC"), (30, "EROFS")];

/// What the child said before it ended by itself.
#[derive(Debug, Default)]
struct Said {
    acknowledged: Vec<(Position, Hash)>,
    /// The code with which the log did not open, or the codes of two appends in a row.
    codes: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_fails_loses_nothing_acknowledged() {
    if let Some(directory) = env::var_os(DIRECTORY) {
        append_until_it_fails(Path::new(&directory)).await;
        return;
    }
    let built = tempfile::tempdir().unwrap();
    let library = build(built.path());
    let mut random = 0x2545_f491_4f6c_dd1d;
    for (call, times) in CALLS {
        let mut failures = 0;
        for (errno, error) in ERRORS {
            for _ in 0..3 {
                let from = 1 + next(&mut random) % times;
                let case = format!("{call} fails with {error} from time {from} on");
                let directory = tempfile::tempdir().unwrap();
                append_some(&open(directory.path()), 3, "before").await;
                let said = run(directory.path(), &library, call, errno, from, &case);
                failures += usize::from(!said.codes.is_empty());
                check(directory.path(), &said, &case).await;
            }
        }
        assert!(failures > 0, "{call} never failed, so nothing was tested");
    }
}

/// The child: appends until an append fails, then once more, and says what it was told.
async fn append_until_it_fails(directory: &Path) {
    let log = match SledLog::open(directory, Options::default()) {
        Ok(log) => log,
        Err(error) => return say(&format!("code {}\n", error.code())),
    };
    for number in 0..2_000_u32 {
        let data = [&number.to_be_bytes()[..], &[b'x'; 2_000]].concat();
        match log.append(commit("child", Expected::Any, &data)).await {
            Ok(appended) => say(&format!("ack {} {}\n", appended.position, appended.hash)),
            Err(error) => {
                say(&format!("code {}\n", error.code()));
                let again = log.append(commit("child", Expected::Any, b"again")).await;
                say(&format!("code {}\n", again.map_or_else(|error| error.code(), |_| "none")));
                break;
            }
        }
    }
}

fn say(line: &str) {
    io::stdout().write_all(line.as_bytes()).unwrap();
}

fn run(directory: &Path, library: &Path, call: &str, errno: i32, from: u64, case: &str) -> Said {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(DIRECTORY, directory)
        .env("LD_PRELOAD", library)
        .env("FAIL_CALL", call)
        .env("FAIL_ERRNO", errno.to_string())
        .env("FAIL_FROM", from.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut said = Said::default();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        said.acknowledged.extend(parse(&line));
        said.codes.extend(line.split_once("code ").map(|(_, code)| code.to_owned()));
    }
    let status = child.wait().unwrap();
    assert!(status.success(), "{case}: the process ended with {status}");
    said
}

async fn check(directory: &Path, said: &Said, case: &str) {
    match said.codes.as_slice() {
        // The call was not made often enough to fail.
        [] => assert_eq!(said.acknowledged.len(), 2_000, "{case}"),
        [unopened] => {
            assert!(["io", "full", "corrupt"].contains(&&**unopened), "{case}: {unopened}")
        }
        [first, second] => {
            assert!(["io", "full", "unknown", "poisoned"].contains(&&**first), "{case}: {first}");
            // A payload of that size is no blob, so nothing can fail before the writer has it.
            assert_eq!(second, "poisoned", "{case}");
        }
        more => panic!("{case}: {more:?}"),
    }
    let found = verify(directory, |_| {}).unwrap();
    assert!(found.ok, "{case}: {found:?}");
    let log = match SledLog::open(directory, Options::default()) {
        Ok(log) => log,
        Err(error @ Error::Corrupt { .. }) => panic!("{case}: {error}"),
        Err(error) => panic!("{case}: {error:?}"),
    };
    let commits = read_everything(&log).await;
    for (position, hash) in &said.acknowledged {
        let index = usize::try_from(position.0 - 1).unwrap();
        let there = commits.get(index).map(|commit| commit.hash);
        assert_eq!(there, Some(*hash), "{case}: position {position} is lost");
    }
    append_some(&log, 3, "after").await;
}

/// The library, built by the C compiler that linking needs anyway.
fn build(directory: &Path) -> PathBuf {
    let library = directory.join("fail.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/disk/shim/fail.c");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status()
        .expect("a C compiler is there");
    assert!(status.success());
    library
}
