//! Signed checkpoints and bundles, on the command line.
//!
//! The rule: a bundle speaks of a checkpoint that is signed while it is made, and that is kept.

use std::process::ExitCode;

use anyhow::{bail, ensure};
use sixgate_engine::{
    clock::{Clock as _, SystemClock},
    files_of,
};
use sixgate_storage::{
    Error, EventLog as _, Revision, StreamId, bundle,
    checkpoint::{CheckpointBook, SignedCheckpoint},
    export::Counts,
};

use super::transfer::NewFile;
use crate::arguments::{LogArguments, LogBundleArguments};
use crate::{output, store};

pub(crate) async fn checkpoint(arguments: &LogArguments) -> anyhow::Result<ExitCode> {
    let data = &arguments.data.data;
    store::expect_log(data)?;
    let log = store::open_log(data).await?;
    let signed = CheckpointBook::new(data).sign(&*log, SystemClock.now()).await?;
    match arguments.json {
        true => output::json(&signed)?,
        false => output::line(told(&signed))?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn bundle(arguments: &LogBundleArguments) -> anyhow::Result<ExitCode> {
    use std::io::Write as _;
    let data = &arguments.log.data.data;
    store::expect_log(data)?;
    let log = store::open_log(data).await?;
    let stream = StreamId::new(format!("procurement-{}", arguments.procurement))?;
    if log.read_stream(&stream, Revision::ZERO, 1).await?.is_empty() {
        bail!("there is no procurement with the id {}", arguments.procurement);
    }
    let mut file = NewFile::create(&arguments.file)?;
    let signed = CheckpointBook::new(data).sign(&*log, SystemClock.now()).await?;
    let write = |lines: &[u8]| {
        let written = file.content.write_all(lines);
        written.map_err(|source| Error::Io { operation: "write the bundle".to_owned(), source })
    };
    let counts = bundle::write(&*log, log.blobs(), &stream, &signed, &files_of, write).await?;
    file.finish()?;
    let Counts { commits, events, blobs, .. } = counts;
    ensure!(commits > 0, "the procurement is not in the checkpoint");
    match arguments.log.json {
        true => output::json(&counts)?,
        false => output::line(format_args!(
            "commits  {commits}\nevents   {events}\nfiles    {blobs}\n{}",
            told(&signed)
        ))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn told(signed: &SignedCheckpoint) -> String {
    let SignedCheckpoint { position, head_hash, tree_root, at, key, signature } = signed;
    format!(
        "position   {position}\nhead hash  {head_hash}\ntree root  {tree_root}\nsigned at  {at}\n\
         key        {key}\nsignature  {signature}"
    )
}
