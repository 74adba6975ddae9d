//! Stacked bars: the parts of a whole, beside what there is room for.
//!
//! The rule: where a part is a range, the bar is drawn twice, once with every part at its low end and
//! once with every part at its high end. An unknown part is a box at the end that has no scale, and
//! the sum is then "at least".

use rust_decimal::Decimal;
use sixgate_workflows::locale::Locale;

use super::{
    Unit, Value,
    axis::{Scale, Tick},
    canvas::{Anchor, Canvas, EDGE, TEXT_SIZE, WIDTH, width},
    legend::{self, Entry, Sample, badge},
    palette::{AXIS, Fill, LIMIT, PARTS},
    words::{filled, listed, paragraph, word},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackChart {
    pub locale: Locale,
    pub title: String,
    pub unit: Unit,
    /// What the bars are made of, in the order in which they are stacked. Those beyond the eighth
    /// are drawn as one.
    pub parts: Vec<String>,
    /// Those beyond the twelfth are left out, and the chart says so.
    pub bars: Vec<Bar>,
    /// What the bars must stay below.
    pub limit: Option<Limit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    pub name: String,
    /// One for each part; a missing one is unknown.
    pub values: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    pub name: String,
    pub value: Value,
}

const BARS_MAX: usize = 12;
const ROW: f64 = 30.0;
const THICK: f64 = 22.0;
const NAMES_MAX: f64 = 170.0;
const UNKNOWN_BOX: f64 = 20.0;

/// A bar as it is drawn: at one end of all its parts.
struct Row {
    name: String,
    values: Vec<Option<Decimal>>,
}

impl Row {
    fn sum(&self) -> Decimal {
        self.values.iter().flatten().fold(Decimal::ZERO, |sum, value| sum.saturating_add(*value))
    }

    /// Where the bar ends on either side of zero.
    fn reach(&self) -> [Decimal; 2] {
        let mut reach = [Decimal::ZERO; 2];
        for value in self.values.iter().flatten() {
            let side = usize::from(value.is_sign_positive());
            reach[side] = reach[side].saturating_add(*value);
        }
        reach
    }

    fn has_unknown(&self) -> bool {
        self.values.iter().any(Option::is_none)
    }

    fn total(&self, chart: &StackChart) -> String {
        let sum = chart.unit.figure(self.sum(), chart.locale);
        match (self.has_unknown(), self.values.iter().any(Option::is_some)) {
            (true, false) => word("unknown", chart.locale),
            (true, true) => filled("at_least", chart.locale, &[("amount", &sum)]),
            (false, _) => sum,
        }
    }
}

impl StackChart {
    /// The parts that have a fill of their own, and the rest as one.
    fn drawn_parts(&self) -> Vec<String> {
        let mut parts = self.parts.clone();
        if parts.len() > PARTS.len() {
            parts.truncate(PARTS.len() - 1);
            parts.push(word("rest", self.locale));
        }
        parts
    }

    /// A bar's values by the parts that are drawn.
    fn drawn_values(&self, bar: &Bar) -> Vec<Value> {
        let value = |index| bar.values.get(index).copied().unwrap_or(Value::Unknown);
        let mut values: Vec<Value> = (0..self.parts.len()).map(value).collect();
        if values.len() > PARTS.len() {
            let rest = values.split_off(PARTS.len() - 1);
            values.push(rest.into_iter().reduce(plus).unwrap_or(Value::Unknown));
        }
        values
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for bar in self.bars.iter().take(BARS_MAX) {
            let values = self.drawn_values(bar);
            let row = |end: Option<&str>, of: fn(Value) -> Option<Decimal>| Row {
                name: match end {
                    Some(end) => filled(end, self.locale, &[("bar", &bar.name)]),
                    None => bar.name.clone(),
                },
                values: values.iter().map(|value| of(*value)).collect(),
            };
            if values.iter().any(|value| value.low() != value.high()) {
                rows.push(row(Some("at_the_low_end"), Value::low));
                rows.push(row(Some("at_the_high_end"), Value::high));
            } else {
                rows.push(row(None, Value::low));
            }
        }
        rows
    }

    fn legend(&self) -> Vec<Entry> {
        let only = match self.bars.as_slice() {
            [bar] => Some(self.drawn_values(bar)),
            _ => None,
        };
        let part = |(index, name): (usize, String)| Entry {
            sample: Sample::Filled(PARTS[index], Some(index + 1)),
            name,
            figure: only
                .as_ref()
                .and_then(|values| values.get(index))
                .map(|value| self.unit.value(*value, self.locale)),
        };
        let mut entries: Vec<_> = self.drawn_parts().into_iter().enumerate().map(part).collect();
        if self.rows().iter().any(Row::has_unknown) {
            entries.push(Entry {
                sample: Sample::Filled(Fill::Unknown, None),
                name: word("unknown_no_scale", self.locale),
                figure: None,
            });
        }
        if let Some(limit) = &self.limit {
            let value = self.unit.value(limit.value, self.locale);
            entries.push(Entry {
                sample: Sample::Limit,
                name: limit.name.clone(),
                figure: Some(value),
            });
        }
        entries
    }
}

fn plus(one: Value, other: Value) -> Value {
    match (one.low().zip(one.high()), other.low().zip(other.high())) {
        (Some((low, high)), Some((more, most))) => {
            Value::between(low.saturating_add(more), high.saturating_add(most))
        }
        (None, _) | (_, None) => Value::Unknown,
    }
}

pub(super) fn svg(chart: &StackChart) -> String {
    let (rows, legend) = (chart.rows(), chart.legend());
    let (parts_top, has_unknown) = (46.0, rows.iter().any(Row::has_unknown));
    let bottom = parts_top + rows.len().max(1) as f64 * ROW + 4.0;
    let left_out = chart.bars.len().saturating_sub(BARS_MAX);
    let legend_top = bottom + 44.0;
    let below = legend_top + legend::height(&legend);
    let height = below + if left_out > 0 { 28.0 } else { 12.0 };
    let mut canvas = Canvas::new(height);
    canvas.title(&chart.title);

    let names = rows.iter().map(|row| width(&row.name, TEXT_SIZE)).fold(0.0, f64::max);
    let totals: Vec<String> = rows.iter().map(|row| row.total(chart)).collect();
    let room = totals.iter().map(|total| width(total, TEXT_SIZE)).fold(0.0, f64::max).min(260.0);
    let left = EDGE + names.min(NAMES_MAX) + 10.0;
    let right = WIDTH - EDGE - room - 12.0;
    let boxes = if has_unknown { UNKNOWN_BOX + 6.0 } else { 0.0 };
    let limit = chart.limit.as_ref().map(|limit| limit.value);
    let limits = limit.into_iter().flat_map(|limit| [limit.low(), limit.high()]).flatten();
    let values = rows.iter().flat_map(Row::reach).chain(limits.clone());
    let scale = Scale::from_zero(values, left, right - boxes);

    horizontal_axis(
        &mut canvas,
        &scale,
        chart.unit,
        chart.locale,
        (left, right),
        (parts_top, bottom),
    );
    for (index, (row, total)) in rows.iter().zip(&totals).enumerate() {
        let middle = parts_top + index as f64 * ROW + ROW / 2.0;
        canvas.text((left - 8.0, middle + 4.2), Anchor::End, &row.name, NAMES_MAX);
        draw_row(&mut canvas, row, &scale, middle);
        canvas.text((WIDTH - EDGE, middle + 4.2), Anchor::End, total, room);
    }
    if rows.is_empty() {
        let middle = ((left + right) / 2.0, (parts_top + bottom) / 2.0 + 4.0);
        canvas.text(middle, Anchor::Middle, &word("empty", chart.locale), right - left);
    }
    let top = parts_top - 6.0;
    match limit {
        Some(Value::Range { low, high }) => {
            for end in [low, high] {
                let x = scale.place(end);
                canvas.line((x, top), (x, bottom), LIMIT);
            }
        }
        Some(Value::Known(known)) => {
            let x = scale.place(known);
            canvas.line((x, top), (x, bottom), LIMIT);
        }
        Some(Value::Unknown) | None => {}
    }
    legend::draw(&mut canvas, &legend, legend_top);
    if left_out > 0 {
        let note = filled("left_out", chart.locale, &[("count", &left_out.to_string())]);
        canvas.text((EDGE, below + 16.0), Anchor::Start, &note, WIDTH - 2.0 * EDGE);
    }
    canvas.finish(&chart.title, &told(chart), chart.locale)
}

fn draw_row(canvas: &mut Canvas, row: &Row, scale: &Scale, middle: f64) {
    let (top, bottom) = (middle - THICK / 2.0, middle + THICK / 2.0);
    let mut ends = [Decimal::ZERO; 2];
    for (index, (value, fill)) in row.values.iter().zip(PARTS).enumerate() {
        let Some(value) = value.filter(|value| !value.is_zero()) else { continue };
        let end = &mut ends[usize::from(value.is_sign_positive())];
        let from = scale.place(*end);
        *end = end.saturating_add(value);
        let to = scale.place(*end);
        canvas.rect((from, top), (to, bottom), fill);
        if (to - from).abs() >= 17.0 {
            badge(canvas, ((from + to) / 2.0, middle), index + 1);
        }
    }
    if row.has_unknown() {
        let from = scale.place(ends[1]) + 3.0;
        canvas.rect((from, top), (from + UNKNOWN_BOX, bottom), Fill::Unknown);
        canvas.plate((from + UNKNOWN_BOX / 2.0, middle), 11.0, 13.0);
        canvas.text((from + UNKNOWN_BOX / 2.0, middle + 4.2), Anchor::Middle, "?", UNKNOWN_BOX);
    }
}

/// Marks beneath a plot whose values run from left to right.
pub(super) fn horizontal_axis(
    canvas: &mut Canvas,
    scale: &Scale,
    unit: Unit,
    locale: Locale,
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
) {
    let ticks = fitting(scale, |most| scale.numbers(most));
    for tick in &ticks {
        let x = scale.place(tick.at);
        canvas.grid((x, top), (x, bottom));
        canvas.mark((x, bottom + 16.0), Anchor::Middle, &tick.label);
    }
    canvas.line((left, bottom), (right, bottom), AXIS);
    let heading = unit.heading(locale);
    canvas.text(((left + right) / 2.0, bottom + 34.0), Anchor::Middle, &heading, right - left);
}

/// As many marks as have room for their labels side by side.
pub(super) fn fitting(scale: &Scale, ticks: impl Fn(usize) -> Vec<Tick>) -> Vec<Tick> {
    let apart = |pair: &[Tick]| {
        let wide = pair.iter().map(|tick| width(&tick.label, TEXT_SIZE)).sum::<f64>() / 2.0;
        (scale.place(pair[1].at) - scale.place(pair[0].at)).abs() >= wide + 10.0
    };
    let tried = (1..=8).rev().map(ticks);
    tried.into_iter().find(|found| found.windows(2).all(apart)).unwrap_or_default()
}

pub(super) fn told(chart: &StackChart) -> String {
    let locale = chart.locale;
    let mut sentences = vec![filled("told.title", locale, &[("heading", &chart.title)])];
    if chart.bars.is_empty() {
        sentences.push(word("empty", locale));
    }
    for bar in chart.bars.iter().take(BARS_MAX) {
        let values = chart.drawn_values(bar);
        let parts = chart.drawn_parts().into_iter().zip(&values);
        let parts =
            parts.map(|(name, value)| format!("{name} {}", chart.unit.value(*value, locale)));
        let sum = told_sum(chart, &values);
        let parts = listed(parts, locale);
        sentences.push(filled(
            "told.bar",
            locale,
            &[("bar", &bar.name), ("parts", &parts), ("sum", &sum)],
        ));
    }
    if let Some(limit) = &chart.limit {
        let value = chart.unit.value(limit.value, locale);
        sentences.push(filled("told.limit", locale, &[("bar", &limit.name), ("amount", &value)]));
    }
    let left_out = chart.bars.len().saturating_sub(BARS_MAX);
    if left_out > 0 {
        sentences.push(filled("left_out", locale, &[("count", &left_out.to_string())]));
    }
    paragraph(sentences, locale)
}

/// With an unknown part, what the others come to, as the least that it can be.
fn told_sum(chart: &StackChart, values: &[Value]) -> String {
    let known: Vec<_> = values.iter().copied().filter(|value| *value != Value::Unknown).collect();
    let Some(sum) = known.iter().copied().reduce(plus) else {
        return word("unknown", chart.locale);
    };
    let written = chart.unit.value(sum, chart.locale);
    match known.len() == values.len() {
        true => written,
        false => filled("at_least", chart.locale, &[("amount", &written)]),
    }
}
