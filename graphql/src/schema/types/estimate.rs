//! Estimates: known, a range, or to be determined.

use async_graphql::SimpleObject;
use rust_decimal::Decimal;
use sixgate_workflows::estimate;

/// Exactly one of `known`, `low` with `high`, and `tbd` is there.
#[derive(Clone, Debug, SimpleObject)]
pub(crate) struct Estimate {
    known: Option<Decimal>,
    low: Option<Decimal>,
    high: Option<Decimal>,
    /// Why it is still to be determined.
    tbd: Option<String>,
}

impl From<&estimate::Estimate<Decimal>> for Estimate {
    fn from(estimate: &estimate::Estimate<Decimal>) -> Self {
        let none = Self { known: None, low: None, high: None, tbd: None };
        match estimate {
            estimate::Estimate::Known { known } => Self { known: Some(*known), ..none },
            estimate::Estimate::Range { low, high } => {
                Self { low: Some(*low), high: Some(*high), ..none }
            }
            estimate::Estimate::Tbd { tbd } => Self { tbd: Some(tbd.to_string()), ..none },
        }
    }
}
