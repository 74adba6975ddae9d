//! The sample organisation: three procurements taken through their stages over the public API.
//!
//! The rule: what a user could not do, the demo does not do. People and tokens are made as local
//! administration makes them; everything else goes through HTTP and GraphQL with those tokens, and
//! every step must end as it should or the demo ends with its name. Time is set by hand, so a year's
//! quarter passes in seconds and the result does not depend on today.

mod client;
mod full_case;
mod inputs;
mod organisation;
mod other_cases;
mod stage;
mod summary;

use std::{path::Path, process::ExitCode, sync::Arc, time::Instant};

use anyhow::{Context as _, ensure};
use sixgate_engine::clock::{Clock, SetClock};
use sixgate_storage::EventLog as _;

use self::{organisation::Organisation, stage::Theatre, summary::Summary};
use crate::{
    arguments::DemoArguments, commands::serve, configuration::Configuration, output, store,
};

pub(crate) async fn run(arguments: DemoArguments) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let temporary;
    let data: &Path = match &arguments.data {
        Some(data) => data,
        None => {
            temporary = tempfile::tempdir().context("no directory for the demo's data")?;
            temporary.path()
        }
    };
    ensure!(
        store::expect_log(data).is_err(),
        "{} holds a log already; the demo begins with an empty directory",
        data.display()
    );
    let clock = Arc::new(SetClock::at(stage::opening_time()));
    let (organisation, played) = play(data, Arc::clone(&clock)).await?;
    let summary = reopen(data, Arc::clone(&clock), &organisation, played, began).await?;
    match arguments.json {
        true => output::json(&summary)?,
        false => output::line(format_args!("{}", summary.as_text()))?,
    }
    if !arguments.once {
        serve_on(&arguments, data, clock, &organisation).await?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays everything into a data directory and says nothing about it.
pub(crate) async fn played_in(data: &Path) -> anyhow::Result<()> {
    play(data, Arc::new(SetClock::at(stage::opening_time()))).await.map(|_| ())
}

/// What everybody saw at the end, to be compared after the restart.
struct Played {
    seen: serde_json::Value,
    mails_sent: usize,
}

async fn play(data: &Path, clock: Arc<SetClock>) -> anyhow::Result<(Organisation, Played)> {
    let opened = store::open(data, &Configuration::default(), clock.clone()).await?;
    let theatre = Theatre::open(Arc::clone(&opened.engine), clock).await?;
    let organisation = organisation::found(&theatre).await?;
    let [fine_tuning, assistant] = other_cases::open(&theatre, &organisation).await?;
    full_case::play(&theatre, &organisation, &fine_tuning).await?;
    other_cases::finish(&theatre, &organisation, &assistant).await?;
    let seen = summary::everything(&theatre, &organisation).await?;
    let mails_sent = summary::mails(&opened.engine).sent;
    theatre.close().await?;
    opened.engine.save_checkpoint().context("the checkpoint could not be saved")?;
    Ok((organisation, Played { seen, mails_sent }))
}

/// Opens the same data again and shows that nothing changed and nothing is sent twice.
async fn reopen(
    data: &Path,
    clock: Arc<SetClock>,
    organisation: &Organisation,
    played: Played,
    began: Instant,
) -> anyhow::Result<Summary> {
    let opened = store::open(data, &Configuration::default(), clock.clone()).await?;
    let theatre = Theatre::open(Arc::clone(&opened.engine), clock).await?;
    theatre.settle().await?;
    let seen = summary::everything(&theatre, organisation).await?;
    ensure!(seen == played.seen, "restart: the state differs after opening the same data again");
    let mails = summary::mails(&opened.engine);
    ensure!(mails.sent == played.mails_sent, "restart: a mail was sent a second time");
    let rebuilt = opened.engine.rebuilt().await?;
    ensure!(
        rebuilt == *opened.engine.views(),
        "restart: the read models differ from those built from the first commit on"
    );
    theatre.close().await?;
    let verified = opened.log.verify(|_| {}).context("the log could not be verified")?;
    let statistics = opened.log.statistics().await?;
    Summary::of(&opened.engine, &verified, &statistics, began)
}

async fn serve_on(
    arguments: &DemoArguments,
    data: &Path,
    clock: Arc<SetClock>,
    organisation: &Organisation,
) -> anyhow::Result<()> {
    let configuration = Configuration::default();
    let stop = serve::stop_on_signal()?;
    // From here on the demo's clock runs at its usual speed.
    clock.run_on();
    let clock: Arc<dyn Clock> = clock;
    let opened = store::open(data, &configuration, clock).await?;
    let listener = serve::listen(arguments.listen).await?;
    let address = listener.local_addr()?;
    output::line(format_args!("{}", summary::invitation(address, organisation)))?;
    serve::run(opened.engine, listener, serve::options(&configuration), stop).await
}
