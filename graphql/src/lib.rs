//! The GraphQL door of sixgate: what stands before the schema, and the schema.

mod app;
pub mod front_door;
pub mod guard;

pub use self::app::{app, sdl};
