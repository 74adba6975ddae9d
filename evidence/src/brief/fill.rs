//! From the clauses of each group to the leaves of the brief.
//!
//! A leaf that no clause names is to be determined, with the reason as its note.
//! The order of the clauses does not matter; the first clause that names a leaf gives it.

mod cards;
mod leaves;
mod model;
mod rest;

use super::clauses;
use super::groups::{Groups, KEYS};
use super::{Brief, Use};
use crate::document::Warnings;
use crate::{Estimate, Warning};

/// One group as the leaves see it.
pub(super) struct Group<'a> {
    pub(super) clauses: Vec<&'a str>,
    /// Why a leaf that no clause names is to be determined.
    pub(super) note: String,
}

impl<'a> Group<'a> {
    fn of(groups: &'a Groups, key: &str) -> Self {
        let Some(text) = groups.get(key) else {
            return Self { clauses: Vec::new(), note: "the group is missing".to_owned() };
        };
        let clauses = clauses::split(text);
        if clauses.is_empty() {
            return Self { clauses, note: "left blank".to_owned() };
        }
        let is_open = clauses::is_open(clauses[0]) && clauses.len() == 1;
        if is_open {
            let note = clauses[0].to_owned();
            return Self { clauses: Vec::new(), note };
        }
        Self { clauses, note: "not stated".to_owned() }
    }

    /// Service targets may stand in any of several groups.
    fn with(&self, others: &[&Group<'a>]) -> Self {
        let clauses = self.clauses.iter().chain(others.iter().flat_map(|group| &group.clauses));
        Self { clauses: clauses.copied().collect(), note: self.note.clone() }
    }
}

pub(super) fn brief(groups: &Groups, warnings: &mut Warnings) -> Brief {
    let group = |key: &str| Group::of(groups, key);
    let (purpose, model, term) = (group("use"), group("model"), group("term"));
    let targets = model.with(&[&purpose, &term]);
    Brief {
        r#use: use_of(groups.get("use").map(String::as_str), &purpose, warnings),
        model: model::model(&model, &targets, warnings),
        cards: cards::cards(&group("cards"), warnings),
        interconnect: rest::interconnect(&group("interconnect"), warnings),
        storage: rest::storage(&group("storage"), warnings),
        environment: rest::environment(&group("environment")),
        term: rest::term(&term, warnings),
        region: rest::region(groups.get("region").map(String::as_str), &group("region")),
        contact: rest::contact(&group("contact")),
        missing: KEYS
            .iter()
            .filter(|key| !groups.contains_key(**key))
            .map(|key| (*key).to_owned())
            .collect(),
    }
}

/// Exactly one use can be planned for, so several and "any" stay open.
fn use_of(text: Option<&str>, group: &Group<'_>, warnings: &mut Warnings) -> Estimate<Use> {
    let Some(text) = text.filter(|_| !group.clauses.is_empty()) else {
        return Estimate::tbd(&group.note);
    };
    // 微调训练 is fine-tuning, and pre-training is training.
    let lower = text
        .to_lowercase()
        .replace("微调训练", "微调")
        .replace("fine-tuning training", "fine-tuning");
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let any = has(&["都行", "都可以", "均可", "任意", "不限"]) || clauses::has_word(&lower, "any");
    let uses = [
        (
            Use::OnlineInference,
            has(&["在线推理", "实时推理", "在线服务", "online inference", "online_inference"]),
        ),
        (
            Use::BatchInference,
            has(&["批量推理", "离线推理", "批处理推理", "batch inference", "batch_inference"]),
        ),
        (Use::FineTuning, has(&["微调", "fine-tun", "fine tun", "finetun", "fine_tun"])),
        (Use::Training, has(&["训练", "training"])),
    ];
    let mut named = uses.into_iter().filter(|(_, named)| *named).map(|(one, _)| one);
    match (named.next(), named.next(), any) {
        (Some(one), None, false) => Estimate::known(one),
        (None, None, false) => Estimate::tbd(text),
        _ => {
            warnings.push(Warning::new("use_not_one", "the use must be exactly one of the four"));
            Estimate::tbd(text)
        }
    }
}
