//! Does the model fit, on how many cards, and why?
//!
//! ```text
//! shape     the model's layers            format    bytes of one parameter or cache element
//! weights   parameters and their bytes    cache     KV cache of a token and of a request
//! overhead  what the runtime takes        training  states, activations, logits
//! layout    tensor, pipeline, data        point     all of it, for exact figures
//! computed  ranges in, ranges out         why       each figure with its formula and inputs
//! stated    a sizing whose parts somebody states instead
//! ```
//!
//! The rule: the sum on the fullest card must stay within what a process may really use of it, with
//! the KV cache at peak concurrency and never at the average. Memory is counted in whole bytes and
//! becomes GiB only where people read it. That it runs is not that it runs comfortably: the tail of
//! the latency is measured in the POC and is no business of a sizing.

pub mod bytes;
pub mod cache;
pub mod computed;
pub mod format;
pub mod layout;
pub mod overhead;
pub mod point;
pub mod shape;
mod stated;
pub mod training;
pub mod weights;
pub mod why;

pub use stated::{Fit, Sizing, SizingInput, Span, size};
