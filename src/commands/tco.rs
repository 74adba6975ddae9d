//! `sixgate tco`: the total cost of ownership of what a file states.
//!
//! The rule: it answers what the API would. A number in the file is a whole one or a text such as
//! "0.87", since a float would already have lost what was meant. It exits with 2 while something is
//! unknown, and says what.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use rust_decimal::Decimal;
use serde::Deserialize;
use sixgate_engine::chart::{Chart, costs};
use sixgate_workflows::{
    budget::tco::{
        Cost, CostKind, ExchangeRate, MoneySpan, Plan,
        line::Line,
        statement::{Figures, KindStatement, Statement, Usage, statement},
    },
    estimate::Estimate,
    locale::Locale,
    money::Currency,
    percent::Percent,
    text::Text,
    texts,
};
use toml::Value;

use super::own_or_rent::{draw, estimate, filled, table};
use crate::arguments::CalculatorArguments;
use crate::failure::CANNOT_TELL;
use crate::output;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    currency: Currency,
    term_months: u32,
    reserve_percent: Percent,
    discount_rate_percent: Option<Percent>,
    #[serde(default)]
    rates: Vec<ExchangeRate>,
    usage: Option<FileUsage>,
    #[serde(default)]
    costs: BTreeMap<CostKind, Vec<Line>>,
    /// Why a kind costs nothing.
    #[serde(default)]
    zero: BTreeMap<CostKind, Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileUsage {
    cards: Estimate<Decimal>,
    utilisation_percent: Estimate<Decimal>,
    hours_per_month: Decimal,
}

/// The fields that may be a plain figure, a range or to be determined.
const ESTIMATES: [&str; 7] = [
    "amount",
    "cards",
    "hours_per_month",
    "utilisation_percent",
    "interruptions_per_month",
    "checkpoint_interval_hours",
    "restart_hours",
];

pub(crate) fn execute(arguments: &CalculatorArguments) -> anyhow::Result<ExitCode> {
    let told = || arguments.file.display().to_string();
    let (plan, statement) = read(&arguments.file).with_context(told)?;
    draw(arguments.chart.as_deref(), || {
        Chart::Stack(costs::of_statement(&plan, Some(&statement), arguments.locale))
    })?;
    match arguments.json {
        true => output::json(&statement)?,
        false => print(&statement, arguments.locale)?,
    }
    Ok(match statement.figures {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::from(CANNOT_TELL),
    })
}

fn read(path: &Path) -> anyhow::Result<(Plan, Statement)> {
    let mut table = table(path)?;
    if let Some(Value::Table(usage)) = table.get_mut("usage") {
        // It is one figure here, and a convention that may be a range in a line.
        let hours = usage.remove("hours_per_month");
        estimates(usage)?;
        usage.extend(hours.map(|hours| ("hours_per_month".to_owned(), hours)));
    }
    if let Some(Value::Table(costs)) = table.get_mut("costs") {
        for (_, lines) in costs.iter_mut() {
            for line in lines.as_array_mut().into_iter().flatten() {
                let Value::Table(line) = line else { continue };
                estimates(line)?;
                if let Some(Value::Table(per)) = line.get_mut("per") {
                    estimates(per)?;
                }
            }
        }
    }
    let file: File = table.try_into()?;
    let plan = Plan {
        term_months: file.term_months,
        reserve: file.reserve_percent,
        currency: file.currency,
        rates: file.rates,
        discount_rate: file.discount_rate_percent,
    };
    plan.check()?;
    let mut costs = BTreeMap::new();
    for (kind, lines) in file.costs {
        let cost = Cost::Lines { lines };
        cost.check().with_context(|| format!("costs.{}", kind.id()))?;
        costs.insert(kind, cost);
    }
    for (kind, reason) in file.zero {
        let before = costs.insert(kind, Cost::Zero { reason });
        ensure!(before.is_none(), "{} has lines and is zero; say one of them", kind.id());
    }
    let usage = file.usage.map(|usage| Usage {
        cards: usage.cards,
        utilisation_percent: usage.utilisation_percent,
        hours_per_month: usage.hours_per_month,
    });
    let statement = statement(&|kind| costs.get(&kind), &plan, usage.as_ref())?;
    Ok((plan, statement))
}

fn estimates(table: &mut toml::Table) -> anyhow::Result<()> {
    for (name, value) in table.iter_mut().filter(|(name, _)| ESTIMATES.contains(&name.as_str())) {
        *value = estimate(name, value)?;
    }
    Ok(())
}

fn print(statement: &Statement, locale: Locale) -> anyhow::Result<()> {
    for kind in &statement.kinds {
        kind_lines(kind, statement.figures.as_ref(), locale)?;
    }
    for unknown in &statement.unknown {
        output::line(texts::unknown_cost(unknown, locale))?;
    }
    let Some(figures) = &statement.figures else { return Ok(()) };
    let row = |name: &str, span: MoneySpan| row(texts::text(name, locale), &amount(span));
    output::line(String::new())?;
    row("tco.subtotal", figures.subtotal)?;
    row("tco.reserve", figures.reserve)?;
    row("tco.total", figures.total)?;
    row("tco.per_month", figures.per_month)?;
    match figures.per_useful_card_hour {
        Some(span) => row("tco.per_useful_card_hour", span)?,
        None => output::line(texts::text("tco.usage_unknown", locale))?,
    }
    if let Some(value) = figures.present_value {
        row("tco.present_value", value)?;
    }
    let widest = figures.drivers.iter().max_by_key(|driver| driver.width.amount);
    if let Some(widest) = widest.filter(|driver| !driver.width.amount.is_zero()) {
        let width = widest.width.to_string();
        let named = [("kinds", widest.kind.id()), ("width", &width)];
        output::line(filled("tco.widest", locale, &named))?;
    }
    Ok(())
}

fn kind_lines(
    kind: &KindStatement,
    figures: Option<&Figures>,
    locale: Locale,
) -> anyhow::Result<()> {
    let key = format!("kinds.{}", kind.kind.id());
    let name = texts::text(&key, locale);
    match (&kind.zero_because, kind.for_term) {
        (Some(reason), _) => {
            row(name, &filled("tco.zero_because", locale, &[("reason", reason.as_str())]))?;
        }
        (None, Some(span)) => {
            let share = figures.and_then(|f| f.drivers.iter().find(|d| d.kind == kind.kind));
            let share = share.map_or_else(String::new, |driver| {
                format!("  {} %", driver.share_percent.round_dp(1).normalize())
            });
            row(name, &format!("{}{share}", amount(span)))?;
        }
        (None, None) => row(name, "?")?,
    }
    for line in &kind.lines {
        let factors: Vec<String> = line
            .factors
            .iter()
            .map(|factor| {
                let value = match factor.low == factor.high {
                    true => short(factor.low),
                    false => format!("{}–{}", short(factor.low), short(factor.high)),
                };
                let key = format!("factor.{}", factor.name.id());
                format!("{} {value}", texts::text(&key, locale))
            })
            .collect();
        output::line(format!("    {}: {}", line.line.name, factors.join(" × ")))?;
    }
    Ok(())
}

fn row(name: &str, value: &str) -> anyhow::Result<()> {
    output::line(format!("{name:<24} {value}"))
}

fn amount(span: MoneySpan) -> String {
    match span.low == span.high {
        true => span.low.to_string(),
        false => format!("{} – {:.2}", span.low, span.high.rounded().amount),
    }
}

fn short(value: Decimal) -> String {
    value.round_dp(6).normalize().to_string()
}
