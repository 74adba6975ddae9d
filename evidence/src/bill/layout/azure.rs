//! Azure cost exports of enterprise agreements and customer agreements.
//!
//! Dates are month first, and the last day of a period is in it. The export has no tax.
//! Actual and amortised costs come in files of the same columns, and only the rows tell which it is.

use super::{Amortised, Currency, Header, Layout, Period, Words, words};
use crate::bill::amount::Amount;
use crate::bill::cards::Cards;
use crate::bill::times::{Form, Reader};

pub(super) fn layout(header: &Header) -> Option<Layout> {
    let cost = header.first_of(&["costinbillingcurrency", "cost", "pretaxcost"])?;
    let charge_type = header.column("chargetype")?;
    header.column("meterid")?;
    let currency = header.first_of(&["billingcurrency", "billingcurrencycode", "currency"]);
    let period_start = header.column("billingperiodstartdate");
    let date = header.first_of(&["date", "usagedatetime"]);
    let version = if header.column("costinbillingcurrency").is_some()
        && header.column("invoiceid").is_some()
    {
        "mca"
    } else {
        "ea"
    };
    Some(Layout {
        version: Some(version.to_owned()),
        category: Some(charge_type),
        invoice: header.column("invoiceid"),
        currency: currency.map_or(Currency::Unstated, Currency::Column),
        period: Period {
            start: period_start,
            end: header.column("billingperiodenddate"),
            form: Form::MonthDayYear,
            last_day_is_in: true,
        },
        charge_start: date,
        times: Reader { form: Form::MonthDayYear, zone: None },
        words: Words {
            correction_column: Some(charge_type),
            correction: words(&["Refund"]),
            usage: words(&["Usage"]),
            ..Words::none()
        },
        cards: Cards {
            column: None,
            quantity: header.first_of(&["quantity", "usagequantity"]),
            unit: header.column("unitofmeasure"),
            rule: None,
        },
        amortised: Some(Amortised { pricing_model: header.column("pricingmodel") }),
        always_filled: [Some(charge_type), date, period_start].into_iter().flatten().collect(),
        ..Layout::new("azure", Amount::Column(cost))
    })
}
