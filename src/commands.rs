//! One file per command; here each word of the command line meets its file.

mod accept;
mod bench;
mod brief;
mod log;
mod mail;
mod occurrences;
mod own_or_rent;
mod person;
mod prices;
mod read;
mod reserve;
mod schema;
pub(crate) mod serve;
mod simulate;
mod size;
mod tco;
mod token;

use std::process::ExitCode;

use crate::arguments::{
    BenchCommand, BriefCommand, Command, MailCommand, PersonCommand, PricesCommand, TokenCommand,
};
use crate::demo;

pub(crate) use self::accept::tolerance;

pub(crate) async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(arguments) => demo::run(arguments).await,
        Command::Serve(arguments) => serve::execute(arguments).await,
        Command::Read(arguments) => read::execute(&arguments),
        Command::Accept(arguments) => accept::execute(&arguments),
        Command::Size(arguments) => size::execute(&arguments),
        Command::OwnOrRent(arguments) => own_or_rent::execute(&arguments),
        Command::Reserve(arguments) => reserve::execute(&arguments),
        Command::Tco(arguments) => tco::execute(&arguments),
        Command::Brief(BriefCommand::Template(arguments)) => brief::template(&arguments),
        Command::Brief(BriefCommand::Export(arguments)) => brief::export(arguments).await,
        Command::Log(command) => log::run(command).await,
        Command::Occurrences(arguments) => occurrences::execute(&arguments),
        Command::Mail(MailCommand::Dead(arguments)) => mail::dead(arguments).await,
        Command::Mail(MailCommand::Requeue(arguments)) => mail::requeue(arguments).await,
        Command::Mail(MailCommand::Kinds(arguments)) => mail::kinds(&arguments),
        Command::Mail(MailCommand::Preview(arguments)) => mail::preview_one(&arguments),
        Command::Person(PersonCommand::Add(arguments)) => person::add(arguments).await,
        Command::Person(PersonCommand::List(arguments)) => person::list(arguments).await,
        Command::Person(PersonCommand::Erase(arguments)) => person::erase(arguments).await,
        Command::Prices(PricesCommand::Import(arguments)) => prices::import(arguments).await,
        Command::Token(TokenCommand::Issue(arguments)) => token::issue(arguments).await,
        Command::Token(TokenCommand::Revoke(arguments)) => token::revoke(arguments).await,
        Command::Bench(BenchCommand::Append(arguments)) => bench::append(&arguments).await,
        Command::Bench(BenchCommand::Replay(arguments)) => bench::replay(&arguments).await,
        Command::Simulate(arguments) => simulate::execute(&arguments),
        Command::Schema => schema::execute(),
    }
}
