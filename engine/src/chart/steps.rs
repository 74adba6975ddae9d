//! Demand by duration: for how many hours at least so much is wanted, beside what is reserved.
//!
//! The rule: hours stand from the highest demand to the lowest. What lies under the curve and below
//! the reserved line is reserved and used, what lies above it is to be rented on demand, and what
//! lies between the curve and the line is paid for and idle. Hours of unknown demand stand at the end,
//! hatched.

use rust_decimal::Decimal;
use sixgate_workflows::locale::Locale;

use super::{
    Unit,
    axis::Scale,
    canvas::{Anchor, Canvas, Place},
    legend::{self, Entry, Sample},
    lines::{Across, RIGHT, across_axis, vertical_axis},
    palette::{AXIS, Fill, LIMIT, Stroke},
    unit::number,
    words::{filled, paragraph, word},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepChart {
    pub locale: Locale,
    pub title: String,
    pub across: Unit,
    pub unit: Unit,
    /// Durations with their demand, in any order; `None` where it is unknown.
    pub steps: Vec<(Decimal, Option<Decimal>)>,
    pub reserved: Option<Decimal>,
}

const TOP: f64 = 58.0;
const BOTTOM: f64 = TOP + 260.0;
/// A step is wider than a third of a pixel, or it is joined to its neighbours' extremes.
const STEPS_MAX: usize = 1_200;

struct Sorted {
    /// Until when, and how much, from the highest demand to the lowest.
    steps: Vec<(Decimal, Decimal)>,
    known: Decimal,
    whole: Decimal,
}

impl StepChart {
    fn sorted(&self) -> Sorted {
        let lasting = self.steps.iter().filter(|(hours, _)| *hours > Decimal::ZERO);
        let mut found: Vec<_> =
            lasting.clone().filter_map(|(hours, demand)| Some((*hours, (*demand)?))).collect();
        found.sort_by_key(|step| std::cmp::Reverse(step.1));
        let mut until = Decimal::ZERO;
        let mut steps: Vec<(Decimal, Decimal)> = Vec::new();
        for (hours, demand) in found {
            until = until.saturating_add(hours);
            match steps.last_mut() {
                Some(last) if last.1 == demand => last.0 = until,
                Some(_) | None => steps.push((until, demand)),
            }
        }
        let whole = lasting.fold(Decimal::ZERO, |sum, (hours, _)| sum.saturating_add(*hours));
        Sorted { steps, known: until, whole }
    }

    fn legend(&self, sorted: &Sorted) -> Vec<Entry> {
        let filled_with = |fill, key| Entry {
            sample: Sample::Filled(fill, None),
            name: word(key, self.locale),
            figure: None,
        };
        let mut entries = Vec::new();
        match self.reserved {
            Some(reserved) => {
                entries.push(Entry {
                    sample: Sample::Limit,
                    name: word("reserved", self.locale),
                    figure: Some(self.unit.figure(reserved, self.locale)),
                });
                entries.push(filled_with(Fill::Plain, "reserved_and_used"));
                entries.push(filled_with(Fill::Rising, "on_demand"));
                entries.push(filled_with(Fill::Dots, "reserved_and_idle"));
            }
            None => entries.push(filled_with(Fill::Plain, "demand")),
        }
        if sorted.known < sorted.whole {
            entries.push(filled_with(Fill::Unknown, "unknown"));
        }
        entries
    }
}

pub(super) fn svg(chart: &StepChart) -> String {
    let sorted = chart.sorted();
    let legend = chart.legend(&sorted);
    let legend_top = BOTTOM + 44.0;
    let mut canvas = Canvas::new(legend_top + legend::height(&legend) + 12.0);
    canvas.title(&chart.title);
    let values = sorted.steps.iter().map(|step| step.1).chain(chart.reserved);
    let upward = Scale::from_zero(values, BOTTOM, TOP);
    let left = vertical_axis(&mut canvas, &upward, chart.unit, chart.locale, BOTTOM);
    let right = RIGHT;
    let across = Scale::over([Decimal::ZERO, sorted.whole], left, right);
    across_axis(
        &mut canvas,
        &across,
        Across::Numbers(chart.across),
        chart.locale,
        (left, right),
        BOTTOM,
    );

    let curve = outline(&sorted.steps, &across, &upward);
    let ground = upward.place(Decimal::ZERO);
    fill(&mut canvas, &curve, ground, chart.reserved.map(|reserved| upward.place(reserved)));
    if sorted.known < sorted.whole && sorted.whole > Decimal::ZERO {
        let from = across.place(sorted.known);
        canvas.rect((from, TOP), (right, BOTTOM), Fill::Unknown);
    }
    if !curve.is_empty() {
        canvas.path(&curve, Stroke { width: 1.8, ..AXIS });
    }
    if let Some(reserved) = chart.reserved {
        let y = upward.place(reserved);
        canvas.line((left, y), (right, y), LIMIT);
    }
    if sorted.whole.is_zero() {
        let middle = ((left + right) / 2.0, (TOP + BOTTOM) / 2.0);
        canvas.text(middle, Anchor::Middle, &word("empty", chart.locale), right - left);
    }
    legend::draw(&mut canvas, &legend, legend_top);
    canvas.finish(&chart.title, &told(chart), chart.locale)
}

/// The corners of the curve; of very many steps every so many, which a falling curve cannot hide a
/// peak between.
fn outline(steps: &[(Decimal, Decimal)], across: &Scale, upward: &Scale) -> Vec<Place> {
    let every = steps.len().div_ceil(STEPS_MAX).max(1);
    let last = steps.len().saturating_sub(1);
    let mut corners = Vec::new();
    let mut from = across.place(Decimal::ZERO);
    for (index, (until, demand)) in steps.iter().enumerate() {
        if index % every != 0 && index != last {
            continue;
        }
        let (to, y) = (across.place(*until), upward.place(*demand));
        corners.extend([(from, y), (to, y)]);
        from = to;
    }
    corners
}

fn fill(canvas: &mut Canvas, curve: &[Place], ground: f64, reserved: Option<f64>) {
    let (Some(first), Some(last)) = (curve.first(), curve.last()) else { return };
    let Some(reserved) = reserved else {
        let mut under = curve.to_vec();
        under.extend([(last.0, ground), (first.0, ground)]);
        canvas.area(&under, Fill::Plain);
        return;
    };
    // Places run downwards: the smaller is the higher.
    let closed = |inside: fn(f64, f64) -> f64, to: f64| {
        let mut around: Vec<_> = curve.iter().map(|(x, y)| (*x, inside(*y, reserved))).collect();
        around.extend([(last.0, to), (first.0, to)]);
        around
    };
    canvas.area(&closed(f64::max, reserved), Fill::Dots);
    canvas.area(&closed(f64::max, ground), Fill::Plain);
    canvas.area(&closed(f64::min, reserved), Fill::Rising);
}

pub(super) fn told(chart: &StepChart) -> String {
    let locale = chart.locale;
    let sorted = chart.sorted();
    let mut sentences = vec![filled("told.title", locale, &[("heading", &chart.title)])];
    match (sorted.steps.first(), sorted.steps.last()) {
        (Some(peak), Some(least)) => sentences.push(filled(
            "told.steps",
            locale,
            &[
                ("most", &chart.unit.figure(peak.1, locale)),
                ("least", &chart.unit.figure(least.1, locale)),
                ("hours", &chart.across.figure(sorted.known, locale)),
            ],
        )),
        (None, _) | (_, None) => sentences.push(word(
            if sorted.whole.is_zero() { "empty" } else { "told.steps_unknown" },
            locale,
        )),
    }
    if let Some(reserved) = chart.reserved {
        let above = sorted.steps.iter().filter(|step| step.1 > reserved).map(|step| step.0).max();
        let share = above
            .unwrap_or_default()
            .checked_mul(Decimal::ONE_HUNDRED)
            .and_then(|part| part.checked_div(sorted.known))
            .map_or_else(|| word("unknown", locale), |share| format!("{} %", number(share)));
        sentences.push(filled(
            "told.reserved",
            locale,
            &[("amount", &chart.unit.figure(reserved, locale)), ("share", &share)],
        ));
    }
    if sorted.known < sorted.whole {
        let unknown = chart.across.figure(sorted.whole.saturating_sub(sorted.known), locale);
        sentences.push(filled("told.unknown_for", locale, &[("hours", &unknown)]));
    }
    paragraph(sentences, locale)
}
