//! How the work was really split between the suppliers, against the award's bands.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::{
    ids::SupplierId,
    negotiation::award::Role,
    percent::{Band, Percent},
    procurement::Procurement,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub supplier: SupplierId,
    pub share: Percent,
    pub band: Band,
}

impl Share {
    pub fn is_in_band(&self) -> bool {
        self.band.holds(self.share)
    }
}

/// Shares of the used card-hours in feeds that overlap the half-open window; empty without an award
/// of several suppliers or without any used hour.
pub fn shares(procurement: &Procurement, from: DateTime<Utc>, until: DateTime<Utc>) -> Vec<Share> {
    let awards = procurement.negotiation.awarded();
    if awards.len() < 2 {
        return Vec::new();
    }
    let mut used: BTreeMap<SupplierId, Decimal> = BTreeMap::new();
    for (supplier, feeds) in &procurement.operation.usage {
        for feed in feeds.iter().filter(|feed| feed.value.from < until && from < feed.value.until) {
            let own = used.entry(*supplier).or_default();
            *own = own.saturating_add(feed.value.used_card_hours);
        }
    }
    let total = used.values().fold(Decimal::ZERO, |sum, own| sum.saturating_add(*own));
    if total <= Decimal::ZERO {
        return Vec::new();
    }
    awards
        .iter()
        .filter_map(|award| {
            let own = used.get(&award.supplier).copied().unwrap_or_default();
            let share = Percent::new((own / total * Decimal::ONE_HUNDRED).round_dp(2)).ok()?;
            let band = match award.role {
                Role::Primary => procurement.policy.primary_share,
                Role::Backup => procurement.policy.backup_share,
            };
            Some(Share { supplier: award.supplier, share, band })
        })
        .collect()
}
