//! Commands of stage 4.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::NaiveDate;
use sixgate_engine::Error;
use sixgate_workflows::{invalid::Invalid, poc::Command as Poc, procurement::Command};

use super::{ProcurementPayload, engine, procure, promise::PromiseInput, viewer};
use crate::schema::input::{EvidenceFileInput, ProcurementTarget, supplier, text};

#[derive(Default)]
pub(super) struct PocMutation;

#[derive(InputObject)]
pub(super) struct ChooseFinalistInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    promise: PromiseInput,
    trial_ends_on: NaiveDate,
}

#[derive(InputObject)]
pub(super) struct RecordEvidenceInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    /// The tool's raw output; it is recognised by its content.
    file: EvidenceFileInput,
}

#[derive(InputObject)]
pub(super) struct FinalistInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
}

#[derive(InputObject)]
pub(super) struct RecordExplanationInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    explanation: String,
}

impl ChooseFinalistInput {
    fn checked(&self) -> Result<Command, Invalid> {
        Ok(Command::Poc(Poc::ChooseFinalist {
            supplier: supplier(&self.supplier_id)?,
            promise: Box::new(self.promise.checked()?),
            trial_ends_on: self.trial_ends_on,
        }))
    }
}

#[Object]
impl PocMutation {
    async fn choose_finalist(
        &self,
        context: &Context<'_>,
        input: ChooseFinalistInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    /// The verdict is computed at once from all evidence of the finalist.
    async fn record_evidence(
        &self,
        context: &Context<'_>,
        input: RecordEvidenceInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let checked =
            || -> Result<_, Invalid> { Ok((supplier(&input.supplier_id)?, input.file.checked()?)) };
        let command = match checked() {
            Ok((supplier, file)) => {
                engine(context)?.evidence_from(viewer(context)?, file).await.map(|evidence| {
                    let evidence = Box::new(evidence);
                    Command::Poc(Poc::RecordEvidence { supplier, evidence })
                })
            }
            Err(invalid) => Err(invalid.into()),
        };
        procure(context, &input.target, command).await
    }

    /// The supplier explains a failed verdict before anything is tested again.
    async fn record_explanation(
        &self,
        context: &Context<'_>,
        input: RecordExplanationInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = || -> Result<Command, Error> {
            let supplier = supplier(&input.supplier_id)?;
            let explanation = text(&input.explanation)?;
            Ok(Command::Poc(Poc::RecordExplanation { supplier, explanation }))
        };
        procure(context, &input.target, command()).await
    }

    /// Keeps the figures of an accepted finalist as what operation is compared with.
    async fn record_baseline(
        &self,
        context: &Context<'_>,
        input: FinalistInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = supplier(&input.supplier_id)
            .map(|supplier| Command::Poc(Poc::RecordBaseline { supplier }));
        procure(context, &input.target, command.map_err(Error::from)).await
    }
}
