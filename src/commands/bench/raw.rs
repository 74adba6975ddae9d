//! The least that durability can cost: a file that is appended to and synced, once for each group.
//!
//! It deliberately could not find again what it wrote.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::grouped::Sink;

pub(super) struct Raw {
    file: File,
    bytes: Vec<u8>,
}

impl Raw {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create_new(path)
            .with_context(|| format!("could not create {}", path.display()))?;
        Ok(Self { file, bytes: Vec::new() })
    }
}

impl Sink for Raw {
    fn keep(&mut self, events: &[Vec<u8>]) -> anyhow::Result<()> {
        self.bytes.clear();
        events.iter().for_each(|event| self.bytes.extend_from_slice(event));
        let written = self.file.write_all(&self.bytes).and_then(|()| self.file.sync_data());
        written.context("could not write the bare file")
    }
}
