//! The series of the answer, put together by card.
//!
//! A card in several series counts once: a new pod makes a new series for the same card.
//! A value outside 0 to 100 is a blank of the vendor or a spike, and becomes no reading.

use crate::document::Warnings;
use crate::json::Scalar;
use crate::{Refused, Warning};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, HashMap};

const METRIC: &str = "DCGM_FI_DEV_GPU_UTIL";
/// A share from 0 to 1, which some exporters have instead.
const SHARE_METRIC: &str = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";
const CARDS_MAX: usize = 100_000;

/// Points by time in milliseconds; `None` is a point without a reading.
pub(super) type Points = BTreeMap<i64, Option<f64>>;

pub(super) struct Collected {
    pub(super) cards: BTreeMap<String, Points>,
    pub(super) series: u32,
}

#[derive(Deserialize)]
pub(super) struct Answer {
    status: Option<String>,
    data: Option<Data>,
    #[serde(rename = "errorType")]
    error_type: Option<String>,
    error: Option<String>,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default)]
    infos: Vec<String>,
}

#[derive(Deserialize)]
struct Data {
    #[serde(rename = "resultType", default)]
    result_type: String,
    #[serde(default)]
    result: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    #[serde(default)]
    metric: HashMap<String, String>,
    #[serde(default)]
    values: Vec<Point>,
}

/// `[unix seconds, "text"]`; the text is missing where the file was cut.
struct Point {
    seconds: Option<f64>,
    text: Option<String>,
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut parts = <Vec<Scalar>>::deserialize(deserializer)?.into_iter();
        let seconds = parts.next().and_then(|part| part.number());
        let text = parts.next().and_then(|part| part.text().map(str::to_owned));
        Ok(Self { seconds, text })
    }
}

impl Answer {
    pub(super) fn points(&self) -> usize {
        let series = self.data.as_ref().map_or(&[][..], |data| &data.result);
        series.iter().map(|one| one.values.len()).sum()
    }
}

pub(super) fn collect(answer: Answer, warnings: &mut Warnings) -> Result<Collected, Refused> {
    if answer.status.as_deref() == Some("error") || answer.error_type.is_some() {
        let kind = answer.error_type.unwrap_or_default();
        let said = answer.error.unwrap_or_default().chars().take(200).collect::<String>();
        return Err(Refused::new(
            "prometheus_error",
            format!("Prometheus answered with an error: {kind} {said}"),
            "repeat the query until it succeeds",
        ));
    }
    for said in answer.warnings.into_iter().chain(answer.infos) {
        warnings
            .push(Warning::new("prometheus_warning", said.chars().take(200).collect::<String>()));
    }
    let data = answer.data.unwrap_or(Data { result_type: String::new(), result: Vec::new() });
    if data.result_type != "matrix" {
        let said = format!("the result is a {:?}, not a matrix over time", data.result_type);
        return Err(Refused::new(
            "no_matrix",
            said,
            "use query_range with a start, an end and a step",
        )
        .in_field("data.resultType"));
    }
    let mut collected = Collected { cards: BTreeMap::new(), series: 0 };
    let mut other_metrics = 0;
    let is_share = |series: &Series| named(series) == Some(SHARE_METRIC);
    let only_shares = data.result.iter().any(is_share)
        && !data.result.iter().any(|series| matches!(named(series), None | Some(METRIC)));
    for series in data.result {
        match named(&series) {
            Some(METRIC) => {}
            Some(SHARE_METRIC) if only_shares => {}
            Some(_) => {
                other_metrics += 1;
                continue;
            }
            None => warnings.once(Warning::new(
                "no_metric_name",
                format!("a series does not name its metric; it is taken for {METRIC}"),
            )),
        }
        let percent = if only_shares { 100.0 } else { 1.0 };
        add(&mut collected, &series, percent, warnings);
    }
    if other_metrics > 0 {
        if collected.series == 0 {
            let said = format!("no series is {METRIC}");
            return Err(
                Refused::new("other_metric", said, format!("query {METRIC}")).in_field("__name__")
            );
        }
        let said = format!("{other_metrics} series of other metrics were not read");
        warnings.push(Warning::new("other_metric", said));
    }
    Ok(collected)
}

fn named(series: &Series) -> Option<&str> {
    series.metric.get("__name__").map(String::as_str)
}

/// `percent`: what a value is multiplied by to be in percent.
fn add(collected: &mut Collected, series: &Series, percent: f64, warnings: &mut Warnings) {
    let labels = &series.metric;
    collected.series = collected.series.saturating_add(1);
    if series.values.is_empty() {
        return;
    }
    if collected.cards.len() >= CARDS_MAX {
        warnings.once(Warning::new("too_many_cards", format!("more than {CARDS_MAX} cards")));
        return;
    }
    let is_slice = labels.get("GPU_I_ID").is_some_and(|id| !id.is_empty());
    if is_slice {
        let said = "a card is divided (MIG); its utilisation is not measured and reads 0";
        warnings.once(Warning::new("mig", said));
    }
    let points = collected.cards.entry(card_key(labels)).or_default();
    for point in &series.values {
        let Some(at) = point.seconds.and_then(milliseconds) else {
            warnings.push(Warning::new("bad_time", "a point has no readable time"));
            continue;
        };
        let text = point.text.as_deref().filter(|_| !is_slice);
        let reading = text.and_then(|text| utilisation(text, percent, warnings));
        let known = points.entry(at).or_insert(None);
        // Where two series of a card overlap, the busier one is the running workload.
        *known = match (*known, reading) {
            (Some(known), Some(reading)) => Some(known.max(reading)),
            (known, reading) => known.or(reading),
        };
    }
}

fn utilisation(text: &str, factor: f64, warnings: &mut Warnings) -> Option<f64> {
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    let percent = number * factor;
    if (0.0..=100.0).contains(&percent) {
        return Some(percent);
    }
    warnings.push(Warning::new("impossible_value", format!("{text} is no utilisation in percent")));
    None
}

fn card_key(labels: &HashMap<String, String>) -> String {
    let label = |name: &str| labels.get(name).map(String::as_str).filter(|value| !value.is_empty());
    if let Some(uuid) = label("UUID").or_else(|| label("uuid")) {
        return uuid.to_owned();
    }
    let host =
        label("Hostname").or_else(|| label("hostname")).or_else(|| label("instance")).unwrap_or("");
    let card = label("gpu").or_else(|| label("device")).unwrap_or("");
    format!("{host}/{card}")
}

fn milliseconds(seconds: f64) -> Option<i64> {
    if !(0.0..253_000_000_000.0).contains(&seconds) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked above")]
    let millis = (seconds * 1000.0).round() as i64;
    Some(millis)
}
