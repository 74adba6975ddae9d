//! Writes SVG elements: places within the page, texts escaped and cut to their room.

use std::{collections::BTreeSet, fmt::Write};

use sixgate_workflows::locale::Locale;

use super::palette::{Fill, INK, PALE, Stroke};
use crate::xml::escaped;

/// Of all texts but the title.
pub(super) const TEXT_SIZE: f64 = 12.0;
pub(super) const TITLE_SIZE: f64 = 15.0;
/// Of every chart; a reader scales it.
pub(super) const WIDTH: f64 = 720.0;
/// Free at the edges.
pub(super) const EDGE: f64 = 14.0;

pub(super) type Place = (f64, f64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) struct Canvas {
    height: f64,
    body: String,
    fills: BTreeSet<Fill>,
}

impl Canvas {
    pub(super) fn new(height: f64) -> Self {
        Self { height, body: String::new(), fills: BTreeSet::new() }
    }

    /// Tenths of a pixel, within the page whatever comes in.
    fn within(&self, (x, y): Place) -> Place {
        let tenths = |value: f64, most: f64| (value.clamp(0.0, most) * 10.0).round() / 10.0 + 0.0;
        (tenths(x, WIDTH), tenths(y, self.height))
    }

    fn write(&mut self, element: std::fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("a string takes whatever is written to it");
        self.body.push('\n');
    }

    /// Between two opposite corners.
    pub(super) fn rect(&mut self, one: Place, other: Place, fill: Fill) {
        let ((x1, y1), (x2, y2)) = (self.within(one), self.within(other));
        let (x, y, width, height) = (x1.min(x2), y1.min(y2), (x2 - x1).abs(), (y2 - y1).abs());
        self.fills.insert(fill);
        let paint = fill.paint();
        self.write(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width:.1}" height="{height:.1}" fill="{paint}" stroke="{INK}" stroke-width="0.8"/>"#
        ));
    }

    /// White, to read a text on.
    pub(super) fn plate(&mut self, middle: Place, width: f64, height: f64) {
        let (x, y) = self.within((middle.0 - width / 2.0, middle.1 - height / 2.0));
        let (right, foot) = self.within((middle.0 + width / 2.0, middle.1 + height / 2.0));
        let (width, height) = (right - x, foot - y);
        self.write(format_args!(
            r##"<rect x="{x}" y="{y}" width="{width:.1}" height="{height:.1}" rx="2" fill="#ffffff"/>"##
        ));
    }

    pub(super) fn line(&mut self, from: Place, to: Place, stroke: Stroke) {
        self.path(&[from, to], stroke);
    }

    pub(super) fn path(&mut self, places: &[Place], stroke: Stroke) {
        let points = self.points(places);
        let (colour, width, dash) = (stroke.colour, stroke.width, stroke.dash);
        let dash = match dash {
            "" => String::new(),
            dash => format!(r#" stroke-dasharray="{dash}""#),
        };
        self.write(format_args!(
            r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>"#
        ));
    }

    /// A closed figure, without an edge.
    pub(super) fn area(&mut self, places: &[Place], fill: Fill) {
        let points = self.points(places);
        self.fills.insert(fill);
        let paint = fill.paint();
        self.write(format_args!(r#"<polygon points="{points}" fill="{paint}"/>"#));
    }

    /// A closed figure of one colour, such as a marker.
    pub(super) fn shape(&mut self, places: &[Place], inside: &str, edge: &str) {
        let points = self.points(places);
        self.write(format_args!(
            r#"<polygon points="{points}" fill="{inside}" stroke="{edge}" stroke-width="1.2"/>"#
        ));
    }

    pub(super) fn grid(&mut self, from: Place, to: Place) {
        self.line(from, to, Stroke { colour: PALE, width: 1.0, dash: "" });
    }

    fn points(&self, places: &[Place]) -> String {
        let mut points = String::with_capacity(places.len() * 12);
        for place in places {
            let (x, y) = self.within(*place);
            if !points.is_empty() {
                points.push(' ');
            }
            let _ = write!(points, "{x},{y}");
        }
        points
    }

    /// Cut to its room and to the page, with an ellipsis where something is left out.
    pub(super) fn text(&mut self, at: Place, anchor: Anchor, text: &str, room: f64) {
        self.sized(at, anchor, text, room, TEXT_SIZE);
    }

    /// A number beside an axis, which is left out rather than cut: half a number is another one.
    pub(super) fn mark(&mut self, at: Place, anchor: Anchor, text: &str) {
        let wide = width(text, TEXT_SIZE);
        let fits = match anchor {
            Anchor::Start => at.0 + wide <= WIDTH,
            Anchor::Middle => at.0 - wide / 2.0 >= 0.0 && at.0 + wide / 2.0 <= WIDTH,
            Anchor::End => at.0 >= wide,
        };
        if fits {
            self.text(at, anchor, text, wide);
        }
    }

    pub(super) fn title(&mut self, text: &str) {
        self.sized((EDGE, 24.0), Anchor::Start, text, WIDTH - 2.0 * EDGE, TITLE_SIZE);
    }

    fn sized(&mut self, at: Place, anchor: Anchor, text: &str, room: f64, size: f64) {
        let (x, y) = self.within(at);
        let to_edge = match anchor {
            Anchor::Start => WIDTH - x,
            Anchor::Middle => 2.0 * x.min(WIDTH - x),
            Anchor::End => x,
        };
        let text = escaped(&cut(text, room.min(to_edge), size));
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if size > TEXT_SIZE { r#" font-weight="bold""# } else { "" };
        self.write(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{weight}>{text}</text>"#
        ));
    }

    /// The whole picture; its title and what it tells are read out by screen readers.
    pub(super) fn finish(self, title: &str, told: &str, locale: Locale) -> String {
        let patterns: String = self.fills.iter().filter_map(|fill| fill.definition()).collect();
        let defs = match patterns.is_empty() {
            true => String::new(),
            false => format!("<defs>\n{patterns}</defs>\n"),
        };
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" "#,
                r#"xml:lang="{lang}" font-family="{fonts}" fill="{ink}">"#,
                "\n<title>{title}</title>\n<desc>{told}</desc>\n{defs}",
                r##"<rect x="0" y="0" width="{width}" height="{height}" fill="#ffffff"/>"##,
                "\n{body}</svg>\n"
            ),
            width = WIDTH,
            height = self.height,
            lang = locale.tag(),
            fonts = FONTS,
            ink = INK,
            title = escaped(title),
            told = escaped(told),
            defs = defs,
            body = self.body,
        )
    }
}

/// Latin letters from the first, Chinese ones from whichever of the others a machine has.
const FONTS: &str = "Arial, Helvetica, 'Liberation Sans', 'PingFang SC', 'Microsoft YaHei', \
                     'Noto Sans CJK SC', 'Source Han Sans SC', 'WenQuanYi Micro Hei', sans-serif";

/// How wide a text is at most, whatever of the fonts is there.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|character| ems(character) * size).sum()
}

fn ems(character: char) -> f64 {
    match character {
        '\u{2e80}'.. => 1.0,
        'M' | 'W' | 'm' | 'w' | '%' | '@' | '—' | '…' => 0.95,
        'A'..='Z' | '&' => 0.75,
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
        '\u{21}'..='\u{7e}' => 0.6,
        _ => 0.75,
    }
}

pub(super) fn cut(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut taken = ems('…') * size;
    let kept = text.chars().take_while(|character| {
        taken += ems(*character) * size;
        taken <= room
    });
    let mut kept: String = kept.collect();
    if !kept.is_empty() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_to_its_room_and_says_so() {
        assert_eq!(cut("short", 100.0, 12.0), "short");
        let cut_short = cut(&"长".repeat(50), 100.0, 12.0);
        assert!(cut_short.ends_with('…') && width(&cut_short, 12.0) <= 100.0);
        assert_eq!(cut("anything", 3.0, 12.0), "");
    }
}
