//! Reads a chart as a stranger would and says what is wrong with it.

use quick_xml::{Reader, XmlVersion, events::Event};

/// What may stand in a chart: nothing that runs, fetches or refers to something outside.
const ELEMENTS: [&str; 11] =
    ["svg", "title", "desc", "defs", "pattern", "rect", "path", "polyline", "polygon", "text", "g"];

#[derive(Debug, Clone)]
pub(crate) struct Label {
    pub(crate) text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) labels: Vec<Label>,
    pub(crate) title: String,
    pub(crate) described: String,
    /// How many elements refer to each pattern.
    pub(crate) fills: Vec<String>,
    pub(crate) dashes: usize,
}

impl Page {
    pub(crate) fn says(&self, words: &str) -> bool {
        self.labels.iter().any(|label| label.text.contains(words))
    }

    pub(crate) fn filled(&self, pattern: &str) -> usize {
        let wanted = format!("url(#sixgate-{pattern})");
        self.fills.iter().filter(|fill| **fill == wanted).count()
    }
}

/// The page, or the first thing that is wrong with it.
pub(crate) fn read(svg: &str) -> Result<Page, String> {
    let mut reader = Reader::from_str(svg);
    reader.config_mut().check_end_names = true;
    let (mut page, mut size, mut open) = (Page::default(), (0.0, 0.0), Vec::new());
    let mut text_at = None;
    let mut defined = Vec::new();
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let (start, ends) = match event {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Text(text) => {
                let text = text.xml10_content().into_owned();
                content(&mut page, open.last(), &mut text_at, &text);
                continue;
            }
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content();
                let text = referred(&name)?;
                content(&mut page, open.last(), &mut text_at, text);
                continue;
            }
            Event::Eof => break,
            Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => return Err("something that has no place in a chart".to_owned()),
        };
        let name = start.name().as_ref().to_owned();
        if !ELEMENTS.contains(&name.as_str()) {
            return Err(format!("the element {name}"));
        }
        let found = attributes(&start)?;
        let in_pattern = open.iter().any(|name| name == "pattern");
        if name == "svg" {
            let numbers = numbers(&found["viewBox"])?;
            size = (numbers[2], numbers[3]);
            if !(100.0..2_000.0).contains(&size.0) || !(40.0..2_000.0).contains(&size.1) {
                return Err(format!("the size {size:?}"));
            }
        } else if !in_pattern && name != "pattern" {
            within(&name, &found, size)?;
        }
        if let Some(fill) = found.get("fill").filter(|fill| fill.starts_with("url")) {
            page.fills.push(fill.clone());
        }
        if name == "pattern" {
            defined.push(format!("url(#{})", found["id"]));
        }
        page.dashes += usize::from(found.contains_key("stroke-dasharray"));
        if name == "text" {
            text_at = Some(label(&found)?);
        }
        if !ends {
            open.push(name);
        }
    }
    if !open.is_empty() {
        return Err(format!("{open:?} is not closed"));
    }
    if let Some(fill) = page.fills.iter().find(|fill| !defined.contains(fill)) {
        return Err(format!("{fill} is not defined"));
    }
    labels_apart(&page.labels, size)?;
    Ok(page)
}

/// Those of an element, none of which may run or fetch anything.
fn attributes(
    start: &quick_xml::events::BytesStart<'_>,
) -> Result<std::collections::BTreeMap<String, String>, String> {
    let mut found = std::collections::BTreeMap::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key = attribute.key.as_ref().to_owned();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned();
        if key.starts_with("on") || key.contains("href") || key == "style" {
            return Err(format!("the attribute {key}"));
        }
        let outside = value.contains("://") && key != "xmlns";
        if outside || value.contains("NaN") || value.contains("inf") {
            return Err(format!("{key}=\"{value}\""));
        }
        found.insert(key, value);
    }
    Ok(found)
}

fn referred(name: &str) -> Result<&'static str, String> {
    match name {
        "amp" => Ok("&"),
        "lt" => Ok("<"),
        "gt" => Ok(">"),
        "quot" => Ok("\""),
        "#39" => Ok("'"),
        other => Err(format!("the reference {other}")),
    }
}

fn content(page: &mut Page, inside: Option<&String>, label: &mut Option<Label>, text: &str) {
    match (inside.map(String::as_str), label) {
        (Some("title"), _) => page.title.push_str(text),
        (Some("desc"), _) => page.described.push_str(text),
        (Some("text"), Some(label)) => {
            if label.text.is_empty() {
                page.labels.push(label.clone());
            }
            label.text.push_str(text);
            *page.labels.last_mut().unwrap() = placed(label.clone());
        }
        _ => {}
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    text.split([' ', ','])
        .map(|part| part.parse().map_err(|_| format!("{part:?} is no number")))
        .collect()
}

fn within(
    name: &str,
    found: &std::collections::BTreeMap<String, String>,
    (width, height): (f64, f64),
) -> Result<(), String> {
    let number = |key: &str| numbers(found.get(key).map_or("0", String::as_str)).map(|n| n[0]);
    let places: Vec<(f64, f64)> = match name {
        "rect" => {
            let (x, y, wide, high) =
                (number("x")?, number("y")?, number("width")?, number("height")?);
            if wide < 0.0 || high < 0.0 {
                return Err("a negative size".to_owned());
            }
            vec![(x, y), (x + wide, y + high)]
        }
        "polyline" | "polygon" => {
            numbers(&found["points"])?.chunks(2).map(|place| (place[0], place[1])).collect()
        }
        "text" => vec![(number("x")?, number("y")?)],
        _ => Vec::new(),
    };
    let outside = |(x, y): &(f64, f64)| {
        !(-0.05..=width + 0.15).contains(x) || !(-0.05..=height + 0.15).contains(y)
    };
    match places.iter().find(|place| outside(place)) {
        Some(place) => Err(format!("{name} at {place:?} lies outside {width} × {height}")),
        None => Ok(()),
    }
}

fn label(found: &std::collections::BTreeMap<String, String>) -> Result<Label, String> {
    let number = |key: &str| numbers(&found[key]).map(|numbers| numbers[0]);
    let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
    // Until the content is known, `left` says which end the place is, `right` the size.
    let anchor = match found["text-anchor"].as_str() {
        "start" => 0.0,
        "middle" => 0.5,
        _ => 1.0,
    };
    Ok(Label { text: String::new(), left: x, right: size, top: y, bottom: anchor })
}

/// The box that the text takes: half an em for a Latin letter, a whole one for a Chinese one.
fn placed(raw: Label) -> Label {
    let (x, size, y, anchor) = (raw.left, raw.right, raw.top, raw.bottom);
    let ems: f64 = raw.text.chars().map(|c| if c >= '\u{2e80}' { 1.0 } else { 0.52 }).sum();
    let left = x - anchor * ems * size;
    Label {
        text: raw.text,
        left,
        right: left + ems * size,
        top: y - 0.75 * size,
        bottom: y + 0.15 * size,
    }
}

fn labels_apart(labels: &[Label], (width, height): (f64, f64)) -> Result<(), String> {
    for (index, one) in labels.iter().enumerate() {
        if one.left < -0.5 || one.right > width + 0.5 || one.top < 0.0 || one.bottom > height {
            return Err(format!("{one:?} leaves the page"));
        }
        for other in &labels[index + 1..] {
            let beside = one.right <= other.left || other.right <= one.left;
            let below = one.bottom <= other.top || other.bottom <= one.top;
            if !beside && !below {
                return Err(format!("{:?} lies on {:?}", one, other));
            }
        }
    }
    Ok(())
}
