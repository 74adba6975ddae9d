//! The rules from outside: commands go in, events or a rejection come out.
#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod calendar;
mod checklist;
mod course;
mod course_sign_offs;
mod course_waivers;
mod deadlines_course;
mod deadlines_money;
mod deadlines_operation;
mod events;
mod fixture;
mod gates;
mod golden;
mod harness;
mod misfires;
mod needs_advice;
mod needs_catalogue;
mod needs_sizing;
mod negotiation;
mod notices;
mod occurrences;
mod operation;
mod organisation;
mod permissions;
mod personal;
mod poc;
mod poc_drift;
mod poc_machine;
mod poc_verdicts;
mod price_index;
mod properties;
mod rejections;
mod shortlist;
mod sizing_reference;
mod stages;
mod terms;
