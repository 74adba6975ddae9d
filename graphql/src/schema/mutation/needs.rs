//! Commands of stage 1.

use async_graphql::{Context, InputObject, Json, Object};
use rust_decimal::Decimal;
use sixgate_engine::Error;
use sixgate_workflows::{
    invalid::Invalid,
    needs::{Command as Needs, brief::Brief, sizing::SizingInput},
    percent::Percent,
    procurement::Command,
};

use super::{ProcurementPayload, engine, procure, viewer};
use crate::schema::input::{EstimateInput, EvidenceFileInput, ProcurementTarget, name};

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
