//! The total cost of ownership: lines, kinds, figures, and what moved since an approval.

use async_graphql::{Context, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::{
        moved::Moved,
        tco::{
            Unknown,
            statement::{Figures, KindStatement, LineStatement, Statement},
        },
    },
    texts,
};

use crate::schema::{
    locale,
    scalars::{CostKind, Currency, Language, TcoFactorName},
    types::{estimate::Estimate, money::MoneySpan},
};

pub(crate) struct TcoStatement(pub Statement);

#[derive(SimpleObject)]
struct TcoKind {
    kind: CostKind,
    lines: Vec<TcoLine>,
    /// Why it costs nothing, when somebody said so.
    zero_because: Option<String>,
    /// `null` while a line is unknown or there is none.
    for_term: Option<MoneySpan>,
}

#[derive(SimpleObject)]
struct TcoLine {
    name: String,
    amount: Estimate,
    currency: Currency,
    basis: String,
    /// Their product is the cost over the term.
    factors: Vec<TcoFactor>,
    for_term: Option<MoneySpan>,
}

#[derive(SimpleObject)]
struct TcoFactor {
    name: TcoFactorName,
    low: Decimal,
    high: Decimal,
}

#[derive(SimpleObject)]
struct TcoFigures {
    subtotal: MoneySpan,
    reserve: MoneySpan,
    total: MoneySpan,
    /// The total, spread evenly.
    per_month: MoneySpan,
    /// `null` while the brief does not say how many cards and how much they are used.
    per_useful_card_hour: Option<MoneySpan>,
    /// The largest first.
    drivers: Vec<TcoDriver>,
    /// From the start on, which is month 0.
    cash: Vec<TcoMonth>,
    /// Of all payments, where the plan says what money costs.
    present_value: Option<MoneySpan>,
}

#[derive(SimpleObject)]
struct TcoDriver {
    kind: CostKind,
    /// Of the subtotal, with every range in its middle.
    share_percent: Decimal,
    /// What the total would be narrower by if this kind were known exactly.
    width: Decimal,
}

#[derive(SimpleObject)]
struct TcoMonth {
    month: u32,
    paid: MoneySpan,
    until_then: MoneySpan,
}

struct TcoUnknown(Unknown);

/// A figure that was approved and is another one now.
pub(crate) struct MovedFigure(pub Moved);

#[derive(SimpleObject)]
struct Ends {
    low: Decimal,
    high: Decimal,
}

#[Object]
impl TcoStatement {
    async fn kinds(&self) -> Vec<TcoKind> {
        self.0.kinds.iter().map(Into::into).collect()
    }

    /// What keeps the total from being worked out.
    async fn unknown(&self) -> Vec<TcoUnknown> {
        self.0.unknown.iter().cloned().map(TcoUnknown).collect()
    }

    /// `null` while anything is unknown: a partial sum would look like a total.
    async fn figures(&self) -> Option<TcoFigures> {
        self.0.figures.as_ref().map(Into::into)
    }
}

#[Object]
impl TcoUnknown {
    async fn line(&self) -> Option<&str> {
        self.0.line()
    }

    async fn label(&self, context: &Context<'_>, language: Option<Language>) -> String {
        texts::unknown_cost(&self.0, locale(context, language))
    }
}

#[Object]
impl MovedFigure {
    async fn label(&self, context: &Context<'_>, language: Option<Language>) -> String {
        texts::text(&self.0.figure.key(), locale(context, language)).to_owned()
    }

    /// `null` where it could not be told.
    async fn before(&self) -> Option<Ends> {
        self.0.before.map(|ends| Ends { low: ends.low, high: ends.high })
    }

    async fn now(&self) -> Option<Ends> {
        self.0.now.map(|ends| Ends { low: ends.low, high: ends.high })
    }
}

impl From<&KindStatement> for TcoKind {
    fn from(kind: &KindStatement) -> Self {
        Self {
            kind: kind.kind.into(),
            lines: kind.lines.iter().map(Into::into).collect(),
            zero_because: kind.zero_because.as_ref().map(ToString::to_string),
            for_term: kind.for_term.map(Into::into),
        }
    }
}

impl From<&LineStatement> for TcoLine {
    fn from(stated: &LineStatement) -> Self {
        let factor = |factor: &sixgate_workflows::budget::tco::line::Factor| TcoFactor {
            name: factor.name.into(),
            low: factor.low,
            high: factor.high,
        };
        Self {
            name: stated.line.name.to_string(),
            amount: (&stated.line.amount).into(),
            currency: stated.line.currency.into(),
            basis: stated.line.basis.to_string(),
            factors: stated.factors.iter().map(factor).collect(),
            for_term: stated.for_term.map(Into::into),
        }
    }
}

impl From<&Figures> for TcoFigures {
    fn from(figures: &Figures) -> Self {
        let drivers = figures.drivers.iter().map(|driver| TcoDriver {
            kind: driver.kind.into(),
            share_percent: driver.share_percent,
            width: driver.width.amount,
        });
        let cash = figures.cash.iter().map(|month| TcoMonth {
            month: month.month,
            paid: month.paid.into(),
            until_then: month.until_then.into(),
        });
        Self {
            subtotal: figures.subtotal.into(),
            reserve: figures.reserve.into(),
            total: figures.total.into(),
            per_month: figures.per_month.into(),
            per_useful_card_hour: figures.per_useful_card_hour.map(Into::into),
            drivers: drivers.collect(),
            cash: cash.collect(),
            present_value: figures.present_value.map(Into::into),
        }
    }
}
