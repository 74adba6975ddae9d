//! The rules from outside: commands go in, events or a rejection come out.
#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod course;
mod course_sign_offs;
mod course_waivers;
mod fixture;
mod gates;
mod harness;
mod stages;
