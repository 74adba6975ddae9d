//! The transport that writes each letter into a folder as an `.eml` file.
//!
//! The rule: a file that exists is whole and on the disk (temporary file, fsync, rename, fsync of
//! the folder), and it is named after the Message-ID, so the same letter twice leaves one file.
//! It deliberately never deletes and never reads back: a person or another program collects.

use super::{Envelope, Outcome, text, wire};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder is made at the first letter if it does not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub(super) fn describe(&self) -> String {
        format!("folder {}", self.path.display())
    }

    pub(super) async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome {
        // Checked as a relay would check, so that a letter does not first fail in production.
        if let Some(why) = wire::fault(bytes) {
            return Outcome::Refused { why: why.to_owned() };
        }
        for (field, address) in [("sender", &envelope.from), ("recipient", &envelope.to)] {
            if let Err(unsendable) = text::address(field, address) {
                return Outcome::Refused { why: unsendable.to_string() };
            }
        }
        let Some(id) = wire::message_id(bytes).filter(|id| wire::is_plain_message_id(id)) else {
            return Outcome::Refused { why: "the message has no plain Message-ID".to_owned() };
        };

        let file_name = format!("{id}.eml");
        let (folder, name, content) = (self.path.clone(), file_name.clone(), bytes.to_vec());
        let written = tokio::task::spawn_blocking(move || write(&folder, &name, &content)).await;
        match written {
            Ok(Ok(())) => Outcome::Sent { reply: format!("folder {file_name}") },
            Ok(Err(error)) => self.failure(&error),
            Err(_) => Outcome::Unknown { why: format!("writing {file_name} was interrupted") },
        }
    }

    fn failure(&self, error: &io::Error) -> Outcome {
        let why = format!("{}: {error}", self.describe());
        let needs_an_administrator = [
            ErrorKind::PermissionDenied,
            ErrorKind::ReadOnlyFilesystem,
            ErrorKind::NotADirectory,
            ErrorKind::AlreadyExists,
        ];
        if needs_an_administrator.contains(&error.kind()) {
            Outcome::Misconfigured { why }
        } else {
            Outcome::Unavailable { why }
        }
    }
}

fn write(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Named after the letter, so that the attempt after a crash takes the place of what it left.
    let unfinished = folder.join(format!("{name}.unfinished"));
    let mut file = File::create(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&unfinished, folder.join(name))?;
    File::open(folder)?.sync_all()
}
