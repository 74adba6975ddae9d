//! Reads a Prometheus `query_range` answer about the utilisation that DCGM measures into card-hours.
//!
//! Convention: a point stands for the step that follows it, so the window ends one step after the last point, and a
//! card without a point for a step is unknown in that step, never idle.
//! Telemetry does not know what was allocated, and nothing is clipped to a calendar here.

mod card_hours;
mod series;

use crate::document::Warnings;
use crate::json;
use crate::text::Text;
use crate::{Document, Facts, Kind, Moment, Refused, Usage, Warning};

pub(super) fn is_answer(text: &Text) -> bool {
    let content = text.content();
    content.contains("\"resultType\"") || content.contains("\"errorType\"")
}

pub(super) fn read(text: &Text) -> Result<Document, Refused> {
    let objects = json::objects(text.content());
    let answers: Vec<(bool, series::Answer)> = objects
        .iter()
        .filter_map(|object| Some((object.cut, serde_json::from_str(&object.json).ok()?)))
        .collect();
    let several = answers.len() > 1;
    let Some((cut, answer)) =
        answers.into_iter().max_by_key(|(cut, answer)| (!cut, answer.points()))
    else {
        return Err(Refused::not_this_kind(Kind::Usage, "a query_range answer of Prometheus"));
    };
    let mut warnings = Warnings::default();
    if several {
        let said = "the file has several answers; the one with the most points is given";
        warnings.push(Warning::new("several_documents", said));
    }
    let collected = series::collect(answer, &mut warnings)?;
    let facts = facts(&collected, &mut warnings);
    let incomplete_because = if cut {
        Some("the JSON object is cut".to_owned())
    } else if facts.used_card_hours.is_none() {
        Some("there are too few points to tell the time between two of them".to_owned())
    } else {
        None
    };
    Ok(Document::new(
        Kind::Usage,
        Facts::Usage(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

fn facts(collected: &series::Collected, warnings: &mut Warnings) -> Usage {
    let hours = card_hours::count(&collected.cards);
    if collected.cards.is_empty() {
        warnings.push(Warning::new("no_series", "the answer has no series with points"));
    } else if hours.is_none() {
        warnings
            .push(Warning::new("no_step", "no card has two points, so a point stands for no time"));
    }
    let start = collected
        .cards
        .values()
        .filter_map(|points| points.first_key_value())
        .map(|(at, _)| *at)
        .min();
    let moment = |millis: i64| Moment::from_unix_seconds(millis as f64 / 1000.0);
    Usage {
        window_start: hours.as_ref().map(|hours| hours.start_ms).or(start).and_then(moment),
        window_end: hours.as_ref().and_then(|hours| moment(hours.end_ms)),
        step_s: hours.as_ref().map(|hours| hours.step_ms as f64 / 1000.0),
        used_card_hours: hours.as_ref().map(|hours| hours.used),
        busy_card_hours: hours.as_ref().map(|hours| hours.busy),
        idle_card_hours: hours.as_ref().map(|hours| hours.idle),
        unknown_card_hours: hours.as_ref().map(|hours| hours.unknown),
        cards: u32::try_from(collected.cards.len()).ok(),
        series: collected.series,
        ..Usage::of("prometheus-dcgm")
    }
}
