//! Tests of the log on disk through its public door only.
//!
//! The rule: each test has a directory of its own, waits for signals and never for time.

#[cfg(test)]
mod crash;
#[cfg(test)]
mod failpoints;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod keeping;
#[cfg(test)]
mod model;
#[cfg(test)]
mod reopen;
#[cfg(test)]
mod shim;
#[cfg(test)]
mod support;
