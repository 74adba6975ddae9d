//! What the budget was approved on, and which figures have moved since.
//!
//! The rule: when the budget's gate is passed, everything its figures came from is kept beside it.
//! Whatever changes afterwards – the brief, the plan, a cost – is seen as a difference of figures,
//! since what was signed was an amount.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{
    State,
    tco::{
        Cost, CostKind, Plan,
        statement::{Statement, Usage, statement},
    },
};
use crate::{estimate::Estimate, needs::brief::Brief, procurement::Procurement};

/// Everything the figures come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    plan: Plan,
    costs: BTreeMap<CostKind, Cost>,
    usage: Option<Usage>,
}

/// A figure that was approved and is another one now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub figure: MovedFigure,
    /// `None` where it could not be told.
    pub before: Option<Ends>,
    pub now: Option<Ends>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    pub low: Decimal,
    pub high: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MovedFigure {
    Cards,
    UtilisationPercent,
    TermMonths,
    Total,
    PerMonth,
    PerUsefulCardHour,
    Kind(CostKind),
}

impl MovedFigure {
    pub const SINGLE: [Self; 6] = [
        Self::Cards,
        Self::UtilisationPercent,
        Self::TermMonths,
        Self::Total,
        Self::PerMonth,
        Self::PerUsefulCardHour,
    ];

    /// The key of its name in the catalogue of texts.
    pub fn key(self) -> String {
        match self {
            Self::Cards => "moved.cards".to_owned(),
            Self::UtilisationPercent => "moved.utilisation_percent".to_owned(),
            Self::TermMonths => "moved.term_months".to_owned(),
            Self::Total => "tco.total".to_owned(),
            Self::PerMonth => "tco.per_month".to_owned(),
            Self::PerUsefulCardHour => "tco.per_useful_card_hour".to_owned(),
            Self::Kind(kind) => format!("kinds.{}", kind.id()),
        }
    }
}

impl Basis {
    /// `None` before there is a plan.
    pub fn of(budget: &State, brief: Option<&Brief>) -> Option<Self> {
        Some(Self {
            plan: budget.plan.as_ref()?.value.clone(),
            costs: budget.costs.iter().map(|(kind, fact)| (*kind, fact.value.clone())).collect(),
            usage: brief.map(Usage::of),
        })
    }

    fn statement(&self) -> Option<Statement> {
        statement(&|kind| self.costs.get(&kind), &self.plan, self.usage.as_ref()).ok()
    }
}

/// Every figure that differs from what was approved, in a fixed order; nothing before an approval.
pub fn moved(procurement: &Procurement) -> Vec<Moved> {
    let Some(approved) = &procurement.budget.approved else { return Vec::new() };
    let brief = procurement.needs.brief.as_ref().map(|fact| &fact.value);
    let now = Basis::of(&procurement.budget, brief);
    let (before, now) = (figures(Some(&approved.value)), figures(now.as_ref()));
    let pairs = before.into_iter().zip(now).map(|((figure, before), (_, now))| Moved {
        figure,
        before,
        now,
    });
    pairs.filter(|moved| moved.before != moved.now).collect()
}

fn figures(basis: Option<&Basis>) -> Vec<(MovedFigure, Option<Ends>)> {
    let statement = basis.and_then(Basis::statement);
    let figures = statement.as_ref().and_then(|statement| statement.figures.as_ref());
    let usage = basis.and_then(|basis| basis.usage.as_ref());
    let estimate = |estimate: &Estimate<Decimal>| {
        Some(Ends { low: *estimate.low()?, high: *estimate.high()? })
    };
    let term = |basis: &Basis| Decimal::from(basis.plan.term_months);
    let mut all = vec![
        (MovedFigure::Cards, usage.and_then(|usage| estimate(&usage.cards))),
        (
            MovedFigure::UtilisationPercent,
            usage.and_then(|usage| estimate(&usage.utilisation_percent)),
        ),
        (MovedFigure::TermMonths, basis.map(|basis| Ends { low: term(basis), high: term(basis) })),
        (MovedFigure::Total, figures.map(|figures| figures.total.into())),
        (MovedFigure::PerMonth, figures.map(|figures| figures.per_month.into())),
        (
            MovedFigure::PerUsefulCardHour,
            figures.and_then(|figures| figures.per_useful_card_hour.map(Into::into)),
        ),
    ];
    all.extend(CostKind::ALL.map(|kind| {
        let kinds = statement.iter().flat_map(|statement| &statement.kinds);
        let of_kind = kinds.filter(|stated| stated.kind == kind).find_map(|stated| stated.for_term);
        (MovedFigure::Kind(kind), of_kind.map(Into::into))
    }));
    all
}

impl From<super::tco::MoneySpan> for Ends {
    fn from(span: super::tco::MoneySpan) -> Self {
        Self { low: span.low.amount, high: span.high.amount }
    }
}
