//! A data directory becomes a running engine: the one place where the two are put together.
//!
//! ```text
//! DIR/                      the log and its blobs, as the storage lays them out
//! DIR/checkpoints/          what spares a start the replay of the log
//! DIR/keys                  what personal data in the log is sealed under
//! DIR/mail/                 letters, when no relay is configured
//! ```
//!
//! The rule: everything that opens a data directory for commands goes through here, so a server,
//! the demo and the local administration cannot differ in what they run on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use sixgate_engine::{
    Engine, Parts, Settings,
    clock::Clock,
    keys::Keys,
    mail::{Folder, Smtp, Transport},
};
use sixgate_storage::{Error, SledLog, sled::Options};

use crate::configuration::Configuration;

/// An engine and the log under it.
pub(crate) struct Opened {
    pub(crate) engine: Arc<Engine>,
    pub(crate) log: Arc<SledLog>,
}

/// Opens a data directory, which is created where it is absent.
pub(crate) async fn open(
    data: &Path,
    configuration: &Configuration,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Opened> {
    let transport = transport(data, configuration)?;
    tracing::info!(data = %data.display(), mail = transport.describe(), "opening");
    let log = open_log(data).await?;
    // After the log, whose lock keeps everybody else from the keys too.
    let keys = Keys::open(&data.join("keys"))?;
    let engine = Engine::open(Parts {
        log: log.clone(),
        blobs: Arc::new(log.blobs().clone()),
        clock,
        transport,
        keys: Arc::new(keys),
        settings: Settings {
            zone: configuration.organisation.zone,
            sender_name: configuration.mail.sender_name.as_str().to_owned(),
            sender_address: configuration.mail.sender_address.as_str().to_owned(),
            public_url: configuration.http.public_url.as_ref().map(|url| url.as_str().to_owned()),
            checkpoints: Some(data.join("checkpoints")),
            // The lock on the directory sees to it that there is no other.
            instance: "sixgate".to_owned(),
        },
    })
    .await
    .with_context(|| format!("could not follow the log in {}", data.display()))?;
    Ok(Opened { engine, log })
}

/// Opens the log alone, which is created where it is absent.
pub(crate) async fn open_log(data: &Path) -> anyhow::Result<Arc<SledLog>> {
    let directory: PathBuf = data.to_path_buf();
    let opening = move || SledLog::open(directory, Options::default());
    let opened = tokio::task::spawn_blocking(opening).await.context("opening the log broke off")?;
    let log = opened.with_context(|| format!("could not open the data in {}", data.display()))?;
    Ok(Arc::new(log))
}

/// Refuses a directory without a log, for commands that have no reason to create one.
pub(crate) fn expect_log(data: &Path) -> anyhow::Result<()> {
    // Any of these says that a log was at least begun; whether it is whole is found out by opening.
    match ["format", "high-water", "log"].iter().any(|name| data.join(name).exists()) {
        true => Ok(()),
        false => Err(Error::LogAbsent { directory: data.to_path_buf() }.into()),
    }
}

fn transport(data: &Path, configuration: &Configuration) -> anyhow::Result<Transport> {
    match &configuration.mail.smtp {
        Some(settings) => {
            let smtp =
                Smtp::new(settings.clone()).context("the setting in [mail.smtp] is not usable")?;
            Ok(Transport::Smtp(smtp))
        }
        None => Ok(Transport::Folder(Folder::new(data.join("mail")))),
    }
}
