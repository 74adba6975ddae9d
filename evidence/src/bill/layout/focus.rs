//! FOCUS, whose version is told by its columns: the file does not carry it.
//!
//! Its second dataset, the list of commitments, is no bill and lacks the costs by which a bill is known.

use super::{Currency, Header, Layout, Period, Words, warn_missing, words};
use crate::Warning;
use crate::bill::amount::Amount;
use crate::bill::cards::Cards;
use crate::bill::times::Form;
use crate::document::Warnings;

const MANDATORY: [&str; 6] = [
    "BillingCurrency",
    "BillingPeriodStart",
    "BillingPeriodEnd",
    "ChargeClass",
    "ChargePeriodStart",
    "ChargePeriodEnd",
];

pub(super) fn layout(header: &Header, warnings: &mut Warnings) -> Option<Layout> {
    let billed = header.column("billedcost")?;
    let effective = header.column("effectivecost")?;
    let category = header.column("chargecategory")?;
    let missing: Vec<&str> = MANDATORY
        .into_iter()
        .filter(|name| header.column(&name.to_lowercase()).is_none())
        .collect();
    warn_missing(&missing, warnings);
    let version = version(header);
    if version == "1.4" {
        let said = "the columns are those of FOCUS 1.4, which is newer than this reader";
        warnings.push(Warning::new("version_newer", said));
    }
    let period_start = header.column("billingperiodstart");
    let charge_start = header.column("chargeperiodstart");
    let always_filled =
        [Some(category), period_start, charge_start].into_iter().flatten().collect();
    Some(Layout {
        version: Some(version.to_owned()),
        effective: Some(Amount::Column(effective)),
        category: Some(category),
        invoice: header.column("invoiceid"),
        currency: header.column("billingcurrency").map_or(Currency::Unstated, Currency::Column),
        period: Period {
            start: period_start,
            end: header.column("billingperiodend"),
            form: Form::Iso,
            last_day_is_in: false,
        },
        charge_start,
        charge_end: header.column("chargeperiodend"),
        words: Words {
            tax: words(&["Tax"]),
            credit: words(&["Credit"]),
            correction_column: header.column("chargeclass"),
            correction: words(&["Correction"]),
            usage: words(&["Usage"]),
        },
        cards: Cards {
            column: header.first_of(&["x_gpucount", "x_cardcount"]),
            quantity: header.column("consumedquantity"),
            unit: header.column("consumedunit"),
            rule: None,
        },
        always_filled,
        ..Layout::new("focus", Amount::Column(billed))
    })
}

fn version(header: &Header) -> &'static str {
    let has = |name: &str| header.column(name).is_some();
    if has("serviceprovidername") {
        if has("providername") { "1.3" } else { "1.4" }
    } else if has("pricingcurrency") || has("invoiceid") || has("billingaccounttype") {
        "1.2"
    } else if has("commitmentdiscountquantity") || has("capacityreservationid") || has("skumeter") {
        "1.1"
    } else if has("usagequantity") {
        "1.0-preview"
    } else {
        "1.0"
    }
}
