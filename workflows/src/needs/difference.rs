//! What changed from one version of the brief to the next, and who last said each field.
//!
//! A field is named by its path in the brief's JSON, such as `model.parameters_b`, and its value is
//! the whole estimate: that a range became a known figure is one change, not two.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::brief::Brief;
use crate::recorded::Stamp;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub field: String,
    pub before: Value,
    pub after: Value,
}

/// Every field whose value differs, in the order of their names.
pub fn changes(before: &Brief, after: &Brief) -> Vec<Change> {
    let (before, after) = (fields(before), fields(after));
    after
        .into_iter()
        .filter_map(|(field, after)| {
            let before = before.get(&field).cloned().unwrap_or(Value::Null);
            (before != after).then_some(Change { field, before, after })
        })
        .collect()
}

/// Who said each field and when: a field that stays as it was keeps its stamp.
pub fn said(
    earlier: Option<(&Brief, &BTreeMap<String, Stamp>)>,
    now: &Brief,
    stamp: Stamp,
) -> BTreeMap<String, Stamp> {
    let known = earlier.map(|(brief, stamps)| (fields(brief), stamps));
    fields(now)
        .into_iter()
        .map(|(field, value)| {
            let kept = known.as_ref().and_then(|(values, stamps)| {
                stamps.get(&field).filter(|_| values.get(&field) == Some(&value))
            });
            let stamp = kept.copied().unwrap_or(stamp);
            (field, stamp)
        })
        .collect()
}

fn fields(brief: &Brief) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let brief = serde_json::to_value(brief).expect("a brief is written as JSON");
    descend("", &brief, &mut found);
    found
}

fn descend(path: &str, value: &Value, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(inner) if !is_estimate(inner) => {
            for (name, value) in inner {
                let path = match path {
                    "" => name.clone(),
                    _ => format!("{path}.{name}"),
                };
                descend(&path, value, found);
            }
        }
        Value::Object(_)
        | Value::Array(_)
        | Value::String(_)
        | Value::Number(_)
        | Value::Bool(_)
        | Value::Null => {
            found.insert(path.to_owned(), value.clone());
        }
    }
}

fn is_estimate(fields: &serde_json::Map<String, Value>) -> bool {
    ["known", "tbd", "low"].iter().any(|key| fields.contains_key(*key))
}
