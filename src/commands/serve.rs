//! `sixgate serve`: the engine behind its doors, until it is told to stop.
//!
//! ```text
//! signal ──► stop ──► no new connections ──► requests end ──► tasks end ──► checkpoint
//! ```
//!
//! The rule: nothing that was accepted is dropped by a stop, and nothing goes on in silence. When
//! the read models cannot follow the log, every request is refused from then on; when a task breaks
//! off, the process ends.

mod background;
mod refusal;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::middleware::from_fn_with_state;
use axum::serve::ListenerExt;
use sixgate_engine::{Engine, clock::SystemClock};
use sixgate_graphql::front_door::Options;
use sixgate_storage::EventLog;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::refusal::Refusal;
use crate::arguments::ServeArguments;
use crate::configuration::{Configuration, Origin};
use crate::{output, store};

/// How long requests that are under way may take to end after a stop.
const DRAIN_MAX: Duration = Duration::from_secs(20);

pub(crate) async fn execute(arguments: ServeArguments) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::read(arguments.store.config.as_deref())?;
    let stop = stop_on_signal()?;
    let data = &arguments.store.data.data;
    let opened = store::open(data, &configuration, Arc::new(SystemClock)).await?;
    let commits = opened.log.head().await?.position.0;
    tracing::info!(data = %data.display(), commits, "opened");
    let listener = listen(arguments.listen.unwrap_or(configuration.http.listen)).await?;
    run(opened.engine, listener, options(&configuration), stop).await?;
    Ok(ExitCode::SUCCESS)
}

/// Serves until `stop` becomes true. Whoever has the other end must keep it until then.
pub(crate) async fn run(
    engine: Arc<Engine>,
    listener: TcpListener,
    options: Options,
    mut stop: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let address = listener.local_addr().context("the address that is served has no name")?;
    let refusal = Refusal::default();
    let app = sixgate_graphql::app(Arc::clone(&engine), options)
        .layer(from_fn_with_state(refusal.clone(), refusal::refuse));
    let mut tasks = JoinSet::new();
    tasks.spawn(Arc::clone(&engine).run(stop.clone()));
    tasks.spawn(background::follow(Arc::clone(&engine), refusal, stop.clone()));
    tasks.spawn(background::save_checkpoints(Arc::clone(&engine), stop.clone()));
    tasks.spawn(background::sign_checkpoints(Arc::clone(&engine), stop.clone()));
    let listener = listener.tap_io(|connection| {
        // Answers are small and waited for, so they are not held back to be sent together.
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "a connection could not be told to send at once");
        }
    });
    output::line(format_args!("listening on http://{address}"))?;
    let serving = axum::serve(listener, app).with_graceful_shutdown(stopped(stop.clone()));
    tokio::select! {
        served = serving => served.context("serving broke off")?,
        broken = broken_off(&mut tasks, stop.clone()) => return Err(broken),
        () = too_late(stop.clone()) => {
            tracing::warn!("requests were still under way when the program stopped");
        }
    }
    if stop.wait_for(|stop| *stop).await.is_err() {
        bail!("serving ended although nobody stopped it");
    }
    while let Some(ended) = tasks.join_next().await {
        ended.context("a task of the program broke off")?;
    }
    background::save_checkpoint(engine).await;
    tracing::info!("stopped");
    Ok(())
}

/// Becomes true when the program is asked to stop.
pub(crate) fn stop_on_signal() -> anyhow::Result<watch::Receiver<bool>> {
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be waited for")?;
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be waited for")?;
    let (sender, stop) = watch::channel(false);
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping");
        sender.send_replace(true);
    });
    Ok(stop)
}

/// Takes an address; port 0 takes any free port.
pub(crate) async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("could not listen on {address}"))
}

/// What the configuration says of the door.
pub(crate) fn options(configuration: &Configuration) -> Options {
    let origins = configuration.http.allowed_origins.iter().map(Origin::as_str);
    Options { allowed_origins: origins.map(str::to_owned).collect(), ..Options::default() }
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    // A sender that went away will never say anything else, so it is taken for a stop.
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn too_late(stop: watch::Receiver<bool>) {
    stopped(stop).await;
    tokio::time::sleep(DRAIN_MAX).await;
}

/// Resolves only when a task ends that nobody told to end.
async fn broken_off(tasks: &mut JoinSet<()>, stop: watch::Receiver<bool>) -> anyhow::Error {
    loop {
        match tasks.join_next().await {
            Some(Err(error)) => {
                return anyhow::Error::new(error).context("a task of the program broke off");
            }
            Some(Ok(())) if !*stop.borrow() => {
                return anyhow::anyhow!("a task of the program ended although nobody stopped it");
            }
            Some(Ok(())) => {}
            None => std::future::pending().await,
        }
    }
}
