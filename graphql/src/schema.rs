//! The schema: what teams read, what they can ask for, and what they can watch.
//!
//! Every resolver gets its data from the engine with the viewer in hand, so the one access check
//! stands behind every field. A mutation is one command; what the rules reject is in `userErrors`,
//! and top-level errors are left to authentication, syntax, limits and internal faults.

mod calculator;
mod global_id;
mod input;
mod mutation;
mod problem;
mod query;
mod scalars;
mod subscription;
mod types;

use std::sync::Arc;

use async_graphql::{Context, Schema};
use sixgate_engine::{Engine, access::Viewer};
use sixgate_workflows::locale::Locale;

use self::{mutation::Mutation, query::Query, subscription::Subscription};
use crate::guard;

pub(crate) type SixgateSchema = Schema<Query, Mutation, Subscription>;

pub(crate) fn schema(engine: Arc<Engine>) -> SixgateSchema {
    let builder = Schema::build(Query, Mutation::default(), Subscription).data(engine);
    guard::guarded(builder).finish()
}

/// The schema as text, without an engine behind it.
pub(crate) fn sdl() -> String {
    Schema::build(Query, Mutation::default(), Subscription).finish().sdl()
}

fn engine<'a>(context: &Context<'a>) -> async_graphql::Result<&'a Arc<Engine>> {
    context.data::<Arc<Engine>>()
}

fn viewer<'a>(context: &Context<'a>) -> async_graphql::Result<&'a Viewer> {
    context.data::<Viewer>()
}

/// The language asked for, else the viewer's own.
fn locale(context: &Context<'_>, asked: Option<scalars::Language>) -> Locale {
    match asked {
        Some(language) => language.into(),
        None => context.data::<Viewer>().map_or(Locale::En, |viewer| viewer.locale),
    }
}
