//! The cost report of Oracle Cloud.
//!
//! It names no billing period, so the period is that of its intervals; a correction points to the row it corrects.

use super::{Currency, Header, Layout, Words, words};
use crate::bill::amount::Amount;
use crate::bill::cards::Cards;

pub(super) fn layout(header: &Header) -> Option<Layout> {
    let cost = header.column("cost/mycost")?;
    let start = header.column("lineitem/intervalusagestart");
    Some(Layout {
        currency: header.column("cost/currencycode").map_or(Currency::Unstated, Currency::Column),
        charge_start: start,
        charge_end: header.column("lineitem/intervalusageend"),
        words: Words {
            correction_column: header.column("lineitem/iscorrection"),
            correction: words(&["true"]),
            ..Words::none()
        },
        cards: Cards {
            column: None,
            quantity: header.column("usage/billedquantity"),
            unit: header.column("cost/skuunitdescription"),
            rule: None,
        },
        beside: header.column("cost/mycostoverage").map(|column| (column, "cost/myCostOverage")),
        always_filled: start.into_iter().chain(header.column("lineitem/referenceno")).collect(),
        ..Layout::new("oci", Amount::Column(cost))
    })
}
