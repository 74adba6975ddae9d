//! An organisation's own rows, kept in its policy: they replace shipped ones by id, or add to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    assumptions::Assumption, card::Card, price::ReferencePrice, recommendation::Recommendation,
};
use crate::{budget::assumptions as costs, invalid::Invalid};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Overrides {
    pub cards: Vec<Card>,
    pub prices: Vec<ReferencePrice>,
    pub recommendations: Vec<Recommendation>,
    pub assumptions: BTreeMap<Assumption, u32>,
    /// Of the cost of owning and renting.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<costs::Assumed>,
}

impl Overrides {
    /// A policy is copied into every procurement, so it stays small.
    const ROWS_MAX: usize = 50;

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: String| Err(Invalid::new("catalogue", why));
        let rows = self.cards.len() + self.prices.len() + self.recommendations.len();
        let rows = rows + self.costs.len();
        if rows > Self::ROWS_MAX {
            return refuse(format!("has {rows} rows, at most {} are kept", Self::ROWS_MAX));
        }
        for card in &self.cards {
            if card.id.is_empty() || card.memory_mib.is_empty() || card.memory_mib() == 0 {
                return refuse(format!("card `{}` needs an id and its memory in MiB", card.id));
            }
            if card.aliases.iter().any(|alias| alias.trim().is_empty()) {
                return refuse(format!("card `{}` has an empty alias", card.id));
            }
        }
        for price in &self.prices {
            if price.id.is_empty() || price.low.is_sign_negative() || price.low > price.high {
                return refuse(format!("price `{}` has its lower end above its upper", price.id));
            }
            if price.high.is_zero() {
                return refuse(format!("price `{}` is zero; leave out what is unknown", price.id));
            }
        }
        if self.recommendations.iter().any(|row| row.cards.is_empty() || row.id.is_empty()) {
            return refuse("a recommendation needs an id and a card".to_owned());
        }
        costs::check(&self.costs)
    }
}
