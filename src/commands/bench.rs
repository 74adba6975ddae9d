//! `sixgate bench`: the measurements that the product is held to.
//!
//! The rule: a figure comes with what it is compared with, measured in the same run on the same
//! machine. It deliberately compares nothing across runs or machines.

mod append;
mod clients;
mod figures;
mod grouped;
mod history;
mod log_sink;
mod raw;
mod replay;
mod sqlite;

pub(crate) use self::{append::append, replay::replay};
