//! What is assumed of the cost of owning where nobody gave a figure.
//!
//! The rule: the shipped rows are public figures with source and date, and an organisation's policy
//! replaces or adds rows by their id. The row of the narrowest region that the machines stand in goes
//! first, and a row in another currency is never taken. Where no open source was found the row
//! says so, and the figure has to be given.

use std::sync::LazyLock;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::own_or_rent::{Question, input::Input};
use crate::{
    estimate::Estimate,
    invalid::Invalid,
    money::Currency,
    needs::catalogue::overrides::Overrides,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    pub id: Name,
    pub input: Input,
    /// For all regions if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Name>,
    /// Of amounts of money only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    pub value: Estimate<Decimal>,
    pub source: Text,
    pub as_of: NaiveDate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    assumptions: Vec<Assumed>,
}

static SHIPPED: LazyLock<Vec<Assumed>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("assumptions.toml"))
        .expect("the shipped assumptions are read by a test");
    file.assumptions
});

/// The shipped rows with an organisation's own in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumptions(Vec<Assumed>);

impl Assumptions {
    pub fn shipped() -> Self {
        Self(SHIPPED.clone())
    }

    pub fn with(overrides: &Overrides) -> Self {
        let mut rows = SHIPPED.clone();
        for own in &overrides.costs {
            match rows.iter_mut().find(|row| row.id == own.id) {
                Some(row) => row.clone_from(own),
                None => rows.push(own.clone()),
            }
        }
        Self(rows)
    }

    pub fn rows(&self) -> &[Assumed] {
        &self.0
    }

    pub fn of(&self, input: Input, region: Option<&Name>, currency: Currency) -> Option<&Assumed> {
        let fitting = |row: &&Assumed| {
            row.input == input
                && row.currency.is_none_or(|own| own == currency)
                && row.region.as_ref().is_none_or(|own| region.is_some_and(|of| lies_in(of, own)))
        };
        let narrowness = |row: &&Assumed| row.region.as_ref().map(|own| own.as_str().len());
        self.0.iter().filter(fitting).max_by_key(narrowness)
    }

    /// Puts a row's figure where the question has none, and says which rows those were.
    ///
    /// A figure that somebody left to be determined on purpose stays so.
    pub fn fill(&self, question: &mut Question) -> Vec<(Input, Assumed)> {
        let (region, currency) = (question.region.clone(), question.currency);
        let mut filled = Vec::new();
        for input in Input::ALL {
            if question.inputs.contains_key(input) {
                continue;
            }
            if let Some(row) = self.of(*input, region.as_ref(), currency) {
                question.inputs.insert(*input, row.value.clone());
                filled.push((*input, row.clone()));
            }
        }
        filled
    }
}

/// `cn-west` is that region, and lies in `cn`.
fn lies_in(region: &Name, wider: &Name) -> bool {
    let rest = region.as_str().strip_prefix(wider.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// What must hold of an organisation's own rows.
pub fn check(rows: &[Assumed]) -> Result<(), Invalid> {
    use super::own_or_rent::input::{self, Unit};
    for row in rows {
        input::check(&[(row.input, row.value.clone())].into())?;
        let is_money = row.input.unit() == Unit::Money;
        if is_money != row.currency.is_some() {
            let why = match is_money {
                true => format!("`{}` is an amount of money and needs a currency", row.id),
                false => format!("`{}` is no amount of money and has no currency", row.id),
            };
            return Err(Invalid::new("assumptions", why));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_rows_pass_their_own_check_and_have_ids_of_their_own() {
        let rows = Assumptions::shipped();
        check(rows.rows()).unwrap();
        let ids: std::collections::BTreeSet<_> = rows.rows().iter().map(|row| &row.id).collect();
        assert_eq!(ids.len(), rows.rows().len());
        assert!(ids.len() > 8);
    }
}
