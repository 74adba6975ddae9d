//! What one cell or a rule over several says about money.
//!
//! Missing, unreadable and zero are three different answers.

use super::rows::Row;
use crate::decimal;
use rust_decimal::Decimal;

#[derive(Clone, Copy)]
pub(super) enum Reading {
    Known(Decimal),
    Missing,
    Unreadable,
}

/// Where a row's amount stands.
pub(super) enum Amount {
    Column(usize),
    /// The first of two columns that has a cell.
    FirstOf(usize, usize),
    Aws(Box<AwsEffective>),
}

/// Amortised cost by the type of the line item; a column that the file leaves out makes that row's cost missing.
pub(super) struct AwsEffective {
    pub(super) line_item_type: usize,
    pub(super) unblended: Box<Amount>,
    pub(super) plan_effective: Option<usize>,
    pub(super) plan_commitment: Option<usize>,
    pub(super) plan_used: Option<usize>,
    pub(super) reservation_effective: Option<usize>,
    pub(super) reservation_unused_upfront: Option<usize>,
    pub(super) reservation_unused_recurring: Option<usize>,
    pub(super) reservation: Option<usize>,
}

impl Amount {
    pub(super) fn read(&self, row: &Row<'_>) -> Reading {
        match self {
            Self::Column(column) => cell(row, *column),
            Self::FirstOf(first, second) => match cell(row, *first) {
                Reading::Missing => cell(row, *second),
                found @ (Reading::Known(_) | Reading::Unreadable) => found,
            },
            Self::Aws(rule) => rule.read(row),
        }
    }
}

impl AwsEffective {
    fn read(&self, row: &Row<'_>) -> Reading {
        let optional =
            |column: Option<usize>| column.map_or(Reading::Missing, |column| cell(row, column));
        match row.cell(self.line_item_type) {
            b"SavingsPlanCoveredUsage" => optional(self.plan_effective),
            b"SavingsPlanRecurringFee" => combined(
                optional(self.plan_commitment),
                optional(self.plan_used),
                Decimal::checked_sub,
            ),
            b"SavingsPlanNegation" | b"SavingsPlanUpfrontFee" => Reading::Known(Decimal::ZERO),
            b"DiscountedUsage" => optional(self.reservation_effective),
            b"RIFee" => combined(
                optional(self.reservation_unused_upfront),
                optional(self.reservation_unused_recurring),
                Decimal::checked_add,
            ),
            b"Fee" if self.reservation.is_some_and(|column| !is_null(row.cell(column))) => {
                Reading::Known(Decimal::ZERO)
            }
            _ => self.unblended.read(row),
        }
    }
}

fn combined(
    first: Reading,
    second: Reading,
    with: impl Fn(Decimal, Decimal) -> Option<Decimal>,
) -> Reading {
    match (first, second) {
        (Reading::Known(first), Reading::Known(second)) => {
            with(first, second).map_or(Reading::Unreadable, Reading::Known)
        }
        (Reading::Unreadable, _) | (_, Reading::Unreadable) => Reading::Unreadable,
        (Reading::Missing, _) | (_, Reading::Missing) => Reading::Missing,
    }
}

fn cell(row: &Row<'_>, column: usize) -> Reading {
    let cell = row.cell(column);
    if is_null(cell) {
        return Reading::Missing;
    }
    decimal::parse_bytes(cell).map_or(Reading::Unreadable, Reading::Known)
}

/// Exports write an empty cell, `NULL`, `null` and dashes for the same thing.
pub(super) fn is_null(cell: &[u8]) -> bool {
    cell.is_empty() || cell.eq_ignore_ascii_case(b"null") || matches!(cell, b"-" | b"--")
}
