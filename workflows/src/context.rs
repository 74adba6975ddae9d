//! Everything a decision may look at besides the state and the command.
//!
//! Time, actor, policy and the facts of other streams come in here. A decision reads nothing else,
//! which is what makes it repeatable.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    function::Function,
    ids::{PersonId, SupplierId},
    policy::Policy,
    supplier::Supplier,
};

#[derive(Clone, Debug)]
pub struct Context {
    pub now: DateTime<Utc>,
    /// The organisation's zone: what "today" means.
    pub zone: Tz,
    pub actor: Actor,
    /// The newest published policy. A running procurement uses the one it has pinned instead.
    pub policy: Policy,
    pub suppliers: BTreeMap<SupplierId, Supplier>,
    /// The people who may act at all, to check that somebody named exists.
    pub people: BTreeSet<PersonId>,
}

impl Context {
    pub fn today(&self) -> NaiveDate {
        local_date(self.now, self.zone)
    }
}

pub fn local_date(instant: DateTime<Utc>, zone: Tz) -> NaiveDate {
    instant.with_timezone(&zone).date_naive()
}

/// Who acts, with what they may act as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub id: ActorId,
    pub functions: BTreeSet<Function>,
    /// Functions of absent colleagues, already checked to be current and not passed on.
    pub stands_in: Vec<StandIn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorId {
    Person(PersonId),
    /// The program itself: a deadline that came, or the administrator's command line.
    System,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIn {
    pub function: Function,
    pub for_person: PersonId,
}

impl Actor {
    pub fn system() -> Self {
        Self { id: ActorId::System, functions: BTreeSet::new(), stands_in: Vec::new() }
    }

    pub fn is_system(&self) -> bool {
        self.id == ActorId::System
    }

    /// Whether the actor acts as this function, for themselves or for somebody absent.
    pub fn acts_as(&self, function: Function) -> bool {
        self.functions.contains(&function)
            || self.stands_in.iter().any(|stand_in| stand_in.function == function)
    }
}

impl ActorId {
    pub fn person(self) -> Option<PersonId> {
        match self {
            Self::Person(person) => Some(person),
            Self::System => None,
        }
    }
}
