//! The rules of buying GPU compute: commands become events or a rejection, events become state.
//!
//! ```text
//! Procurement                     the one thing that goes through six stages
//! ├─ policy                       thresholds and sign-off matrix, pinned as a copy
//! ├─ phase                        active | on hold | cancelled | closed
//! ├─ stage, entered, passed       where it stands
//! ├─ ledgers {stage}              version, authors, sign-offs bound to a version
//! ├─ waivers {criterion}          reason, expiry
//! ├─ standings {item}             the ten-point checklist: met or not, since which event
//! ├─ needs        brief, sizing
//! ├─ budget       plan, six kinds of cost, owning compared with renting
//! ├─ shortlist    candidates: review, quote, scores
//! ├─ poc          finalists: promise, evidence, verdict, baseline
//! ├─ negotiation  offers (terms, legal review), awards, contracts, scaling plan
//! └─ operation    usage, bills, incidents, reviews, outcome
//! Supplier                        registry: certificates that expire, billing profile
//! Person                          functions, substitute, tokens
//! Policies                        every published version
//! Notice                          one mail to one person and its fate
//! Digest                          one mail in the place of several
//! ```
//!
//! Everything here is pure: no clock, no ids, no I/O. Time, actor, policy and the facts of other
//! streams come in through [`context::Context`].

pub mod budget;
pub mod calendar;
pub mod checklist;
pub mod content;
pub mod context;
pub mod deadline;
pub mod delivery;
pub mod estimate;
pub mod evidence;
pub mod function;
pub mod gate;
pub mod ids;
pub mod invalid;
pub mod locale;
pub mod money;
pub mod needs;
pub mod negotiation;
pub mod notice;
pub mod operation;
pub mod percent;
pub mod permission;
pub mod person;
pub mod personal;
pub mod poc;
pub mod policy;
pub mod procurement;
pub mod recorded;
pub mod rejection;
pub mod shortlist;
pub mod stage;
pub mod stored;
pub mod supplier;
pub mod text;
pub mod texts;
