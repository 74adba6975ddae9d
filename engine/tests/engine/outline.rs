//! The committed outline of the read models, whose hash marks every checkpoint, is the true one.

use std::collections::BTreeSet;

use serde_json::Value;
use sixgate_workflows::{person, procurement::Course, stage::Stage};

use crate::{
    people::Who,
    world::{World, day, text},
};

/// Every name below a value with the kind of what it names. Keys of a map are data, not names.
fn outline(at: &str, value: &Value, lines: &mut BTreeSet<String>) {
    match value {
        Value::Null => drop(lines.insert(format!("{at} null"))),
        Value::Bool(_) => drop(lines.insert(format!("{at} bool"))),
        Value::Number(_) => drop(lines.insert(format!("{at} number"))),
        Value::String(_) => drop(lines.insert(format!("{at} string"))),
        Value::Array(items) => {
            items.iter().for_each(|item| outline(&format!("{at}[]"), item, lines))
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                // Ids, hashes, keys of deadlines and streams.
                let is_data = name.contains('-') || name.len() == 64;
                outline(&format!("{at}.{}", if is_data { "*" } else { name }), value, lines);
            }
        }
    }
}

async fn everything_that_worlds_show() -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for stage in Stage::ALL {
        let world = World::filled(stage).await;
        world.stand_in(Who::Lena, Who::Fiona, "2026-01-01", "2026-12-31").await;
        world.employ(Who::Ada, Who::Nils, person::Command::Deactivate).await.unwrap();
        world.settle().await;
        world.must(Who::Maya, Course::Hold { reason: text("the year ends") }).await;
        outline("views", &serde_json::to_value(&*world.engine.views()).unwrap(), &mut lines);
    }
    let world = World::filled(Stage::Needs).await;
    let criterion = sixgate_workflows::gate::Criterion::UseKnown;
    let (reason, expires_on) = (text("settled by the board"), day("2026-02-01"));
    let unnamed = crate::wishes::record_brief(sixgate_workflows::needs::brief::Brief::blank());
    world.sign_all().await;
    world.must(Who::Rita, unnamed).await;
    world.must(Who::Maya, Course::Waive { criterion, reason, expires_on }).await;
    outline("views", &serde_json::to_value(&*world.engine.views()).unwrap(), &mut lines);
    lines
}

/// `UPDATE_OUTLINE=1` writes it; checkpoints from before are then left aside by themselves.
#[tokio::test]
async fn the_committed_outline_is_that_of_the_read_models() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/projection/outline.txt");
    let present: BTreeSet<String> = everything_that_worlds_show().await;
    if std::env::var_os("UPDATE_OUTLINE").is_some_and(|value| value == "1") {
        let lines: String = present.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(file, lines).unwrap();
    }
    let committed = std::fs::read_to_string(file).unwrap();
    let committed: BTreeSet<String> = committed.lines().map(str::to_owned).collect();
    let new: Vec<_> = present.difference(&committed).collect();
    let gone: Vec<_> = committed.difference(&present).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "the read models have changed: new {new:#?}, gone {gone:#?}; \
         bring the outline up to date with UPDATE_OUTLINE=1, which makes every checkpoint anew"
    );
}

#[test]
fn a_field_that_comes_goes_or_changes_its_kind_changes_the_outline() {
    let lines = |json: &str| {
        let mut lines = BTreeSet::new();
        outline("views", &serde_json::from_str(json).unwrap(), &mut lines);
        lines
    };
    let before = lines(r#"{"a": 1, "rows": {"person-1": {"name": "x"}}}"#);
    assert_eq!(before, lines(r#"{"a": 2, "rows": {"person-2": {"name": "y"}}}"#));
    for after in [
        r#"{"rows": {"person-1": {"name": "x"}}}"#,
        r#"{"a": "1", "rows": {"person-1": {"name": "x"}}}"#,
        r#"{"a": 1, "rows": {"person-1": {"name": "x", "mail": "y"}}}"#,
        r#"{"a": 1, "rows": {"person-1": {"title": "x"}}}"#,
    ] {
        assert_ne!(before, lines(after), "{after}");
    }
}
