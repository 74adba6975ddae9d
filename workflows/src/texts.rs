//! The one catalogue of what people read, in zh-CN and en.
//!
//! A text is found by its key and filled with figures by name: `{stage}`. A figure that is itself a
//! word of ours, such as a stage, is looked up under `<name>.<figure>` first, each part of a list by
//! itself. Every entry has both languages, since it could not be written down otherwise; that every
//! key the program uses exists is tested.

mod acceptance;
mod charts;
mod events;
mod labels;
mod mail_figures;
mod mails;
mod needs;
mod own_or_rent;
mod post;
mod reasons;
mod rejections;
mod tco;
mod template;

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    budget::tco::Unknown,
    gate::{Blocker, Reason},
    locale::Locale,
    rejection::Rejection,
};

/// key, en, zh-CN
type Entry = (&'static str, &'static str, &'static str);

const SHELVES: [&[Entry]; 13] = [
    labels::ENTRIES,
    acceptance::ENTRIES,
    charts::ENTRIES,
    reasons::ENTRIES,
    rejections::ENTRIES,
    mails::ENTRIES,
    post::ENTRIES,
    mail_figures::ENTRIES,
    events::ENTRIES,
    needs::ENTRIES,
    own_or_rent::ENTRIES,
    tco::ENTRIES,
    template::ENTRIES,
];

static CATALOGUE: LazyLock<HashMap<&'static str, (&'static str, &'static str)>> =
    LazyLock::new(|| {
        SHELVES.into_iter().flatten().map(|(key, en, zh)| (*key, (*en, *zh))).collect()
    });

/// The text under a key, or the key itself when it has none.
pub fn text(key: &str, locale: Locale) -> &str {
    known(key, locale).unwrap_or(key)
}

fn known(key: &str, locale: Locale) -> Option<&'static str> {
    let (en, zh) = CATALOGUE.get(key)?;
    Some(match locale {
        Locale::En => en,
        Locale::ZhCn => zh,
    })
}

/// The text under a key with its figures filled in.
pub fn filled<'a>(key: &str, locale: Locale, figure: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut rest = text(key, locale);
    let mut out = String::with_capacity(rest.len());
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        match figure(name) {
            Some(value) => out.push_str(&worded(name, value, locale)),
            None => {
                out.push('{');
                out.push_str(name);
                out.push('}');
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What somebody wrote stays as it is, comma and all; only a list of our words is one.
fn worded(name: &str, value: &str, locale: Locale) -> String {
    let parts: Vec<&str> = value.split(", ").collect();
    let words: Vec<&str> = parts.iter().filter_map(|part| word(name, part, locale)).collect();
    if words.is_empty() {
        return value.to_owned();
    }
    let both = parts.iter().map(|part| word(name, part, locale).unwrap_or(part));
    both.collect::<Vec<_>>().join(match locale {
        Locale::En => ", ",
        Locale::ZhCn => "、",
    })
}

/// A word of ours under the heading that its figure's name stands for.
fn word(name: &str, part: &str, locale: Locale) -> Option<&'static str> {
    let under = |heading: &str| known(&format!("{heading}.{part}"), locale);
    match name {
        "change" => under("event"),
        "criterion" => under("criterion").or_else(|| under("score")),
        "current" | "needed" => under("stage"),
        _ => under(name),
    }
}

pub fn reason(reason: &Reason, locale: Locale) -> String {
    let figure = |name: &str| reason.details.get(name).map(String::as_str);
    filled(&format!("reason.{}", reason.key), locale, figure)
}

/// What a criterion or a sign-off is called.
pub fn criterion(id: &str, locale: Locale) -> String {
    match id.split_once(".sign_off.") {
        Some((_, function)) => filled("criterion.sign_off", locale, |_| Some(function)),
        None => text(&format!("criterion.{id}"), locale).to_owned(),
    }
}

pub fn blocker(blocker: &Blocker, locale: Locale) -> String {
    let by = blocker
        .can_be_met_by
        .iter()
        .map(|function| text(&format!("function.{function}"), locale).to_owned())
        .collect::<Vec<_>>()
        .join(match locale {
            Locale::En => " / ",
            Locale::ZhCn => "／",
        });
    let (name, why) = (criterion(&blocker.criterion, locale), reason(&blocker.reason, locale));
    match locale {
        Locale::En => format!("{name}: {why} (can be met by: {by})"),
        Locale::ZhCn => format!("{name}：{why}（可由{by}完成）"),
    }
}

/// What keeps a total from being worked out.
pub fn unknown_cost(unknown: &Unknown, locale: Locale) -> String {
    let (key, figures) = match unknown {
        Unknown::Kind { kind } => ("unknown.kind", vec![("kinds", kind.id())]),
        Unknown::Factor { line, factor } => {
            ("unknown.factor", vec![("line", line.as_str()), ("factor", factor.id())])
        }
        Unknown::ExchangeRate { line, currency } => {
            ("unknown.exchange_rate", vec![("line", line.as_str()), ("currency", currency.code())])
        }
    };
    let figure = |name: &str| figures.iter().find(|(known, _)| *known == name).map(|(_, f)| *f);
    filled(key, locale, figure)
}

pub fn rejection(rejection: &Rejection, locale: Locale) -> String {
    let details: HashMap<String, String> = rejection
        .details()
        .into_iter()
        .map(|(name, value)| match value {
            serde_json::Value::String(text) => (name, text),
            serde_json::Value::Array(list) => (name, list.len().to_string()),
            serde_json::Value::Object(fields) => (name, span(&fields)),
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
                (name, value.to_string())
            }
        })
        .collect();
    let figure = |name: &str| details.get(name).map(String::as_str);
    filled(&format!("rejection.{}", rejection.code()), locale, figure)
}

/// A band, the only compound figure that a rejection carries.
fn span(fields: &serde_json::Map<String, serde_json::Value>) -> String {
    let end = |name| fields.get(name).and_then(serde_json::Value::as_str).unwrap_or("?");
    format!("{}–{} %", end("low"), end("high"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        budget::{
            base_and_burst::steadiness::Steadiness,
            own_or_rent::{self, Choice, cash::Part, input::Input},
            tco::{CostKind, line::FactorName},
        },
        checklist::Item,
        deadline::NoticeKind,
        function::Function,
        gate::Criterion,
        needs::{
            advice::Rule,
            brief::Use,
            catalogue::Catalogue,
            focus::Concern,
            sizing::{computed::Field, why::Figure},
            triage::TalkReason,
        },
        negotiation::terms::Clause,
        poc::{
            drift::BaselineFigure,
            reading::ReadingKind,
            verdict::{Because, CheckName, Outcome},
        },
        shortlist::{quote::Question, score::ScoreCriterion},
        stage::Stage,
        supplier::Qualification,
    };

    fn wanted() -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        let mut add = |room: &str, ids: Vec<&str>| {
            keys.extend(ids.into_iter().map(|id| format!("{room}.{id}")));
        };
        add("stage", Stage::ALL.map(Stage::id).to_vec());
        add("function", Function::ALL.map(Function::id).to_vec());
        add("item", Item::ALL.map(Item::id).to_vec());
        add("criterion", Criterion::ALL.iter().map(|criterion| criterion.id()).collect());
        add("status", vec!["met", "unmet", "waived", "not_yet_due"]);
        add("phase", vec!["active", "on_hold", "cancelled", "closed"]);
        add("kinds", CostKind::ALL.map(CostKind::id).to_vec());
        add("factor", FactorName::ALL.map(FactorName::id).to_vec());
        add("moved", vec!["cards", "utilisation_percent", "term_months"]);
        add("unknown", vec!["kind", "factor", "exchange_rate"]);
        add(
            "tco",
            vec![
                "subtotal",
                "reserve",
                "total",
                "per_month",
                "per_useful_card_hour",
                "present_value",
                "zero_because",
                "usage_unknown",
                "widest",
            ],
        );
        add("clauses", Clause::ALL.map(Clause::id).to_vec());
        add("clauses", vec!["availability_figure", "response_figure"]);
        add("qualification", Qualification::ALL.map(Qualification::id).to_vec());
        add("question", Question::ALL.map(Question::id).to_vec());
        add("score", ScoreCriterion::ALL.map(ScoreCriterion::id).to_vec());
        add("reading", ReadingKind::ALL.map(ReadingKind::id).to_vec());
        add("check", CheckName::ALL.map(CheckName::id).to_vec());
        add("rule", CheckName::ALL.map(CheckName::id).to_vec());
        add("outcome", Outcome::ALL.map(Outcome::id).to_vec());
        add("because", Because::ALL.map(Because::id).to_vec());
        add("figure", BaselineFigure::ALL.map(BaselineFigure::id).to_vec());
        add("outcome", vec!["pass", "fail", "inconclusive"]);
        add("use", Use::ALL.map(Use::id).to_vec());
        add("talk", TalkReason::ALL.map(TalkReason::id).to_vec());
        add("advice", Rule::ALL.map(Rule::id).to_vec());
        add("severity", vec!["note", "warning", "serious"]);
        add("concern", Concern::ALL.map(Concern::id).to_vec());
        add("field", Field::ALL.map(Field::id).to_vec());
        add("field", Rule::UndeterminedCardCount.fields().to_vec());
        add("figure", Figure::ALL.map(Figure::id).to_vec());
        add("formula", Figure::ALL.map(Figure::id).to_vec());
        add("choice", Choice::ALL.map(Choice::id).to_vec());
        add("part", Part::ALL.map(Part::id).to_vec());
        add("own_rule", own_or_rent::rules::Rule::ALL.map(|rule| rule.id()).to_vec());
        add("speaks", own_or_rent::rules::Verdict::ALL.map(|verdict| verdict.id()).to_vec());
        add("own_field", Input::ALL.iter().map(|input| input.id()).collect());
        add("own_field", vec!["operations_team", "extreme_security"]);
        add("steadiness", Steadiness::ALL.map(Steadiness::id).to_vec());
        add("break_even", vec!["month", "by_selling", "never"]);
        add("own_line", vec!["priced", "unknown", "against", "use", "cheapest", "rules"]);
        add("own_line", vec!["claimed", "tornado", "assumed", "undefined"]);
        add("reserve_line", vec!["best", "other", "tier", "saving", "duration"]);
        add("other", vec!["one_less", "one_more", "all_on_demand", "all_reserved"]);
        add("use_break_even", vec!["always", "hours_a_day", "never"]);
        let rows = &Catalogue::shipped().recommendations;
        add("recommendation", rows.iter().map(|row| row.id.as_str()).collect());
        add("mail.digest", vec!["subject", "body"]);
        add("mail.unaddressed", vec!["subject", "body"]);
        for kind in NoticeKind::ALL {
            add(&format!("mail.{}", kind.id()), vec!["name", "subject", "lead", "body", "action"]);
        }
        keys
    }

    #[test]
    fn every_word_of_the_program_has_its_texts() {
        let missing: Vec<_> =
            wanted().into_iter().filter(|key| known(key, Locale::En).is_none()).collect();
        assert!(missing.is_empty(), "no text for {missing:?}");
    }

    #[test]
    fn every_reason_that_the_rules_give_has_its_text() {
        let sources = [
            include_str!("needs.rs"),
            include_str!("needs/sizing/why.rs"),
            include_str!("budget.rs"),
            include_str!("shortlist.rs"),
            include_str!("poc.rs"),
            include_str!("negotiation.rs"),
            include_str!("operation.rs"),
            include_str!("gate.rs"),
            include_str!("checklist.rs"),
        ];
        let mut found = 0;
        for source in sources {
            for opening in
                ["Reason::new(\"", "each_running(procurement, \"", "figures(\"", "reason(\""]
            {
                for after in source.split(opening).skip(1) {
                    let key = after.split('"').next().unwrap();
                    found += 1;
                    let key = format!("reason.{key}");
                    assert!(known(&key, Locale::ZhCn).is_some(), "no text for {key}");
                }
            }
        }
        assert!(found > 20, "the rules' reasons were not found in their sources");
    }

    #[test]
    fn both_languages_of_a_text_have_the_same_figures() {
        let names = |text: &str| {
            let mut names: Vec<String> = text
                .split('{')
                .skip(1)
                .filter_map(|part| Some(part.split_once('}')?.0.to_owned()))
                .collect();
            names.sort();
            names.dedup();
            names
        };
        for (key, (en, zh)) in CATALOGUE.iter() {
            assert!(!en.trim().is_empty() && !zh.trim().is_empty(), "{key} is empty");
            assert_eq!(names(en), names(zh), "{key}");
        }
    }

    #[test]
    fn no_key_stands_twice() {
        assert_eq!(SHELVES.into_iter().flatten().count(), CATALOGUE.len());
    }

    #[test]
    fn a_figure_that_is_a_word_of_ours_is_translated() {
        let reason = Reason::new("cost_kinds_missing").with("kinds", "rental, storage");
        assert_eq!(super::reason(&reason, Locale::ZhCn), "以下费用类别尚未填写：租赁费、存储费");
        assert_eq!(criterion("budget.sign_off.finance", Locale::En), "Sign-off by finance");
    }
}
