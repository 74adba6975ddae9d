//! The files of the journal, behind a seam: the real ones, or a disk that a test makes up.
//!
//! The rule: what was written is durable only after [`Segment::sync`], a file's name and size after
//! [`Disk::create`] came back. Segments are named by their number.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::files;

/// A place for segments.
pub(crate) trait Disk: Debug + Send + Sync {
    /// The numbers of all segments, the smallest first.
    fn list(&self) -> io::Result<Vec<u64>>;
    /// A new segment full of zeros, durable with its size and name.
    fn create(&self, number: u64, size_bytes: usize) -> io::Result<Box<dyn Segment>>;
    /// All bytes of a segment.
    fn read(&self, number: u64) -> io::Result<Vec<u8>>;
    fn remove(&self, number: u64) -> io::Result<()>;
}

/// One file of fixed size.
pub(crate) trait Segment: Debug + Send {
    fn size_bytes(&self) -> usize;
    fn write_at(&mut self, bytes: &[u8], offset: usize) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
}

/// Files in one directory.
#[derive(Debug)]
pub(crate) struct Directory(pub(crate) PathBuf);

#[derive(Debug)]
struct RealSegment {
    file: File,
    size_bytes: usize,
}

static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];

impl Directory {
    fn path(&self, number: u64) -> PathBuf {
        self.0.join(format!("{number:020}"))
    }
}

impl Disk for Directory {
    fn list(&self) -> io::Result<Vec<u64>> {
        let entries = files::list(&self.0).map_err(io::Error::other)?;
        let number = |entry: &fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        let mut numbers: Vec<u64> = entries.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn create(&self, number: u64, size_bytes: usize) -> io::Result<Box<dyn Segment>> {
        let file = File::create(self.path(number))?;
        let mut written = 0;
        while written < size_bytes {
            let next = ZEROS.len().min(size_bytes - written);
            file.write_all_at(&ZEROS[..next], written as u64)?;
            written += next;
        }
        file.sync_all()?;
        File::open(&self.0)?.sync_all()?;
        Ok(Box::new(RealSegment { file, size_bytes }))
    }

    fn read(&self, number: u64) -> io::Result<Vec<u8>> {
        fs::read(self.path(number))
    }

    fn remove(&self, number: u64) -> io::Result<()> {
        fs::remove_file(self.path(number))
    }
}

impl Segment for RealSegment {
    fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    fn write_at(&mut self, bytes: &[u8], offset: usize) -> io::Result<()> {
        self.file.write_all_at(bytes, offset as u64)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}
