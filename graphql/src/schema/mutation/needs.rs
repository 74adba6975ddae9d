//! Commands of stage 1.

use async_graphql::{Context, InputObject, Json, Object};
use rust_decimal::Decimal;
use sixgate_engine::Error;
use sixgate_workflows::{
    invalid::Invalid,
    needs::{
        Command as Needs,
        brief::Brief,
        sizing::{
            SizingInput,
            computed::ModelSizingInput,
            format::{Format, Stored},
        },
        trial::Trial,
    },
    percent::Percent,
    procurement::Command,
};

use super::{ProcurementPayload, engine, procure, viewer};
use crate::schema::input::{EstimateInput, EvidenceFileInput, ProcurementTarget, name, text};

#[derive(Default)]
pub(super) struct NeedsMutation;

/// Give a file in the template's form, or the brief itself.
#[derive(InputObject)]
pub(super) struct RecordBriefInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    file: Option<EvidenceFileInput>,
    /// In the shape that `needs.brief` answers.
    brief: Option<Json<serde_json::Value>>,
}

#[derive(InputObject)]
pub(super) struct RecordSizingInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    card: String,
    cards: u32,
    vram_per_card_gib: Decimal,
    /// The part of a card's VRAM that a process may really use.
    usable_percent: Decimal,
    /// Key-value cache of one token over the whole model, in KiB.
    kv_kib_per_token: EstimateInput,
    /// Gradients and optimizer states; zero for inference.
    optimizer_gib: EstimateInput,
    /// Framework, activations and fragmentation, over all cards.
    overhead_gib: EstimateInput,
}

impl RecordSizingInput {
    fn checked(&self) -> Result<Command, Invalid> {
        Ok(Command::Needs(Needs::RecordSizing {
            input: SizingInput {
                card: name(&self.card)?,
                cards: self.cards,
                vram_per_card_gib: self.vram_per_card_gib,
                usable: Percent::new(self.usable_percent)?,
                kv_kib_per_token: self.kv_kib_per_token.checked()?,
                optimizer_gib: self.optimizer_gib.checked()?,
                overhead_gib: self.overhead_gib.checked()?,
            },
        }))
    }
}

#[derive(InputObject)]
pub(super) struct SizeModelInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    /// By any name that a tool or a quote has for it.
    card: String,
    /// The model's layers in the product's own form; absent when only its size is known.
    model: Option<Json<serde_json::Value>>,
    /// Format of the weights, instead of the brief's precision.
    weights: Option<String>,
    /// Format of the KV cache; 16 bits if absent.
    kv: Option<String>,
    /// The part of a card's memory that the runtime may fill.
    utilisation_percent: Option<Decimal>,
    cards_per_node: Option<u32>,
    /// How it is trained, in the product's own form.
    training: Option<Json<serde_json::Value>>,
}

impl SizeModelInput {
    fn checked(&self) -> Result<Command, Invalid> {
        Ok(Command::Needs(Needs::SizeModel {
            input: Box::new(ModelSizingInput {
                shape: own_form("model", self.model.as_ref())?,
                card: name(&self.card)?,
                weights: format(self.weights.as_deref())?.map(Stored::usual),
                cache: format(self.kv.as_deref())?,
                utilisation: self.utilisation_percent.map(Percent::new).transpose()?,
                per_node: self.cards_per_node,
                training: own_form("training", self.training.as_ref())?,
            }),
        }))
    }
}

fn own_form<T: serde::de::DeserializeOwned>(
    what: &'static str,
    value: Option<&Json<serde_json::Value>>,
) -> Result<Option<T>, Invalid> {
    let read = value.map(|Json(value)| serde_json::from_value(value.clone()));
    read.transpose().map_err(|error| Invalid::new(what, error.to_string()))
}

fn format(name: Option<&str>) -> Result<Option<Format>, Invalid> {
    let found = |name| {
        let unknown = || Invalid::new("format", format!("`{name}` is not known"));
        Format::from_name(name).ok_or_else(unknown)
    };
    name.map(found).transpose()
}

/// Leave out what was not measured.
#[derive(InputObject)]
pub(super) struct RecordTrialInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    card: String,
    cards: u32,
    image: Option<String>,
    concurrency: Option<u32>,
    context_tokens: Option<u32>,
    vram_per_card_gib: Option<Decimal>,
    throughput_per_s: Option<Decimal>,
    /// What is counted, as output tokens or samples.
    throughput_of: Option<String>,
    latency_ms: Option<Decimal>,
    utilisation_percent: Option<Decimal>,
    checkpoint_gib: Option<Decimal>,
    checkpoint_write_s: Option<Decimal>,
    note: Option<String>,
    file: Option<EvidenceFileInput>,
}

impl RecordTrialInput {
    fn checked(&self) -> Result<Command, Invalid> {
        Ok(Command::Needs(Needs::RecordTrial {
            trial: Box::new(Trial {
                card: name(&self.card)?,
                cards: self.cards,
                image: self.image.as_deref().map(name).transpose()?,
                concurrency: self.concurrency,
                context_tokens: self.context_tokens,
                vram_per_card_gib: self.vram_per_card_gib,
                throughput_per_s: self.throughput_per_s,
                throughput_of: self.throughput_of.as_deref().map(name).transpose()?,
                latency_ms: self.latency_ms,
                utilisation: self.utilisation_percent.map(Percent::new).transpose()?,
                checkpoint_gib: self.checkpoint_gib,
                checkpoint_write_s: self.checkpoint_write_s,
                note: self.note.as_deref().map(text).transpose()?,
                source: self.file.as_ref().map(EvidenceFileInput::checked).transpose()?,
            }),
        }))
    }
}

#[Object]
impl NeedsMutation {
    /// Replaces the brief as a whole; earlier ones stay in the history.
    async fn record_brief(
        &self,
        context: &Context<'_>,
        input: RecordBriefInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = brief(context, &input).await?;
        procure(context, &input.target, command).await
    }

    /// Weights and KV cache are computed from the brief; the rest is measured or known.
    async fn record_sizing(
        &self,
        context: &Context<'_>,
        input: RecordSizingInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    /// Memory, cards and layout are worked out from the brief, a model and a card.
    async fn size_model(
        &self,
        context: &Context<'_>,
        input: SizeModelInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    /// What a small rented run measured; it stands beside the estimates.
    async fn record_trial(
        &self,
        context: &Context<'_>,
        input: RecordTrialInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }
}

async fn brief(
    context: &Context<'_>,
    input: &RecordBriefInput,
) -> async_graphql::Result<Result<Command, Error>> {
    let (engine, viewer) = (engine(context)?, viewer(context)?);
    let recorded = match (&input.file, &input.brief) {
        (Some(file), None) => match file.checked() {
            Ok(file) => engine
                .brief_from(viewer, &file)
                .await
                .map(|brief| Needs::RecordBrief { brief: Box::new(brief), source: Some(file) }),
            Err(invalid) => Err(invalid.into()),
        },
        (None, Some(Json(value))) => serde_json::from_value::<Brief>(value.clone())
            .map(|brief| Needs::RecordBrief { brief: Box::new(brief), source: None })
            .map_err(|error| Invalid::new("brief", error.to_string()).into()),
        (Some(_), Some(_)) | (None, None) => {
            Err(Invalid::new("brief", "give either `file` or `brief`").into())
        }
    };
    Ok(recorded.map(Command::Needs))
}
