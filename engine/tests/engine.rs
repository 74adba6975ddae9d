//! The runtime through its public door: commands, read models, access, files, deadlines and mail.

#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it as the test itself may")]

#[path = "engine/access_people.rs"]
mod access_people;
#[path = "engine/access_table.rs"]
mod access_table;
#[path = "engine/checkpoints.rs"]
mod checkpoints;
#[path = "engine/clock_jumps.rs"]
mod clock_jumps;
#[path = "engine/commands.rs"]
mod commands;
#[path = "engine/conflicts.rs"]
mod conflicts;
#[path = "engine/deadlines.rs"]
mod deadlines;
#[path = "engine/deals.rs"]
mod deals;
#[path = "engine/delivery.rs"]
mod delivery;
#[path = "engine/erasure.rs"]
mod erasure;
#[path = "engine/failures.rs"]
mod failures;
#[path = "engine/files.rs"]
mod files;
#[path = "engine/following.rs"]
mod following;
#[path = "engine/imports.rs"]
mod imports;
#[path = "engine/key_file.rs"]
mod key_file;
#[path = "engine/letters.rs"]
mod letters;
#[path = "engine/mail_failures.rs"]
mod mail_failures;
#[path = "engine/meetings.rs"]
mod meetings;
#[path = "engine/outbox.rs"]
mod outbox;
#[path = "engine/past.rs"]
mod past;
#[path = "engine/people.rs"]
mod people;
#[path = "engine/prices.rs"]
mod prices;
#[path = "engine/real_relay.rs"]
mod real_relay;
#[path = "engine/relay_away.rs"]
mod relay_away;
#[path = "engine/rigged.rs"]
mod rigged;
#[path = "engine/scripted.rs"]
mod scripted;
#[path = "engine/silent_relay.rs"]
mod silent_relay;
#[path = "mail/sink_process.rs"]
mod sink_process;
#[path = "engine/two_engines.rs"]
mod two_engines;
#[path = "engine/wishes.rs"]
mod wishes;
#[path = "engine/world.rs"]
mod world;
