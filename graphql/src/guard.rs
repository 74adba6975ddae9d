//! Weighs a GraphQL document before any parser sees it.
//!
//! The rule: `check` is linear in the length of the text, keeps its own stack on the heap and
//! returns before `Schema::execute` may be called, for HTTP and for sockets alike.
//! The parser behind it recurses on values without a limit and walks fragments once per spread, so
//! five kilobytes of brackets or 26 fragments are enough to stop a process that lacks this check.
//! Where a count could differ from the parser's, the guard counts more, never less, or refuses.
//!
//! It deliberately knows no schema: unknown fields, wrong types and the cost of lists are judged
//! by the schema itself, with the settings of [`guarded`].

mod expansion;
mod json;
mod outline;
mod schema;
mod tokens;

pub use json::{JsonShape, json_shape};
pub use schema::guarded;

use outline::{Definition, Kind};

/// What one request may ask for; every number is the largest that is still let through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Length of one document.
    pub query_bytes: usize,
    /// Open brackets of all kinds at once, also counted through fragments.
    pub nesting: usize,
    /// Fields, spreads and inline fragments as written.
    pub selections: usize,
    /// The same after every spread has been replaced by its fragment, over all operations.
    pub expanded_selections: usize,
    /// The expanded size of a document that asks about the schema itself.
    pub introspection_selections: usize,
    /// Fields that list the members of a type, one inside the other, in such a document.
    pub introspection_lists: usize,
    pub aliases: usize,
    pub directives: usize,
    pub fragments: usize,
    pub spreads: usize,
    pub operations: usize,
    /// Requests in one HTTP body.
    pub batch: usize,
    /// Length of one HTTP body.
    pub body_bytes: usize,
    /// Open brackets at once in the JSON of a body or socket message, variables included.
    pub json_nesting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            query_bytes: 32 * 1024,
            nesting: 32,
            selections: 1_000,
            expanded_selections: 5_000,
            introspection_selections: 300,
            introspection_lists: 2,
            aliases: 100,
            directives: 100,
            fragments: 30,
            spreads: 60,
            operations: 10,
            batch: 10,
            body_bytes: 1024 * 1024,
            json_nesting: 64,
        }
    }
}

/// Why a request was not looked at any further; the code is stable, the message is for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: &'static str,
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Which kinds of operation a document holds, so that the door knows how to run it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kinds {
    pub queries: usize,
    pub mutations: usize,
    pub subscriptions: usize,
}

impl Kinds {
    /// A document is run as a stream only when nothing else can be picked from it.
    pub fn only_subscriptions(self) -> bool {
        self.subscriptions > 0 && self.queries == 0 && self.mutations == 0
    }

    fn of(operations: &[Definition<'_>]) -> Self {
        let count = |kind| operations.iter().filter(|operation| operation.kind == kind).count();
        Self {
            queries: count(Kind::Query),
            mutations: count(Kind::Mutation),
            subscriptions: count(Kind::Subscription),
        }
    }
}

/// Refuses a document that is too large, too deep or expands too far.
pub fn check(query: &str, limits: &Limits) -> Result<(), Refusal> {
    kinds(query, limits).map(|_| ())
}

/// The same check, returning which kinds of operation the document holds.
pub fn kinds(query: &str, limits: &Limits) -> Result<Kinds, Refusal> {
    if query.len() > limits.query_bytes {
        let message = format!("the query is longer than {} bytes", limits.query_bytes);
        return Err(Refusal::new("query_too_long", message));
    }
    let outline = outline::read(query, limits)?;
    expansion::check(&outline, limits)?;
    Ok(Kinds::of(&outline.operations))
}

#[cfg(test)]
mod tests;
