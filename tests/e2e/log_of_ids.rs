//! The log as an auditor reads it: which command stands at which position.
//!
//! The commands of a load carry their own id as a word of their input, so that the log, which does
//! not show command ids, tells which of them it holds and how often.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::api::Api;

const MARK: &str = "-0000-4000-8000-";
const ID_LENGTH: usize = 36;

/// The ids of commands with the positions at which they were found.
pub(crate) type Found = BTreeMap<String, BTreeSet<u64>>;

/// Reads the log after a position to its end; also the last position.
pub(crate) async fn read(api: &Api, token: &str, after: u64) -> (Found, u64) {
    let (mut found, mut last) = (Found::new(), after);
    loop {
        let query = format!(
            "{{ auditTrail(first: 100, after: \"{last}\") {{ pageInfo {{ hasNextPage }}
             nodes {{ position data }} }} }}"
        );
        let seen = api.ask(token, &query).await;
        for event in seen["auditTrail"]["nodes"].as_array().unwrap() {
            let position = event["position"].as_u64().unwrap();
            assert!(position == last || position == last + 1, "a gap after {last}: {position}");
            last = position;
            for id in ids(&event["data"]) {
                found.entry(id).or_default().insert(position);
            }
        }
        if seen["auditTrail"]["pageInfo"]["hasNextPage"] == false {
            return (found, last);
        }
    }
}

fn ids(data: &Value) -> Vec<String> {
    let text = data.to_string();
    let marks = text.match_indices(MARK);
    marks.map(|(at, _)| text[at - 8..at - 8 + ID_LENGTH].to_owned()).collect()
}
