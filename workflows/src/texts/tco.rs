//! The total cost of ownership: its factors, lines and figures.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("factor.amount", "amount", "金额"),
    ("factor.cards", "cards", "卡数"),
    ("factor.hours_per_month", "hours a month", "每月小时数"),
    ("factor.interruptions_per_month", "interruptions a month", "每月中断次数"),
    ("factor.hours_lost_each", "hours lost each time", "每次损失小时数"),
    ("factor.days", "days", "天数"),
    ("factor.months", "months", "月数"),
    ("factor.years", "years", "年数"),
    ("factor.vat", "VAT", "增值税系数"),
    ("factor.exchange_rate", "exchange rate", "汇率"),
    ("unknown.kind", "nothing is stated for {kinds}", "{kinds}尚未填写"),
    ("unknown.factor", "{line}: {factor} to be determined", "{line}：{factor}待定"),
    (
        "unknown.exchange_rate",
        "{line}: no exchange rate for {currency}",
        "{line}：缺少{currency}汇率",
    ),
    ("tco.subtotal", "subtotal", "小计"),
    ("tco.reserve", "reserve", "预留"),
    ("tco.total", "total", "总计"),
    ("tco.per_month", "per month", "每月"),
    ("tco.per_useful_card_hour", "per useful card-hour", "每有效卡时"),
    ("tco.present_value", "present value", "现值"),
    ("tco.zero_because", "zero: {reason}", "零：{reason}"),
    ("tco.usage_unknown", "cards or utilisation are not known", "卡数或利用率未知"),
    ("moved.cards", "cards", "卡数"),
    ("moved.utilisation_percent", "utilisation in percent", "利用率（%）"),
    ("moved.term_months", "months of the term", "合同期月数"),
    (
        "tco.widest",
        "{kinds} widens the total most, by {width}",
        "{kinds}使总额区间最宽，宽度{width}",
    ),
];
