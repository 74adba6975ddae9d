//! Pages of lists, as Relay connections.
//!
//! A cursor is the key of an element, not its place, so a page goes on rightly when elements come
//! or go before it.

use async_graphql::{
    ErrorExtensions as _, OutputType, SimpleObject,
    connection::{Connection, Edge},
};

/// How many there are in all.
#[derive(SimpleObject)]
pub(crate) struct Counted {
    total_count: usize,
}

const FIRST_MAX: i32 = 100;

/// What a page costs a query's budget, also when a client asks for nonsense.
pub(crate) fn cost(first: i32, child_complexity: usize) -> usize {
    usize::try_from(first.clamp(1, FIRST_MAX)).unwrap_or(1) * child_complexity
}

pub(crate) fn clamped(first: i32) -> async_graphql::Result<usize> {
    match usize::try_from(first) {
        Ok(first) if (1..=100).contains(&first) => Ok(first),
        Ok(_) | Err(_) => {
            Err(async_graphql::Error::new(format!("`first` must be 1 to {FIRST_MAX}, not {first}"))
                .extend_with(|_, fields| fields.set("code", "invalid_value")))
        }
    }
}

pub(crate) fn bad_cursor(cursor: &str) -> async_graphql::Error {
    async_graphql::Error::new(format!("`{cursor}` is not a cursor of this list"))
        .extend_with(|_, fields| fields.set("code", "invalid_cursor"))
}

/// Of keyed elements in their order, those after the cursor.
pub(crate) fn page<T: OutputType>(
    all: Vec<(String, T)>,
    first: i32,
    after: Option<&str>,
) -> async_graphql::Result<Connection<String, T, Counted>> {
    let first = clamped(first)?;
    let total_count = all.len();
    let start = match after {
        None => 0,
        Some(cursor) => {
            let place = all.iter().position(|(key, _)| key == cursor);
            place.ok_or_else(|| bad_cursor(cursor))? + 1
        }
    };
    let has_more = start + first < total_count;
    let mut connection =
        Connection::with_additional_fields(start > 0, has_more, Counted { total_count });
    connection.edges.extend(
        all.into_iter().skip(start).take(first).map(|(key, element)| Edge::new(key, element)),
    );
    Ok(connection)
}
