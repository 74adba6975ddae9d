//! The JSON of `dcgmi diag -j`, where versions differ in the name of the root and in the shape of a result.
//!
//! Several iterations are taken together: the worst result of a test is its result.
//! Figures that exist only in prose stay prose.

use super::{DcgmDiag, DiagError, DiagStatus};
use crate::Warning;
use crate::document::Warnings;
use crate::json::{self, tree};
use serde_json::Value;

const ROOTS: [&str; 2] = ["DCGM Diagnostic", "DCGM GPU Diagnostic"];

pub(super) fn find(content: &str, warnings: &mut Warnings) -> Option<(DcgmDiag, Option<String>)> {
    if !ROOTS.iter().any(|root| content.contains(root)) {
        return None;
    }
    let mut found: Vec<(bool, u64, DcgmDiag)> = json::objects(content)
        .iter()
        .filter_map(|object| {
            let facts = diagnostic(&tree::tree(&object.json, &[])?)?;
            Some((object.cut, object.line, facts))
        })
        .collect();
    let best = (0..found.len()).max_by_key(|at| (!found[*at].0, found[*at].2.tests.len(), *at))?;
    if found.len() > 1 {
        let line = found[best].1;
        let said = format!("the file has {} diagnostics; this one is given", found.len());
        warnings.push(Warning::at("several_documents", line, said));
    }
    let (cut, _, facts) = found.swap_remove(best);
    Some((facts, cut.then(|| "the JSON object is cut".to_owned())))
}

fn diagnostic(document: &Value) -> Option<DcgmDiag> {
    let mut facts = DcgmDiag::default();
    let iterations = document.get("iterations").and_then(Value::as_array);
    let parts: Vec<&Value> = match iterations {
        Some(iterations) => iterations.iter().collect(),
        None => vec![document],
    };
    let mut is_diagnostic = false;
    for part in parts {
        let Some(root) = ROOTS.iter().find_map(|name| part.get(name)) else { continue };
        is_diagnostic = true;
        about_the_run(&mut facts, part, root);
        let categories = root.get("test_categories").unwrap_or(root).as_array();
        for category in categories.into_iter().flatten() {
            let name = category.get("category").and_then(Value::as_str);
            for test in category.get("tests").and_then(Value::as_array).into_iter().flatten() {
                one_test(&mut facts, name, test);
            }
        }
    }
    is_diagnostic.then_some(facts)
}

fn about_the_run(facts: &mut DcgmDiag, part: &Value, root: &Value) {
    let said = |name: &str| {
        let places = [part.get("metadata"), Some(root), Some(part)];
        places.into_iter().flatten().find_map(|place| tree::text_at(place, &[name]))
    };
    facts.version = facts.version.take().or_else(|| said("version"));
    facts.driver = facts.driver.take().or_else(|| said("Driver Version Detected"));
    facts.runtime_error = facts.runtime_error.take().or_else(|| said("runtime_error"));
    let groups = part.get("entity_groups").and_then(Value::as_array);
    facts.entities = facts.entities.or_else(|| {
        let listed = |group: &Value| {
            let is_cpu = group.get("entity_group").and_then(Value::as_str) == Some("CPU");
            group.get("entities")?.as_array().filter(|_| !is_cpu).map(Vec::len)
        };
        Some(groups?.iter().filter_map(listed).sum())
    });
}

fn one_test(facts: &mut DcgmDiag, category: Option<&str>, value: &Value) {
    let Some(name) = value.get("name").and_then(Value::as_str) else { return };
    let Some(test) = facts.test(name, category) else { return };
    let results = value.get("results").and_then(Value::as_array);
    // The summary is one more result, which says what belongs to no single device.
    for result in results.into_iter().flatten().chain(value.get("test_summary")) {
        test.found(result.get("status").and_then(Value::as_str).and_then(DiagStatus::parse));
        each(result.get("warnings"), &mut |warning| {
            if let Some(error) = error(warning) {
                test.error(error);
            }
        });
        each(result.get("info"), &mut |info| {
            if let Some(info) = info.as_str() {
                test.note(info);
            }
        });
    }
}

/// Versions write one value or a list of them.
fn each(value: Option<&Value>, take: &mut dyn FnMut(&Value)) {
    match value {
        Some(Value::Array(list)) => list.iter().for_each(take),
        Some(one) => take(one),
        None => {}
    }
}

fn error(value: &Value) -> Option<DiagError> {
    let (text, of) = match value.as_str() {
        Some(text) => (text.to_owned(), None),
        None => (tree::text_at(value, &["warning"])?, Some(value)),
    };
    let number = |name: &str| tree::count_at(of?, &[name]);
    Some(DiagError {
        id: number("error_id"),
        severity: number("error_severity"),
        category: number("error_category"),
        text,
    })
}
