//! The file that spares a restart the replay of the whole log.
//!
//! It is only ever a shortcut: missing, damaged, of another shape or from another log, it is left
//! aside and the views are built from the log. It is replaced as a whole, so it is never half new.
//!
//! ```text
//! {"key": id}           one line
//! nonce, sealed JSON    shape, zone, views
//! ```
//!
//! The views name people, so the file is sealed as a whole. Erasing somebody destroys its key, and
//! with it this file and every copy of it; the next save makes another key.

use std::{collections::BTreeSet, fs, io::Write, path::Path};

use serde::{Deserialize, Serialize};
use sixgate_storage::{EventLog, Position};
use sixgate_workflows::evidence::ContentHash;

use crate::{
    error::Error,
    keys::{DataSubject, Found, Key, KeyId, Keys, KeysError},
    projection::Views,
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

#[derive(Serialize)]
struct Written<'a> {
    shape: ContentHash,
    /// The zone that the standings were judged in.
    zone: chrono_tz::Tz,
    views: &'a Views,
}

#[derive(Deserialize)]
struct Read {
    shape: ContentHash,
    zone: chrono_tz::Tz,
    views: Views,
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
    let plain = serde_json::to_vec(&Written { shape: Views::shape(), zone, views })?;
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
    let read = opened(keys, &bytes).and_then(|plain| serde_json::from_slice::<Read>(&plain).ok());
    let views = match read {
        Some(read) if read.shape == Views::shape() && read.zone == zone => read.views,
        Some(_) | None => {
            tracing::info!(
                "the checkpoint is of another shape or key; the views are built from the log"
            );
            return Ok(Views::default());
        }
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

async fn belongs_to(views: &Views, log: &dyn EventLog) -> Result<bool, Error> {
    if views.position == Position::ZERO {
        return Ok(true);
    }
    let before = Position(views.position.0 - 1);
    let commits = log.read_all(before, 1).await?;
    Ok(commits.first().is_some_and(|commit| commit.hash == views.hash))
}
