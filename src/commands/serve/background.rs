//! What goes on beside the requests: following the log, and saving checkpoints.
//!
//! The rule: a commit whose sender went away before it heard of it reaches the read models all the
//! same. A checkpoint that cannot be saved is logged and no failure, since it is only a shortcut.

use std::sync::Arc;

use sixgate_engine::{Engine, ids};
use sixgate_storage::Position;
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
