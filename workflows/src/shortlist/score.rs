//! Scores of a candidate: 0 to 100 on six criteria, by several people, weighted by policy.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{ids::PersonId, percent::Percent};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreCriterion {
    Hardware,
    Qualifications,
    Sla,
    DataSecurity,
    PriceTransparency,
    References,
}

/// One evaluator's marks.
pub type Scores = BTreeMap<ScoreCriterion, Percent>;

impl ScoreCriterion {
    pub const ALL: [Self; 6] = [
        Self::Hardware,
        Self::Qualifications,
        Self::Sla,
        Self::DataSecurity,
        Self::PriceTransparency,
        Self::References,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::Qualifications => "qualifications",
            Self::Sla => "sla",
            Self::DataSecurity => "data_security",
            Self::PriceTransparency => "price_transparency",
            Self::References => "references",
        }
    }
}

/// One evaluator's weighted mark; a criterion without a mark counts as zero, which `decide` does
/// not let happen.
fn weighted(scores: &Scores, weights: &Scores) -> Decimal {
    weights
        .iter()
        .map(|(criterion, weight)| {
            scores.get(criterion).map_or(Decimal::ZERO, |mark| mark.value()) * weight.ratio()
        })
        .sum()
}

/// Mean of the evaluators' weighted marks and the spread between the highest and the lowest;
/// `None` when nobody has scored, which is "not rated" and not zero.
pub fn overall(by: &BTreeMap<PersonId, Scores>, weights: &Scores) -> Option<(Decimal, Decimal)> {
    let marks: Vec<Decimal> = by.values().map(|scores| weighted(scores, weights)).collect();
    let highest = marks.iter().max()?;
    let lowest = marks.iter().min()?;
    let mean = marks.iter().sum::<Decimal>() / Decimal::from(marks.len());
    Some((mean.round_dp(2), (highest - lowest).round_dp(2)))
}
