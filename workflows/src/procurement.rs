//! A procurement: the one thing that goes through the six stages.
//!
//! `command` and `event` are the vocabulary, `decide` and `evolve` the rules, `state` what they
//! look at. Everything a single stage knows lives in the room of that stage.

mod command;
mod decide;
mod event;
mod evolve;
mod state;

pub use self::{
    command::{Command, Course},
    decide::decide,
    event::{CourseEvent, Event},
    evolve::evolve,
    state::{Adoption, Ledger, Phase, Procurement, SignOff, Voided, Waiver},
};
