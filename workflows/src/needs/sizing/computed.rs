//! A sizing that is worked out from the brief, a model and a card: ranges in, ranges out.
//!
//! The rule: every figure of a need only ever grows with the fields that it is worked out from, so
//! its range is that from the sizing at all low ends to the one at all high ends. The field that
//! widens it most is the one whose low end alone takes the most away from the high sizing.
//!
//! Of a model whose shape is unknown the known models of about its size stand for the ends, and the
//! shape is then a field like the others.

use serde::{Deserialize, Serialize};

use super::{
    cache::CacheRules,
    format::{Format, Stored},
    point::{Outcome, Point},
    shape::ModelShape,
    stated::Fit,
    training::Training,
    weights::Parameters,
};
use crate::{
    estimate::Estimate,
    invalid::Invalid,
    needs::{
        brief::{Brief, Precision, Use},
        catalogue::{Catalogue, assumptions::Assumption, card::Card, model::alike},
    },
    percent::Percent,
    rejection::Rejection,
    text::Name,
};

/// What a sizing is to be worked out for, beside what the brief says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSizingInput {
    /// Absent when only the number of parameters is known.
    #[serde(default)]
    pub shape: Option<ModelShape>,
    pub card: Name,
    /// How the weights are stored, when it is not just the brief's precision.
    #[serde(default)]
    pub weights: Option<Stored>,
    /// Format of the KV cache; 16 bits when nobody says otherwise.
    #[serde(default)]
    pub cache: Option<Format>,
    /// The part of a card's memory that the runtime may fill.
    #[serde(default)]
    pub utilisation: Option<Percent>,
    #[serde(default)]
    pub per_node: Option<u32>,
    #[serde(default)]
    pub training: Option<Training>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSizing {
    pub input: ModelSizingInput,
    /// With every field at its low end.
    pub low: Outcome,
    pub high: Outcome,
    /// Absent when no field is a range.
    pub widest: Option<Field>,
    /// How many cards are wanted; absent while that is to be determined.
    pub wanted: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    ModelShape,
    ParametersB,
    Precision,
    PeakConcurrency,
    ContextTokens,
}

/// A field's two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends<T> {
    low: T,
    high: T,
}

/// What the sizing is worked out from, with all the brief's fields found.
#[derive(Debug)]
pub struct Question<'a> {
    pub usage: Use,
    shapes: Vec<ModelShape>,
    /// Absent when the shape says it.
    parameters: Option<Ends<u128>>,
    stored: Ends<Stored>,
    concurrency: Ends<u32>,
    context: Ends<u32>,
    cache: CacheRules,
    card: &'a Card,
    per_node: u32,
    utilisation_permille: u32,
    training: Training,
    catalogue: &'a Catalogue,
}

impl Field {
    pub const ALL: [Self; 5] = [
        Self::ModelShape,
        Self::ParametersB,
        Self::Precision,
        Self::PeakConcurrency,
        Self::ContextTokens,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::ModelShape => "model_shape",
            Self::ParametersB => "parameters_b",
            Self::Precision => "precision",
            Self::PeakConcurrency => "peak_concurrency",
            Self::ContextTokens => "context_tokens",
        }
    }
}

impl ModelSizing {
    /// Against the cards that are wanted; without such a wish, whether any number of cards holds it.
    pub fn fit(&self) -> Fit {
        let holds = |outcome: &Outcome, wanted: u32| {
            outcome.fewest_cards().is_some_and(|cards| cards <= wanted)
        };
        let (least, most) = self.wanted.unwrap_or((u32::MAX, u32::MAX));
        if holds(&self.high, least) {
            Fit::Fits
        } else if holds(&self.low, most) {
            Fit::FitsAtBest
        } else {
            Fit::DoesNotFit
        }
    }
}

/// Works the sizing out, or says which field must be known first.
pub fn compute(
    brief: &Brief,
    input: ModelSizingInput,
    catalogue: &Catalogue,
) -> Result<ModelSizing, Rejection> {
    let question = Question::new(brief, &input, catalogue)?;
    let (low, high) = (question.low().outcome(), question.high().outcome());
    let widest = question.widest();
    let wanted = ends(&brief.cards.total).map(|ends| (ends.low, ends.high));
    Ok(ModelSizing { input, low, high, widest, wanted })
}

fn ends<T: Clone + PartialOrd>(estimate: &Estimate<T>) -> Option<Ends<T>> {
    Some(Ends { low: estimate.low()?.clone(), high: estimate.high()?.clone() })
}

fn known<T: Clone + PartialOrd>(
    field: Field,
    estimate: &Estimate<T>,
) -> Result<Ends<T>, Rejection> {
    ends(estimate).ok_or_else(|| needs(field.id()))
}

fn needs(field: &str) -> Rejection {
    Rejection::SizingNeeds { field: field.to_owned() }
}

impl<'a> Question<'a> {
    pub fn new(
        brief: &Brief,
        input: &ModelSizingInput,
        catalogue: &'a Catalogue,
    ) -> Result<Self, Rejection> {
        let usage = *brief.usage.low().ok_or_else(|| needs("use"))?;
        let card = catalogue.lookup(input.card.as_str()).cautious().ok_or_else(|| {
            Invalid::new("card", format!("the catalogue has no card `{}`", input.card))
        })?;
        let parameters = match input.shape {
            Some(_) => None,
            None => Some(parameters(brief)?),
        };
        let shapes = match (&input.shape, parameters) {
            (Some(shape), _) => vec![shape.clone()],
            (None, Some(ends)) => {
                alike(ends.low, ends.high).into_iter().map(|model| model.shape()).collect()
            }
            (None, None) => Vec::new(),
        };
        for shape in &shapes {
            shape.check()?;
        }
        let inference = matches!(usage, Use::OnlineInference | Use::BatchInference);
        let assumed = |name| catalogue.assumptions.value(name);
        let percent = match inference {
            true => Assumption::InferenceUtilisationPercent,
            false => Assumption::TrainingUtilisationPercent,
        };
        Ok(Self {
            usage,
            shapes,
            parameters,
            stored: stored(brief, input)?,
            concurrency: concurrency(brief, inference)?,
            context: known(Field::ContextTokens, &brief.targets.context_tokens)?,
            cache: cache_rules(catalogue, input.cache.unwrap_or(Format::Bf16)),
            card,
            per_node: per_node(brief, input).unwrap_or(assumed(Assumption::CardsPerNode)),
            utilisation_permille: input
                .utilisation
                .map_or(assumed(percent).saturating_mul(10), permille),
            training: input.training.unwrap_or_else(|| usual(usage, catalogue)),
            catalogue,
        })
    }

    pub fn low(&self) -> Point<'_> {
        let least = self.shapes.iter().map(|shape| self.point(shape, |_| true));
        least.min_by_key(Point::need).expect("a question has at least one shape")
    }

    pub fn high(&self) -> Point<'_> {
        let most = self.shapes.iter().map(|shape| self.point(shape, |_| false));
        most.max_by_key(Point::need).expect("a question has at least one shape")
    }

    /// The field whose low end takes most away from the high sizing.
    pub fn widest(&self) -> Option<Field> {
        let high = self.high();
        let saved = |field: &Field| {
            let lowered = match field {
                Field::ModelShape => self
                    .shapes
                    .iter()
                    .map(|shape| self.point(shape, |_| false).need())
                    .min()
                    .unwrap_or_default(),
                Field::ParametersB
                | Field::Precision
                | Field::PeakConcurrency
                | Field::ContextTokens => self.point(high.shape, |other| other == *field).need(),
            };
            high.need().less(lowered)
        };
        let savings = Field::ALL.into_iter().map(|field| (saved(&field), field));
        let widest = savings.rev().max_by_key(|(saved, _)| *saved)?;
        (widest.0.0 > 0).then_some(widest.1)
    }

    fn point<'s>(&'s self, shape: &'s ModelShape, is_low: impl Fn(Field) -> bool) -> Point<'s> {
        fn end<T: Copy>(ends: Ends<T>, low: bool) -> T {
            if low { ends.low } else { ends.high }
        }
        Point {
            usage: self.usage,
            shape,
            parameters: self.parameters.map(|ends| end(ends, is_low(Field::ParametersB))),
            stored: end(self.stored, is_low(Field::Precision)),
            cache: self.cache,
            concurrency: end(self.concurrency, is_low(Field::PeakConcurrency)),
            context: end(self.context, is_low(Field::ContextTokens)),
            card: self.card,
            per_node: self.per_node,
            utilisation_permille: self.utilisation_permille,
            training: self.training,
            assumed: &self.catalogue.assumptions,
        }
    }
}

pub fn cache_rules(catalogue: &Catalogue, format: Format) -> CacheRules {
    let assumed = |name| catalogue.assumptions.value(name);
    CacheRules {
        format,
        block_tokens: assumed(Assumption::BlockTokens),
        step_tokens: assumed(Assumption::StepTokens),
        state_copies: assumed(Assumption::StateCopies),
    }
}

/// What is trained when nobody says how: everything in training, adapters in fine-tuning.
pub fn usual(usage: Use, catalogue: &Catalogue) -> Training {
    match usage {
        Use::FineTuning => Training::adapters(catalogue.assumptions.value(Assumption::AdapterRank)),
        Use::Training | Use::OnlineInference | Use::BatchInference => Training::full(),
    }
}

fn parameters(brief: &Brief) -> Result<Ends<u128>, Rejection> {
    use rust_decimal::{Decimal, prelude::ToPrimitive};
    let whole = |billions: Decimal| {
        billions
            .checked_mul(Decimal::from(1_000_000_000))
            .and_then(|parameters| parameters.to_u128())
            .filter(|parameters| (1..=Parameters::MAX).contains(parameters))
            .ok_or_else(|| needs(Field::ParametersB.id()))
    };
    let Ends { low, high } = known(Field::ParametersB, &brief.model.parameters_b)?;
    Ok(Ends { low: whole(low)?, high: whole(high)? })
}

fn stored(brief: &Brief, input: &ModelSizingInput) -> Result<Ends<Stored>, Rejection> {
    if let Some(stored) = input.weights {
        return Ok(Ends { low: stored, high: stored });
    }
    let usual = |precision: Precision| Stored::usual(precision.into());
    match (ends(&brief.model.precision), &input.shape) {
        (Some(Ends { low, high }), _) => {
            let (low, high) = (usual(low), usual(high));
            // A range of precisions may be written from the finest to the coarsest.
            match low.format.millibits() <= high.format.millibits() {
                true => Ok(Ends { low, high }),
                false => Ok(Ends { low: high, high: low }),
            }
        }
        (None, Some(shape)) => Ok(Ends { low: shape.stored, high: shape.stored }),
        (None, None) => Err(needs(Field::Precision.id())),
    }
}

/// In training it is the texts that a card takes at once, and one when nobody says more.
fn concurrency(brief: &Brief, inference: bool) -> Result<Ends<u32>, Rejection> {
    let found = match (ends(&brief.targets.peak_concurrency), inference) {
        (Some(found), _) => found,
        (None, false) => Ends { low: 1, high: 1 },
        (None, true) => return Err(needs(Field::PeakConcurrency.id())),
    };
    match found.low {
        0 => Err(needs(Field::PeakConcurrency.id())),
        _ => Ok(found),
    }
}

fn per_node(brief: &Brief, input: &ModelSizingInput) -> Option<u32> {
    let stated = input.per_node.or_else(|| brief.cards.per_node.low().copied());
    stated.filter(|cards| (1..=1_024).contains(cards))
}

fn permille(percent: Percent) -> u32 {
    use rust_decimal::prelude::ToPrimitive;
    (percent.value() * rust_decimal::Decimal::TEN).to_u32().unwrap_or(0)
}
