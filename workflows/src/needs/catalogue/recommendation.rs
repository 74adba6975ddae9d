//! The configuration that is usually recommended for a need, as rows the organisation edits.
//!
//! A recommendation is where a talk begins; the sizing says whether it holds the work.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Catalogue, card::Family, lookup::Lookup};
use crate::needs::brief::{Brief, Use};

/// What kind of model it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    Language,
    Vision,
    /// Whatever runs on domestic cards (信创).
    Domestic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Billing {
    Hourly,
    Monthly,
    Yearly,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    pub id: String,
    pub uses: Vec<Use>,
    pub work: Work,
    /// In units of 10⁹, both ends included.
    #[serde(default)]
    pub min_parameters_b: Option<Decimal>,
    #[serde(default)]
    pub max_parameters_b: Option<Decimal>,
    /// Ids of cards in the catalogue, the first choice first.
    pub cards: Vec<String>,
    /// Absent when the sizing decides.
    #[serde(default)]
    pub count: Option<u32>,
    pub billing: Vec<Billing>,
    pub source: String,
    pub as_of: NaiveDate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) recommendations: Vec<Recommendation>,
}

impl Recommendation {
    /// A bound on the parameters holds only when they are known to lie within it: the low end for a
    /// least size, the high end for a greatest.
    fn holds(&self, brief: &Brief, work: Work) -> bool {
        let parameters = &brief.model.parameters_b;
        self.work == work
            && brief.usage.low().is_some_and(|usage| self.uses.contains(usage))
            && self
                .min_parameters_b
                .is_none_or(|least| parameters.low().is_some_and(|low| *low >= least))
            && self
                .max_parameters_b
                .is_none_or(|most| parameters.high().is_some_and(|high| *high <= most))
    }
}

impl Catalogue {
    /// The rows that hold. Domestic work shows in the card that is wanted; whether a model is for
    /// vision no field of a brief says, so whoever asks says it.
    pub fn recommended(&self, brief: &Brief, vision: bool) -> Vec<&Recommendation> {
        let work = match (self.wants_domestic(brief), vision) {
            (true, _) => Work::Domestic,
            (false, true) => Work::Vision,
            (false, false) => Work::Language,
        };
        self.recommendations.iter().filter(|row| row.holds(brief, work)).collect()
    }

    fn wants_domestic(&self, brief: &Brief) -> bool {
        let Some(name) = brief.cards.model.low() else { return false };
        match self.lookup(name.as_str()) {
            Lookup::Found(card) => card.family == Family::Ascend,
            Lookup::Ambiguous(cards) => cards.iter().all(|card| card.family == Family::Ascend),
            Lookup::Unknown => false,
        }
    }
}
