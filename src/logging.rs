//! The program's own log on standard error, and what becomes of a panic.
//!
//! The rule: a panic is always logged under an incident id, whoever catches it. Some layers catch
//! panics of foreign code on purpose and turn them into errors; what nobody catches ends the
//! process, because each task and thread is waited for by somebody who passes the failure on.

use std::io::{IsTerminal, stderr};
use std::panic::{self, PanicHookInfo};
use std::thread;

use anyhow::Context;
use sixgate_engine::ids;
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use crate::arguments::LogFormat;

/// The environment variable that says how much is logged, such as `info` or `sixgate_engine=debug`.
const VARIABLE: &str = "SIXGATE_LOG";

/// Begins logging; `usually` is what is logged when the environment does not say.
pub(crate) fn begin(format: LogFormat, usually: LevelFilter) -> anyhow::Result<()> {
    let filter = EnvFilter::builder()
        .with_default_directive(usually.into())
        .with_env_var(VARIABLE)
        .from_env()
        .with_context(|| format!("{VARIABLE} is not a filter for the log"))?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    match format {
        LogFormat::Text => builder.with_ansi(stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    panic::set_hook(Box::new(record));
    Ok(())
}

fn record(info: &PanicHookInfo<'_>) {
    let incident = ids::fresh();
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let thread = thread::current();
    let thread = thread.name().unwrap_or("unnamed");
    let message = info.payload_as_str().unwrap_or("no message");
    tracing::error!(%incident, place, thread, message = message, "panic: a fault in the program");
}
