//! The file that spares a restart the replay of the whole log.
//!
//! It is only ever a shortcut: missing, damaged, of another shape or from another log, it is left
//! aside and the views are built from the log. It is replaced as a whole, so it is never half new.

use std::{fs, io::Write, path::Path};

use serde::{Deserialize, Serialize};
use sixgate_storage::{EventLog, Position};

use crate::{error::Error, projection::Views};

#[derive(Serialize)]
struct Written<'a> {
    shape: u32,
    /// The zone that the standings were judged in.
    zone: chrono_tz::Tz,
    views: &'a Views,
}

#[derive(Deserialize)]
struct Read {
    shape: u32,
    zone: chrono_tz::Tz,
    views: Views,
}

const FILE: &str = "views.json";

pub(crate) fn save(directory: &Path, zone: chrono_tz::Tz, views: &Views) -> std::io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    {
        let mut buffered = std::io::BufWriter::new(file.as_file_mut());
        serde_json::to_writer(&mut buffered, &Written { shape: Views::SHAPE, zone, views })?;
        buffered.flush()?;
    }
    file.as_file().sync_all()?;
    file.persist(directory.join(FILE))?;
    Ok(())
}

/// Views to go on from, or empty ones.
pub(crate) async fn load(
    directory: &Path,
    zone: chrono_tz::Tz,
    log: &dyn EventLog,
) -> Result<Views, Error> {
    let Ok(bytes) = fs::read(directory.join(FILE)) else { return Ok(Views::default()) };
    let views = match serde_json::from_slice::<Read>(&bytes) {
        Ok(read) if read.shape == Views::SHAPE && read.zone == zone => read.views,
        Ok(_) | Err(_) => {
            tracing::info!("the checkpoint is of another shape; the views are built from the log");
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

async fn belongs_to(views: &Views, log: &dyn EventLog) -> Result<bool, Error> {
    if views.position == Position::ZERO {
        return Ok(true);
    }
    let before = Position(views.position.0 - 1);
    let commits = log.read_all(before, 1).await?;
    Ok(commits.first().is_some_and(|commit| commit.hash == views.hash))
}
