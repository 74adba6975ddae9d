//! One procurement as its events tell it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    budget,
    checklist::{Item, Standing},
    function::Function,
    gate::Criterion,
    ids::{PersonId, ProcurementId, SupplierId},
    needs, negotiation, operation, poc,
    policy::Policy,
    recorded::Stamp,
    shortlist,
    stage::Stage,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Procurement {
    pub id: ProcurementId,
    pub title: Name,
    pub opened: Stamp,
    /// Requesters see only what they are a member of; every other function sees all.
    pub members: BTreeSet<PersonId>,
    /// The version it started with, or was moved to.
    pub policy: Policy,
    /// `None` as long as it runs by the version it started with.
    pub adoption: Option<Adoption>,
    pub phase: Phase,
    pub stage: Stage,
    /// When the present stage was entered; its clock starts there.
    pub entered: Stamp,
    /// How often a stage has been entered: being sent back counts again.
    pub entries: u32,
    pub passed: BTreeMap<Stage, Stamp>,
    pub ledgers: BTreeMap<Stage, Ledger>,
    pub waivers: BTreeMap<Criterion, Waiver>,
    pub standings: BTreeMap<Item, Standing>,
    /// Since when only signatures are missing at the present gate.
    pub ready_since: Option<Stamp>,
    /// The last voiding, with those functions that have not signed again since.
    pub voided: Option<Voided>,
    pub needs: needs::State,
    pub budget: budget::State,
    pub shortlist: shortlist::State,
    pub poc: poc::State,
    pub negotiation: negotiation::State,
    pub operation: operation::State,
}

/// It was moved to a newer policy: what was due before is due by the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adoption {
    pub before: Box<Policy>,
    pub latest: Stamp,
    /// Those before the latest, in order.
    pub earlier: Vec<Stamp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Phase {
    Active,
    OnHold { since: Stamp, reason: Text },
    Cancelled { at: Stamp, reason: Text },
    Closed { at: Stamp },
}

/// Who wrote and who signed in one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Counts the material changes; a signature names the version it saw.
    pub version: u32,
    pub authors: BTreeSet<PersonId>,
    pub sign_offs: BTreeMap<Function, SignOff>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignOff {
    pub version: u32,
    /// The absent colleague, when a substitute signed.
    pub on_behalf_of: Option<PersonId>,
    pub stamp: Stamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiver {
    pub reason: Text,
    /// The last day on which it holds.
    pub expires_on: NaiveDate,
    pub stamp: Stamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voided {
    pub stage: Stage,
    pub functions: BTreeSet<Function>,
    /// Kind of the event that changed what had been signed.
    pub because: String,
    pub stamp: Stamp,
}

impl Procurement {
    pub fn is_active(&self) -> bool {
        self.phase == Phase::Active
    }

    pub fn ended_at(&self) -> Option<DateTime<Utc>> {
        match &self.phase {
            Phase::Active | Phase::OnHold { .. } => None,
            Phase::Cancelled { at, .. } | Phase::Closed { at } => Some(at.at),
        }
    }

    pub fn ledger(&self, stage: Stage) -> &Ledger {
        static EMPTY: Ledger =
            Ledger { version: 0, authors: BTreeSet::new(), sign_offs: BTreeMap::new() };
        self.ledgers.get(&stage).unwrap_or(&EMPTY)
    }

    /// A supplier's name as it was when it became a candidate.
    pub fn supplier_name(&self, supplier: SupplierId) -> &str {
        self.shortlist.candidates.get(&supplier).map_or("?", |candidate| candidate.name.as_str())
    }
}
