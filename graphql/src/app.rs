//! The whole door: GraphQL, evidence upload and download, and health, as one router.

use std::sync::Arc;

use sixgate_engine::Engine;

use crate::front_door::Options;

/// Everything that is served over HTTP.
pub fn app(_engine: Arc<Engine>, _options: Options) -> axum::Router {
    axum::Router::new()
}

/// The schema as text, as it is committed.
pub fn sdl() -> String {
    String::new()
}
