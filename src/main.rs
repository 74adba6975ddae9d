//! The program: it reads the command line, runs one command, and says how that ended.
//!
//! The rule: a command answers on standard output and with its exit code; what went wrong is told
//! once, here, with the whole chain of causes.

mod arguments;
mod commands;
mod configuration;
mod demo;
mod failure;
mod logging;
mod output;
mod store;

use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use tracing_subscriber::filter::LevelFilter;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("sixgate: {}", failure::explanation(&error));
            failure::exit_code(&error)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    logging::begin(arguments.log_format, usually(&arguments.command))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("could not start the threads of the program")?;
    runtime.block_on(commands::run(arguments.command))
}

/// A server tells what it does; a command is silent as long as all goes well.
fn usually(command: &Command) -> LevelFilter {
    match command {
        Command::Serve(_) => LevelFilter::INFO,
        // Its faults are made on purpose, and what follows from them is checked.
        Command::Simulate(_) => LevelFilter::OFF,
        Command::Demo(_)
        | Command::Accept(_)
        | Command::Read(_)
        | Command::Size(_)
        | Command::OwnOrRent(_)
        | Command::Reserve(_)
        | Command::Tco(_)
        | Command::Occurrences(_)
        | Command::Brief(_)
        | Command::Log(_)
        | Command::Mail(_)
        | Command::Person(_)
        | Command::Prices(_)
        | Command::Token(_)
        | Command::Bench(_)
        | Command::Schema => LevelFilter::WARN,
    }
}
