//! Exports, backups, restores and compaction, on the command line.
//!
//! The rule: a file appears under its name only when it is whole, checked and on the disk, and
//! nothing that is there already is written over.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use serde::Serialize;
use sixgate_storage::{
    checkpoint::CheckpointBook,
    directory::{self, Before},
    export::{self, Counts, Export},
};

use crate::arguments::{
    LogArguments, LogBackupArguments, LogCompactArguments, LogExportArguments, LogImportArguments,
};
use crate::{output, store};

#[derive(Serialize)]
struct Compacted {
    position: u64,
    head_hash: String,
    old: Option<PathBuf>,
}

pub(crate) async fn export(arguments: &LogExportArguments) -> anyhow::Result<ExitCode> {
    let data = &arguments.log.data.data;
    if arguments.file.as_os_str() == "-" {
        let mut standard = io::stdout().lock();
        write_export(data, &mut standard).await?;
        standard.flush().context("could not write to standard output")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut file = NewFile::create(&arguments.file)?;
    let counts = write_export(data, &mut file.content).await?;
    file.finish()?;
    told(&arguments.log, &counts)
}

pub(crate) async fn backup(arguments: &LogBackupArguments) -> anyhow::Result<ExitCode> {
    let mut file = NewFile::create(&arguments.file)?;
    match (&arguments.url, &arguments.token) {
        (Some(url), Some(token)) => fetch(url, token, &mut file.content).await?,
        _offline => {
            write_export(&arguments.log.data.data, &mut file.content).await?;
        }
    }
    let counts = file.checked()?;
    file.finish()?;
    told(&arguments.log, &counts)
}

pub(crate) async fn restore(arguments: &LogImportArguments) -> anyhow::Result<ExitCode> {
    let data = &arguments.log.data.data;
    let name = arguments.file.display();
    let input: Box<dyn BufRead> = match arguments.file.as_os_str() == "-" {
        true => Box::new(BufReader::new(io::stdin())),
        false => {
            let file = File::open(&arguments.file);
            Box::new(BufReader::new(file.with_context(|| format!("could not read {name}"))?))
        }
    };
    let counts = directory::restore(input, data)
        .await
        .with_context(|| format!("{} was not made of {name}", data.display()))?;
    told(&arguments.log, &counts)
}

pub(crate) async fn compact(arguments: &LogCompactArguments) -> anyhow::Result<ExitCode> {
    let data = &arguments.log.data.data;
    store::expect_log(data)?;
    let (head, before) = directory::compact(data, arguments.keep_old).await?;
    let old = match before {
        Before::Kept(old) => Some(old),
        Before::Removed => None,
    };
    let head_hash = head.hash.to_string();
    let done = Compacted { position: head.position.0, head_hash, old };
    match (arguments.log.json, &done.old) {
        (true, _) => output::json(&done)?,
        (false, None) => output::line(format_args!("compacted up to position {}", done.position))?,
        (false, Some(old)) => output::line(format_args!(
            "compacted up to position {}; the old directory is {}",
            done.position,
            old.display()
        ))?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn write_export(data: &Path, out: &mut impl Write) -> anyhow::Result<Counts> {
    store::expect_log(data)?;
    let log = store::open_log(data).await?;
    let blobs = log.blobs().clone();
    let mut export = Export::begin(log, blobs, CheckpointBook::new(data).kept()?).await?;
    while let Some(lines) = export.next().await? {
        out.write_all(&lines).context("could not write the export")?;
    }
    Ok(export.counts())
}

async fn fetch(url: &str, token: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let address = format!("{}/log/export", url.trim_end_matches('/'));
    let asked = reqwest::Client::new().get(&address).bearer_auth(token).send().await;
    let mut answer = asked.with_context(|| format!("could not ask {address}"))?;
    if !answer.status().is_success() {
        let status = answer.status();
        bail!("{address} answered {status}; the token must be that of an administrator");
    }
    while let Some(lines) = answer.chunk().await.context("the answer broke off")? {
        out.write_all(&lines).context("could not write the backup")?;
    }
    Ok(())
}

fn told(arguments: &LogArguments, counts: &Counts) -> anyhow::Result<ExitCode> {
    let Counts { position, head_hash, commits, events, blobs, blob_bytes } = counts;
    match arguments.json {
        true => output::json(counts)?,
        false => output::line(format_args!(
            "commits    {commits}\nevents     {events}\nfiles      {blobs}, {blob_bytes} bytes\n\
             position   {position}\nhead hash  {head_hash}"
        ))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A file that gets its name when it is finished, and is removed when it is not.
pub(super) struct NewFile {
    pub(super) content: BufWriter<File>,
    passing: tempfile::TempPath,
    target: PathBuf,
}

impl NewFile {
    pub(super) fn create(target: &Path) -> anyhow::Result<Self> {
        let name = target.display();
        ensure!(!target.exists(), "{name} is there already; name a file that is not");
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            Some(_) | None => Path::new("."),
        };
        let file = tempfile::NamedTempFile::new_in(folder)
            .with_context(|| format!("could not create {name}"))?;
        let (file, passing) = file.into_parts();
        Ok(Self { content: BufWriter::new(file), passing, target: target.to_path_buf() })
    }

    /// Reads what was written and says what is in it.
    fn checked(&mut self) -> anyhow::Result<Counts> {
        self.content.flush().context("could not write the file")?;
        let written = File::open(&self.passing).context("could not read the file again")?;
        Ok(export::check(BufReader::new(written))?)
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let Self { content, passing, target } = self;
        let name = target.display();
        let file = content.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all()).with_context(|| format!("could not write {name}"))?;
        passing.persist_noclobber(&target).with_context(|| format!("could not create {name}"))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::File::open(folder.unwrap_or(Path::new(".")));
        folder.and_then(|folder| folder.sync_all()).context("could not sync the folder")
    }
}
