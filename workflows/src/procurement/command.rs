//! Everything that can be asked of a procurement.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::{
    budget,
    checklist::Item,
    function::Function,
    gate::Criterion,
    ids::PersonId,
    needs, negotiation, operation, poc, shortlist,
    stage::Stage,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", content = "command", rename_all = "snake_case")]
pub enum Command {
    Course(Course),
    Needs(needs::Command),
    Budget(budget::Command),
    Shortlist(shortlist::Command),
    Poc(poc::Command),
    Negotiation(negotiation::Command),
    Operation(operation::Command),
}

/// What moves a procurement through its stages, rather than filling one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Course {
    Open {
        title: Name,
    },
    AddMember {
        person: PersonId,
    },
    RemoveMember {
        person: PersonId,
    },
    /// `version` is what the signer saw; the gate shows the present one.
    SignOff {
        function: Function,
        version: u32,
    },
    Waive {
        criterion: Criterion,
        reason: Text,
        expires_on: NaiveDate,
    },
    Advance,
    SendBack {
        to: Stage,
        reason: Text,
    },
    Hold {
        reason: Text,
    },
    Resume,
    Cancel {
        reason: Text,
    },
    /// Leaves the last stage through its gate.
    Close,
    /// Moves to the newest policy, which may open or shut gates.
    AdoptPolicy,
    /// Says that evidence has grown too old; the deadlines send it.
    NoteLapse {
        item: Item,
    },
    /// Takes back who the contact in the briefs so far was, also after the procurement has ended.
    EraseContact,
}

impl Command {
    /// The stage in which alone it may be carried out.
    pub fn stage(&self) -> Option<Stage> {
        match self {
            Self::Course(_) => None,
            Self::Needs(_) => Some(Stage::Needs),
            Self::Budget(_) => Some(Stage::Budget),
            Self::Shortlist(_) => Some(Stage::Shortlist),
            Self::Poc(_) => Some(Stage::Poc),
            Self::Negotiation(_) => Some(Stage::Negotiation),
            Self::Operation(_) => Some(Stage::Operation),
        }
    }
}
