//! `sixgate read`: one foreign file, as one JSON document.
//!
//! The rule: a file that was read is printed even when it is incomplete, and a file that was not
//! read prints nothing on standard output. It deliberately judges no figure.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use sixgate_evidence::Refused;

use crate::arguments::{ReadArguments, Wanted};
use crate::failure::CANNOT_TELL;
use crate::output;

pub(crate) fn execute(arguments: &ReadArguments) -> anyhow::Result<ExitCode> {
    let input = opened(&arguments.file)
        .with_context(|| format!("could not read {}", arguments.file.display()))?;
    let document = match arguments.kind {
        Wanted::Auto => sixgate_evidence::read_auto_from(input),
        Wanted::Exactly(kind) => sixgate_evidence::read_from(kind, input),
    };
    match document {
        Ok(document) => {
            output::json(&document)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refused) => {
            eprintln!("sixgate: {}", explanation(&arguments.file, &refused));
            Ok(ExitCode::from(CANNOT_TELL))
        }
    }
}

/// Of the file, or of standard input for `-`, at most so many bytes.
pub(crate) fn content(file: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    opened(file)?.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A log may be larger than the memory, so it is handed on as a stream.
pub(crate) fn opened(file: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match file.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(file)?),
    })
}

/// What is wrong, and for each kind that was tried why the file is not of that kind.
fn explanation(file: &Path, refused: &Refused) -> String {
    let mut text = format!("{}: {refused}", file.display());
    for tried in refused.tried() {
        text.push_str(&format!("\n  {}: {}", tried.kind, tried.refused.what()));
    }
    text
}
