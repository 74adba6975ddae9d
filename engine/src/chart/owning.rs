//! Owning against renting as charts: what each option has cost by each month, and what moves the
//! advantage of owning most.

use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::own_or_rent::{Choice, Comparison, Costs, Outcome},
    locale::Locale,
    texts,
};

use super::{
    LineChart, TornadoChart, Unit, Value,
    lines::{Across, Crossing, Line},
    tornado::Swing,
    words::{filled, word},
};

/// The cost so far, from the order to the end of the horizon. An option that misses an input has no
/// line.
pub fn cumulative(comparison: &Comparison, locale: Locale) -> LineChart {
    let named = |choice: Choice| texts::text(&format!("choice.{}", choice.id()), locale).to_owned();
    let lines = Choice::ALL.into_iter().map(|choice| Line {
        name: named(choice),
        points: priced(comparison, choice).map(points).unwrap_or_default(),
        joined: true,
    });
    let crossings = comparison.against_renting.iter().filter_map(|(choice, against)| {
        let month = against.month.middle.month()?;
        let value = at(&priced(comparison, Choice::Rent)?.line.middle, month)?;
        let name = filled("owning.crossing", locale, &[("name", &named(*choice))]);
        Some(Crossing { name, at: month, value })
    });
    LineChart {
        locale,
        title: word("owning.cumulative", locale),
        across: Across::Numbers(Unit::Months),
        unit: Unit::Money(comparison.question.currency),
        lines: lines.collect(),
        crossings: crossings.collect(),
        against: None,
    }
}

/// In value today; nothing while owning or renting cannot be priced.
pub fn sensitivity(comparison: &Comparison, locale: Locale) -> Option<TornadoChart> {
    let present = |choice| Some(priced(comparison, choice)?.present?.middle);
    let swings = comparison.tornado.iter().map(|bar| {
        let field = texts::text(&format!("own_field.{}", bar.input.id()), locale).to_owned();
        let (low, high) = (bar.swing.low.normalize(), bar.swing.high.normalize());
        Swing {
            name: format!("{field} {low}–{high}"),
            at_low: Some(bar.at_low),
            at_high: Some(bar.at_high),
        }
    });
    Some(TornadoChart {
        locale,
        title: word("owning.sensitivity", locale),
        unit: Unit::Money(comparison.question.currency),
        base: present(Choice::Rent)? - present(Choice::Own)?,
        swings: swings.collect(),
    })
}

fn priced(comparison: &Comparison, choice: Choice) -> Option<&Costs> {
    match comparison.outcomes.get(&choice)? {
        Outcome::Priced(costs) => Some(costs),
        Outcome::Unknown(_) => None,
    }
}

fn points(costs: &Costs) -> Vec<(Decimal, Value)> {
    let ends = costs.line.low.iter().zip(&costs.line.high);
    let months = (0_u32..).map(Decimal::from);
    months.zip(ends).map(|(month, (low, high))| (month, Value::between(*low, *high))).collect()
}

/// Between two months, on the straight line from one to the other.
fn at(line: &[Decimal], month: Decimal) -> Option<Decimal> {
    let before = usize::try_from(month.floor()).ok()?;
    let first = *line.get(before)?;
    let next = line.get(before + 1).copied().unwrap_or(first);
    Some(first + (next - first) * month.fract())
}
