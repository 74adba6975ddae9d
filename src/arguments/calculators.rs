//! The words of the calculators and of the simulation.

use std::path::PathBuf;

use clap::Args;
use sixgate_workflows::locale::Locale;

use super::locale;

/// Of a calculator that reads its question from a file.
#[derive(Debug, Args)]
pub(crate) struct CalculatorArguments {
    /// The question
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,
    /// The language of the answer, en or zh-CN
    #[arg(long, default_value = "en", value_parser = locale)]
    pub(crate) locale: Locale,
    /// Where to draw the answer; a file that is there is written anew
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OwnOrRentArguments {
    #[command(flatten)]
    pub(crate) calculator: CalculatorArguments,
    /// Where to draw what each input alone does
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) tornado: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    /// All chance follows from it; the same seed is the same history
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Simulated years
    #[arg(long, value_name = "Y", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub(crate) years: u32,
    /// Play so many seeds, each one more than the one before
    #[arg(long, value_name = "R", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: u64,
    /// Procurements that are opened in a year
    #[arg(long, value_name = "P", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) procurements: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
