//! The made-up people: one for each function, a requester who is no member, and a newcomer.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sixgate_engine::ids;
use sixgate_workflows::{
    function::Function,
    ids::{PersonId, TokenId},
    locale::Locale,
    person::{Command, MailAddress},
    text::Name,
};
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Who {
    /// Opens the procurement, and so is its member.
    Rita,
    /// A requester who is no member.
    Ruben,
    Paul,
    Fiona,
    Lena,
    Otto,
    Maya,
    Aldo,
    Ada,
    /// Holds no function of his own.
    Nils,
}

impl Who {
    pub(crate) const ALL: [Self; 10] = [
        Self::Rita,
        Self::Ruben,
        Self::Paul,
        Self::Fiona,
        Self::Lena,
        Self::Otto,
        Self::Maya,
        Self::Aldo,
        Self::Ada,
        Self::Nils,
    ];

    pub(crate) fn function(self) -> Option<Function> {
        match self {
            Self::Rita | Self::Ruben => Some(Function::Requester),
            Self::Paul => Some(Function::Procurement),
            Self::Fiona => Some(Function::Finance),
            Self::Lena => Some(Function::Legal),
            Self::Otto => Some(Function::Operations),
            Self::Maya => Some(Function::Manager),
            Self::Aldo => Some(Function::Auditor),
            Self::Ada => Some(Function::Admin),
            Self::Nils => None,
        }
    }

    fn number(self) -> u128 {
        0x100 + u128::try_from(Self::ALL.iter().position(|who| *who == self).unwrap()).unwrap()
    }

    pub(crate) fn id(self) -> PersonId {
        PersonId(Uuid::from_u128(self.number()))
    }

    pub(crate) fn token_id(self) -> TokenId {
        TokenId(Uuid::from_u128(0x1000 + self.number()))
    }

    pub(crate) fn token(self) -> String {
        format!("token of {self:?}")
    }

    pub(crate) fn address(self) -> String {
        format!("{self:?}@buyer.example").to_lowercase()
    }

    pub(crate) fn register(self) -> Command {
        Command::Register {
            name: Name::new(&format!("{self:?} Example")).unwrap(),
            mail: MailAddress::new(&self.address()).unwrap(),
            locale: if self == Self::Maya { Locale::ZhCn } else { Locale::En },
            zone: Tz::Asia__Shanghai,
            functions: self.function().into_iter().collect::<BTreeSet<_>>(),
        }
    }

    pub(crate) fn issue_token(self, expires_at: DateTime<Utc>) -> Command {
        Command::IssueToken {
            token: self.token_id(),
            hash: ids::content_hash(self.token().as_bytes()),
            label: Name::new("laptop").unwrap(),
            expires_at,
        }
    }
}
