//! Charts as a reader of the picture, of its source and of its words gets them.

#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it as the test itself may")]

#[path = "charts/golden.rs"]
mod golden;
#[path = "charts/page.rs"]
mod page;
#[path = "charts/properties.rs"]
mod properties;
#[path = "charts/results.rs"]
mod results;
#[path = "charts/rules.rs"]
mod rules;
#[path = "charts/samples.rs"]
mod samples;
