//! The whole program through its public doors only: the command line, HTTP and the files it keeps.
//!
//! The rule: every test runs the built program as a process of its own on a directory of its own,
//! and waits for what that process says or answers, never for time. Nothing here depends on the
//! day, on the machine's zone or on any network but the loopback.

#![allow(clippy::unwrap_used, reason = "in a test, and in what it stands on, a panic is a finding")]

mod accept;
mod access_commands;
mod access_queries;
mod api;
mod charts;
mod commands;
mod commands_refused;
mod crash;
mod crash_letters;
mod damage;
mod demo;
mod demo_served;
mod erasure;
mod evidence;
mod keeping;
mod log_of_ids;
mod mail_room;
mod mails;
mod occurrences;
mod owning;
mod pages;
mod prices;
mod process;
mod program;
mod reading;
mod schema;
mod sdl;
mod secrecy;
mod server;
mod simulate;
mod sizes;
mod socket;
mod story;
mod subscriptions;
mod templates;
mod tidy;
mod total_cost;
mod world;
