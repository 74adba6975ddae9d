//! Takes the fingerprint of the rules, so that read models made by others are built anew.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What read models are made by: the rules, and what folds events into rows.
const SOURCES: [&str; 2] = ["../workflows/src", "src"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        below(Path::new(source), &mut files)?;
    }
    files.sort();
    let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
    for file in files {
        fingerprint.take(file.to_string_lossy().as_bytes());
        fingerprint.take(&fs::read(&file)?);
    }
    println!("cargo::rustc-env=SIXGATE_RULES={:016x}", fingerprint.0);
    Ok(())
}

fn below(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        match path.is_dir() {
            true => below(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// FNV-1a: nobody gains by a collision, and the standard library promises no hash that stays.
struct Fingerprint(u64);

impl Fingerprint {
    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
