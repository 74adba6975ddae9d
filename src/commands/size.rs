//! `sixgate size`: how many cards a model needs for a load, and why.
//!
//! The rule: it answers what the needs of a procurement would, by the shipped catalogue. That no
//! layout holds the load is an answer, and a negative one. It deliberately knows no procurement and
//! no organisation's own figures.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use sixgate_engine::chart::{Chart, memory};
use sixgate_evidence::{Facts, Kind};
use sixgate_workflows::{
    estimate::Estimate,
    gate::Reason,
    locale::Locale,
    needs::{
        brief::Brief,
        catalogue::{Catalogue, lookup::Lookup},
        sizing::{
            bytes::Bytes,
            computed::{ModelSizingInput, Question},
            format::Stored,
            layout::Layout,
            point::{Outcome, Point},
            shape::ModelShape,
            why::{explained, notes},
        },
    },
    texts,
};

use crate::arguments::SizeArguments;
use crate::failure::NEGATIVE;
use crate::output;

/// A configuration is a few kilobytes; whatever is larger is none.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;

#[derive(Serialize)]
struct Answer {
    card: String,
    parameters: u64,
    weights_bytes: u64,
    /// Of the whole model, as if every layer kept all tokens.
    kv_bytes_per_token: u64,
    kv_bytes: u64,
    overhead_bytes_per_card: u64,
    required_bytes_per_card: u64,
    usable_bytes_per_card: u64,
    cards: Option<u32>,
    cards_per_node: Option<u32>,
    layout: Option<Layout>,
    scale: &'static str,
    link: &'static str,
    fits: bool,
    headroom_pct: f64,
    max_concurrency: u32,
    reasons: Vec<String>,
    why: Vec<Line>,
}

/// One figure with its formula and the inputs that went in.
#[derive(Serialize)]
struct Line {
    figure: &'static str,
    title: String,
    value: String,
    formula: String,
}

pub(crate) fn execute(arguments: &SizeArguments) -> anyhow::Result<ExitCode> {
    let shape = model(&arguments.model)?;
    let catalogue = Catalogue::shipped();
    let input = ModelSizingInput {
        shape: Some(shape),
        card: arguments.card.clone(),
        weights: arguments.weights.map(Stored::usual),
        cache: arguments.kv,
        utilisation: arguments.utilisation,
        per_node: None,
        training: None,
    };
    let mut brief = Brief::blank();
    brief.usage = Estimate::known(arguments.usage);
    brief.targets.peak_concurrency = Estimate::known(arguments.concurrency);
    brief.targets.context_tokens = Estimate::known(arguments.context);
    let question = Question::new(&brief, &input, catalogue)
        .map_err(|refused| anyhow::anyhow!(texts::rejection(&refused, Locale::En)))?;
    let point = question.high();
    let outcome = point.outcome();
    if let Some(file) = &arguments.chart {
        let chart = memory::of_outcome(&point.card.name, &outcome, arguments.locale);
        std::fs::write(file, Chart::Stack(chart).svg())
            .with_context(|| format!("could not write {}", file.display()))?;
    }
    let answer = answer(arguments, &point, &outcome);
    match arguments.json {
        true => output::json(&answer)?,
        false => table(&answer)?,
    }
    Ok(if answer.fits { ExitCode::SUCCESS } else { ExitCode::from(NEGATIVE) })
}

/// The model of a published configuration, or in the product's own form.
fn model(file: &Path) -> anyhow::Result<ModelShape> {
    let told = || format!("could not read {}", file.display());
    let bytes = super::read::content(file, FILE_BYTES_MAX).with_context(told)?;
    if let Ok(shape) = serde_json::from_slice(&bytes) {
        return Ok(shape);
    }
    let document = sixgate_evidence::read(Kind::HfConfig, &bytes).with_context(told)?;
    let Facts::HfConfig(facts) = document.facts else {
        anyhow::bail!("{} is no model's configuration", file.display());
    };
    sixgate_engine::import::model_shape(&facts).with_context(told)
}

fn answer(arguments: &SizeArguments, point: &Point<'_>, outcome: &Outcome) -> Answer {
    let on_card = &outcome.on_card;
    let held = on_card.weights.plus(on_card.training.base).plus(on_card.kv);
    let name = arguments.card.as_str();
    let assumed = match Catalogue::shipped().lookup(name) {
        Lookup::Ambiguous(_) => Some(
            Reason::new("sizing_note_card_assumed")
                .with("given", name)
                .with("card_name", &point.card.name),
        ),
        Lookup::Found(_) | Lookup::Unknown => None,
    };
    let reasons = notes(point, outcome).into_iter().chain(assumed);
    let line = |why: sixgate_workflows::needs::sizing::why::Why| Line {
        figure: why.figure.id(),
        title: why.title(Locale::En),
        formula: why.text(Locale::En),
        value: why.value,
    };
    Answer {
        card: point.card.name.clone(),
        parameters: outcome.parameters,
        weights_bytes: outcome.weights.0,
        kv_bytes_per_token: outcome.kv_per_token.0,
        kv_bytes: outcome.kv.0,
        overhead_bytes_per_card: on_card.total().less(held).0,
        required_bytes_per_card: on_card.total().0,
        usable_bytes_per_card: outcome.usable_per_card.0,
        cards: outcome.cards(),
        cards_per_node: outcome.cards_per_node(),
        layout: outcome.layout,
        scale: outcome.scale.id(),
        link: outcome.link.id(),
        fits: outcome.fits(),
        headroom_pct: outcome.headroom_permille() as f64 / 10.0,
        max_concurrency: outcome.max_concurrency,
        reasons: reasons.map(|reason| texts::reason(&reason, Locale::En)).collect(),
        why: explained(point, outcome).into_iter().map(line).collect(),
    }
}

fn table(answer: &Answer) -> anyhow::Result<()> {
    let cards = match (answer.cards, answer.layout) {
        (Some(cards), Some(layout)) => format!(
            "{cards} × {} (tensor {}, pipeline {}, copies {}), scale {}",
            answer.card, layout.tensor, layout.pipeline, layout.data, answer.scale
        ),
        (Some(_) | None, _) => format!("no number of {} holds it", answer.card),
    };
    output::line(cards)?;
    output::line(format!(
        "{} of {} GiB on the fullest card, headroom {} %, at most {} at the same time",
        Bytes(answer.required_bytes_per_card).as_gib(),
        Bytes(answer.usable_bytes_per_card).as_gib(),
        answer.headroom_pct,
        answer.max_concurrency
    ))?;
    for reason in &answer.reasons {
        output::line(format!("- {reason}"))?;
    }
    for why in &answer.why {
        output::line(format!("{}: {}\n    = {}", why.title, why.value, why.formula))?;
    }
    Ok(())
}
