//! The AWS Cost and Usage Report, legacy (`lineItem/UnblendedCost`) and 2.0 (`line_item_unblended_cost`).
//!
//! Invoiced is the net cost where the file has it; effective follows the type of the line item, as AWS amortises.
//! Hours of machines are not turned into hours of cards: that takes a profile.

use super::{Currency, Header, Layout, Period, Words, warn_missing, words};
use crate::bill::amount::{Amount, AwsEffective};
use crate::bill::cards::Cards;
use crate::bill::times::Form;
use crate::document::Warnings;

pub(super) fn layout(names: &[String], warnings: &mut Warnings) -> Option<Layout> {
    let is_legacy = names.iter().any(|name| name.eq_ignore_ascii_case("lineItem/UnblendedCost"));
    let header = Header::new(names, in_one_spelling);
    let unblended = header.column("line_item_unblended_cost")?;
    let line_item_type = header.column("line_item_line_item_type")?;
    let net = header.column("line_item_net_unblended_cost");
    let currency = header.column("line_item_currency_code");
    let period_start = header.column("bill_billing_period_start_date");
    if currency.is_none() || period_start.is_none() {
        warn_missing(&["lineItem/CurrencyCode or bill/BillingPeriodStartDate"], warnings);
    }
    let cost = || match net {
        Some(net) => Amount::FirstOf(net, unblended),
        None => Amount::Column(unblended),
    };
    let effective = AwsEffective {
        line_item_type,
        unblended: Box::new(cost()),
        plan_effective: header.first_of(&[
            "savings_plan_net_savings_plan_effective_cost",
            "savings_plan_savings_plan_effective_cost",
        ]),
        plan_commitment: header.column("savings_plan_total_commitment_to_date"),
        plan_used: header.column("savings_plan_used_commitment"),
        reservation_effective: header
            .first_of(&["reservation_net_effective_cost", "reservation_effective_cost"]),
        reservation_unused_upfront: header.first_of(&[
            "reservation_net_unused_amortized_upfront_fee_for_billing_period",
            "reservation_unused_amortized_upfront_fee_for_billing_period",
        ]),
        reservation_unused_recurring: header.first_of(&[
            "reservation_net_unused_recurring_fee",
            "reservation_unused_recurring_fee",
        ]),
        reservation: header.column("reservation_reservation_arn"),
    };
    Some(Layout {
        version: Some(if is_legacy { "legacy" } else { "2.0" }.to_owned()),
        effective: Some(Amount::Aws(Box::new(effective))),
        category: Some(line_item_type),
        invoice: header.column("bill_invoice_id"),
        currency: currency.map_or(Currency::Unstated, Currency::Column),
        period: Period {
            start: period_start,
            end: header.column("bill_billing_period_end_date"),
            form: Form::Iso,
            last_day_is_in: false,
        },
        charge_start: header.column("line_item_usage_start_date"),
        charge_end: header.column("line_item_usage_end_date"),
        words: Words {
            tax: words(&["Tax"]),
            credit: words(&["Credit"]),
            correction_column: Some(line_item_type),
            correction: words(&["Refund"]),
            usage: words(&["Usage", "DiscountedUsage", "SavingsPlanCoveredUsage"]),
        },
        cards: Cards {
            column: None,
            quantity: header.column("line_item_usage_amount"),
            unit: header.column("pricing_unit"),
            rule: None,
        },
        always_filled: [Some(line_item_type), period_start].into_iter().flatten().collect(),
        ..Layout::new("aws-cur", cost())
    })
}

/// `savingsPlan/SavingsPlanEffectiveCost` is `savings_plan_savings_plan_effective_cost`.
fn in_one_spelling(name: &str) -> String {
    let mut spelled = String::with_capacity(name.len() + 8);
    let mut before = '_';
    for character in name.chars() {
        if character == '/' {
            spelled.push('_');
        } else {
            if character.is_ascii_uppercase()
                && (before.is_ascii_lowercase() || before.is_ascii_digit())
            {
                spelled.push('_');
            }
            spelled.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    spelled
}
