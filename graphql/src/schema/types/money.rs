//! Money and spans of money.

use async_graphql::SimpleObject;
use rust_decimal::Decimal;
use sixgate_workflows::{budget::tco, money};

use crate::schema::scalars::Currency;

#[derive(Clone, Debug, SimpleObject)]
pub(crate) struct Money {
    /// Exact, as a string.
    amount: Decimal,
    currency: Currency,
}

/// From the low to the high end of all estimates.
#[derive(Clone, Debug, SimpleObject)]
pub(crate) struct MoneySpan {
    low: Money,
    high: Money,
}

impl From<money::Money> for Money {
    fn from(money: money::Money) -> Self {
        Self { amount: money.amount, currency: money.currency.into() }
    }
}

impl From<tco::MoneySpan> for MoneySpan {
    fn from(span: tco::MoneySpan) -> Self {
        Self { low: span.low.into(), high: span.high.into() }
    }
}
