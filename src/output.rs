//! What the program answers on standard output.
//!
//! The rule: standard output carries answers only, whole lines of them, flushed at once so that a
//! program that reads along sees them; everything else goes to standard error. A reader that went
//! away is no failure.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::Context;
use serde::Serialize;

/// Prints one line, or several when the text has several.
pub(crate) fn line(text: impl Display) -> anyhow::Result<()> {
    write(format!("{text}\n").as_bytes())
}

/// Prints a value as indented JSON.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text =
        serde_json::to_vec_pretty(value).context("the answer cannot be written as JSON")?;
    text.push(b'\n');
    write(&text)
}

fn write(bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("could not write to standard output"),
    }
}
