//! Whatever comes in, what comes out is a page.

use proptest::{collection::vec, option, prelude::*};
use rust_decimal::Decimal;
use sixgate_engine::chart::{
    Chart, LineChart, StackChart, StepChart, TornadoChart, Unit, Value,
    lines::{Across, Crossing, Line},
    stack::{Bar, Limit},
    tornado::Swing,
};
use sixgate_workflows::{locale::Locale, money::Currency};

use crate::page;

fn figure() -> impl Strategy<Value = Decimal> {
    prop_oneof![
        6 => (-2_000_000_i64..20_000_000, 0_u32..4).prop_map(|(digits, places)| Decimal::new(digits, places)),
        1 => Just(Decimal::ZERO),
        1 => Just(Decimal::MAX),
        1 => Just(Decimal::MIN),
        1 => Just(Decimal::new(1, 28)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => figure().prop_map(Value::Known),
        1 => (figure(), figure()).prop_map(|(one, other)| Value::between(one, other)),
        1 => Just(Value::Unknown),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z ]{0,30}", "[一-龥]{0,80}", any::<String>()]
}

fn unit() -> impl Strategy<Value = Unit> {
    prop::sample::select(vec![
        Unit::Gib,
        Unit::Money(Currency::Cny),
        Unit::MoneyPerCardHour(Currency::Usd),
        Unit::Cards,
        Unit::Percent,
        Unit::Plain,
    ])
}

fn locale() -> impl Strategy<Value = Locale> {
    prop::sample::select(Locale::ALL.to_vec())
}

fn limit() -> impl Strategy<Value = Option<Limit>> {
    option::of((words(), value()).prop_map(|(name, value)| Limit { name, value }))
}

fn stack() -> impl Strategy<Value = Chart> {
    let bar = (words(), vec(value(), 0..12)).prop_map(|(name, values)| Bar { name, values });
    (locale(), words(), unit(), vec(words(), 0..12), vec(bar, 0..15), limit()).prop_map(
        |(locale, title, unit, parts, bars, limit)| {
            Chart::Stack(StackChart { locale, title, unit, parts, bars, limit })
        },
    )
}

fn lines() -> impl Strategy<Value = Chart> {
    let points = vec((figure(), value()), 0..60).prop_map(|mut points| {
        points.sort_by_key(|point| point.0);
        points
    });
    let line = (words(), points, any::<bool>()).prop_map(|(name, points, joined)| Line {
        name,
        points,
        joined,
    });
    let crossing =
        (words(), figure(), figure()).prop_map(|(name, at, value)| Crossing { name, at, value });
    let across = prop_oneof![unit().prop_map(Across::Numbers), Just(Across::Days)];
    (locale(), words(), across, unit(), vec(line, 0..8), vec(crossing, 0..6), limit()).prop_map(
        |(locale, title, across, unit, lines, crossings, against)| {
            Chart::Lines(LineChart { locale, title, across, unit, lines, crossings, against })
        },
    )
}

fn steps() -> impl Strategy<Value = Chart> {
    let steps = vec((figure(), option::of(figure())), 0..40);
    (locale(), words(), unit(), unit(), steps, option::of(figure())).prop_map(
        |(locale, title, across, unit, steps, reserved)| {
            Chart::Steps(StepChart { locale, title, across, unit, steps, reserved })
        },
    )
}

fn tornado() -> impl Strategy<Value = Chart> {
    let swing = (words(), option::of(figure()), option::of(figure()))
        .prop_map(|(name, at_low, at_high)| Swing { name, at_low, at_high });
    (locale(), words(), unit(), figure(), vec(swing, 0..16)).prop_map(
        |(locale, title, unit, base, swings)| {
            Chart::Tornado(TornadoChart { locale, title, unit, base, swings })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_chart_is_well_formed_inside_its_page_and_legible(
        chart in prop_oneof![stack(), lines(), steps(), tornado()],
    ) {
        let svg = chart.svg();
        let page = page::read(&svg);
        prop_assert!(page.is_ok(), "{:?} in\n{svg}", page.err());
        prop_assert!(!chart.told().is_empty());
        prop_assert!(svg.len() < 400_000, "{} bytes", svg.len());
        prop_assert_eq!(svg, chart.svg());
    }
}
