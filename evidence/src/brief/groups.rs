//! Splits the text at its headings into the nine groups.
//!
//! Headings may come in any order, in full or half width, in Chinese or English; a group given twice is joined.
//! What a group says is not looked at here.

use super::{clauses, numerals};
use crate::Warning;
use crate::document::Warnings;
use crate::text::Text;
use std::collections::BTreeMap;

pub(super) const KEYS: [&str; 9] = [
    "use",
    "model",
    "cards",
    "interconnect",
    "storage",
    "environment",
    "term",
    "region",
    "contact",
];

/// Headings without blanks, case and the words for "and".
const NAMES: [(&str, &[&str]); 9] = [
    ("use", &["用途", "use", "usage", "purpose", "usecase"]),
    ("model", &["模型并行", "模型", "model", "modelparallelism", "modelparallel"]),
    (
        "cards",
        &["卡型数量", "卡型", "cards", "cardscount", "cardmodelcount", "gpus", "gpumodelcount"],
    ),
    ("interconnect", &["互联", "互连", "网络", "interconnect", "network"]),
    ("storage", &["存储", "storage"]),
    ("environment", &["环境", "软件环境", "environment", "software"]),
    ("term", &["周期负载", "周期", "term", "termload", "period", "periodload", "schedule"]),
    ("region", &["地域", "区域", "地区", "region", "location", "site"]),
    ("contact", &["联系人", "contact", "contacts"]),
];

/// With brackets that other files use too, a few headings prove nothing.
const PLAIN_HEADINGS_MIN: usize = 3;
const TEXT_BYTES_MAX: usize = 1024 * 1024;

pub(super) type Groups = BTreeMap<&'static str, String>;

/// `None` when the text has no headings of a brief.
pub(super) fn split(text: &Text, warnings: &mut Warnings) -> Option<Groups> {
    if text.content().len() > TEXT_BYTES_MAX {
        return None;
    }
    let mut groups = Groups::new();
    let mut current: Option<&'static str> = None;
    let mut has_own_brackets = false;
    for line in text.lines() {
        // Several headings may share a line.
        for piece in line.text.replace('【', "\n【").split('\n') {
            let own_bracket = piece.starts_with('【');
            let piece = clauses::half_width(piece);
            match heading(&piece) {
                Some((Some(key), rest)) => {
                    has_own_brackets |= own_bracket;
                    if groups.contains_key(key) {
                        let said = format!("the group {key} comes twice; both parts are read");
                        warnings.push(Warning::at("group_twice", line.number, said));
                    }
                    current = Some(key);
                    add(&mut groups, key, rest);
                }
                Some((None, _)) if own_bracket => {
                    current = None;
                    warnings.push(Warning::at(
                        "unknown_group",
                        line.number,
                        "the template has no such group",
                    ));
                }
                Some((None, _)) | None => {
                    if let Some(key) = current {
                        add(&mut groups, key, &piece);
                    }
                }
            }
        }
    }
    let enough = if has_own_brackets { 1 } else { PLAIN_HEADINGS_MIN };
    (groups.len() >= enough).then_some(groups)
}

fn add(groups: &mut Groups, key: &'static str, piece: &str) {
    let group = groups.entry(key).or_default();
    if !group.is_empty() {
        group.push('\n');
    }
    // Names of people and places may have numerals in them.
    if matches!(key, "contact" | "region") {
        group.push_str(piece.trim());
    } else {
        group.push_str(&numerals::in_digits(piece.trim()));
    }
}

/// Whether the text is the name of a group, without brackets around it.
pub(super) fn is_name(text: &str) -> bool {
    text.len() < 100
        && matches!(heading(&format!("[{}]", clauses::half_width(text))), Some((Some(_), "")))
}

/// The group a heading names, if it is one of the nine, and what follows on the same line.
fn heading(piece: &str) -> Option<(Option<&'static str>, &str)> {
    let marks = |mark: char| {
        mark.is_whitespace() || mark.is_ascii_digit() || matches!(mark, '#' | '*' | '.' | ')')
    };
    let (name, rest) = piece.trim_start_matches(marks).strip_prefix('[')?.split_once(']')?;
    let mut plain = name.to_lowercase();
    for joint in ["与", "和", "及", "/", "、", "&", " and ", " ", "-", "_"] {
        plain = plain.replace(joint, "");
    }
    let key = NAMES.iter().find(|(_, names)| names.contains(&plain.as_str())).map(|(key, _)| *key);
    Some((key, rest.trim_start_matches([':', '*', ' '])))
}
