//! A sizing as a chart: what lies on the fullest card, beside what a process may use of it.
//!
//! The low and the high end of a sizing are two bars and not one with ranges, since their layouts
//! differ and each is a whole of its own.

use rust_decimal::Decimal;
use sixgate_workflows::{
    estimate::Estimate,
    locale::Locale,
    needs::sizing::{
        Sizing, Span,
        bytes::Bytes,
        computed::ModelSizing,
        point::{OnCard, Outcome},
    },
};

use super::{
    StackChart, Unit, Value,
    stack::{Bar, Limit},
    words::{filled, word},
};

/// Of a sizing that was worked out; one bar when nothing in it is a range.
pub fn of_model(sizing: &ModelSizing, locale: Locale) -> StackChart {
    let card = sizing.input.card.as_str();
    match sizing.low == sizing.high {
        true => of_outcomes(card, &[("one", "no_layout", &sizing.high)], locale),
        false => of_outcomes(
            card,
            &[("low", "low_no_layout", &sizing.low), ("high", "high_no_layout", &sizing.high)],
            locale,
        ),
    }
}

/// Of one outcome alone.
pub fn of_outcome(card: &str, outcome: &Outcome, locale: Locale) -> StackChart {
    of_outcomes(card, &[("one", "no_layout", outcome)], locale)
}

fn of_outcomes(card: &str, outcomes: &[(&str, &str, &Outcome)], locale: Locale) -> StackChart {
    let wholes: Vec<_> = outcomes.iter().map(|(.., outcome)| parts(&outcome.on_card)).collect();
    let taken = |index: &usize| wholes.iter().any(|whole| whole[*index].1 > Bytes::ZERO);
    // A model that is not trained has no optimizer states, which needs no mention.
    let kept: Vec<usize> = (0..PARTS).filter(taken).collect();
    let named =
        |index: &usize| word(&format!("memory.{}", parts(&OnCard::default())[*index].0), locale);
    let bars = outcomes.iter().zip(&wholes).map(|((one, none, outcome), whole)| Bar {
        name: match outcome.cards() {
            Some(cards) => {
                filled(&format!("memory.{one}"), locale, &[("count", &cards.to_string())])
            }
            None => word(&format!("memory.{none}"), locale),
        },
        values: kept.iter().map(|index| Value::Known(whole[*index].1.as_gib())).collect(),
    });
    let usable = outcomes.iter().map(|(.., outcome)| outcome.usable_per_card.as_gib());
    let usable = usable.map(Value::Known).reduce(|one, other| match (one.low(), other.high()) {
        (Some(one), Some(other)) => Value::between(one, other),
        (None, _) | (_, None) => Value::Unknown,
    });
    StackChart {
        locale,
        title: filled("memory.fullest_card", locale, &[("name", card)]),
        unit: Unit::Gib,
        parts: kept.iter().map(named).collect(),
        bars: bars.collect(),
        limit: Some(Limit {
            name: word("memory.usable", locale),
            value: usable.unwrap_or(Value::Unknown),
        }),
    }
}

const PARTS: usize = 8;

fn parts(on_card: &OnCard) -> [(&'static str, Bytes); PARTS] {
    let (overhead, training) = (&on_card.overhead, &on_card.training);
    let communication = [overhead.communication, overhead.loading, training.buckets];
    [
        ("weights", on_card.weights.plus(training.base)),
        ("kv", on_card.kv),
        ("states", training.states),
        ("gathered", training.gathered),
        ("activations", overhead.activations.plus(training.activations)),
        ("logits", training.logits),
        ("runtime", overhead.runtime),
        ("communication", communication.into_iter().sum()),
    ]
}

/// Of a sizing whose parts somebody stated, over all its cards.
pub fn of_stated(sizing: &Sizing, locale: Locale) -> StackChart {
    let input = &sizing.input;
    let span = |span: Span| Value::between(span.low, span.high);
    let parts = [
        ("weights", span(sizing.weights_gib)),
        ("kv", span(sizing.kv_cache_gib)),
        ("states", estimated(&input.optimizer_gib)),
        ("overhead", estimated(&input.overhead_gib)),
    ];
    StackChart {
        locale,
        title: filled(
            "memory.all_cards",
            locale,
            &[("count", &input.cards.to_string()), ("name", input.card.as_str())],
        ),
        unit: Unit::Gib,
        parts: parts.iter().map(|(name, _)| word(&format!("memory.{name}"), locale)).collect(),
        bars: vec![Bar {
            name: word("memory.total", locale),
            values: parts.iter().map(|(_, value)| *value).collect(),
        }],
        limit: Some(Limit {
            name: word("memory.usable", locale),
            value: Value::Known(sizing.usable_gib),
        }),
    }
}

/// To be determined is unknown.
pub(super) fn estimated(estimate: &Estimate<Decimal>) -> Value {
    match estimate {
        Estimate::Known { known } => Value::Known(*known),
        Estimate::Range { low, high } => Value::Range { low: *low, high: *high },
        Estimate::Tbd { .. } => Value::Unknown,
    }
}
