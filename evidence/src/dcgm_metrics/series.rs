//! One line of the Prometheus text: name, labels, value, maybe a time.
//!
//! The blanks of DCGM – no value, not found, not supported, no permission – are no value.
//! Labels other than those that name a card are not kept.

use super::DcgmGpu;
use std::collections::BTreeMap;

pub(super) struct Series<'a> {
    pub(super) name: &'a str,
    labels: Vec<(&'a str, String)>,
    pub(super) value: Option<f64>,
}

const LABELS_MAX: usize = 64;

impl<'a> Series<'a> {
    /// `None` where the line is cut.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let end = line.find(['{', ' ', '\t'])?;
        let (name, rest) = line.split_at(end);
        let (labels, rest) = match rest.strip_prefix('{') {
            Some(inside) => labels(inside)?,
            None => (Vec::new(), rest),
        };
        let word = rest.split_whitespace().next()?;
        let value: f64 = word.parse().ok()?;
        Some(Self { name, labels, value: Some(value).filter(|value| is_reading(*value)) })
    }

    pub(super) fn label(&self, name: &str) -> Option<&str> {
        let found = self.labels.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(found.1.as_str())
    }

    fn host(&self) -> Option<&str> {
        self.label("hostname")
    }

    pub(super) fn card_key(&self) -> String {
        match self.label("uuid") {
            Some(uuid) if !uuid.is_empty() => uuid.to_owned(),
            _ => format!("{}/{}", self.host().unwrap_or(""), self.label("gpu").unwrap_or("")),
        }
    }

    pub(super) fn card(&self) -> DcgmGpu {
        let text = |name: &str| self.label(name).filter(|text| !text.is_empty()).map(str::to_owned);
        DcgmGpu {
            gpu: text("gpu"),
            uuid: text("uuid"),
            model: text("modelName"),
            host: self.host().map(str::to_owned),
            metrics: BTreeMap::new(),
            xid_last: None,
        }
    }
}

/// Labels up to the closing brace, and what follows it.
fn labels(mut text: &str) -> Option<(Vec<(&str, String)>, &str)> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start_matches([',', ' ']);
        if let Some(rest) = text.strip_prefix('}') {
            return Some((found, rest));
        }
        let (name, rest) = text.split_once("=\"")?;
        let mut value = String::new();
        let mut characters = rest.char_indices();
        let end = loop {
            match characters.next()? {
                (at, '"') => break at,
                (_, '\\') => match characters.next()?.1 {
                    'n' => value.push('\n'),
                    other => value.push(other),
                },
                (_, other) => value.push(other),
            }
        };
        if found.len() < LABELS_MAX {
            found.push((name.trim(), value));
        }
        text = &rest[end + 1..];
    }
}

/// Blanks of 64-bit and 32-bit whole numbers and of floats, each in four kinds.
fn is_reading(value: f64) -> bool {
    const BLANK_INT64: f64 = 9_223_372_036_854_775_000.0;
    const BLANK_INT32: f64 = 2_147_483_632.0;
    const BLANK_FP64: f64 = 140_737_488_355_328.0;
    let is_blank = |first: f64| (0.0..=3.0).contains(&(value - first));
    value.is_finite() && value < BLANK_INT64 && !is_blank(BLANK_INT32) && !is_blank(BLANK_FP64)
}
