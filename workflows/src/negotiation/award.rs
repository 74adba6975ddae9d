//! Who gets how much: one or several suppliers, or none.
//!
//! The default split of the source is a primary with 60 to 70 % for the price and a backup with 30
//! to 40 % for flexibility and failover.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{ids::SupplierId, percent::Percent, policy::Policy, rejection::Rejection};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Primary,
    Backup,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Award {
    pub supplier: SupplierId,
    pub role: Role,
    pub share: Percent,
}

/// Shares add up to 100, no supplier twice, exactly one primary; with a backup every share lies in
/// the policy's band for its role.
pub fn check(awards: &[Award], policy: &Policy) -> Result<(), Rejection> {
    let total: Decimal = awards.iter().map(|award| award.share.value()).sum();
    if total != Decimal::ONE_HUNDRED {
        return Err(Rejection::SharesDoNotAddUp { total: total.normalize() });
    }
    for (index, award) in awards.iter().enumerate() {
        if awards[..index].iter().any(|earlier| earlier.supplier == award.supplier) {
            return Err(Rejection::AwardedTwice { supplier: award.supplier });
        }
    }
    let primaries = awards.iter().filter(|award| award.role == Role::Primary).count();
    if primaries != 1 {
        return Err(Rejection::NotOnePrimary { primaries });
    }
    if awards.len() == 1 {
        return Ok(());
    }
    let band = |role| match role {
        Role::Primary => policy.primary_share,
        Role::Backup => policy.backup_share,
    };
    match awards.iter().find(|award| !band(award.role).holds(award.share)) {
        None => Ok(()),
        Some(award) => Err(Rejection::ShareOutsideBand {
            supplier: award.supplier,
            share: award.share,
            band: band(award.role),
        }),
    }
}
