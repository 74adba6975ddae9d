//! The few ways in which this crate makes files durable.
//!
//! The rule: a name in a directory is durable only after the directory itself was synced, and a
//! file is only ever visible under its final name once its content is durable.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::Error;

/// Makes the names in a directory durable.
pub(crate) fn sync_directory(directory: &Path) -> Result<(), Error> {
    File::open(directory)
        .and_then(|handle| handle.sync_all())
        .map_err(|source| Error::io(format!("sync the directory {}", directory.display()), source))
}

/// Creates a directory below one that exists, and makes its name durable.
pub(crate) fn create_directory(directory: &Path) -> Result<(), Error> {
    match fs::create_dir(directory) {
        Ok(()) => {}
        Err(source) if source.kind() == io::ErrorKind::AlreadyExists => {}
        Err(source) => {
            return Err(Error::io(format!("create the directory {}", directory.display()), source));
        }
    }
    sync_parent(directory)
}

/// Writes a file under a passing name, makes it durable, and only then gives it its name.
pub(crate) fn write_whole(passing: &Path, target: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = File::create(passing).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(passing, target)).map_err(|source| {
        // What was written so far is of no use; failing to remove it loses nothing.
        let _ = fs::remove_file(passing);
        Error::io(format!("write {}", target.display()), source)
    })?;
    sync_parent(target)
}

/// Makes the name of a file or directory durable; a bare name is in the current directory.
pub(crate) fn sync_parent(path: &Path) -> Result<(), Error> {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => sync_directory(Path::new(".")),
        Some(parent) => sync_directory(parent),
        None => Ok(()),
    }
}

/// The size of all files below a directory; a file that vanishes meanwhile counts for nothing.
pub(crate) fn size_bytes_below(directory: &Path) -> Result<u64, Error> {
    let mut size = 0;
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in list(&directory)? {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => waiting.push(entry.path()),
                Ok(metadata) => size += metadata.len(),
                Err(source) if source.kind() == io::ErrorKind::NotFound => {}
                Err(source) => {
                    let operation = format!("look at {}", entry.path().display());
                    return Err(Error::io(operation, source));
                }
            }
        }
    }
    Ok(size)
}

/// What is in a directory; one that is absent is empty.
pub(crate) fn list(directory: &Path) -> Result<Vec<fs::DirEntry>, Error> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries.collect(),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(source),
    };
    entries.map_err(|source| Error::io(format!("list {}", directory.display()), source))
}
