//! The readers of machine tools: each trap by itself, then all of them over files of every kind.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

#[cfg(test)]
mod benches;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod machine_tools;
#[cfg(test)]
mod mutations;
