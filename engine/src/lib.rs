//! Room of sixgate-engine.

pub mod mail;
