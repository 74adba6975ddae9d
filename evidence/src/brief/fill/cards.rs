//! The wanted card, what may replace it, and how many.
//!
//! The card's name is kept as written; matching it with the catalogue is done elsewhere.
//! Memory behind a name (`80GB`) belongs to the name.

use super::Group;
use super::leaves::{Sought, whole};
use crate::Estimate;
use crate::brief::Cards;
use crate::brief::clauses::{is_negative, is_open, named};
use crate::brief::quantity;
use crate::document::Warnings;

const COUNT: &[(&str, f64)] = &[
    ("张", 1.0),
    ("卡", 1.0),
    ("块", 1.0),
    ("片", 1.0),
    ("cards", 1.0),
    ("card", 1.0),
    ("gpus", 1.0),
    ("gpu", 1.0),
    ("", 1.0),
];
const TOTAL: Sought<'static> = Sought {
    words: &["总卡数", "总数", "总计", "总共", "合计", "共", "卡数", "数量", "total", "count"],
    units: COUNT,
};
const PER_NODE: Sought<'static> = Sought {
    words: &["单机", "每机", "每台", "单节点", "每节点", "per node", "per machine"],
    units: COUNT,
};
const WANTED: [&str; 6] = ["期望卡型", "卡型", "型号", "card model", "wanted", "model"];
/// In front of a card's name.
const PREFERRED: [&str; 7] = ["期望", "希望", "首选", "优先", "意向", "需要", "preferred"];
const REPLACE: [&str; 9] =
    ["可接受", "可替代", "可替换", "替代", "备选", "也可", "acceptable", "substitute", "accept"];

pub(super) fn cards(group: &Group<'_>, warnings: &mut Warnings) -> Cards {
    Cards {
        model: wanted(group),
        substitutes: substitutes(group),
        total: total(group, warnings),
        per_node: group.count(&PER_NODE, warnings),
    }
}

fn wanted(group: &Group<'_>) -> Estimate<String> {
    let labelled =
        group.clauses.iter().find_map(|clause| Some((*clause, named(clause, &WANTED)?.after)));
    let first = group
        .clauses
        .first()
        .filter(|clause| !names_another_leaf(clause))
        .map(|clause| (*clause, *clause));
    let Some((clause, text)) = labelled.or(first) else { return Estimate::tbd(&group.note) };
    let text = named(text, &REPLACE).map_or(text, |replace| replace.before);
    let text = text.split(['(', '[']).next().unwrap_or(text);
    let text = text.trim_matches([':', '=', ' ', '/', '、', '或']);
    let text = PREFERRED.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let text = without_count(text.trim_start_matches([':', ' ', '为', '是']));
    if text.is_empty() || is_open(clause) && is_open(text) {
        return Estimate::tbd(clause);
    }
    Estimate::known(text.to_owned())
}

fn names_another_leaf(clause: &str) -> bool {
    [TOTAL.words, PER_NODE.words, &REPLACE].iter().any(|words| named(clause, words).is_some())
}

/// `H100 × 8` and `8 x H100` name the card and the count in one.
fn without_count(text: &str) -> &str {
    for sign in ['×', '*', 'x'] {
        let Some((left, right)) = text.split_once(sign) else { continue };
        let (left, right) = (left.trim(), right.trim());
        if right.parse::<u32>().is_ok() {
            return left;
        }
        if left.parse::<u32>().is_ok() {
            return right;
        }
    }
    text
}

fn total(group: &Group<'_>, warnings: &mut Warnings) -> Estimate<u32> {
    let labelled = group.count(&TOTAL, warnings);
    if !labelled.is_tbd() || group.clauses.iter().any(|clause| named(clause, TOTAL.words).is_some())
    {
        return labelled;
    }
    for clause in group.clauses.iter().filter(|clause| named(clause, PER_NODE.words).is_none()) {
        for sign in ['×', '*', 'x'] {
            let Some((left, right)) = clause.split_once(sign) else { continue };
            let count = right.trim().parse::<u32>().or_else(|_| left.trim().parse::<u32>());
            if let Ok(count) = count {
                return Estimate::known(count);
            }
        }
        let counted = quantity::all(clause)
            .into_iter()
            .find_map(|one| one.factor(&COUNT[..COUNT.len() - 1]).map(|factor| one.times(factor)));
        if let Some(counted) = counted {
            return whole(counted);
        }
    }
    labelled
}

/// A list after 可接受, in brackets or not; a comma list goes on until another leaf is named.
fn substitutes(group: &Group<'_>) -> Estimate<Vec<String>> {
    let mut clauses = group.clauses.iter().skip_while(|clause| named(clause, &REPLACE).is_none());
    let Some(first) = clauses.next() else { return Estimate::tbd(&group.note) };
    let Some(replace) = named(first, &REPLACE) else { return Estimate::tbd(&group.note) };
    let list = replace.after.trim_start_matches("卡型").trim_start_matches(['s', ':', ' ', '为']);
    let list = list.split(')').next().unwrap_or(list);
    if is_open(first) {
        return Estimate::tbd(*first);
    }
    if is_negative(replace.before) || is_negative(list) || list.trim() == "无" {
        return Estimate::known(Vec::new());
    }
    let further = clauses.take_while(|clause| {
        !names_another_leaf(clause) && named(clause, &WANTED).is_none() && clause.len() < 40
    });
    let names = std::iter::once(list)
        .chain(further.copied())
        .flat_map(|part| part.split(['/', '、', ',', '或', '和', '及']))
        .flat_map(|part| part.split(" or "))
        .map(|name| name.trim().to_owned())
        // What is named as not acceptable is no substitute.
        .filter(|name| !name.is_empty() && !name.starts_with(['不', '非']) && !is_negative(name))
        .collect();
    Estimate::known(names)
}
