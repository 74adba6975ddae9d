//! The file that spares a restart the replay of the whole log.
//!
//! It is only ever a shortcut: missing, damaged, of another shape or from another log, it is left
//! aside and the views are built from the log. It is replaced as a whole, so it is never half new.
//!
//! ```text
//! {"key": id}           one line
//! nonce, sealed         one line of JSON: shape, zone, where each row lies; then the rows
//! ```
//!
//! Each row is compressed for itself, and is read when somebody asks for it.
//!
//! The views name people, so the file is sealed as a whole. Erasing somebody destroys its key, and
//! with it this file and every copy of it; the next save makes another key.

use std::{collections::BTreeSet, fs, io::Write, path::Path, sync::Arc};

use serde::{Deserialize, Serialize};
use sixgate_storage::{EventLog, Position};
use sixgate_workflows::evidence::ContentHash;

use crate::{
    error::Error,
    keys::{DataSubject, Found, Key, KeyId, Keys, KeysError},
    projection::{RestingViews, Views},
};

/// The next start replays the log; nothing is lost.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointUnsaved {
    #[error("the checkpoint could not be written")]
    Io(#[from] std::io::Error),
    #[error("there is no key for the checkpoint")]
    Keys(#[from] KeysError),
}

#[derive(Serialize, Deserialize)]
struct Header {
    key: KeyId,
}

#[derive(Serialize, Deserialize)]
struct Index {
    shape: ContentHash,
    /// The zone that the standings were judged in.
    zone: chrono_tz::Tz,
    views: RestingViews,
}

const FILE: &str = "views";
/// As it was before it was sealed.
const PLAIN_FILE: &str = "views.json";
/// What the file is sealed for.
const PLACE: &[u8] = b"checkpoint";

pub(crate) fn key(keys: &Keys, reached: Position) -> Result<Key, KeysError> {
    let subject = DataSubject::checkpoint();
    loop {
        // Between the two somebody may be erased, and the key with them.
        if let Some(key) = keys.current(&subject) {
            return Ok(key);
        }
        keys.provide(&BTreeSet::from([subject.clone()]), reached)?;
    }
}

pub(crate) fn save(
    directory: &Path,
    zone: chrono_tz::Tz,
    key: &Key,
    views: &Views,
) -> std::io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut region = Vec::new();
    let views = RestingViews::of(views, &mut region)?;
    let mut plain = serde_json::to_vec(&Index { shape: Views::shape(), zone, views })?;
    plain.push(b'\n');
    plain.append(&mut region);
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    serde_json::to_writer(&mut file, &Header { key: key.id().clone() })?;
    file.write_all(b"\n")?;
    file.write_all(&key.seal(PLACE, &plain))?;
    file.as_file().sync_all()?;
    file.persist(directory.join(FILE))?;
    Ok(())
}

/// Views to go on from, or empty ones.
pub(crate) async fn load(
    directory: &Path,
    zone: chrono_tz::Tz,
    keys: &Keys,
    log: &dyn EventLog,
) -> Result<Views, Error> {
    // It names people in plain words, and is of a shape that is not read any more.
    let _ = fs::remove_file(directory.join(PLAIN_FILE));
    let Ok(bytes) = fs::read(directory.join(FILE)) else { return Ok(Views::default()) };
    let Some(views) = opened(keys, &bytes).and_then(|plain| read(plain, zone)) else {
        tracing::info!(
            "the checkpoint is of other rules or another key; the views are built from the log"
        );
        return Ok(Views::default());
    };
    match belongs_to(&views, log).await? {
        true => Ok(views),
        false => {
            tracing::warn!(
                views.position = views.position.0,
                "the checkpoint belongs to another log; the views are built from this one"
            );
            Ok(Views::default())
        }
    }
}

fn opened(keys: &Keys, bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let header: Header = serde_json::from_slice(&bytes[..end]).ok()?;
    match keys.find(&header.key) {
        Found::Key(key) => key.open(PLACE, &bytes[end + 1..]).ok(),
        Found::Destroyed | Found::Unknown => None,
    }
}

fn read(plain: Vec<u8>, zone: chrono_tz::Tz) -> Option<Views> {
    let end = plain.iter().position(|byte| *byte == b'\n')?;
    let index: Index = serde_json::from_slice(&plain[..end]).ok()?;
    let usable = index.shape == Views::shape() && index.zone == zone;
    usable.then(|| index.views.views(Arc::new(plain), end + 1)).flatten()
}

async fn belongs_to(views: &Views, log: &dyn EventLog) -> Result<bool, Error> {
    if views.position == Position::ZERO {
        return Ok(true);
    }
    let before = Position(views.position.0 - 1);
    let commits = log.read_all(before, 1).await?;
    Ok(commits.first().is_some_and(|commit| commit.hash == views.hash))
}
