//! `sixgate own-or-rent`: what owning, renting, and owning the base with a rented peak cost.
//!
//! The rule: it answers what the API would, by the shipped assumptions. A number in the file is a
//! whole one or a text such as "0.87", since a float would already have lost what was meant. It
//! exits with 2 when no option can be priced.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use rust_decimal::Decimal;
use sixgate_engine::chart::{Chart, owning};
use sixgate_workflows::{
    budget::own_or_rent::{
        Choice, Comparison, Costs, Outcome, Question,
        break_even::{BreakEven, UseBreakEven},
        compare,
        input::Input,
        rules::Finding,
        span::Span,
    },
    estimate::Estimate,
    locale::Locale,
    policy::Policy,
    texts,
};
use toml::{Table, Value};

use crate::arguments::OwnOrRentArguments;
use crate::failure::CANNOT_TELL;
use crate::output;

/// Fifty lines of figures; whatever is larger is no question.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
const BARS_SHOWN: usize = 8;

pub(crate) fn execute(all: &OwnOrRentArguments) -> anyhow::Result<ExitCode> {
    let arguments = &all.calculator;
    let question = question(&arguments.file)?;
    let comparison = compare(question, &Policy::shipped())
        .with_context(|| arguments.file.display().to_string())?;
    let (comparison, locale) = (&comparison, arguments.locale);
    draw(arguments.chart.as_deref(), || Chart::Lines(owning::cumulative(comparison, locale)))?;
    if let Some(tornado) = owning::sensitivity(comparison, locale) {
        draw(all.tornado.as_deref(), || Chart::Tornado(tornado))?;
    }
    match arguments.json {
        true => output::json(comparison)?,
        false => Answer { comparison, locale }.print()?,
    }
    let is_priced = |outcome: &Outcome| match outcome {
        Outcome::Priced(_) => true,
        Outcome::Unknown(_) => false,
    };
    Ok(match comparison.outcomes.values().any(is_priced) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(CANNOT_TELL),
    })
}

/// Draws a chart where one was asked for.
pub(super) fn draw(file: Option<&Path>, chart: impl FnOnce() -> Chart) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, chart().svg())
        .with_context(|| format!("could not write {}", file.display()))
}

/// A TOML file of bounded size.
pub(super) fn table(file: &Path) -> anyhow::Result<Table> {
    let told = || format!("could not read {}", file.display());
    let bytes = super::read::content(file, FILE_BYTES_MAX).with_context(told)?;
    let text = std::str::from_utf8(&bytes).with_context(told)?;
    text.parse().with_context(told)
}

fn question(file: &Path) -> anyhow::Result<Question> {
    let told = || file.display().to_string();
    let mut table = table(file)?;
    if let Some(Value::Table(inputs)) = table.get_mut("inputs") {
        for (name, value) in inputs.iter_mut() {
            *value = estimate(name, value).with_context(told)?;
        }
    }
    table.try_into().with_context(told)
}

/// A plain figure is one that is known; a table says itself what it is.
pub(super) fn estimate(name: &str, value: &Value) -> anyhow::Result<Value> {
    let known = |text: String| {
        Value::Table([("known".to_owned(), Value::String(text))].into_iter().collect())
    };
    match value {
        Value::String(text) => Ok(known(text.trim().to_owned())),
        Value::Integer(whole) => Ok(known(whole.to_string())),
        Value::Table(_) => Ok(value.clone()),
        Value::Float(_) => anyhow::bail!("{name}: write a decimal in quotes, such as \"{value}\""),
        Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) => {
            anyhow::bail!("{name}: give a number, {{ low, high }} or {{ tbd }}")
        }
    }
}

/// The answer as people read it.
struct Answer<'a> {
    comparison: &'a Comparison,
    locale: Locale,
}

impl Answer<'_> {
    fn print(&self) -> anyhow::Result<()> {
        for choice in Choice::ALL {
            match self.comparison.outcomes.get(&choice) {
                Some(Outcome::Priced(costs)) => self.priced(choice, costs)?,
                Some(Outcome::Unknown(missing)) => {
                    let missing: Vec<_> = missing.iter().map(|input| input.id()).collect();
                    self.line(
                        "own_line.unknown",
                        &[("choice", choice.id()), ("own_field", &missing.join(", "))],
                    )?;
                }
                None => {}
            }
        }
        self.against_renting()?;
        self.rules()?;
        self.tornado()?;
        self.assumed()
    }

    fn line(&self, key: &str, figures: &[(&str, &str)]) -> anyhow::Result<()> {
        output::line(filled(key, self.locale, figures))
    }

    fn priced(&self, choice: Choice, costs: &Costs) -> anyhow::Result<()> {
        let unknown = texts::text("own_line.undefined", self.locale);
        let span = |span: Option<Span<Decimal>>| span.map_or_else(|| unknown.to_owned(), money);
        self.line(
            "own_line.priced",
            &[
                ("choice", choice.id()),
                ("currency", self.comparison.question.currency.code()),
                ("total", &money(costs.total)),
                ("months", &self.comparison.question.horizon_months.to_string()),
                ("present", &span(costs.present)),
                ("unit", &span(costs.per_useful_card_hour)),
            ],
        )?;
        for (part, amount) in &costs.parts {
            let name = texts::text(&format!("part.{}", part.id()), self.locale).to_owned();
            output::line(format!("    {name}: {amount:.2}"))?;
        }
        Ok(())
    }

    fn against_renting(&self) -> anyhow::Result<()> {
        let comparison = self.comparison;
        for (choice, against) in &comparison.against_renting {
            let saving = against.saving_percent.map_or_else(|| "?".to_owned(), money);
            let even = ends(against.month.map(|even| self.month(even)));
            let figures = [("choice", choice.id()), ("even", &even), ("saving", &saving)];
            self.line("own_line.against", &figures)?;
        }
        let hybrid = comparison.against_renting.get(&Choice::Hybrid);
        if let Some(saving) = hybrid.and_then(|against| against.saving_percent) {
            let (band, saving) = (comparison.claimed_saving.to_string(), money(saving));
            self.line("own_line.claimed", &[("band", &band), ("saving", &saving)])?;
        }
        if let Some(even) = comparison.use_break_even {
            self.line("own_line.use", &[("even", &ends(even.map(|even| self.hours(even))))])?;
        }
        if let Some(cheapest) = comparison.cheapest {
            let certain = comparison.is_certain.to_string();
            self.line("own_line.cheapest", &[("choice", cheapest.id()), ("certain", &certain)])?;
        }
        Ok(())
    }

    fn month(&self, even: BreakEven) -> String {
        let month = even.month().map(|month| month.round_dp(1).normalize().to_string());
        let figures: Vec<_> = month.iter().map(|month| ("month", month.as_str())).collect();
        filled(&format!("break_even.{}", even.id()), self.locale, &figures)
    }

    fn hours(&self, even: UseBreakEven) -> String {
        let hours = even.hours_a_day().map(|hours| hours.round_dp(1).normalize().to_string());
        let figures: Vec<_> = hours.iter().map(|hours| ("hours", hours.as_str())).collect();
        filled(&format!("use_break_even.{}", even.id()), self.locale, &figures)
    }

    fn rules(&self) -> anyhow::Result<()> {
        self.line("own_line.rules", &[])?;
        for finding in &self.comparison.findings {
            output::line(format!("    {}", self.finding(finding)))?;
        }
        for found in &self.comparison.disagreements {
            let figures = [
                ("own_rule", found.rule.id()),
                ("speaks", found.says.id()),
                ("computed", found.computed.id()),
            ];
            output::line(format!("    ! {}", filled("own_disagreement", self.locale, &figures)))?;
        }
        Ok(())
    }

    fn finding(&self, finding: &Finding) -> String {
        let text = |key: String| texts::text(&key, self.locale).to_owned();
        let worded = |value: &str| match value {
            "true" | "false" => text(format!("certain.{value}")),
            _ => value.to_owned(),
        };
        let read: Vec<String> = finding
            .read
            .iter()
            .map(|read| {
                let field = text(format!("own_field.{}", read.field));
                let value = read.value.as_deref().map_or_else(|| "?".to_owned(), worded);
                format!("{field} {value} ({})", worded(&read.threshold))
            })
            .collect();
        let says = text(format!("speaks.{}", finding.verdict.id()));
        let rule = text(format!("own_rule.{}", finding.rule.id()));
        format!("[{says}] {rule} {}", read.join(" · "))
    }

    fn tornado(&self) -> anyhow::Result<()> {
        if self.comparison.tornado.is_empty() {
            return Ok(());
        }
        self.line("own_line.tornado", &[])?;
        for bar in self.comparison.tornado.iter().take(BARS_SHOWN) {
            let name = self.field(bar.input);
            let (low, high) = (bar.swing.low.normalize(), bar.swing.high.normalize());
            output::line(format!(
                "    {name} {low}–{high}: {:.2} … {:.2}",
                bar.at_low, bar.at_high
            ))?;
        }
        Ok(())
    }

    fn assumed(&self) -> anyhow::Result<()> {
        if self.comparison.assumed.is_empty() {
            return Ok(());
        }
        self.line("own_line.assumed", &[])?;
        for (input, row) in &self.comparison.assumed {
            let value = match &row.value {
                Estimate::Known { .. } | Estimate::Range { .. } => row.value.written(),
                Estimate::Tbd { tbd } => Some(tbd.to_string()),
            };
            let (name, value) = (self.field(*input), value.unwrap_or_default());
            output::line(format!("    {name} {value} ({}, {})", row.source, row.as_of))?;
        }
        Ok(())
    }

    fn field(&self, input: Input) -> String {
        texts::text(&format!("own_field.{}", input.id()), self.locale).to_owned()
    }
}

pub(super) fn filled(key: &str, locale: Locale, figures: &[(&str, &str)]) -> String {
    let figure =
        |name: &str| figures.iter().find(|(known, _)| *known == name).map(|(_, figure)| *figure);
    texts::filled(key, locale, figure)
}

/// The middle, and the ends where they differ.
fn money(span: Span<Decimal>) -> String {
    ends(span.map(|amount| format!("{amount:.2}")))
}

fn ends(span: Span<String>) -> String {
    match span.low == span.high {
        true => span.middle,
        false => format!("{} ({} … {})", span.middle, span.low, span.high),
    }
}
