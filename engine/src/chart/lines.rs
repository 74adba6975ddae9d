//! Lines over numbers or days, with the places where they cross: cumulative cost, a price's course,
//! use over time.
//!
//! The rule: a range is a band from its low to its high end, a point that nobody knows is a gap with
//! a hatched strip, and a line never bridges a gap. Of very many points the extremes of each section
//! are drawn, and the chart says so.

use rust_decimal::Decimal;
use sixgate_workflows::locale::Locale;

use super::{
    Unit, Value,
    axis::Scale,
    canvas::{Anchor, Canvas, EDGE, Place, TEXT_SIZE, WIDTH, width},
    legend::{self, Entry, Sample, mark},
    palette::{AXIS, Fill, LIMIT, LINES, Stroke},
    stack::fitting,
    thinning::thinned,
    words::{filled, paragraph, word},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChart {
    pub locale: Locale,
    pub title: String,
    pub across: Across,
    pub unit: Unit,
    /// Those beyond the sixth are left out, and the chart says so.
    pub lines: Vec<Line>,
    /// At most four are drawn.
    pub crossings: Vec<Crossing>,
    /// A figure that the lines are held against.
    pub against: Option<super::stack::Limit>,
}

/// What the chart runs over from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    Numbers(Unit),
    /// Of the common era, as [`super::axis::day`] counts them.
    Days,
}

/// Places with what is known there.
pub type Points = Vec<(Decimal, Value)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub name: String,
    /// By rising place.
    pub points: Points,
    /// Whether what lies between two points is known to lie between their values.
    pub joined: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub name: String,
    pub at: Decimal,
    pub value: Decimal,
}

const LINES_MAX: usize = LINES.len();
const CROSSINGS_MAX: usize = 4;
const PLOT: f64 = 260.0;
/// Where a plot ends, with room beyond it for half a label.
pub(super) const RIGHT: f64 = WIDTH - EDGE - 26.0;
const MARKERS_MAX: usize = 10;

impl LineChart {
    fn drawn(&self) -> Vec<(&Line, Points, Stroke)> {
        let lines = self.lines.iter().zip(LINES);
        lines.map(|(line, stroke)| (line, thinned(&line.points), stroke)).collect()
    }

    fn place_written(&self, at: Decimal) -> String {
        match self.across {
            Across::Numbers(unit) => unit.figure(at, self.locale),
            Across::Days => super::axis::date_written(at),
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let left_out = self.lines.len().saturating_sub(LINES_MAX);
        if left_out > 0 {
            notes.push(filled("left_out", self.locale, &[("count", &left_out.to_string())]));
        }
        let most = self.lines.iter().map(|line| line.points.len()).max().unwrap_or(0);
        if most > super::thinning::POINTS_MAX {
            let most = super::unit::grouped(most.into());
            notes.push(filled("thinned", self.locale, &[("count", &most)]));
        }
        notes
    }

    fn legend(&self) -> Vec<Entry> {
        let mut entries: Vec<_> = self
            .lines
            .iter()
            .zip(LINES)
            .enumerate()
            .map(|(index, (line, stroke))| Entry {
                sample: Sample::Drawn(stroke, index),
                name: line.name.clone(),
                figure: None,
            })
            .collect();
        let values = || self.lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
        let mut joined = self.lines.iter().filter(|line| line.joined);
        if joined.any(|line| line.points.iter().any(|point| is_range(point.1))) {
            entries.push(Entry {
                sample: Sample::Filled(Fill::Band, None),
                name: word("band", self.locale),
                figure: None,
            });
        }
        if values().any(|value| value == Value::Unknown) {
            entries.push(Entry {
                sample: Sample::Filled(Fill::Unknown, None),
                name: word("unknown", self.locale),
                figure: None,
            });
        }
        if let Some(against) = &self.against {
            let value = self.unit.value(against.value, self.locale);
            entries.push(Entry {
                sample: Sample::Limit,
                name: against.name.clone(),
                figure: Some(value),
            });
        }
        entries
    }

    fn crossings(&self) -> &[Crossing] {
        &self.crossings[..self.crossings.len().min(CROSSINGS_MAX)]
    }
}

pub(super) fn svg(chart: &LineChart) -> String {
    let (drawn, legend, notes) = (chart.drawn(), chart.legend(), chart.notes());
    let top = 58.0 + chart.crossings().len() as f64 * 17.0;
    let bottom = top + PLOT;
    let legend_top = bottom + 44.0;
    let below = legend_top + legend::height(&legend);
    let mut canvas = Canvas::new(below + 12.0 + notes.len() as f64 * 17.0);
    canvas.title(&chart.title);

    let points = || drawn.iter().flat_map(|(_, points, _)| points.iter().copied());
    let values = points().flat_map(|(_, value)| [value.low(), value.high()]).flatten();
    let against = chart.against.as_ref().map(|limit| limit.value);
    let held = against.into_iter().flat_map(|value| [value.low(), value.high()]).flatten();
    let marked = chart.crossings().iter().map(|crossing| crossing.value);
    let upward = Scale::from_zero(values.chain(held.clone()).chain(marked), bottom, top);
    let left = vertical_axis(&mut canvas, &upward, chart.unit, chart.locale, bottom);
    let right = RIGHT;
    let places = points().map(|(at, _)| at).chain(chart.crossings().iter().map(|mark| mark.at));
    let across = Scale::over(places.collect::<Vec<_>>(), left + 8.0, right - 8.0);
    across_axis(&mut canvas, &across, chart.across, chart.locale, (left, right), bottom);

    for (line, points, _) in &drawn {
        if line.joined {
            bands(&mut canvas, points, &across, &upward);
        }
        gaps(&mut canvas, points, &across, (top, bottom));
    }
    for value in held {
        let y = upward.place(value);
        canvas.line((left, y), (right, y), LIMIT);
    }
    for (index, (line, points, stroke)) in drawn.iter().enumerate() {
        draw_line(&mut canvas, line, points, *stroke, index, (&across, &upward));
    }
    crossings(&mut canvas, chart, &across, &upward, bottom);
    if points().next().is_none() {
        let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
        canvas.text(middle, Anchor::Middle, &word("empty", chart.locale), right - left);
    }
    legend::draw(&mut canvas, &legend, legend_top);
    for (row, note) in notes.iter().enumerate() {
        let y = below + 16.0 + row as f64 * 17.0;
        canvas.text((EDGE, y), Anchor::Start, note, WIDTH - 2.0 * EDGE);
    }
    canvas.finish(&chart.title, &told(chart), chart.locale)
}

/// A ring on each crossing and a line up to its label, which has a row of its own and so may lie as
/// far to either side as the page needs.
fn crossings(canvas: &mut Canvas, chart: &LineChart, across: &Scale, upward: &Scale, bottom: f64) {
    let row_at = |row: usize| 56.0 + row as f64 * 17.0;
    for (row, crossing) in chart.crossings().iter().enumerate() {
        let (x, y) = (across.place(crossing.at), upward.place(crossing.value));
        let up = Stroke { dash: "2 3", width: 1.2, ..AXIS };
        canvas.line((x, row_at(row) + 4.0), (x, bottom), up);
        canvas.shape(&ring((x, y)), "#ffffff", LIMIT.colour);
    }
    // Labels last, on plates, for the lines to rows above pass through the rows below.
    for (row, crossing) in chart.crossings().iter().enumerate() {
        let label = crossing_written(chart, crossing);
        let half = (width(&label, TEXT_SIZE) / 2.0).min(WIDTH / 2.0 - EDGE);
        let middle = across.place(crossing.at).clamp(EDGE + half, WIDTH - EDGE - half);
        canvas.plate((middle, row_at(row) - 4.0), 2.0 * half, 15.0);
        canvas.text((middle, row_at(row)), Anchor::Middle, &label, WIDTH - 2.0 * EDGE);
    }
}

fn crossing_written(chart: &LineChart, crossing: &Crossing) -> String {
    let (at, value) =
        (chart.place_written(crossing.at), chart.unit.figure(crossing.value, chart.locale));
    filled("crossing", chart.locale, &[("bar", &crossing.name), ("at", &at), ("amount", &value)])
}

/// An eight-cornered circle.
fn ring((x, y): Place) -> Vec<Place> {
    [
        (5.0, 2.1),
        (2.1, 5.0),
        (-2.1, 5.0),
        (-5.0, 2.1),
        (-5.0, -2.1),
        (-2.1, -5.0),
        (2.1, -5.0),
        (5.0, -2.1),
    ]
    .map(|(dx, dy)| (x + dx, y + dy))
    .to_vec()
}

/// Marks at the left of a plot; answers where the plot begins.
pub(super) fn vertical_axis(
    canvas: &mut Canvas,
    scale: &Scale,
    unit: Unit,
    locale: Locale,
    bottom: f64,
) -> f64 {
    let ticks = scale.numbers(7);
    let widest = ticks.iter().map(|tick| width(&tick.label, TEXT_SIZE)).fold(0.0, f64::max);
    let left = EDGE + widest.min(200.0) + 8.0;
    for tick in &ticks {
        let y = scale.place(tick.at);
        canvas.grid((left, y), (RIGHT, y));
        canvas.mark((left - 6.0, y + 4.2), Anchor::End, &tick.label);
    }
    canvas.text((EDGE, 42.0), Anchor::Start, &unit.heading(locale), 200.0);
    let zero = scale.place(Decimal::ZERO);
    canvas.line((left, zero), (RIGHT, zero), AXIS);
    canvas.line((left, bottom), (left, bottom - PLOT), AXIS);
    left
}

/// Marks beneath a plot.
pub(super) fn across_axis(
    canvas: &mut Canvas,
    scale: &Scale,
    across: Across,
    locale: Locale,
    (left, right): (f64, f64),
    bottom: f64,
) {
    let ticks = fitting(scale, |most| match across {
        Across::Numbers(_) => scale.numbers(most),
        Across::Days => scale.days(most),
    });
    for tick in &ticks {
        let x = scale.place(tick.at);
        canvas.line((x, bottom), (x, bottom + 4.0), AXIS);
        canvas.mark((x, bottom + 17.0), Anchor::Middle, &tick.label);
    }
    let heading = match across {
        Across::Numbers(unit) => unit.heading(locale),
        Across::Days => word("date", locale),
    };
    canvas.text((right, bottom + 34.0), Anchor::End, &heading, right - left);
}

/// Where neighbouring points are both ranges, the strip between their ends.
fn bands(canvas: &mut Canvas, points: &[(Decimal, Value)], across: &Scale, upward: &Scale) {
    for run in points.chunk_by(|one, other| is_range(one.1) == is_range(other.1)) {
        if run.len() < 2 || !is_range(run[0].1) {
            continue;
        }
        let end = |of: fn(Value) -> Option<Decimal>| {
            run.iter()
                .filter_map(move |(at, value)| Some((across.place(*at), upward.place(of(*value)?))))
        };
        let around: Vec<_> =
            end(Value::low).chain(end(Value::high).collect::<Vec<_>>().into_iter().rev()).collect();
        canvas.area(&around, Fill::Band);
    }
}

fn is_range(value: Value) -> bool {
    matches!(value, Value::Range { .. })
}

/// A strip over the whole height from the last known point to the next.
fn gaps(canvas: &mut Canvas, points: &[(Decimal, Value)], across: &Scale, ends: (f64, f64)) {
    let mut before = None;
    let mut rest = points;
    while let Some(first) = rest.iter().position(|(_, value)| *value == Value::Unknown) {
        if let Some(index) = first.checked_sub(1) {
            before = Some(across.place(rest[index].0));
        }
        let unknown =
            rest[first..].iter().take_while(|(_, value)| *value == Value::Unknown).count();
        let after = rest.get(first + unknown).map(|(at, _)| across.place(*at));
        let (from, to) = (across.place(rest[first].0), across.place(rest[first + unknown - 1].0));
        let (from, to) = (before.unwrap_or(from - 4.0), after.unwrap_or(to + 4.0));
        canvas.rect((from, ends.0), (to, ends.1), Fill::Unknown);
        rest = &rest[first + unknown..];
        before = None;
    }
}

fn draw_line(
    canvas: &mut Canvas,
    line: &Line,
    points: &[(Decimal, Value)],
    stroke: Stroke,
    form: usize,
    (across, upward): (&Scale, &Scale),
) {
    for run in points.chunk_by(|one, other| is_known(one.1) == is_known(other.1)) {
        for of in [Value::low, Value::high] {
            let places: Vec<_> = run
                .iter()
                .filter_map(|(at, value)| Some((across.place(*at), upward.place(of(*value)?))))
                .collect();
            let ends_alike = run.iter().all(|(_, value)| !is_range(*value));
            if line.joined && places.len() > 1 {
                canvas.path(&places, stroke);
            }
            if ends_alike {
                break;
            }
        }
    }
    // A marker tells lines apart; on every point of a long line it would hide it.
    let every = if line.joined { points.len().div_ceil(MARKERS_MAX).max(1) } else { 1 };
    for (at, value) in points.iter().step_by(every) {
        let x = across.place(*at);
        let ends = [value.low(), value.high()].map(|end| end.map(|end| upward.place(end)));
        if let [Some(low), Some(high)] = ends {
            if !line.joined {
                canvas.line((x, low), (x, high), Stroke { width: 1.2, dash: "", ..stroke });
            }
            mark(canvas, (x, low), form, stroke.colour);
            if is_range(*value) {
                mark(canvas, (x, high), form, stroke.colour);
            }
        }
    }
}

fn is_known(value: Value) -> bool {
    value != Value::Unknown
}

pub(super) fn told(chart: &LineChart) -> String {
    let locale = chart.locale;
    let mut sentences = vec![filled("told.title", locale, &[("heading", &chart.title)])];
    if chart.lines.iter().all(|line| line.points.is_empty()) {
        sentences.push(word("empty", locale));
    }
    for line in chart.lines.iter().take(LINES_MAX) {
        sentences.push(told_line(chart, line));
    }
    if let Some(against) = &chart.against {
        let value = chart.unit.value(against.value, locale);
        sentences.push(filled("told.limit", locale, &[("bar", &against.name), ("amount", &value)]));
    }
    for crossing in chart.crossings() {
        let written = crossing_written(chart, crossing);
        sentences.push(filled("told.sentence", locale, &[("text", &written)]));
    }
    sentences.extend(chart.notes());
    paragraph(sentences, locale)
}

fn told_line(chart: &LineChart, line: &Line) -> String {
    let locale = chart.locale;
    let known: Vec<_> = line.points.iter().filter(|(_, value)| is_known(*value)).collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return match line.points.is_empty() {
            true => String::new(),
            false => filled("told.line_unknown", locale, &[("bar", &line.name)]),
        };
    };
    let written = |value: Value| chart.unit.value(value, locale);
    let least = known.iter().filter_map(|(_, value)| value.low()).min();
    let most = known.iter().filter_map(|(_, value)| value.high()).max();
    let [least, most] = [least, most].map(|end| written(end.map_or(Value::Unknown, Value::Known)));
    let said = filled(
        "told.line",
        locale,
        &[
            ("bar", &line.name),
            ("from", &chart.place_written(first.0)),
            ("first", &written(first.1)),
            ("to", &chart.place_written(last.0)),
            ("last", &written(last.1)),
            ("least", &least),
            ("most", &most),
        ],
    );
    let unknown = line.points.len() - known.len();
    match unknown {
        0 => said,
        _ => paragraph(
            [said, filled("told.gaps", locale, &[("count", &unknown.to_string())])],
            locale,
        ),
    }
}
