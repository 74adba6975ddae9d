//! Each group of the brief as labels and values.
//!
//! The order matters to the reader: a clause that says "to be determined" settles every leaf that it
//! names, so labels whose words lie in each other stand with the longer word last.

use std::fmt::Display;

use chrono::{Datelike, Months, NaiveDate};
use rust_decimal::Decimal;
use sixgate_workflows::{
    estimate::Estimate,
    locale::Locale,
    needs::brief::{Brief, Load, Precision},
    text::Name,
    texts,
};

pub(super) struct Group {
    pub(super) heading: String,
    /// What stands behind the heading itself, of a group that has no labels.
    pub(super) value: Option<String>,
    pub(super) rows: Vec<(String, String)>,
}

struct Writing(Locale);

pub(super) fn groups(brief: &Brief, locale: Locale) -> Vec<Group> {
    let writing = Writing(locale);
    let usage = writing.worded(&brief.usage, |usage| writing.word(&format!("use.{}", usage.id())));
    vec![
        writing.alone("use", usage),
        writing.group("model", writing.model(brief)),
        writing.group("cards", writing.cards(brief)),
        writing.group("interconnect", writing.interconnect(brief)),
        writing.group("storage", writing.storage(brief)),
        writing.group("environment", writing.environment(brief)),
        writing.group("term", writing.term(brief)),
        writing.alone("region", writing.name(&brief.region)),
        writing.group("contact", writing.contact(brief)),
    ]
}

type Row = (&'static str, String);

impl Writing {
    fn word(&self, key: &str) -> String {
        texts::text(&format!("template.{key}"), self.0).to_owned()
    }

    fn alone(&self, key: &str, value: String) -> Group {
        Group { heading: self.word(&format!("group.{key}")), value: Some(value), rows: Vec::new() }
    }

    fn group(&self, key: &str, rows: Vec<Row>) -> Group {
        let rows = rows.into_iter().map(|(label, value)| (self.word(label), value));
        Group { heading: self.word(&format!("group.{key}")), value: None, rows: rows.collect() }
    }

    fn worded<T: PartialOrd + Clone>(
        &self,
        estimate: &Estimate<T>,
        word: impl Fn(&T) -> String,
    ) -> String {
        match estimate {
            Estimate::Known { known } => word(known),
            Estimate::Range { low, high } => format!("{}-{}", word(low), word(high)),
            Estimate::Tbd { .. } => self.word("open"),
        }
    }

    fn name(&self, estimate: &Estimate<Name>) -> String {
        self.worded(estimate, Name::to_string)
    }

    fn yes(&self, estimate: &Estimate<bool>) -> String {
        self.worded(estimate, |yes| self.word(if *yes { "yes" } else { "no" }))
    }

    /// A figure, and the unit once behind it.
    fn figure<T: PartialOrd + Clone + Display>(
        &self,
        estimate: &Estimate<T>,
        unit: &str,
    ) -> String {
        match estimate {
            Estimate::Tbd { .. } => self.word("open"),
            Estimate::Known { .. } | Estimate::Range { .. } => {
                let figure = self.worded(estimate, T::to_string);
                format!("{figure} {unit}").trim_end().to_owned()
            }
        }
    }

    fn decimal(&self, estimate: &Estimate<Decimal>, unit: &str) -> String {
        let plain =
            estimate.try_map(|figure| Ok::<_, std::convert::Infallible>(figure.normalize()));
        match plain {
            Ok(plain) => self.figure(&plain, unit),
            Err(never) => match never {},
        }
    }

    fn model(&self, brief: &Brief) -> Vec<Row> {
        let (model, targets) = (&brief.model, &brief.targets);
        vec![
            ("parameters", self.decimal(&model.parameters_b, "B")),
            ("precision", self.worded(&model.precision, |one| precision(*one).to_owned())),
            ("vram", self.decimal(&model.vram_per_card_gib, "GiB")),
            ("tensor", self.figure(&model.tensor_parallel, "")),
            ("data", self.figure(&model.data_parallel, "")),
            ("pipeline", self.figure(&model.pipeline_parallel, "")),
            ("concurrency", self.figure(&targets.peak_concurrency, "")),
            ("context", self.figure(&targets.context_tokens, "")),
            ("latency", self.decimal(&targets.latency_ms, "ms")),
        ]
    }

    fn cards(&self, brief: &Brief) -> Vec<Row> {
        let (cards, unit) = (&brief.cards, self.word("unit.cards"));
        let mut rows = vec![("card", self.name(&cards.model))];
        if !cards.substitutes.is_empty() {
            let names: Vec<_> = cards.substitutes.iter().map(Name::as_str).collect();
            rows.push(("substitutes", names.join(" / ")));
        }
        rows.push(("total", self.figure(&cards.total, &unit)));
        rows.push(("per_node", self.figure(&cards.per_node, &unit)));
        rows
    }

    fn interconnect(&self, brief: &Brief) -> Vec<Row> {
        let interconnect = &brief.interconnect;
        let fabric = self.worded(&interconnect.between_nodes, |fabric| {
            self.word(&format!("fabric.{}", fabric.id()))
        });
        vec![
            ("nvlink", self.yes(&interconnect.nvlink)),
            ("bandwidth", self.decimal(&interconnect.bandwidth_gbit_s, "Gbps")),
            ("between_nodes", fabric),
        ]
    }

    fn storage(&self, brief: &Brief) -> Vec<Row> {
        let storage = &brief.storage;
        let minutes = self.word("unit.minutes");
        vec![
            ("dataset", self.decimal(&storage.dataset_gib, "GiB")),
            ("read", self.decimal(&storage.read_gib_s, "GiB/s")),
            ("interval", self.decimal(&storage.checkpoint_interval_min, &minutes)),
            ("checkpoint", self.decimal(&storage.checkpoint_gib, "GiB")),
            ("volume", self.decimal(&storage.volume_gib, "GiB")),
            ("shared", self.yes(&storage.shared)),
        ]
    }

    fn environment(&self, brief: &Brief) -> Vec<Row> {
        let environment = &brief.environment;
        vec![
            ("environment", self.name(&environment.template)),
            ("image", self.name(&environment.image)),
            ("cuda", self.name(&environment.cuda)),
            ("driver", self.name(&environment.driver)),
        ]
    }

    fn term(&self, brief: &Brief) -> Vec<Row> {
        let term = &brief.term;
        let load = |load: &Load| {
            self.word(match load {
                Load::Steady => "load.steady",
                Load::Bursty => "load.bursty",
            })
        };
        let percent =
            term.utilisation.try_map(|percent| Ok::<_, std::convert::Infallible>(percent.value()));
        let utilisation = match percent {
            Ok(percent) => self.decimal(&percent, "%"),
            Err(never) => match never {},
        };
        vec![
            ("months", self.figure(&term.months, &self.word("unit.months"))),
            ("start", self.start(&term.start)),
            ("load", self.worded(&term.load, load)),
            ("utilisation", utilisation),
            ("phased", self.yes(&term.phased)),
        ]
    }

    /// Some day of one month is written as that month.
    fn start(&self, start: &Estimate<NaiveDate>) -> String {
        if let Estimate::Range { low, high } = start
            && low.day() == 1
            && low.checked_add_months(Months::new(1)).and_then(|next| next.pred_opt())
                == Some(*high)
        {
            return low.format("%Y-%m").to_string();
        }
        self.worded(start, NaiveDate::to_string)
    }

    fn contact(&self, brief: &Brief) -> Vec<Row> {
        let contact = &brief.contact;
        vec![
            ("name", self.name(&contact.name)),
            ("team", self.name(&contact.team)),
            ("reachable", self.name(&contact.reachable)),
        ]
    }
}

fn precision(precision: Precision) -> &'static str {
    match precision {
        Precision::Fp32 => "FP32",
        Precision::Bf16 => "BF16",
        Precision::Fp16 => "FP16",
        Precision::Fp8 => "FP8",
        Precision::Int8 => "INT8",
        Precision::Int4 => "INT4",
    }
}
