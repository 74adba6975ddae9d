//! What can be watched: changes of procurements that the viewer may see.
//!
//! Each change passes the access check again before it is pushed, so a right that was withdrawn
//! takes effect at once.

use std::sync::Arc;

use async_graphql::{Context, ID, SimpleObject, Subscription};
use futures_util::{Stream, StreamExt as _, stream};
use sixgate_engine::{Engine, access::Viewer};
use sixgate_storage::Position;
use sixgate_workflows::ids::ProcurementId;

use super::{
    engine, global_id::GlobalId, problem::bad_input, types::procurement::Procurement, viewer,
};

pub(crate) struct Subscription;

/// A procurement after a change.
#[derive(SimpleObject)]
pub(super) struct Change {
    /// Position of its newest commit.
    position: u64,
    procurement: Procurement,
}

struct Watch {
    engine: Arc<Engine>,
    viewer: Viewer,
    only: Option<ProcurementId>,
    moved: tokio::sync::watch::Receiver<Position>,
    seen: Position,
}

#[Subscription]
impl Subscription {
    /// Every change from now on, of one procurement or of all that the viewer may see.
    async fn changes(
        &self,
        context: &Context<'_>,
        procurement: Option<ID>,
    ) -> async_graphql::Result<impl Stream<Item = Change> + use<>> {
        let only = procurement.as_ref().map(GlobalId::procurement).transpose();
        let only = only.map_err(|invalid| bad_input(&invalid))?;
        let engine = Arc::clone(engine(context)?);
        let mut moved = engine.moved();
        let seen = *moved.borrow_and_update();
        let watch = Watch { viewer: viewer(context)?.clone(), engine, only, moved, seen };
        Ok(stream::unfold(watch, next).flat_map(stream::iter))
    }
}

async fn next(mut watch: Watch) -> Option<(Vec<Change>, Watch)> {
    watch.moved.changed().await.ok()?;
    let reached = *watch.moved.borrow_and_update();
    watch.viewer = watch.engine.refreshed(&watch.viewer)?;
    let mut changed: Vec<Change> = watch
        .engine
        .procurements(&watch.viewer)
        .into_iter()
        .filter(|seen| seen.position > watch.seen)
        .filter(|seen| watch.only.is_none_or(|only| seen.state().id == only))
        .map(|seen| Change { position: seen.position.0, procurement: Procurement(seen) })
        .collect();
    changed.sort_by_key(|change| change.position);
    watch.seen = reached;
    Some((changed, watch))
}
