//! What each fill and each line means, in rows beneath a chart.

use super::{
    canvas::{Anchor, Canvas, EDGE, TEXT_SIZE, WIDTH, cut, width},
    palette::{Fill, LIMIT, Stroke},
};

const SAMPLE: f64 = 26.0;
const GAP: f64 = 18.0;
const ROW: f64 = 20.0;
/// Of one entry that has a row to itself.
const ROOM: f64 = WIDTH - 2.0 * EDGE - SAMPLE - 6.0;

pub(super) enum Sample {
    /// Filled, with the number that it has in the chart.
    Filled(Fill, Option<usize>),
    Drawn(Stroke, usize),
    Limit,
}

pub(super) struct Entry {
    pub(super) sample: Sample,
    pub(super) name: String,
    /// What it comes to, which is never cut: half a number is another one.
    pub(super) figure: Option<String>,
}

impl Entry {
    fn text(&self, room: f64) -> String {
        match &self.figure {
            None => cut(&self.name, room, TEXT_SIZE),
            Some(figure) => {
                let name = cut(&self.name, room - width(figure, TEXT_SIZE) - 5.0, TEXT_SIZE);
                format!("{name} {figure}").trim_start().to_owned()
            }
        }
    }
}

/// Each entry's left edge and row.
fn placed(entries: &[Entry]) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (EDGE, 0);
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        let wide = SAMPLE + 6.0 + width(&entry.text(ROOM), TEXT_SIZE);
        if x > EDGE && x + wide > WIDTH - EDGE {
            (x, row) = (EDGE, row + 1);
        }
        places.push((x, row));
        x += wide + GAP;
    }
    places
}

pub(super) fn height(entries: &[Entry]) -> f64 {
    placed(entries).last().map_or(0.0, |(_, row)| (*row as f64 + 1.0) * ROW)
}

pub(super) fn draw(canvas: &mut Canvas, entries: &[Entry], top: f64) {
    for (entry, (x, row)) in entries.iter().zip(placed(entries)) {
        let middle = top + row as f64 * ROW + ROW / 2.0;
        match entry.sample {
            Sample::Filled(fill, number) => {
                canvas.rect((x, middle - 7.0), (x + SAMPLE, middle + 7.0), fill);
                if let Some(number) = number {
                    badge(canvas, (x + SAMPLE / 2.0, middle), number);
                }
            }
            Sample::Drawn(stroke, marker) => {
                canvas.line((x, middle), (x + SAMPLE, middle), stroke);
                mark(canvas, (x + SAMPLE / 2.0, middle), marker, stroke.colour);
            }
            Sample::Limit => canvas.line((x, middle), (x + SAMPLE, middle), LIMIT),
        }
        let text = x + SAMPLE + 6.0;
        canvas.text((text, middle + 4.2), Anchor::Start, &entry.text(ROOM), WIDTH - EDGE - text);
    }
}

/// The number of a part, legible on any pattern.
pub(super) fn badge(canvas: &mut Canvas, (x, y): (f64, f64), number: usize) {
    let text = number.to_string();
    canvas.plate((x, y), width(&text, TEXT_SIZE) + 4.0, 13.0);
    canvas.text((x, y + 4.2), Anchor::Middle, &text, SAMPLE);
}

/// A marker whose form alone tells the line that it lies on.
pub(super) fn mark(canvas: &mut Canvas, (x, y): (f64, f64), form: usize, colour: &str) {
    let corners: &[(f64, f64)] = match form % 4 {
        0 => &[(-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)],
        1 => &[(0.0, -4.4), (4.2, 3.2), (-4.2, 3.2)],
        2 => &[(0.0, -4.6), (4.6, 0.0), (0.0, 4.6), (-4.6, 0.0)],
        _ => &[(-4.2, -3.2), (4.2, -3.2), (0.0, 4.4)],
    };
    let places: Vec<_> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    let inside = if form < 4 { "#ffffff" } else { colour };
    canvas.shape(&places, inside, colour);
}
