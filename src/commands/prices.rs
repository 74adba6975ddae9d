//! `sixgate prices`: the price index of a data directory, kept by whoever has the machine.
//!
//! The rule: it goes through the same commands and rules as everybody, acting as the program itself,
//! and works only while no server runs on the directory; a running server takes the same file over
//! GraphQL.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use sixgate_engine::{Envelope, Error::Rejected, ids, import::price_points};
use sixgate_evidence::{Facts, Kind};
use sixgate_workflows::{
    budget::price_index::{AT_ONCE_MAX, Command, point::PricePoint},
    context::Actor,
    ids::CommandId,
    locale::Locale,
    rejection::Rejection,
    texts,
};

use crate::arguments::PricesImportArguments;
use crate::output;

const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

pub(crate) async fn import(arguments: PricesImportArguments) -> anyhow::Result<ExitCode> {
    let points = points(&arguments.file)?;
    let opened = super::person::open(&arguments.store).await?;
    let (mut recorded, mut known) = (0, 0);
    for part in points.chunks(AT_ONCE_MAX) {
        let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
        let command = Command::Record { points: part.to_vec(), file: None };
        match opened.engine.price(&Actor::system(), envelope, command).await {
            Ok(_) => recorded += part.len(),
            Err(Rejected(Rejection::NothingChanges)) => known += part.len(),
            Err(Rejected(rejection)) => {
                anyhow::bail!(texts::rejection(&rejection, Locale::En));
            }
            Err(error) => return Err(error.into()),
        }
    }
    output::line(format!("{recorded} prices recorded, {known} were known already"))?;
    Ok(ExitCode::SUCCESS)
}

fn points(file: &Path) -> anyhow::Result<Vec<PricePoint>> {
    let told = || format!("could not read {}", file.display());
    let bytes = super::read::content(file, FILE_BYTES_MAX).with_context(told)?;
    let document = sixgate_evidence::read(Kind::Prices, &bytes).with_context(told)?;
    if let Some(why) = &document.incomplete_because {
        anyhow::bail!("{} is not complete: {why}", file.display());
    }
    let Facts::Prices(facts) = &document.facts else {
        anyhow::bail!("{} holds no prices", file.display());
    };
    price_points(facts).map_err(|invalid| anyhow::anyhow!("{}: {invalid}", file.display()))
}
