//! Calculators: questions that are answered at once and leave nothing behind.
//!
//! The rule: they answer by the newest policy of the organisation, whose rows of the catalogue and
//! of the assumptions go before the shipped ones. What is worth keeping is a command of its own.

use async_graphql::{Context, InputObject};
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::{
        base_and_burst::{
            self,
            demand::{Demand, Peak, Shape},
            tier::Tier,
        },
        own_or_rent::{self, Question},
    },
    invalid::Invalid,
    policy::Policy,
};

use super::{
    engine,
    input::{EstimateInput, name},
    problem::{allowed, bad_input},
    scalars::{Currency, OwningInput, RentBilling},
    types::{owning::OwnOrRent, reserving::BaseAndBurst},
    viewer,
};

#[derive(Clone, Debug, InputObject)]
pub(super) struct OwningFigureInput {
    input: OwningInput,
    estimate: EstimateInput,
}

#[derive(Clone, Debug, InputObject)]
pub(super) struct OwnOrRentInput {
    currency: Currency,
    #[graphql(default = 36)]
    horizon_months: u32,
    billing: RentBilling,
    /// Input VAT is got back, which takes a special invoice.
    vat_recoverable: bool,
    /// Where the machines would stand, such as `cn-west`.
    region: Option<String>,
    operations_team: Option<bool>,
    /// Data that may not leave the house.
    extreme_security: Option<bool>,
    /// Takes the power of this card from the catalogue.
    card: Option<String>,
    /// What is left out is taken from the assumptions, else it is missing and never zero.
    inputs: Vec<OwningFigureInput>,
}

/// So many cards at a price that is paid in every hour.
#[derive(Clone, Debug, InputObject)]
pub(super) struct TierInput {
    name: String,
    /// Of a card for an hour.
    price: Decimal,
    /// Fewer are not sold.
    #[graphql(default = 1)]
    cards_least: u32,
    /// More are not there.
    cards_most: Option<u32>,
    term_months: Option<u32>,
}

#[derive(Clone, Debug, InputObject)]
pub(super) struct PeakInput {
    /// Counted from 0, the first hour of the first Monday.
    first_hour: u32,
    hours: u32,
    cards: u32,
}

/// A week as people describe it.
#[derive(Clone, Debug, InputObject)]
pub(super) struct ShapeInput {
    /// Cards in the 24 hours of a working day.
    workday: Vec<u32>,
    /// Like a working day if absent.
    weekend: Option<Vec<u32>>,
    weeks: u32,
    #[graphql(default)]
    peaks: Vec<PeakInput>,
}

/// Give `hours` or `shape`.
#[derive(Clone, Debug, InputObject)]
pub(super) struct BaseAndBurstInput {
    currency: Currency,
    /// Of a card for an hour.
    on_demand_price: Decimal,
    tiers: Vec<TierInput>,
    /// Cards wanted in each hour, as measured.
    hours: Option<Vec<u32>>,
    shape: Option<ShapeInput>,
}

impl OwnOrRentInput {
    pub(super) fn checked(&self) -> Result<Question, Invalid> {
        let mut inputs = own_or_rent::input::Inputs::new();
        for figure in &self.inputs {
            let input: own_or_rent::input::Input = figure.input.into();
            if inputs.insert(input, figure.estimate.checked()?).is_some() {
                return Err(Invalid::new(input.id(), "is given twice"));
            }
        }
        Ok(Question {
            currency: self.currency.into(),
            horizon_months: self.horizon_months,
            billing: self.billing.into(),
            vat_recoverable: self.vat_recoverable,
            region: self.region.as_deref().map(name).transpose()?,
            card: self.card.as_deref().map(name).transpose()?,
            operations_team: self.operations_team,
            extreme_security: self.extreme_security,
            inputs,
        })
    }
}

impl TierInput {
    fn checked(&self) -> Result<Tier, Invalid> {
        Ok(Tier {
            name: name(&self.name)?,
            price: self.price,
            cards_least: self.cards_least,
            cards_most: self.cards_most,
            term_months: self.term_months,
        })
    }
}

impl From<&ShapeInput> for Shape {
    fn from(input: &ShapeInput) -> Self {
        let peak = |peak: &PeakInput| Peak {
            first_hour: peak.first_hour,
            hours: peak.hours,
            cards: peak.cards,
        };
        Self {
            workday: input.workday.clone(),
            weekend: input.weekend.clone(),
            weeks: input.weeks,
            peaks: input.peaks.iter().map(peak).collect(),
        }
    }
}

impl BaseAndBurstInput {
    fn checked(&self) -> Result<base_and_burst::Question, Invalid> {
        let demand = match (&self.hours, &self.shape) {
            (Some(hours), None) => Demand::measured(hours.clone())?,
            (None, Some(shape)) => Demand::stated(&shape.into())?,
            (Some(_), Some(_)) | (None, None) => {
                return Err(Invalid::new("demand", "give `hours` or `shape`"));
            }
        };
        Ok(base_and_burst::Question {
            demand,
            currency: self.currency.into(),
            tiers: self.tiers.iter().map(TierInput::checked).collect::<Result<_, _>>()?,
            on_demand_price: self.on_demand_price,
        })
    }
}

fn newest_policy(context: &Context<'_>) -> async_graphql::Result<Policy> {
    let mut policies = allowed(engine(context)?.policies(viewer(context)?))?;
    Ok(policies.pop().unwrap_or_else(Policy::shipped))
}

pub(super) fn own_or_rent(
    context: &Context<'_>,
    input: &OwnOrRentInput,
) -> async_graphql::Result<OwnOrRent> {
    let policy = newest_policy(context)?;
    let compared = input.checked().and_then(|question| own_or_rent::compare(question, &policy));
    compared.map(OwnOrRent).map_err(|invalid| bad_input(&invalid))
}

pub(super) fn base_and_burst(
    context: &Context<'_>,
    input: &BaseAndBurstInput,
) -> async_graphql::Result<BaseAndBurst> {
    let policy = newest_policy(context)?;
    let answered = || {
        let thresholds = base_and_burst::Thresholds::of(&policy)?;
        let answer = base_and_burst::answer(&input.checked()?, thresholds)?;
        Ok(BaseAndBurst { answer, thresholds })
    };
    answered().map_err(|invalid| bad_input(&invalid))
}
