//! The settings every schema gets before it may stand behind the front door.
//!
//! The rule: these bound what the guard cannot see without a schema, and they never take the
//! guard's place, because the library applies most of them only after it has parsed and walked
//! the document.
//! It deliberately leaves introspection on: the SDL is public to whoever may log in.

use async_graphql::SchemaBuilder;

/// Deep enough for the introspection query of common tools, which needs about fifteen.
const DEPTH: usize = 24;
/// Points, where each list field must multiply by its page size.
const COMPLEXITY: usize = 10_000;
/// How far the library may recurse through fragments, the same as the guard's nesting.
const RECURSION: usize = 32;
const DIRECTIVES_PER_FIELD: usize = 8;

pub fn guarded<Query, Mutation, Subscription>(
    builder: SchemaBuilder<Query, Mutation, Subscription>,
) -> SchemaBuilder<Query, Mutation, Subscription> {
    builder
        .limit_depth(DEPTH)
        .limit_complexity(COMPLEXITY)
        .limit_recursive_depth(RECURSION)
        .limit_directives(DIRECTIVES_PER_FIELD)
        .disable_suggestions()
}
