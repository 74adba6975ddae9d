//! Reads the JSON of iperf3 (`-J`, `--json-stream`), also with text after it or when it is printed twice.
//!
//! Only what a side could measure is a reading: the zero that a side writes for the other is none.
//! A test that could not connect has an error and no figures. Whether it ran long enough is not judged.

use crate::document::Warnings;
use crate::json::tree::{self, at, count_at, number_at, text_at};
use crate::json::{self};
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Iperf3 {
    pub version: Option<String>,
    /// `tcp`, `udp` or `sctp`.
    pub protocol: Option<String>,
    pub streams: Option<u32>,
    /// The server sent.
    pub reverse: Option<bool>,
    /// What was asked for; null where a size was asked for instead.
    pub seconds_asked: Option<f64>,
    /// What the receiver measured, else the sender.
    pub seconds: Option<f64>,
    pub sent_gbit_s: Option<f64>,
    pub received_gbit_s: Option<f64>,
    /// The other direction of a test in both.
    pub reverse_sent_gbit_s: Option<f64>,
    pub reverse_received_gbit_s: Option<f64>,
    pub retransmits: Option<u64>,
    pub lost_pct: Option<f64>,
    pub jitter_ms: Option<f64>,
    pub error: Option<String>,
}

struct Found {
    cut: bool,
    line: u64,
    document: Value,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let content = text.content();
    let mut found = if content.contains("\"start\"") { documents(content) } else { Vec::new() };
    let score = |found: &Found| (!found.cut, has_result(&found.document));
    let Some(best) = (0..found.len()).max_by_key(|at| (score(&found[*at]), *at)) else {
        return Err(Refused::not_this_kind(Kind::Iperf3, "the JSON of iperf3 -J"));
    };
    let mut warnings = Warnings::default();
    if found.len() > 1 {
        let said = format!("the file has {} documents; this one is given", found.len());
        warnings.push(Warning::at("several_documents", found[best].line, said));
    }
    let Found { cut, document, .. } = found.swap_remove(best);
    let mut facts = facts(&document);
    // Newer versions print the error after the result as text.
    let printed = text.lines().find_map(|line| line.text.trim().strip_prefix("iperf3: error - "));
    facts.error = facts.error.or_else(|| printed.map(str::to_owned));
    let incomplete_because = if cut {
        Some("the JSON object is cut".to_owned())
    } else if has_result(&document) {
        None
    } else {
        let why = facts.error.as_deref().unwrap_or("its end is empty");
        Some(format!("the test has no result: {why}"))
    };
    Ok(Document::new(
        Kind::Iperf3,
        Facts::Iperf3(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

fn documents(content: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for object in json::objects(content) {
        let Some(document) = tree::tree(&object.json, &["intervals", "streams"]) else { continue };
        if let Some(event) = document.get("event").and_then(Value::as_str) {
            from_stream(&mut found, event, document.get("data"), object.line);
        } else if is_iperf3(&document) {
            found.push(Found { cut: object.cut, line: object.line, document });
        }
    }
    found
}

/// Other tools have a start and an end too; this one calls itself iperf, or begins a test.
fn is_iperf3(document: &Value) -> bool {
    let version = at(document, &["start", "version"]).and_then(Value::as_str);
    version.is_some_and(|version| version.starts_with("iperf"))
        || at(document, &["start", "test_start", "num_streams"]).is_some()
}

/// `--json-stream` writes the parts as events, each on its line; without the last one the document is cut.
fn from_stream(found: &mut Vec<Found>, event: &str, data: Option<&Value>, line: u64) {
    let Some(data) = data else { return };
    match event {
        "start" => {
            let document = json!({ "start": data });
            if is_iperf3(&document) {
                found.push(Found { cut: true, line, document });
            }
        }
        "end" | "error" => {
            if let Some(Found { cut, document, .. }) = found.last_mut() {
                document[event] = data.clone();
                *cut = false;
            }
        }
        _ => {}
    }
}

fn has_result(document: &Value) -> bool {
    ["sum_sent", "sum_received", "sum"]
        .iter()
        .any(|sum| at(document, &["end", sum, "bits_per_second"]).is_some())
}

fn facts(document: &Value) -> Iperf3 {
    let asked = |name: &str| at(document, &["start", "test_start", name]);
    let rate = |sum: &str| {
        let moved = number_at(document, &["end", sum, "bytes"]);
        let rate = number_at(document, &["end", sum, "bits_per_second"])?;
        (rate > 0.0 && moved != Some(0.0)).then_some(rate / 1e9)
    };
    let in_sum = |name: &str| {
        ["sum_received", "sum"].iter().find_map(|sum| number_at(document, &["end", sum, name]))
    };
    let protocol = asked("protocol").and_then(Value::as_str).map(str::to_ascii_lowercase);
    let is_udp = protocol.as_deref() == Some("udp");
    let sum_is_of_receiver =
        at(document, &["end", "sum", "sender"]).and_then(Value::as_bool) == Some(false);
    let (sum_sent, sum_received) =
        if sum_is_of_receiver { (None, rate("sum")) } else { (rate("sum"), None) };
    let received = rate("sum_received").or(sum_received);
    let seconds =
        |sum: &str| number_at(document, &["end", sum, "seconds"]).filter(|seconds| *seconds > 0.0);
    let packets = in_sum("packets").filter(|packets| *packets > 0.0);
    Iperf3 {
        version: text_at(document, &["start", "version"]),
        streams: count_at(document, &["start", "test_start", "num_streams"])
            .and_then(|streams| u32::try_from(streams).ok()),
        reverse: asked("reverse").and_then(tree::number).map(|reverse| reverse > 0.0),
        seconds_asked: asked("duration").and_then(tree::number).filter(|asked| *asked > 0.0),
        seconds: received
            .and_then(|_| seconds("sum_received"))
            .or_else(|| seconds("sum_sent"))
            .or_else(|| seconds("sum")),
        sent_gbit_s: rate("sum_sent").or(sum_sent),
        received_gbit_s: received,
        reverse_sent_gbit_s: rate("sum_sent_bidir_reverse"),
        reverse_received_gbit_s: rate("sum_received_bidir_reverse"),
        retransmits: count_at(document, &["end", "sum_sent", "retransmits"]).filter(|_| !is_udp),
        lost_pct: packets.and_then(|_| in_sum("lost_percent")),
        jitter_ms: packets.and_then(|_| in_sum("jitter_ms")),
        error: text_at(document, &["error"]),
        protocol,
    }
}
