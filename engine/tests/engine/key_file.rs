//! The key file: who may read it, what is left of a key, and what damage comes to.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use sixgate_engine::keys::{Found, Key, KeyId, Keys, KeysError};
use sixgate_workflows::person;
use tempfile::TempDir;

use crate::{people::Who, world::World};

async fn written() -> (World, PathBuf) {
    let world = World::new().await;
    let path = world.directory.path().join("keys");
    (world, path)
}

fn damaged(bytes: &[u8]) -> Option<(usize, String)> {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("keys");
    fs::write(&path, bytes).unwrap();
    match Keys::open(&path) {
        Ok(_) => None,
        Err(KeysError::Damaged { line, why, .. }) => Some((line, why)),
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn only_its_owner_may_read_the_key_file() {
    let (world, path) = written().await;
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    world.employ(Who::Ada, Who::Paul, person::Command::Erase).await.unwrap();
    assert_eq!(mode(), 0o600);
}

#[tokio::test]
async fn a_destroyed_key_is_in_the_file_no_more_and_all_others_are() {
    let (world, path) = written().await;
    world.engine.save_checkpoint().unwrap();
    let before = fs::read_to_string(&path).unwrap();
    let goes = |line: &&str| {
        line.contains(&format!("person-{}", Who::Paul.id())) || line.contains("checkpoint")
    };
    let secret = |line: &str| line.split(r#""secret":""#).nth(1).map(|rest| rest[..64].to_owned());
    let secrets: Vec<String> = before.lines().filter(goes).filter_map(secret).collect();
    assert_eq!(secrets.len(), 2);
    world.employ(Who::Ada, Who::Paul, person::Command::Erase).await.unwrap();
    let after = fs::read_to_string(&path).unwrap();
    for secret in secrets {
        assert!(!after.contains(&secret));
    }
    for line in before.lines().filter(|line| !goes(line)) {
        assert!(after.contains(line), "{line}");
    }
    let leftovers = fs::read_dir(world.directory.path()).unwrap();
    let names: Vec<_> = leftovers.map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().starts_with(".tmp")), "{names:?}");
}

#[tokio::test]
async fn a_last_line_that_was_cut_short_is_dropped_and_the_file_goes_on() {
    let (mut world, path) = written().await;
    let whole = fs::read(&path).unwrap();
    for torn in [&b"8f"[..], b"0123456789abcdef {\"key\":\"0", &[0; 40]] {
        fs::write(&path, [&whole, torn].concat()).unwrap();
        world.keys = Keys::open(&path).unwrap().into();
        assert_eq!(fs::read(&path).unwrap(), whole);
        world.restart().await;
    }
    world.open(crate::world::CLUSTER).await;
    world.fill().await;
    assert!(fs::read(&path).unwrap().len() > whole.len());
    assert!(Keys::open(&path).is_ok());
}

#[tokio::test]
async fn damage_is_refused_with_its_line() {
    let (_world, path) = written().await;
    let whole = fs::read(&path).unwrap();
    let mut line = 1;
    for index in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[index] ^= 1;
        let found = damaged(&bytes);
        // The newline of the last line makes it one that was cut short.
        if index + 1 < whole.len() {
            let (at, why) = found.unwrap_or_else(|| panic!("byte {index} went unnoticed"));
            assert!(at == line, "byte {index} is in line {line}, not in {at}: {why}");
        }
        line += usize::from(whole[index] == b'\n');
    }
    assert!(damaged(b"").is_some() && damaged(b"\xff\n").is_some());
}

/// Written once by the first version that sealed anything.
const FILE: &str = include_str!("../sealed/keys");
const SEALED: &str = include_str!("../sealed/name.hex");

#[test]
fn what_was_once_sealed_opens_for_ever() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("keys");
    fs::write(&path, FILE).unwrap();
    let keys = Keys::open(&path).unwrap();
    let id = |text: &str| serde_json::from_value::<KeyId>(text.into()).unwrap();
    let key: Key = match keys.find(&id("019b0000000070008000000000000001")) {
        Found::Key(key) => key,
        Found::Destroyed | Found::Unknown => panic!("the key was not read"),
    };
    let digits = SEALED.trim();
    let bytes: Vec<u8> = (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect();
    let place = b"person-00000000-0000-0000-0000-000000000101\0person.registered\0/name";
    assert_eq!(key.open(place, &bytes).unwrap(), "冯洁".as_bytes());
    assert!(key.open(b"elsewhere", &bytes).is_err());
    let destroyed = keys.find(&id("019b0000000070008000000000000002"));
    assert!(matches!(destroyed, Found::Destroyed));
    assert!(matches!(keys.find(&id("ab")), Found::Unknown));
}
