//! The front door over real HTTP and real sockets on the loopback address, before a toy schema.
//!
//! The rule: each test opens its own door on a free port and proves from outside what is refused,
//! with which status and code, and that the house still answers afterwards.
//! It deliberately waits for signals and never for time; where time is the subject, it is paused.

#![allow(clippy::unwrap_used, reason = "in a test, and in what it stands on, a panic is a finding")]

#[path = "front_door/http.rs"]
mod http;
#[path = "front_door/socket.rs"]
mod socket;
#[path = "front_door/world.rs"]
mod world;
