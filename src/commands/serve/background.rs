//! What goes on beside the requests: following the log, and saving checkpoints.
//!
//! The rule: a commit whose sender went away before it heard of it reaches the read models all the
//! same. A checkpoint that cannot be saved is logged and no failure, since it is only a shortcut.

use std::sync::Arc;

use chrono::{DateTime, Days, Utc};
use sixgate_engine::{Engine, ids};
use sixgate_storage::{Position, checkpoint::CheckpointBook};
use tokio::sync::watch;

use super::refusal::Refusal;
use super::stopped;
use crate::failure;

/// Commits after which the next checkpoint is saved.
const CHECKPOINT_COMMITS: u64 = 1_000;

/// Keeps the read models at the head of the log, or has everything refused.
pub(super) async fn follow(engine: Arc<Engine>, refusal: Refusal, stop: watch::Receiver<bool>) {
    let mut appended = engine.log().watch();
    loop {
        let position = *appended.borrow_and_update();
        if let Err(error) = engine.follow_to(position).await {
            let incident = ids::fresh();
            let error = failure::explanation(&error.into());
            tracing::error!(
                %incident,
                error,
                position = position.0,
                "the read models cannot follow the log; every request is refused from now on"
            );
            refusal.begin(incident);
            return stopped(stop).await;
        }
        tokio::select! {
            moved = appended.changed() => {
                if moved.is_err() {
                    let incident = ids::fresh();
                    tracing::error!(%incident, "the log was closed while it was being served");
                    refusal.begin(incident);
                    return stopped(stop).await;
                }
            }
            () = stopped(stop.clone()) => return,
        }
    }
}

/// Saves a checkpoint whenever enough has happened since the one before.
pub(super) async fn save_checkpoints(engine: Arc<Engine>, stop: watch::Receiver<bool>) {
    let mut moved = engine.moved();
    let mut saved = Position::ZERO;
    loop {
        let position = *moved.borrow_and_update();
        if position.0 - saved.0 >= CHECKPOINT_COMMITS {
            save_checkpoint(Arc::clone(&engine)).await;
            saved = position;
        }
        tokio::select! {
            _ = moved.changed() => {}
            () = stopped(stop.clone()) => return,
        }
    }
}

/// Saves a checkpoint now.
pub(super) async fn save_checkpoint(engine: Arc<Engine>) {
    match tokio::task::spawn_blocking(move || engine.save_checkpoint()).await {
        Ok(Ok(())) => tracing::debug!("a checkpoint was saved"),
        Ok(Err(error)) => tracing::warn!(%error, "a checkpoint could not be saved"),
        Err(error) => tracing::error!(%error, "saving a checkpoint broke off"),
    }
}

/// Signs what the log is once a day, where anything was appended since. One that cannot be signed
/// is logged and tried again a day later; the log itself does not need it.
pub(super) async fn sign_checkpoints(engine: Arc<Engine>, stop: watch::Receiver<bool>) {
    let Some(book) = engine.checkpoint_book() else { return stopped(stop).await };
    let mut due = DateTime::<Utc>::MIN_UTC;
    loop {
        let now = engine.clock().now();
        if now >= due {
            due = match sign_checkpoint(&engine, &book, now).await {
                Ok(due) => due,
                Err(error) => {
                    let error = failure::explanation(&error);
                    tracing::error!(error, "a checkpoint could not be signed");
                    now + Days::new(1)
                }
            };
        }
        tokio::select! {
            () = engine.clock().wait_until(due) => {}
            () = stopped(stop.clone()) => return,
        }
    }
}

/// Signs a checkpoint if one is due, and says when the next one is.
async fn sign_checkpoint(
    engine: &Engine,
    book: &CheckpointBook,
    now: DateTime<Utc>,
) -> anyhow::Result<DateTime<Utc>> {
    let head = engine.log().head().await?.position;
    match book.kept()?.last() {
        Some(last) if last.at + Days::new(1) > now => return Ok(last.at + Days::new(1)),
        Some(last) if last.position == head => {}
        None if head == Position::ZERO => {}
        Some(_) | None => {
            let signed = book.sign(engine.log(), now).await?;
            tracing::info!(position = signed.position.0, "a checkpoint was signed");
        }
    }
    Ok(now + Days::new(1))
}
