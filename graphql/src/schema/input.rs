//! Inputs that several mutations share, and how they become values of the rules.

use async_graphql::{ID, InputObject};
use rust_decimal::Decimal;
use sixgate_engine::Envelope;
use sixgate_storage::Revision;
use sixgate_workflows::{
    estimate::Estimate,
    evidence::{ContentHash, EvidenceFile},
    ids::{CommandId, SupplierId},
    invalid::Invalid,
    money::Money,
    text::{Name, Text},
};
use uuid::Uuid;

use super::{global_id::GlobalId, scalars::Currency};

/// What every command about a procurement begins with.
#[derive(Clone, Debug, InputObject)]
pub(super) struct ProcurementTarget {
    /// Made by the client; sending the same command again under it answers the same.
    pub command_id: Uuid,
    /// The revision that the sender looked at; the command is refused when it has changed since.
    pub expected_revision: Option<u64>,
    pub procurement_id: ID,
}

/// What every other command begins with.
#[derive(Clone, Copy, Debug, InputObject)]
pub(super) struct CommandHead {
    /// Made by the client; sending the same command again under it answers the same.
    pub command_id: Uuid,
    /// The revision that the sender looked at; the command is refused when it has changed since.
    pub expected_revision: Option<u64>,
}

/// A file that has been uploaded to `/evidence`.
#[derive(Clone, Debug, InputObject)]
pub(super) struct EvidenceFileInput {
    pub hash: String,
    /// What it is called.
    pub name: String,
}

#[derive(Clone, Debug, InputObject)]
pub struct MoneyInput {
    pub amount: Decimal,
    pub currency: Currency,
}

/// Give `known`, or `low` and `high`, or `tbd`.
#[derive(Clone, Debug, InputObject)]
pub(super) struct EstimateInput {
    pub known: Option<Decimal>,
    pub low: Option<Decimal>,
    pub high: Option<Decimal>,
    /// Why it is still to be determined.
    pub tbd: Option<String>,
}

impl ProcurementTarget {
    pub(super) fn envelope(&self) -> Envelope {
        envelope(self.command_id, self.expected_revision)
    }
}

impl CommandHead {
    pub(super) fn envelope(&self) -> Envelope {
        envelope(self.command_id, self.expected_revision)
    }
}

fn envelope(command_id: Uuid, expected_revision: Option<u64>) -> Envelope {
    Envelope { command: CommandId(command_id), expected: expected_revision.map(Revision) }
}

impl EvidenceFileInput {
    pub(super) fn checked(&self) -> Result<EvidenceFile, Invalid> {
        Ok(EvidenceFile { hash: ContentHash::new(&self.hash)?, name: Name::new(&self.name)? })
    }
}

impl From<MoneyInput> for Money {
    fn from(input: MoneyInput) -> Self {
        Self::new(input.amount, input.currency.into())
    }
}

impl EstimateInput {
    pub(super) fn checked(&self) -> Result<Estimate<Decimal>, Invalid> {
        match (self.known, self.low, self.high, &self.tbd) {
            (Some(known), None, None, None) => Ok(Estimate::known(known)),
            (None, Some(low), Some(high), None) => Estimate::range(low, high),
            (None, None, None, Some(tbd)) => Ok(Estimate::Tbd { tbd: Text::new(tbd)? }),
            _ => Err(Invalid::new("estimate", "give `known`, or `low` and `high`, or `tbd`")),
        }
    }
}

pub(super) fn name(text: &str) -> Result<Name, Invalid> {
    Name::new(text)
}

pub(super) fn text(text: &str) -> Result<Text, Invalid> {
    Text::new(text)
}

pub(super) fn supplier(id: &ID) -> Result<SupplierId, Invalid> {
    GlobalId::supplier(id)
}
