//! What moves a result most: one bar for each input, from the result at its low end to that at its
//! high end, all others held.
//!
//! The rule: bars are ordered by their length, the longest first, those that nobody could work out
//! last. Which end of the input makes which end of the result is told by the pattern.

use rust_decimal::Decimal;
use sixgate_workflows::locale::Locale;

use super::{
    Unit,
    axis::Scale,
    canvas::{Anchor, Canvas, EDGE, TEXT_SIZE, WIDTH, width},
    legend::{self, Entry, Sample},
    palette::{Fill, LIMIT},
    stack::horizontal_axis,
    words::{filled, paragraph, word},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornadoChart {
    pub locale: Locale,
    pub title: String,
    pub unit: Unit,
    /// The result with every input where it is expected.
    pub base: Decimal,
    /// In any order; the twelve longest are drawn, and the chart says that more are not.
    pub swings: Vec<Swing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swing {
    /// The input, with its two ends if they are of interest.
    pub name: String,
    /// The result with the input at its low end; `None` when it cannot be told.
    pub at_low: Option<Decimal>,
    pub at_high: Option<Decimal>,
}

const SWINGS_MAX: usize = 12;
const TOP: f64 = 46.0;
const ROW: f64 = 30.0;
const THICK: f64 = 20.0;
const NAMES_MAX: f64 = 210.0;

impl Swing {
    fn ends(&self) -> Option<(Decimal, Decimal)> {
        self.at_low.zip(self.at_high)
    }

    fn length(&self) -> Option<Decimal> {
        let (low, high) = self.ends()?;
        Some(high.saturating_sub(low).abs())
    }
}

impl TornadoChart {
    fn sorted(&self) -> Vec<&Swing> {
        let mut swings: Vec<_> = self.swings.iter().collect();
        swings.sort_by_key(|swing| std::cmp::Reverse(swing.length()));
        swings.truncate(SWINGS_MAX);
        swings
    }

    fn left_out(&self) -> Option<String> {
        let count = self.swings.len().checked_sub(SWINGS_MAX).filter(|count| *count > 0)?;
        Some(filled("left_out", self.locale, &[("count", &count.to_string())]))
    }

    fn legend(&self) -> Vec<Entry> {
        let base = self.unit.figure(self.base, self.locale);
        vec![
            Entry {
                sample: Sample::Filled(Fill::Plain, None),
                name: word("input_low", self.locale),
                figure: None,
            },
            Entry {
                sample: Sample::Filled(Fill::Rising, None),
                name: word("input_high", self.locale),
                figure: None,
            },
            Entry { sample: Sample::Limit, name: word("base", self.locale), figure: Some(base) },
        ]
    }
}

pub(super) fn svg(chart: &TornadoChart) -> String {
    let (swings, legend, note) = (chart.sorted(), chart.legend(), chart.left_out());
    let bottom = TOP + swings.len().max(1) as f64 * ROW + 4.0;
    let legend_top = bottom + 44.0;
    let below = legend_top + legend::height(&legend);
    let mut canvas = Canvas::new(below + if note.is_some() { 28.0 } else { 12.0 });
    canvas.title(&chart.title);
    let names = swings.iter().map(|swing| width(&swing.name, TEXT_SIZE)).fold(0.0, f64::max);
    let written = |value: Decimal| super::unit::number(value);
    let ends = || swings.iter().filter_map(|swing| swing.ends());
    let room = ends()
        .flat_map(|(low, high)| [low, high])
        .map(|end| width(&written(end), TEXT_SIZE))
        .fold(0.0, f64::max)
        .min(120.0)
        + 6.0;
    let left = EDGE + names.min(NAMES_MAX) + 10.0;
    let right = WIDTH - EDGE;
    // No bar begins at zero, so the scale is that of the results alone.
    let values = ends().flat_map(|(low, high)| [low, high]).chain([chart.base]);
    let scale = Scale::over(values.collect::<Vec<_>>(), left + room, right - room);
    horizontal_axis(&mut canvas, &scale, chart.unit, chart.locale, (left, right), (TOP, bottom));
    let base = scale.place(chart.base);
    canvas.line((base, TOP - 6.0), (base, bottom), LIMIT);
    for (index, swing) in swings.iter().enumerate() {
        let middle = TOP + index as f64 * ROW + ROW / 2.0;
        let (top, foot) = (middle - THICK / 2.0, middle + THICK / 2.0);
        canvas.text((left - 8.0, middle + 4.2), Anchor::End, &swing.name, NAMES_MAX);
        let Some((at_low, at_high)) = swing.ends() else {
            let unknown = word("unknown", chart.locale);
            let half = width(&unknown, TEXT_SIZE) / 2.0 + 8.0;
            let at = base.clamp(left + half, right - half);
            canvas.rect((at - half, top), (at + half, foot), Fill::Unknown);
            canvas.plate((at, middle), 2.0 * half - 12.0, 14.0);
            canvas.text((at, middle + 4.2), Anchor::Middle, &unknown, 2.0 * half);
            continue;
        };
        let (low, high) = (scale.place(at_low), scale.place(at_high));
        // The longer one first, lest it hide the other where both lie on one side.
        let mut halves = [(low, Fill::Plain), (high, Fill::Rising)];
        halves.sort_by(|one, other| (other.0 - base).abs().total_cmp(&(one.0 - base).abs()));
        for (end, fill) in halves {
            canvas.rect((base, top), (end, foot), fill);
        }
        let (least, most) = (at_low.min(at_high), at_low.max(at_high));
        let from = low.min(high).min(base) - 4.0;
        let to = low.max(high).max(base) + 4.0;
        canvas.text((from, middle + 4.2), Anchor::End, &written(least), room);
        canvas.text((to, middle + 4.2), Anchor::Start, &written(most), room);
    }
    if swings.is_empty() {
        let middle = ((left + right) / 2.0, (TOP + bottom) / 2.0 + 4.0);
        canvas.text(middle, Anchor::Middle, &word("empty", chart.locale), right - left);
    }
    legend::draw(&mut canvas, &legend, legend_top);
    if let Some(note) = note {
        canvas.text((EDGE, below + 16.0), Anchor::Start, &note, WIDTH - 2.0 * EDGE);
    }
    canvas.finish(&chart.title, &told(chart), chart.locale)
}

pub(super) fn told(chart: &TornadoChart) -> String {
    let locale = chart.locale;
    let figure = |value| chart.unit.figure(value, locale);
    let mut sentences = vec![
        filled("told.title", locale, &[("heading", &chart.title)]),
        filled("told.base", locale, &[("amount", &figure(chart.base))]),
    ];
    if chart.swings.is_empty() {
        sentences.push(word("empty", locale));
    }
    sentences.extend(chart.sorted().into_iter().map(|swing| match swing.ends() {
        Some((low, high)) => filled(
            "told.swing",
            locale,
            &[("bar", &swing.name), ("first", &figure(low)), ("last", &figure(high))],
        ),
        None => filled("told.line_unknown", locale, &[("bar", &swing.name)]),
    }));
    sentences.extend(chart.left_out());
    paragraph(sentences, locale)
}
