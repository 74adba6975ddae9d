//! What a person does in a procurement. One person may hold several functions, but signs for only
//! one of them at a gate.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    Requester,
    Procurement,
    Finance,
    Legal,
    Operations,
    /// Approves, waives and has the last word on an outcome.
    Manager,
    /// Reads everything, changes nothing.
    Auditor,
    /// Keeps people and policy; has no say in a procurement.
    Admin,
}

impl Function {
    pub const ALL: [Self; 8] = [
        Self::Requester,
        Self::Procurement,
        Self::Finance,
        Self::Legal,
        Self::Operations,
        Self::Manager,
        Self::Auditor,
        Self::Admin,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Requester => "requester",
            Self::Procurement => "procurement",
            Self::Finance => "finance",
            Self::Legal => "legal",
            Self::Operations => "operations",
            Self::Manager => "manager",
            Self::Auditor => "auditor",
            Self::Admin => "admin",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.id() == id)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
