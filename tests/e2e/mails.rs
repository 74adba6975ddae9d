//! `sixgate mail`: the kinds of mail, and a look at each.

use serde_json::Value;

use crate::process::run;

fn preview(kind: &str, more: &[&str]) -> String {
    let ran = run(&[&["mail", "preview", kind], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.errors);
    ran.output
}

#[test]
fn every_listed_kind_can_be_looked_at_in_both_languages_and_all_forms() {
    let listed = run(&["mail", "kinds", "--json"]).json();
    let kinds: Vec<&str> =
        listed.as_array().unwrap().iter().map(|kind| kind["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 22);
    for kind in kinds {
        for locale in ["en", "zh-CN"] {
            let text = preview(kind, &["--locale", locale]);
            assert!(!text.contains('{') && text.lines().count() > 5, "{text}");
            let html = preview(kind, &["--locale", locale, "--format", "html"]);
            assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
        }
        let message = preview(kind, &["--format", "eml"]);
        assert!(message.starts_with("From: "), "{message}");
    }
}

#[test]
fn the_list_names_the_kinds_in_the_language_asked_for() {
    let chinese = run(&["mail", "kinds", "--locale", "zh-CN", "--json"]).json();
    let claim =
        chinese.as_array().unwrap().iter().find(|kind| kind["kind"] == "sla_claim").unwrap();
    assert_eq!(claim["name"], Value::from("SLA：索赔截止"));
    assert_eq!(claim["optional"], false);
    assert!(run(&["mail", "kinds"]).output.contains("rent to own"));
}

#[test]
fn a_kind_that_is_none_is_answered_with_those_that_are() {
    let ran = run(&["mail", "preview", "fortune"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("sla_claim"), "{}", ran.errors);
}
