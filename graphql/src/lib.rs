//! The GraphQL door of sixgate: what stands before the schema, and the schema.
//!
//! A resolver never decides who may see or do what; it hands the viewer to the engine. What clients
//! see of an error is decided in one place, `schema/problem.rs`.

mod app;
mod evidence;
mod export;
pub mod front_door;
pub mod guard;
mod schema;

pub use self::app::{app, sdl};
