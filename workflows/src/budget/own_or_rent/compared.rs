//! The comparison that a budget was decided by, as it is kept with the procurement.
//!
//! The rule: the question is kept with the assumptions that filled it, and the figures as they were
//! worked out then, so a later version of the program or of the assumptions changes neither. An
//! option that could not be priced cannot be chosen.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Choice, Comparison, Outcome, Question, input::Input, rules::Rule, rules::Verdict};
use crate::{
    invalid::Invalid,
    text::{Name, Text},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    pub low: Decimal,
    pub high: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// With the assumptions filled in.
    pub question: Question,
    /// The row that an input was assumed by.
    pub assumed: BTreeMap<Input, Name>,
    pub chosen: Choice,
    pub reason: Text,
    /// Over the horizon, of the options that could be priced.
    pub totals: BTreeMap<Choice, Ends>,
    /// Of owning against renting, in the middle of all ranges; absent when never or unknown.
    pub break_even_month: Option<Decimal>,
    pub computed: Verdict,
    /// Rules of thumb that said the opposite of what was computed.
    pub disagreements: Vec<Rule>,
}

impl Compared {
    pub fn new(comparison: Comparison, chosen: Choice, reason: Text) -> Result<Self, Invalid> {
        if let Some(Outcome::Unknown(missing)) = comparison.outcomes.get(&chosen) {
            let missing = missing.iter().map(|input| input.id()).collect::<Vec<_>>().join(", ");
            let why =
                format!("`{}` could not be priced, these are missing: {missing}", chosen.id());
            return Err(Invalid::new("chosen", why));
        }
        let totals = comparison.outcomes.iter().filter_map(|(choice, outcome)| match outcome {
            Outcome::Priced(costs) => {
                Some((*choice, Ends { low: costs.total.low, high: costs.total.high }))
            }
            Outcome::Unknown(_) => None,
        });
        let against = comparison.against_renting.get(&Choice::Own);
        Ok(Self {
            totals: totals.collect(),
            break_even_month: against.and_then(|against| against.month.middle.month()),
            assumed: comparison.assumed.into_iter().map(|(input, row)| (input, row.id)).collect(),
            computed: comparison.computed,
            disagreements: comparison.disagreements.iter().map(|found| found.rule).collect(),
            question: comparison.question,
            chosen,
            reason,
        })
    }
}
