//! What was once written must be read for ever: one file for every kind and schema number.
//!
//! `UPDATE_GOLDEN=1` writes the files of new kinds and never touches one that exists.

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::Value;
use sixgate_workflows::{
    budget::price_index,
    notice, person, policy,
    procurement::Event,
    stored::{SCHEMA, StoredEvent, Unreadable},
    supplier,
};

use crate::events::{kinds, produced};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Kind and data after reading and writing again.
pub(crate) fn there_and_back(
    kind: &str,
    schema: u16,
    data: Value,
) -> Result<(String, Value), Unreadable> {
    fn again<E: StoredEvent>(
        kind: &str,
        schema: u16,
        data: Value,
    ) -> Result<(String, Value), Unreadable> {
        E::read(kind, schema, data).map(|event| (event.kind(), event.data()))
    }
    match kind.split_once('.').unwrap().0 {
        "supplier" => again::<supplier::Event>(kind, schema, data),
        "person" => again::<person::Event>(kind, schema, data),
        "prices" => again::<price_index::Event>(kind, schema, data),
        "policy" => again::<policy::Event>(kind, schema, data),
        "notice" => again::<notice::Event>(kind, schema, data),
        _ => again::<Event>(kind, schema, data),
    }
}

fn write_new_files() {
    for (kind, data) in produced() {
        let path = folder().join(format!("{kind}.v{SCHEMA}.json"));
        if !path.exists() {
            fs::write(path, serde_json::to_string_pretty(&data).unwrap() + "\n").unwrap();
        }
    }
}

#[test]
fn every_golden_file_is_read_and_written_back_unchanged() {
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        write_new_files();
    }
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let title = path.file_name().unwrap().to_str().unwrap().to_owned();
        let stem = title.strip_suffix(".json").unwrap_or_else(|| panic!("{title} is no JSON"));
        let (kind, schema) = stem.rsplit_once(".v").unwrap();
        let schema: u16 = schema.parse().unwrap();
        let data: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let (kind_again, again) = there_and_back(kind, schema, data.clone())
            .unwrap_or_else(|unreadable| panic!("{title}: {unreadable}"));
        assert_eq!(kind_again, kind);
        if schema == SCHEMA {
            assert_eq!(again, data, "{title}");
            found.insert(kind.to_owned());
        }
    }
    let missing: Vec<_> = kinds().difference(&found).cloned().collect();
    assert!(missing.is_empty(), "no golden file for {missing:?}; write it with UPDATE_GOLDEN=1");
}

#[test]
fn every_produced_event_survives_being_stored() {
    for (kind, data) in produced() {
        let written = serde_json::to_string(&data).unwrap();
        let read = serde_json::from_str(&written).unwrap();
        assert_eq!(there_and_back(&kind, SCHEMA, read).unwrap(), (kind, data));
    }
}
