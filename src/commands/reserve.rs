//! `sixgate reserve`: how many cards to reserve for a demand, and what the rest costs on demand.
//!
//! The rule: it answers what the API would. The demand is a list of hours, a file of them beside the
//! question, or a week as people describe it, and just one of the three.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use rust_decimal::Decimal;
use serde::Deserialize;
use sixgate_engine::chart::{Chart, reserve};
use sixgate_workflows::{
    budget::base_and_burst::{
        Answer, Plan, Question, Thresholds, answer,
        demand::{Demand, Shape},
        tier::Tier,
    },
    locale::Locale,
    money::Currency,
    policy::Policy,
    texts,
};

use super::own_or_rent::{draw, filled, table};
use crate::arguments::CalculatorArguments;
use crate::output;

/// Five years of hours with their times take less than two megabytes.
const HOURS_BYTES_MAX: u64 = 4 * 1024 * 1024;
const POINTS_SHOWN: usize = 12;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    currency: Currency,
    on_demand_price: Decimal,
    #[serde(default)]
    tiers: Vec<Tier>,
    hours: Option<Vec<u32>>,
    hours_file: Option<String>,
    shape: Option<Shape>,
}

pub(crate) fn execute(arguments: &CalculatorArguments) -> anyhow::Result<ExitCode> {
    let told = || arguments.file.display().to_string();
    let thresholds = Thresholds::of(&Policy::shipped())?;
    let question = question(&arguments.file)?;
    let answer = answer(&question, thresholds).with_context(told)?;
    draw(arguments.chart.as_deref(), || {
        Chart::Steps(reserve::load_duration(&answer, arguments.locale))
    })?;
    match arguments.json {
        true => output::json(&answer)?,
        false => print(&answer, &question, thresholds, arguments.locale)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn question(path: &Path) -> anyhow::Result<Question> {
    let told = || path.display().to_string();
    let file: File = table(path)?.try_into().with_context(told)?;
    let demand = match (file.hours, file.hours_file, file.shape) {
        (Some(hours), None, None) => Demand::measured(hours).with_context(told)?,
        (None, Some(hours), None) => {
            let hours = path.parent().unwrap_or(Path::new("")).join(hours);
            let told = || format!("could not read {}", hours.display());
            let bytes = super::read::content(&hours, HOURS_BYTES_MAX).with_context(told)?;
            let text = std::str::from_utf8(&bytes).with_context(told)?;
            Demand::from_lines(text).with_context(told)?
        }
        (None, None, Some(shape)) => Demand::stated(&shape).with_context(told)?,
        _ => anyhow::bail!("{}: give one of hours, hours_file and shape", path.display()),
    };
    let (tiers, on_demand_price) = (file.tiers, file.on_demand_price);
    Ok(Question { demand, currency: file.currency, tiers, on_demand_price })
}

fn print(
    answer: &Answer,
    question: &Question,
    thresholds: Thresholds,
    locale: Locale,
) -> anyhow::Result<()> {
    let line = |key: &str, figures: &[(&str, &str)]| output::line(filled(key, locale, figures));
    let best = &answer.best;
    line(
        "reserve_line.best",
        &[
            ("cards", &best.cards.to_string()),
            ("peak", &question.demand.peak().to_string()),
            ("currency", answer.currency.code()),
            ("total", &money(best.total)),
            ("hours", &answer.hours.to_string()),
            ("reserved", &money(best.reserved_cost)),
            ("burst", &money(best.on_demand_cost)),
        ],
    )?;
    for part in &best.reserved {
        let (cards, price) = (part.cards.to_string(), part.price.to_string());
        let figures = [("cards", &*cards), ("tier", part.tier.as_str()), ("price", &price)];
        output::line(format!("    {}", filled("reserve_line.tier", locale, &figures)))?;
    }
    let others: [(&str, Option<&Plan>); 4] = [
        ("one_less", answer.one_less.as_ref()),
        ("one_more", answer.one_more.as_ref()),
        ("all_on_demand", Some(&answer.all_on_demand)),
        ("all_reserved", answer.all_reserved.as_ref()),
    ];
    for (other, plan) in others {
        if let Some(plan) = plan {
            let (total, more) = (money(plan.total), money(plan.total - best.total));
            let figures = [("other", other), ("total", &*total), ("more", &*more)];
            line("reserve_line.other", &figures)?;
        }
    }
    let percent = |saving: Option<Decimal>| {
        saving.map_or_else(|| "?".to_owned(), |saving| saving.round_dp(1).normalize().to_string())
    };
    line(
        "reserve_line.saving",
        &[
            ("on_demand", &percent(answer.saving_on_demand)),
            ("reserved", &percent(answer.saving_reserved)),
            ("band", &answer.claimed_saving.to_string()),
        ],
    )?;
    let steadiness = format!("steadiness.{}", answer.steadiness.id());
    line(
        &steadiness,
        &[
            ("variation", &percent(answer.variation.unexplained_percent)),
            ("threshold", &thresholds.variation_percent.to_string()),
        ],
    )?;
    output::line(texts::text("reserve_line.duration", locale))?;
    let every = answer.duration.len().div_ceil(POINTS_SHOWN).max(1);
    for point in answer.duration.iter().step_by(every) {
        output::line(format!("    {:>8} {:>8}", point.cards, point.hours))?;
    }
    Ok(())
}

fn money(amount: Decimal) -> String {
    format!("{amount:.2}")
}
