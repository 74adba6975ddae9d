//! A chart of each kind with figures as they come, in a language.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::chart::{
    Chart, LineChart, StackChart, StepChart, TornadoChart, Unit, Value,
    axis::day,
    lines::{Across, Crossing, Line},
    stack::{Bar, Limit},
    tornado::Swing,
};
use sixgate_workflows::{locale::Locale, money::Currency};

pub(crate) fn number(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub(crate) fn known(text: &str) -> Value {
    Value::Known(number(text))
}

pub(crate) fn range(low: &str, high: &str) -> Value {
    Value::Range { low: number(low), high: number(high) }
}

fn said(locale: Locale, en: &str, zh: &str) -> String {
    match locale {
        Locale::En => en,
        Locale::ZhCn => zh,
    }
    .to_owned()
}

pub(crate) fn all(locale: Locale) -> Vec<(&'static str, Chart)> {
    vec![
        ("memory", Chart::Stack(memory(locale))),
        ("costs", Chart::Stack(costs(locale))),
        ("duration", Chart::Steps(duration(locale))),
        ("own_or_rent", Chart::Lines(own_or_rent(locale))),
        ("tornado", Chart::Tornado(tornado(locale))),
        ("price", Chart::Lines(price(locale))),
        ("utilisation", Chart::Lines(utilisation(locale))),
    ]
}

pub(crate) fn memory(locale: Locale) -> StackChart {
    let part = |en, zh| said(locale, en, zh);
    StackChart {
        locale,
        title: said(locale, "Memory on the fullest card: H20", "最满一张卡的显存：H20"),
        unit: Unit::Gib,
        parts: vec![
            part("weights", "权重"),
            part("KV cache at the peak", "峰值KV缓存"),
            part("activations", "激活值"),
            part("runtime", "运行时"),
        ],
        bars: vec![
            Bar {
                name: part("low end, 2 cards", "低值，2张卡"),
                values: vec![known("32.85"), known("20"), known("5.5"), known("1.1")],
            },
            Bar {
                name: part("high end, 4 cards", "高值，4张卡"),
                values: vec![known("16.43"), known("61.25"), known("5.5"), known("1.1")],
            },
        ],
        limit: Some(Limit { name: part("usable", "可用"), value: known("85.9") }),
    }
}

pub(crate) fn costs(locale: Locale) -> StackChart {
    let part = |en, zh| said(locale, en, zh);
    StackChart {
        locale,
        title: part("Total cost of ownership per month", "每月总拥有成本"),
        unit: Unit::Money(Currency::Cny),
        parts: vec![
            part("rental", "租赁费"),
            part("network egress", "网络流量费"),
            part("storage", "存储费"),
            part("operations labour", "运维人力"),
            part("migration", "迁移成本"),
            part("business loss from failures", "故障业务损失"),
            part("reserve", "预备金"),
        ],
        bars: vec![Bar {
            name: part("per month", "每月"),
            values: vec![
                range("80000", "95000"),
                range("3000", "9000"),
                known("4500"),
                known("12000"),
                known("0"),
                Value::Unknown,
                Value::Unknown,
            ],
        }],
        limit: None,
    }
}

pub(crate) fn duration(locale: Locale) -> StepChart {
    let day = [2, 2, 2, 1, 1, 2, 4, 8, 14, 20, 22, 24, 21, 23, 24, 22, 18, 14, 12, 10, 8, 6, 4, 3];
    let hours = day.iter().map(|cards| (Decimal::from(30), Some(Decimal::from(*cards))));
    StepChart {
        locale,
        title: said(locale, "Load-duration curve", "负载持续曲线"),
        across: Unit::Hours,
        unit: Unit::Cards,
        steps: hours.chain([(Decimal::from(12), None)]).collect(),
        reserved: Some(Decimal::from(12)),
    }
}

pub(crate) fn own_or_rent(locale: Locale) -> LineChart {
    let months = |fixed: i64, low: i64, high: i64| -> Vec<(Decimal, Value)> {
        (0..=36)
            .map(|month| {
                let at = |each: i64| Decimal::from(fixed + each * month);
                (Decimal::from(month), Value::between(at(low), at(high)))
            })
            .collect()
    };
    LineChart {
        locale,
        title: said(locale, "Own, rent or both: cost so far", "自建、租用与混合：累计成本"),
        across: Across::Numbers(Unit::Months),
        unit: Unit::Money(Currency::Cny),
        lines: vec![
            Line {
                name: said(locale, "own", "自建"),
                points: months(5_900_000, 45_000, 45_000),
                joined: true,
            },
            Line {
                name: said(locale, "rent", "租用"),
                points: months(0, 280_000, 340_000),
                joined: true,
            },
            Line {
                name: said(locale, "own the base, rent the peak", "自建基线、租用高峰"),
                points: months(3_000_000, 140_000, 140_000),
                joined: true,
            },
        ],
        crossings: vec![
            Crossing {
                name: said(locale, "own breaks even with rent", "自建与租用持平"),
                at: number("22.3"),
                value: number("6903500"),
            },
            Crossing {
                name: said(locale, "hybrid breaks even with rent", "混合与租用持平"),
                at: number("17.6"),
                value: number("5464000"),
            },
        ],
        against: None,
    }
}

pub(crate) fn tornado(locale: Locale) -> TornadoChart {
    let swing = |en, zh, low: Option<&str>, high: Option<&str>| Swing {
        name: said(locale, en, zh),
        at_low: low.map(number),
        at_high: high.map(number),
    };
    TornadoChart {
        locale,
        title: said(locale, "What moves the net present value most", "净现值敏感性"),
        unit: Unit::Money(Currency::Cny),
        base: number("7152.69"),
        swings: vec![
            swing("discount rate 10–12 %", "折现率10–12%", Some("8099.13"), Some("6557.04")),
            swing("cash flow", "现金流", Some("-3423.67"), Some("15613.76")),
            swing("residual value", "残值", Some("7152.69"), Some("7152.69")),
            swing("price of electricity", "电价", None, None),
        ],
    }
}

pub(crate) fn price(locale: Locale) -> LineChart {
    let at = |date: &str| day(date.parse::<NaiveDate>().unwrap());
    LineChart {
        locale,
        title: said(locale, "H100: price of a card-hour", "H100：每卡时价格"),
        across: Across::Days,
        unit: Unit::MoneyPerCardHour(Currency::Cny),
        lines: vec![
            Line {
                name: said(locale, "on demand", "按需"),
                points: vec![
                    (at("2026-03-01"), known("17.5")),
                    (at("2026-05-20"), known("16.2")),
                    (at("2026-08-02"), range("12.1", "15.4")),
                    (at("2026-11-09"), known("11.8")),
                ],
                joined: false,
            },
            Line {
                name: said(locale, "reserved for a year", "包年"),
                points: vec![(at("2026-09-30"), known("9.4"))],
                joined: false,
            },
        ],
        crossings: Vec::new(),
        against: Some(Limit { name: said(locale, "quoted", "报价"), value: known("10.6") }),
    }
}

pub(crate) fn utilisation(locale: Locale) -> LineChart {
    let first = day(NaiveDate::from_ymd_opt(2026, 1, 1).unwrap());
    let points = (0..120).map(|index| {
        let value = match index {
            40..=52 => Value::Unknown,
            _ => Value::Known(Decimal::from(45 + (index * 17) % 31)),
        };
        (first + Decimal::from(index), value)
    });
    LineChart {
        locale,
        title: said(locale, "Utilisation", "利用率"),
        across: Across::Days,
        unit: Unit::Percent,
        lines: vec![Line {
            name: said(locale, "used", "使用"),
            points: points.collect(),
            joined: true,
        }],
        crossings: Vec::new(),
        against: None,
    }
}
