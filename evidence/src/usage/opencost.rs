//! Answers of `OpenCost` about allocations and assets.
//!
//! Its card-hours are those requested or provided, not those used; idle in its sense is what nobody requested, and is
//! named beside the facts, since a card at rest in somebody's hands is something else.
//! Its costs are not read: they have no currency.

use super::Usage;
use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Moment, Refused, Warning, json};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Answer {
    code: Option<i64>,
    #[serde(default)]
    message: Option<String>,
    data: Value,
}

#[derive(Default)]
struct Counted {
    items: u32,
    provided: Option<f64>,
    held: Option<f64>,
    used: f64,
    used_is_known: bool,
    not_requested: f64,
    nodes_cards: f64,
    start: Option<Moment>,
    end: Option<Moment>,
}

const ITEMS_MAX: u32 = 1_000_000;

pub(super) fn is_answer(text: &Text) -> bool {
    let content = text.content();
    let names_cards = ["\"GPUHours\"", "\"gpuHours\""].iter().any(|name| content.contains(name));
    names_cards && content.contains("\"minutes\"") && content.contains("\"window\"")
}

pub(super) fn read(text: &Text) -> Result<Document, Refused> {
    let looked_for = "an answer of OpenCost about allocations or assets";
    let mut answers: Vec<(bool, Answer)> = json::objects(text.content())
        .into_iter()
        .filter_map(|object| Some((object.cut, serde_json::from_str(&object.json).ok()?)))
        .collect();
    let mut warnings = Warnings::default();
    if answers.len() > 1 {
        let said = "the file has several answers; the first whole one is given";
        warnings.push(Warning::new("several_documents", said));
        answers.sort_by_key(|(cut, _)| *cut);
    }
    let Some((cut, answer)) = answers.into_iter().next() else {
        return Err(Refused::not_this_kind(Kind::Usage, looked_for));
    };
    if answer.code.is_some_and(|code| !(200..300).contains(&code)) {
        let said = answer.message.unwrap_or_default().chars().take(200).collect::<String>();
        let what = format!("OpenCost answered with an error: {said}");
        return Err(Refused::new("opencost_error", what, "repeat the query until it succeeds"));
    }
    let mut counted = Counted { used_is_known: true, ..Counted::default() };
    counted.walk(&answer.data, &mut warnings, 0);
    let facts = counted
        .finish(&mut warnings)
        .ok_or_else(|| Refused::not_this_kind(Kind::Usage, looked_for))?;
    let incomplete_because = cut.then(|| "the JSON object is cut".to_owned());
    Ok(Document::new(
        Kind::Usage,
        Facts::Usage(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

impl Counted {
    /// Answers are a table of items by name, or a list of such tables, one for each step of the window.
    fn walk(&mut self, data: &Value, warnings: &mut Warnings, depth: u8) {
        if depth > 3 || self.items >= ITEMS_MAX {
            return;
        }
        match data {
            Value::Array(list) => {
                list.iter().for_each(|inner| self.walk(inner, warnings, depth + 1))
            }
            Value::Object(object) if is_item(object) => self.add(object, warnings),
            Value::Object(object) => {
                object.values().for_each(|inner| self.walk(inner, warnings, depth + 1))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn add(&mut self, item: &Map<String, Value>, warnings: &mut Warnings) {
        self.items += 1;
        self.widen(item, warnings);
        let number = |name: &str| item.get(name)?.as_f64().filter(|number| number.is_finite());
        if let Some(hours) = number("GPUHours") {
            *self.provided.get_or_insert(0.0) += hours;
            self.nodes_cards += number("gpuCount").unwrap_or(0.0);
        }
        let Some(hours) = number("gpuHours") else { return };
        if hours < 0.0 {
            warnings.push(Warning::new("impossible_value", "an item has less than no card-hours"));
        }
        let name = item.get("name").and_then(Value::as_str).unwrap_or("");
        if name.contains("__idle__") {
            self.not_requested += hours;
            return;
        }
        *self.held.get_or_insert(0.0) += hours;
        if hours > 0.0 {
            // Cards busy on the average, while the item ran.
            let busy = number("gpuUsageAverage").zip(number("minutes"));
            match busy {
                Some((cards, minutes)) => self.used += cards * minutes / 60.0,
                None => self.used_is_known = false,
            }
        }
    }

    fn widen(&mut self, item: &Map<String, Value>, warnings: &mut Warnings) {
        let Some(window) = item.get("window").and_then(Value::as_object) else { return };
        let mut time = |name: &str| {
            let moment = Moment::parse(window.get(name)?.as_str()?);
            if moment.is_none() {
                warnings.push(Warning::new("bad_time", "a window has no readable time"));
            }
            moment
        };
        if let Some(start) = time("start")
            && self.start.is_none_or(|known| start.clock() < known.clock())
        {
            self.start = Some(start);
        }
        if let Some(end) = time("end")
            && self.end.is_none_or(|known| end.clock() > known.clock())
        {
            self.end = Some(end);
        }
    }

    /// `None` when there was no item at all.
    fn finish(self, warnings: &mut Warnings) -> Option<Usage> {
        let source = match (self.held, self.provided) {
            (Some(_), _) => "opencost-allocation",
            (None, Some(_)) => "opencost-assets",
            (None, None) => return None,
        };
        if self.not_requested != 0.0 {
            let said = format!("{} card-hours were requested by nobody", self.not_requested);
            warnings.push(Warning::new("not_requested", said));
        }
        let has_use = self.held.is_some_and(|hours| hours > 0.0) && self.used_is_known;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bounded above"
        )]
        let cards = self.provided.map(|_| self.nodes_cards.round().clamp(0.0, 1e9) as u32);
        Some(Usage {
            window_start: self.start,
            window_end: self.end,
            allocated_card_hours: self.held.or(self.provided),
            used_card_hours: has_use.then_some(self.used),
            cards,
            series: self.items,
            ..Usage::of(source)
        })
    }
}

fn is_item(object: &Map<String, Value>) -> bool {
    object.contains_key("minutes") && object.contains_key("window")
}
