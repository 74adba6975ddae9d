//! The command line, as types.
//!
//! The rule: whatever can be refused by looking at the words alone is refused here, before anything
//! is opened. It deliberately reads no file and knows no default that a configuration may set.

mod brief;
mod calculators;
mod log;
mod mail;

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::NaiveDate;
use chrono_tz::Tz;
use clap::{Args, Parser, Subcommand, ValueEnum};
use sixgate_evidence::{Kind, UnknownKind};
use sixgate_workflows::{
    calendar::{holidays::Region, rule::Rule, schedule::Shift},
    function::Function,
    ids::{PersonId, TokenId},
    locale::Locale,
    needs::{brief::Use, sizing::format::Format},
    percent::Percent,
    person::MailAddress,
    text::Name,
};

pub(crate) use self::brief::{
    BriefCommand, BriefExportArguments, BriefTemplateArguments, TemplateFormat,
};
pub(crate) use self::calculators::{CalculatorArguments, OwnOrRentArguments, SimulateArguments};
pub(crate) use self::log::{
    LogArguments, LogBackupArguments, LogBundleArguments, LogCommand, LogCompactArguments,
    LogExportArguments, LogImportArguments, LogVerifyArguments,
};
pub(crate) use self::mail::{
    MailCommand, MailDeadArguments, MailFormat, MailKindsArguments, MailPreviewArguments,
    MailRequeueArguments,
};

/// Buying GPU compute in six gated stages, on an event log that proves itself.
///
/// Exit codes: 0 done; 1 a negative answer, such as a damaged log; 2 it cannot be told, or the
/// input is not usable, with the reason on stderr.
#[derive(Debug, Parser)]
#[command(name = "sixgate", version)]
pub(crate) struct Arguments {
    /// How the program's own log is written to stderr; `SIXGATE_LOG` says how much of it
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Takes sample procurements through all six stages, then serves them
    Demo(DemoArguments),
    /// Serves a data directory over HTTP
    Serve(ServeArguments),
    /// Reads a foreign file and prints it as typed JSON
    Read(ReadArguments),
    /// Says how many cards a model needs for a load, and why
    Size(SizeArguments),
    /// Compares owning, renting, and owning the base with a rented peak
    OwnOrRent(OwnOrRentArguments),
    /// Says how many cards to reserve for a demand, and what the rest costs on demand
    Reserve(CalculatorArguments),
    /// Works out the total cost of ownership of what a file states
    Tco(CalculatorArguments),
    /// Judges a machine by the output of its tests: 0 pass, 1 fail, 2 cannot be told
    Accept(AcceptArguments),
    /// Writes the brief in the template that can be filled in and read again
    #[command(subcommand)]
    Brief(BriefCommand),
    /// Lists when a recurrence rule takes place
    Occurrences(OccurrencesArguments),
    /// Plays years of an organisation under faults, and checks everything: 0 all holds, 1 not
    Simulate(SimulateArguments),
    /// Looks at the event log
    #[command(subcommand)]
    Log(LogCommand),
    /// Keeps the people of a data directory, while no server runs on it
    #[command(subcommand)]
    Person(PersonCommand),
    /// Keeps the price index of a data directory, while no server runs on it
    #[command(subcommand)]
    Prices(PricesCommand),
    /// Looks after letters that could not be delivered, while no server runs on the data directory
    #[command(subcommand)]
    Mail(MailCommand),
    /// Keeps access tokens, while no server runs on the data directory
    #[command(subcommand)]
    Token(TokenCommand),
    /// Measures
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Prints the GraphQL schema
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Print a summary and exit instead of serving
    #[arg(long)]
    pub(crate) once: bool,
    /// Where to keep the data; a directory that passes away with the program if absent
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The address to serve on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The directory of a log.
#[derive(Debug, Args)]
pub(crate) struct DataArguments {
    /// The data directory
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub(crate) data: PathBuf,
}

/// A data directory and how it is run.
#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// The configuration (TOML); every setting has a default
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// The address to serve on, instead of the configured one; port 0 takes any free port
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<SocketAddr>,
}

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// What the file is said to be, or `auto` to recognise it by its content
    #[arg(value_name = "KIND|auto", value_parser = wanted)]
    pub(crate) kind: Wanted,
    /// The file, or `-` for standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    /// What was promised (TOML)
    #[arg(long, value_name = "FILE")]
    pub(crate) promise: PathBuf,
    /// A report of an earlier run, printed with `--json`, to compare with
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// How many percent of change against the baseline are noise
    #[arg(long, value_name = "P", value_parser = crate::commands::tolerance)]
    pub(crate) tolerance: Option<sixgate_workflows::percent::Percent>,
    /// The language of the table: zh-CN or en
    #[arg(long, default_value = "en", value_parser = locale)]
    pub(crate) locale: Locale,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The raw output of the tests; each is recognised by its content
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Auto,
    Exactly(Kind),
}

#[derive(Debug, Args)]
pub(crate) struct SizeArguments {
    /// The model
    #[arg(long, value_name = "CONFIG.json")]
    pub(crate) model: PathBuf,
    /// The card, by any name that a tool or a quote has for it
    #[arg(long, value_parser = Name::new)]
    pub(crate) card: Name,
    /// Requests at the same time at the peak; in training the texts that one card takes at once
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) concurrency: u32,
    /// Tokens of a request, prompt and answer together
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) context: u32,
    /// Format of the weights, instead of the one that the model says
    #[arg(long, value_name = "DTYPE", value_parser = format)]
    pub(crate) weights: Option<Format>,
    /// Format of the KV cache: 16 bits if absent, whatever the weights are
    #[arg(long, value_name = "DTYPE", value_parser = format)]
    pub(crate) kv: Option<Format>,
    /// What it is for
    #[arg(long = "use", value_name = "USE", default_value = "online_inference", value_parser = usage)]
    pub(crate) usage: Use,
    /// The part of a card's memory that may be filled, as 0.9 or 90
    #[arg(long, value_name = "U", value_parser = utilisation)]
    pub(crate) utilisation: Option<Percent>,
    /// Where to draw the memory of the fullest card; a file that is there is written anew
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
    /// The language of the chart: zh-CN or en
    #[arg(long, default_value = "en", value_parser = locale, requires = "chart")]
    pub(crate) locale: Locale,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OccurrencesArguments {
    /// Such as quarter-end@09:00, monthly:31@09:00, workday:1:quarter@09:00, every:3months@09:00
    #[arg(long)]
    pub(crate) rule: Rule,
    /// The time zone of the rule's time of day
    #[arg(long)]
    pub(crate) zone: Tz,
    /// The first day of the list, by the rule before any shift
    #[arg(long, value_name = "DATE")]
    pub(crate) from: NaiveDate,
    /// The last day of the list, by the rule before any shift
    #[arg(long, value_name = "DATE")]
    pub(crate) to: NaiveDate,
    /// Where the rule begins, and what `every` steps from; the first day of the list if absent
    #[arg(long, value_name = "DATE")]
    pub(crate) anchor: Option<NaiveDate>,
    /// The month that the fiscal year starts in
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub(crate) fiscal_start: u32,
    /// Where an occurrence goes whose day is not worked
    #[arg(long, value_enum, default_value_t = ShiftTo::None)]
    pub(crate) shift: ShiftTo,
    /// The region whose holidays and make-up days count; Monday to Friday if absent
    #[arg(long, value_name = "REGION")]
    pub(crate) calendar: Option<Region>,
    /// Tables of that region's holidays (TOML), in place of the shipped ones of their years
    #[arg(long, value_name = "FILE", requires = "calendar")]
    pub(crate) tables: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShiftTo {
    None,
    Next,
    Previous,
}

impl From<ShiftTo> for Shift {
    fn from(to: ShiftTo) -> Self {
        match to {
            ShiftTo::None => Self::None,
            ShiftTo::Next => Self::Next,
            ShiftTo::Previous => Self::Previous,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum PersonCommand {
    /// Registers a person and prints their id
    Add(PersonAddArguments),
    /// Lists the people, their functions and tokens
    List(PersonListArguments),
    /// Ends a person's access and destroys the key of their name and address; it is final
    Erase(PersonEraseArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PersonAddArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// The name that colleagues see
    #[arg(long, value_parser = Name::new)]
    pub(crate) name: Name,
    /// The address that notices go to
    #[arg(long, value_name = "ADDRESS", value_parser = MailAddress::new)]
    pub(crate) mail: MailAddress,
    /// The language of their pages and mails: zh-CN or en
    #[arg(long, default_value = "zh-CN", value_parser = locale)]
    pub(crate) locale: Locale,
    /// The time zone that times are shown in
    #[arg(long, default_value = "Asia/Shanghai")]
    pub(crate) zone: Tz,
    /// What the person does; give it several times for several functions
    #[arg(long = "function", required = true, value_delimiter = ',', value_parser = function)]
    pub(crate) functions: Vec<Function>,
}

#[derive(Debug, Args)]
pub(crate) struct PersonListArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PersonEraseArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// The id of the person, as `person list` shows it
    #[arg(value_name = "ID")]
    pub(crate) person: PersonId,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PricesCommand {
    /// Records the prices of a csv or xlsx file; those that are known already are replaced
    Import(PricesImportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PricesImportArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// With the header card,basis,term,low,high,currency,tax,region,source,date
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Makes an access token and prints its secret, this once
    Issue(TokenIssueArguments),
    /// Withdraws an access token
    Revoke(TokenRevokeArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TokenIssueArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Whose token it is
    #[arg(long, value_name = "ID")]
    pub(crate) person: PersonId,
    /// What tells this token from the others of the person
    #[arg(long, default_value = "command line", value_parser = Name::new)]
    pub(crate) label: Name,
    /// How long it is valid
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..=3_660))]
    pub(crate) days: u16,
}

#[derive(Debug, Args)]
pub(crate) struct TokenRevokeArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// The id of the token, as `person list` shows it; never the secret
    #[arg(long, value_name = "ID")]
    pub(crate) token: TokenId,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Appends from closed-loop clients to the log, and to a bare file for comparison
    Append(BenchAppendArguments),
    /// Opens a long log, with and without a checkpoint, and builds the read models from it
    Replay(BenchReplayArguments),
}

#[derive(Debug, Args)]
pub(crate) struct BenchAppendArguments {
    /// Clients that each wait for one append before they begin the next
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4_096))]
    pub(crate) writers: u16,
    /// How long each side is measured in all
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=3_600))]
    pub(crate) seconds: u16,
    /// The size of the one event in each commit
    #[arg(long, value_name = "B", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub(crate) event_bytes: u32,
    /// Where the files are written meanwhile: a disk of the kind that is of interest
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchReplayArguments {
    /// How many events the log has at least
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) events: u64,
    /// Where the log is written meanwhile
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Measure one start on a log that is there, and print what it took
    #[arg(long, hide = true, value_name = "DIR")]
    pub(crate) start_on: Option<PathBuf>,
}

fn wanted(text: &str) -> Result<Wanted, UnknownKind> {
    match text {
        "auto" => Ok(Wanted::Auto),
        kind => kind.parse().map(Wanted::Exactly),
    }
}

fn format(text: &str) -> Result<Format, String> {
    Format::from_name(text).ok_or_else(|| {
        let known = Format::ALL.map(Format::id).join(", ");
        format!("known are {known}")
    })
}

fn usage(text: &str) -> Result<Use, String> {
    let id = text.replace('-', "_");
    Use::ALL.into_iter().find(|usage| usage.id() == id).ok_or_else(|| {
        let known = Use::ALL.map(Use::id).join(", ");
        format!("known are {known}")
    })
}

/// Up to 1 it is a share, as the runtimes take it; above it is a percentage.
fn utilisation(text: &str) -> Result<Percent, String> {
    let value: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    let percent = if value <= 1.0 { value * 100.0 } else { value };
    if !(1.0..=100.0).contains(&percent) {
        return Err("it must be above 0 and at most 1, or at most 100 %".to_owned());
    }
    serde_json::from_value(serde_json::json!(format!("{percent:.1}"))).map_err(|e| e.to_string())
}

fn locale(text: &str) -> Result<Locale, String> {
    Locale::from_tag(text).ok_or_else(|| {
        let known = Locale::ALL.map(Locale::tag).join(", ");
        format!("known are {known}")
    })
}

fn function(text: &str) -> Result<Function, String> {
    Function::from_id(text).ok_or_else(|| {
        let known = Function::ALL.map(Function::id).join(", ");
        format!("known are {known}")
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn refusal(words: &[&str]) -> String {
        let words = ["sixgate"].iter().chain(words);
        Arguments::try_parse_from(words).unwrap_err().to_string()
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn serving_needs_no_arguments() {
        let arguments = Arguments::try_parse_from(["sixgate", "serve"]).unwrap();
        let Command::Serve(serve) = arguments.command else { panic!("{arguments:?}") };
        assert_eq!(serve.store.data.data, PathBuf::from("data"));
        assert_eq!((serve.store.config, serve.listen), (None, None));
    }

    #[test]
    fn functions_may_be_given_one_by_one_or_together() {
        let add = ["sixgate", "person", "add", "--name", "王芳", "--mail", "wang@example.com"];
        for given in
            [&["--function", "legal", "--function", "admin"][..], &["--function=legal,admin"]]
        {
            let arguments = Arguments::try_parse_from(add.iter().chain(given)).unwrap();
            let Command::Person(PersonCommand::Add(add)) = arguments.command else {
                panic!("{arguments:?}")
            };
            assert_eq!(add.functions, [Function::Legal, Function::Admin]);
            assert_eq!((add.locale, add.zone), (Locale::ZhCn, Tz::Asia__Shanghai));
        }
    }

    #[test]
    fn a_word_that_is_not_known_is_answered_with_those_that_are() {
        assert!(refusal(&["read", "fortune", "-"]).contains("nccl-tests"));
        let add = ["person", "add", "--name", "a", "--mail", "a@b.example"];
        assert!(refusal(&[&add[..], &["--function", "king"]].concat()).contains("requester"));
        let locale = ["--function", "legal", "--locale", "fr"];
        assert!(refusal(&[&add[..], &locale].concat()).contains("zh-CN"));
    }

    #[test]
    fn a_part_of_the_memory_is_a_share_or_a_percentage() {
        for text in ["0.9", "90", "90.0"] {
            assert_eq!(utilisation(text).unwrap().to_string(), "90 %", "{text}");
        }
        for text in ["0", "-1", "101", "NaN", "much"] {
            assert!(utilisation(text).is_err(), "{text}");
        }
        let size = ["size", "--model", "m", "--card", "H20", "--concurrency", "1"];
        let weights = [&size[..], &["--context", "1", "--weights", "fp7"]].concat();
        assert!(refusal(&weights).contains("mxfp4"));
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        let words = ["person", "add", "--name", "a", "--mail", "nowhere", "--function", "legal"];
        assert!(refusal(&words).contains("has no @"));
    }
}
