//! What a chart promises, each promise by itself.

use rust_decimal::Decimal;
use sixgate_engine::chart::{
    Chart, LineChart, StepChart, Unit, Value,
    lines::{Across, Line},
    stack::Bar,
};
use sixgate_workflows::locale::Locale;

use crate::{
    page::{self, Page},
    samples::{self, known, number},
};

fn drawn(chart: &Chart) -> Page {
    page::read(&chart.svg()).unwrap()
}

fn line(points: Vec<(Decimal, Value)>) -> LineChart {
    LineChart {
        locale: Locale::En,
        title: "t".to_owned(),
        across: Across::Numbers(Unit::Plain),
        unit: Unit::Plain,
        lines: vec![Line { name: "a".to_owned(), points, joined: true }],
        crossings: Vec::new(),
        against: None,
    }
}

#[test]
fn an_unknown_part_is_a_box_without_scale_and_the_sum_is_at_least() {
    let chart = Chart::Stack(samples::costs(Locale::En));
    let page = drawn(&chart);
    assert!(page.filled("unknown") >= 2, "{:?}", page.fills);
    assert!(page.says("at least CNY 99,500") && page.says("at least CNY 120,500"), "{page:?}");
    assert!(page.says("business loss from failures unknown"));
    assert!(page.says("migration CNY 0"), "an explicit zero is said");
    assert!(chart.told().contains("reserve unknown"));
    assert!(chart.told().contains("together at least CNY 99,500 – 120,500"), "{}", chart.told());
}

#[test]
fn a_range_makes_two_rows_and_none_makes_one() {
    let mut stack = samples::costs(Locale::En);
    let page = drawn(&Chart::Stack(stack.clone()));
    assert!(page.says("per month, low") && page.says("per month, high"));
    for value in &mut stack.bars[0].values {
        *value = known("5");
    }
    let page = drawn(&Chart::Stack(stack));
    assert!(page.says("per month") && !page.says("per month, low"));
}

#[test]
fn more_parts_than_there_are_patterns_are_drawn_as_one() {
    let mut stack = samples::costs(Locale::En);
    stack.parts = (1..=11).map(|part| format!("part {part}")).collect();
    stack.bars = vec![Bar { name: "b".to_owned(), values: vec![known("1"); 11] }];
    let page = drawn(&Chart::Stack(stack));
    assert!(page.says("others together CNY 4") && !page.says("part 8"), "{page:?}");
    assert!(page.says("CNY 11"));
}

#[test]
fn bars_that_are_left_out_are_counted() {
    let mut stack = samples::memory(Locale::En);
    stack.bars = vec![stack.bars[0].clone(); 15];
    let chart = Chart::Stack(stack);
    assert!(drawn(&chart).says("3 more are not drawn."));
    assert!(chart.told().contains("3 more are not drawn."));
}

#[test]
fn the_unknown_is_a_gap_that_no_line_bridges() {
    let values = ["1", "2", "", "4", "5"].into_iter().enumerate();
    let points = values
        .map(|(at, text)| (Decimal::from(at), text.parse().map_or(Value::Unknown, Value::Known)));
    let chart = Chart::Lines(line(points.collect()));
    let svg = chart.svg();
    let page = page::read(&svg).unwrap();
    assert_eq!(page.filled("unknown"), 2, "the strip and its entry in the legend");
    let runs = svg.lines().filter(|line| {
        line.starts_with("<polyline") && line.contains(r##"stroke="#0072b2" stroke-width="2.2""##)
    });
    assert_eq!(runs.count(), 3, "two runs and the legend");
    assert!(chart.told().contains("1 points are unknown."), "{}", chart.told());
}

#[test]
fn one_point_and_none_are_pages_as_well() {
    let one = Chart::Lines(line(vec![(number("3"), known("-2"))]));
    assert!(drawn(&one).says("−2"));
    let none = Chart::Lines(line(Vec::new()));
    assert!(drawn(&none).says("There is nothing to show yet."));
    assert!(none.told().contains("There is nothing to show yet."));
    let unknown = Chart::Lines(line(vec![(number("3"), Value::Unknown)]));
    assert!(unknown.told().contains("a: unknown."), "{}", unknown.told());
}

#[test]
fn a_year_of_hours_is_thinned_and_says_so_and_keeps_its_peak() {
    let points = (0..8_760).map(|hour| {
        (
            Decimal::from(hour),
            Value::Known(Decimal::from(if hour == 4_711 { 900 } else { hour % 24 })),
        )
    });
    let chart = Chart::Lines(line(points.collect()));
    let svg = chart.svg();
    assert!(svg.len() < 40_000, "{} bytes", svg.len());
    assert!(page::read(&svg).unwrap().says("Of 8,760 points"));
    assert!(chart.told().contains("highest 900"));
}

#[test]
fn a_duration_curve_counts_the_hours_above_what_is_reserved() {
    let chart = StepChart {
        steps: vec![
            (number("6"), Some(number("4"))),
            (number("18"), Some(number("10"))),
            (number("72"), Some(number("1"))),
            (number("4"), None),
        ],
        reserved: Some(number("4")),
        ..samples::duration(Locale::En)
    };
    let chart = Chart::Steps(chart);
    let told = chart.told();
    // 18 of the 96 hours whose demand is known; demand equal to the reserve does not exceed it.
    assert!(told.contains("exceeds it for 18.75 % of the time"), "{told}");
    assert!(told.contains("For 4 h the demand is unknown."), "{told}");
    assert!(told.contains("from 10 cards at the peak down to 1 cards"), "{told}");
    assert_eq!(drawn(&chart).filled("unknown"), 2);
}

#[test]
fn a_tornado_stands_in_the_order_of_what_moves_most_with_the_unknown_last() {
    let told = Chart::Tornado(samples::tornado(Locale::En)).told();
    let places: Vec<_> = ["cash flow", "discount rate", "residual value", "electricity: unknown"]
        .map(|name| told.find(name).unwrap_or_else(|| panic!("{name} in {told}")))
        .into();
    assert!(places.is_sorted(), "{told}");
    assert!(told.contains("CNY −3,424 at its low end, CNY 15,614 at its high end"), "{told}");
}

#[test]
fn a_name_is_cut_before_a_number_is() {
    let mut stack = samples::memory(Locale::En);
    stack.bars.truncate(1);
    stack.parts[0] = "a very long name ".repeat(20);
    assert!(drawn(&Chart::Stack(stack)).says("… 32.85 GiB"));
    let mut lines = samples::own_or_rent(Locale::En);
    lines.crossings[0].name = "a very long name ".repeat(20);
    assert!(drawn(&Chart::Lines(lines)).says("22.3 months, CNY 6,903,500: a very long name"));
}

#[test]
fn an_unknown_swing_beside_a_base_at_the_edge_stays_on_the_page() {
    let mut tornado = samples::tornado(Locale::En);
    for base in ["-900000", "900000"] {
        tornado.base = number(base);
        assert!(drawn(&Chart::Tornado(tornado.clone())).says("unknown"));
    }
}

#[test]
fn what_people_wrote_cannot_become_part_of_the_picture() {
    let mut stack = samples::memory(Locale::En);
    stack.title = "</title><script>alert(1)</script>".to_owned();
    stack.bars[0].name = "\" onload=\"x\u{0}]]>".to_owned();
    let page = drawn(&Chart::Stack(stack));
    assert_eq!(page.title, "</title><script>alert(1)</script>");
}

#[test]
fn parts_and_lines_are_told_apart_without_colour() {
    let page = drawn(&Chart::Stack(samples::costs(Locale::ZhCn)));
    for pattern in ["rising", "dots", "falling", "upright", "level"] {
        assert!(page.filled(pattern) > 0, "{pattern}");
    }
    let page = drawn(&Chart::Lines(samples::own_or_rent(Locale::ZhCn)));
    assert!(page.dashes >= 2);
}
