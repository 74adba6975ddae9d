//! A disk that loses power: what was not synced is kept, dropped or torn, sector by sector.
//!
//! The rule: after [`SimulatedDisk::crash`] each sector of a write that was not synced holds either
//! what it held at the last sync or what some later write put there, chosen by a seed. Files come
//! and go with their names at once, since the journal waits for that anyway.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Disk, Segment};

const SECTOR_BYTES: usize = 512;

/// Shared by the segments that are written on it; a clone is the same disk.
#[derive(Debug, Clone, Default)]
pub(crate) struct SimulatedDisk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<u64, Content>,
    /// How many more steps succeed before the power goes; `None` for all.
    steps_left: Option<u64>,
}

#[derive(Debug, Default)]
struct Content {
    durable: Vec<u8>,
    /// Writes since the last sync, the oldest first.
    pending: Vec<(usize, Vec<u8>)>,
}

#[derive(Debug)]
struct SimulatedSegment {
    disk: SimulatedDisk,
    number: u64,
    size_bytes: usize,
}

impl SimulatedDisk {
    /// Lets the power go after so many writes, syncs and changes of files.
    pub(crate) fn fail_after(&self, steps: u64) {
        self.with(|state| state.steps_left = Some(steps));
    }

    /// The power is back; `random` chooses what became of each sector.
    pub(crate) fn crash(&self, mut random: impl FnMut() -> u64) {
        self.with(|state| {
            state.steps_left = None;
            for content in state.files.values_mut() {
                for (offset, bytes) in std::mem::take(&mut content.pending) {
                    for (at, sector) in bytes.chunks(SECTOR_BYTES).enumerate() {
                        if random().is_multiple_of(2) {
                            let start = offset + at * SECTOR_BYTES;
                            content.durable[start..start + sector.len()].copy_from_slice(sector);
                        }
                    }
                }
            }
        });
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn step<T>(&self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        self.with(|state| {
            match &mut state.steps_left {
                Some(0) => return Err(io::Error::other("the power is gone")),
                Some(left) => *left -= 1,
                None => {}
            }
            work(state)
        })
    }
}

fn absent(number: u64) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("there is no segment {number}"))
}

impl Disk for SimulatedDisk {
    fn list(&self) -> io::Result<Vec<u64>> {
        self.step(|state| Ok(state.files.keys().copied().collect()))
    }

    fn create(&self, number: u64, size_bytes: usize) -> io::Result<Box<dyn Segment>> {
        self.step(|state| {
            let content = Content { durable: vec![0; size_bytes], pending: Vec::new() };
            state.files.insert(number, content);
            let disk = self.clone();
            Ok(Box::new(SimulatedSegment { disk, number, size_bytes }) as Box<dyn Segment>)
        })
    }

    fn read(&self, number: u64) -> io::Result<Vec<u8>> {
        self.step(|state| {
            let content = state.files.get(&number).ok_or_else(|| absent(number))?;
            let mut bytes = content.durable.clone();
            for (offset, written) in &content.pending {
                bytes[*offset..offset + written.len()].copy_from_slice(written);
            }
            Ok(bytes)
        })
    }

    fn remove(&self, number: u64) -> io::Result<()> {
        self.step(|state| state.files.remove(&number).map(|_| ()).ok_or_else(|| absent(number)))
    }
}

impl Segment for SimulatedSegment {
    fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    fn write_at(&mut self, bytes: &[u8], offset: usize) -> io::Result<()> {
        self.disk.step(|state| {
            let content = state.files.get_mut(&self.number).ok_or_else(|| absent(self.number))?;
            content.pending.push((offset, bytes.to_vec()));
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.step(|state| {
            let content = state.files.get_mut(&self.number).ok_or_else(|| absent(self.number))?;
            for (offset, bytes) in std::mem::take(&mut content.pending) {
                content.durable[offset..offset + bytes.len()].copy_from_slice(&bytes);
            }
            Ok(())
        })
    }
}
