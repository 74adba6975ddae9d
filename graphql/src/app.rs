//! The whole door: GraphQL, evidence files, and health, as one router.

use std::sync::Arc;

use async_trait::async_trait;
use sixgate_engine::{Engine, RelayState, access::Viewer};

use crate::{
    evidence, export,
    front_door::{Door, Options, router},
    schema,
};

/// Everything that is served over HTTP.
pub fn app(engine: Arc<Engine>, options: Options) -> axum::Router {
    let house = Arc::new(House(Arc::clone(&engine)));
    let graphql = router(Arc::clone(&house), schema::schema(engine), options);
    graphql.merge(evidence::router(Arc::clone(&house))).merge(export::router(house))
}

/// The schema as text, as it is committed.
pub fn sdl() -> String {
    schema::sdl()
}

/// Who may come in is the engine's business.
pub(crate) struct House(pub(crate) Arc<Engine>);

#[async_trait]
impl Door for House {
    type Viewer = Viewer;

    async fn viewer(&self, token: &str) -> Option<Viewer> {
        self.0.viewer(token)
    }

    async fn still_welcome(&self, viewer: &Viewer) -> bool {
        self.0.refreshed(viewer).is_some()
    }

    /// The process does its work also while mail waits, so that is told beside it.
    fn health(&self) -> String {
        match self.0.relay() {
            RelayState::Well => "ok\n".to_owned(),
            away @ (RelayState::Away { .. } | RelayState::Misconfigured { .. }) => {
                format!("ok\nmail: {}\n", away.id())
            }
        }
    }
}
