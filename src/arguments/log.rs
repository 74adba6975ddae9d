//! The words of `sixgate log`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use sixgate_storage::Hash;
use sixgate_workflows::ids::ProcurementId;

use super::DataArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    /// Reads every commit again and checks that the log is exactly what was acknowledged
    Verify(LogVerifyArguments),
    /// Counts what is in the log
    Stats(LogArguments),
    /// Writes the log and its files as one readable file, one line for each event
    Export(LogExportArguments),
    /// Makes a new data directory of an export
    Import(LogImportArguments),
    /// Writes an export of a data directory, or of a running server, and checks it
    Backup(LogBackupArguments),
    /// Makes a new data directory of a backup
    Restore(LogImportArguments),
    /// Writes the log anew without what it no longer needs, and switches to it in one step
    Compact(LogCompactArguments),
    /// Signs what the log is now, and prints it to be kept by others
    Checkpoint(LogArguments),
    /// Writes one procurement with its files as a file that proves itself
    Bundle(LogBundleArguments),
}

#[derive(Debug, Args)]
pub(crate) struct LogVerifyArguments {
    #[command(flatten)]
    pub(crate) log: LogArguments,
    /// Check this bundle instead of a log; no data directory is needed
    #[arg(long, value_name = "FILE")]
    pub(crate) bundle: Option<PathBuf>,
    /// The public key that the bundle must be signed with, as you were given it
    #[arg(long, value_name = "PUBLICKEY", requires = "bundle")]
    pub(crate) key: Option<Hash>,
}

#[derive(Debug, Args)]
pub(crate) struct LogExportArguments {
    #[command(flatten)]
    pub(crate) log: LogArguments,
    /// The file, which must not be there yet, or `-` for standard output
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct LogImportArguments {
    /// The export or backup, or `-` for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) log: LogArguments,
}

#[derive(Debug, Args)]
pub(crate) struct LogBackupArguments {
    #[command(flatten)]
    pub(crate) log: LogArguments,
    /// Take it from the server with this address, such as `http://127.0.0.1:8080`
    #[arg(long, requires = "token")]
    pub(crate) url: Option<String>,
    /// The token of an administrator
    #[arg(long, env = "SIXGATE_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// The file, which must not be there yet
    #[arg(value_name = "TO")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct LogCompactArguments {
    #[command(flatten)]
    pub(crate) log: LogArguments,
    /// Keep the old directory as DIR.before-compaction
    #[arg(long)]
    pub(crate) keep_old: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LogBundleArguments {
    #[command(flatten)]
    pub(crate) log: LogArguments,
    /// The procurement
    #[arg(long, value_name = "ID")]
    pub(crate) procurement: ProcurementId,
    /// The file, which must not be there yet
    #[arg(value_name = "OUT")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct LogArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
