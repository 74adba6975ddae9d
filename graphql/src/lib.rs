//! The GraphQL door of sixgate: what stands before the schema, and the schema.

pub mod front_door;
pub mod guard;
