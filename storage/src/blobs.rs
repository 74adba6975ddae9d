//! Content-addressed files: whatever is too large for the log, found by its SHA-256.
//!
//! ```text
//! DIR/ab/cdef…      the bytes whose hash is abcdef…
//! DIR/unfinished/   files being written; a crash may leave some, and they mean nothing
//! ```
//!
//! The rule: a blob that [`BlobStore::put`] answered for is durable and never changes, and
//! [`BlobStore::get`] returns exactly those bytes or an error. Storing the same bytes again is
//! harmless and heals a damaged file. All calls block; asynchronous callers go through
//! `spawn_blocking`.
//!
//! It deliberately never deletes, and doesn't know who refers to a blob. A caller that stores a
//! blob and then fails to refer to it leaves a file that nobody reads.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, Hash, files};

/// The most bytes in one blob.
pub const BLOB_BYTES_MAX: u64 = 256 * 1024 * 1024;

const UNFINISHED: &str = "unfinished";

/// Tells apart the files that this process is writing at the same time.
static NEXT_UNFINISHED: AtomicU64 = AtomicU64::new(0);

/// A directory of blobs. Cloning is cheap, and clones may be used at the same time.
#[derive(Debug, Clone)]
pub struct BlobStore {
    directory: PathBuf,
}

impl BlobStore {
    /// Opens the store in a directory and creates it where it is absent.
    pub fn open(directory: impl Into<PathBuf>) -> Result<Self, Error> {
        let directory = directory.into();
        fs::create_dir_all(&directory).map_err(|source| {
            Error::io(format!("create the directory {}", directory.display()), source)
        })?;
        files::create_directory(&directory)?;
        files::create_directory(&directory.join(UNFINISHED))?;
        Ok(Self { directory })
    }

    /// Stores bytes durably and answers their hash.
    pub fn put(&self, bytes: &[u8]) -> Result<Hash, Error> {
        let size_bytes = bytes.len() as u64;
        if size_bytes > BLOB_BYTES_MAX {
            return Err(Error::TooLarge {
                what: "blob",
                size_bytes,
                size_bytes_max: BLOB_BYTES_MAX,
            });
        }
        let hash = Hash::of(bytes);
        let target = self.path(&hash);
        let shelf = target.parent().unwrap_or(&self.directory);
        if self.get(&hash).is_ok() {
            // The file was synced before it got its name, but a crash or a failed sync may have
            // come between the name and the sync of the directory.
            files::sync_directory(shelf)?;
            files::sync_directory(&self.directory)?;
            return Ok(hash);
        }
        files::create_directory(shelf)?;
        let number = NEXT_UNFINISHED.fetch_add(1, Ordering::Relaxed);
        let passing = self.directory.join(UNFINISHED).join(format!("{}-{number}", process::id()));
        files::write_whole(&passing, &target, bytes)?;
        Ok(hash)
    }

    /// The bytes with this hash.
    pub fn get(&self, hash: &Hash) -> Result<Vec<u8>, Error> {
        let path = self.path(hash);
        let mut bytes = Vec::new();
        let read = File::open(&path)
            .and_then(|file| file.take(BLOB_BYTES_MAX + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) => {}
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                return Err(Error::BlobAbsent { hash: *hash });
            }
            Err(source) => return Err(Error::io(format!("read {}", path.display()), source)),
        }
        if Hash::of(&bytes) != *hash {
            return Err(Error::corrupt(
                None,
                format!("the content of {} does not match its name", path.display()),
            ));
        }
        Ok(bytes)
    }

    /// Whether a blob with this hash is stored; its content is not checked.
    pub fn contains(&self, hash: &Hash) -> Result<bool, Error> {
        let path = self.path(hash);
        path.try_exists()
            .map_err(|source| Error::io(format!("look for {}", path.display()), source))
    }

    /// The blobs whose hash begins with a byte, in order; all 256 together are all that are stored.
    pub fn shelf(&self, first: u8) -> Result<Vec<Hash>, Error> {
        let shelf = format!("{first:02x}");
        let mut hashes = Vec::new();
        for entry in files::list(&self.directory.join(&shelf))? {
            let name = format!("{shelf}{}", entry.file_name().to_string_lossy());
            let hash = name.parse().map_err(|_| {
                let why = format!("{} is no name of a blob", entry.path().display());
                Error::corrupt(None, why)
            })?;
            hashes.push(hash);
        }
        hashes.sort_unstable();
        Ok(hashes)
    }

    /// How many blobs are stored.
    pub fn count(&self) -> Result<u64, Error> {
        let mut count = 0;
        for shelf in files::list(&self.directory)? {
            if shelf.file_name() != UNFINISHED {
                count += files::list(&shelf.path())?.len() as u64;
            }
        }
        Ok(count)
    }

    /// How many bytes the files of the store have.
    pub fn size_bytes(&self) -> Result<u64, Error> {
        files::size_bytes_below(&self.directory)
    }

    /// The directory of the store.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Removes what a crash left half written. Nobody may be writing to the store meanwhile.
    pub fn remove_unfinished(&self) -> Result<(), Error> {
        for entry in files::list(&self.directory.join(UNFINISHED))? {
            fs::remove_file(entry.path()).map_err(|source| {
                Error::io(format!("remove {}", entry.path().display()), source)
            })?;
        }
        Ok(())
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        let name = hash.to_string();
        let (shelf, rest) = name.split_at(2);
        self.directory.join(shelf).join(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, BlobStore) {
        let directory = tempfile::tempdir().unwrap();
        let store = BlobStore::open(directory.path().join("blobs")).unwrap();
        (directory, store)
    }

    #[test]
    fn a_blob_comes_back_as_it_was() {
        let (_directory, store) = store();
        for bytes in [&b""[..], b"x", &vec![7; 1_000_000]] {
            let hash = store.put(bytes).unwrap();
            assert_eq!(hash, Hash::of(bytes));
            assert!(store.contains(&hash).unwrap());
            assert_eq!(store.get(&hash).unwrap(), bytes);
        }
        assert_eq!(store.count().unwrap(), 3);
        assert_eq!(store.size_bytes().unwrap(), 1_000_001);
    }

    #[test]
    fn storing_the_same_bytes_twice_keeps_one_file() {
        let (_directory, store) = store();
        assert_eq!(store.put(b"same").unwrap(), store.put(b"same").unwrap());
        assert_eq!(store.count().unwrap(), 1);
    }

    #[test]
    fn an_absent_blob_is_named_in_the_error() {
        let (_directory, store) = store();
        let hash = Hash::of(b"never stored");
        assert!(!store.contains(&hash).unwrap());
        assert_eq!(store.get(&hash).unwrap_err().code(), "blob_absent");
    }

    #[test]
    fn a_damaged_blob_is_refused_and_healed_by_storing_it_again() {
        let (_directory, store) = store();
        let hash = store.put(b"the right bytes").unwrap();
        for damaged in [&b"the wrong bytes"[..], b"the right", b""] {
            fs::write(store.path(&hash), damaged).unwrap();
            assert_eq!(store.get(&hash).unwrap_err().code(), "corrupt");
        }
        store.put(b"the right bytes").unwrap();
        assert_eq!(store.get(&hash).unwrap(), b"the right bytes");
    }

    #[test]
    fn half_written_files_count_for_nothing_and_can_be_removed() {
        let (_directory, store) = store();
        let unfinished = store.directory().join(UNFINISHED);
        fs::write(unfinished.join("1-1"), b"half").unwrap();
        assert_eq!(store.count().unwrap(), 0);
        store.remove_unfinished().unwrap();
        assert_eq!(fs::read_dir(unfinished).unwrap().count(), 0);
    }

    #[test]
    fn many_threads_may_store_the_same_and_different_blobs() {
        let (_directory, store) = store();
        std::thread::scope(|scope| {
            for thread in 0_u8..4 {
                let store = &store;
                scope.spawn(move || {
                    for number in 0_u8..8 {
                        store.put(&[number]).unwrap();
                        store.put(&[thread, number]).unwrap();
                    }
                });
            }
        });
        assert_eq!(store.count().unwrap(), 8 + 32);
    }
}
