//! The detail bill of Alibaba Cloud with Chinese columns, and its interface's form with English ones.
//!
//! Amounts are before tax and after discounts; vouchers pay an amount and do not lower it. Times are those of Beijing
//! without saying so.

use super::{Currency, Header, Layout, Period, Words, words};
use crate::bill::amount::Amount;
use crate::bill::cards::Cards;
use crate::bill::times::Form;

pub(super) fn layout(header: &Header) -> Option<Layout> {
    chinese(header).or_else(|| english(header))
}

fn chinese(header: &Header) -> Option<Layout> {
    let cycle = header.column("账期")?;
    let cost = header.column("应付金额")?;
    // Other suppliers name these two as well.
    header.first_of(&["产品明细code", "产品code", "财务单元"])?;
    let category = header.first_of(&["账单类型", "消费类型"]);
    let start = header.column("账单开始时间");
    Some(Layout {
        category,
        currency: header
            .column("币种")
            .map_or(Currency::Always("CNY".to_owned()), Currency::Column),
        period: Period { start: Some(cycle), end: None, form: Form::Month, last_day_is_in: false },
        charge_start: start,
        charge_end: header.column("账单结束时间"),
        words: Words {
            correction_column: category,
            correction: words(&["退款", "退订", "调账", "冲账"]),
            ..Words::none()
        },
        cards: Cards {
            column: None,
            quantity: header.column("用量"),
            unit: header.column("用量单位"),
            rule: None,
        },
        always_filled: [Some(cycle), start, header.column("消费时间")]
            .into_iter()
            .flatten()
            .collect(),
        ..Layout::new("alibaba", Amount::Column(cost))
    })
}

fn english(header: &Header) -> Option<Layout> {
    let cycle = header.column("billingcycle")?;
    let cost = header.column("pretaxamount")?;
    let item = header.first_of(&["item", "billtype"]);
    let start = header.first_of(&["usagestarttime", "billingdate"]);
    Some(Layout {
        category: item,
        currency: header.column("currency").map_or(Currency::Unstated, Currency::Column),
        period: Period { start: Some(cycle), end: None, form: Form::Month, last_day_is_in: false },
        charge_start: start,
        charge_end: header.column("usageendtime"),
        words: Words {
            correction_column: item,
            correction: words(&["Refund", "Adjustment"]),
            ..Words::none()
        },
        cards: Cards {
            column: None,
            quantity: header.column("usage"),
            unit: header.column("usageunit"),
            rule: None,
        },
        always_filled: [Some(cycle), start].into_iter().flatten().collect(),
        ..Layout::new("alibaba", Amount::Column(cost))
    })
}
