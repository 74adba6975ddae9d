//! Commands of stage 3.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::Error;
use sixgate_workflows::{
    ids::SupplierId,
    invalid::Invalid,
    percent::Percent,
    procurement::Command,
    shortlist::{
        Command as Shortlist,
        quote::{Quote, QuoteLine},
    },
};

use super::{ProcurementPayload, engine, procure, viewer};
use crate::schema::{
    input::{EvidenceFileInput, ProcurementTarget, name, supplier, text},
    scalars::{Currency, PriceBasis, PriceUnit, Question, ScoreCriterion},
};

#[derive(Default)]
pub(super) struct ShortlistMutation;

#[derive(InputObject)]
pub(super) struct CandidateInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
}

#[derive(InputObject)]
pub(super) struct DropCandidateInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    reason: String,
}

/// Give a file in the product's csv form, or the quote itself.
#[derive(InputObject)]
pub(super) struct RecordQuoteInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    file: Option<EvidenceFileInput>,
    quote: Option<QuoteInput>,
}

#[derive(InputObject)]
pub(super) struct QuoteInput {
    currency: Currency,
    valid_until: NaiveDate,
    tax_included: bool,
    tax_percent: Decimal,
    lines: Vec<QuoteLineInput>,
    answers: Vec<AnswerInput>,
}

#[derive(InputObject)]
pub(super) struct QuoteLineInput {
    card: String,
    unit_price: Decimal,
    unit: PriceUnit,
    cards: u32,
    basis: PriceBasis,
    list_price: Option<Decimal>,
}

#[derive(InputObject)]
pub(super) struct AnswerInput {
    question: Question,
    answer: String,
}

#[derive(InputObject)]
pub(super) struct ScoreCandidateInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    supplier_id: ID,
    /// One for each criterion, 0 to 100.
    marks: Vec<MarkInput>,
}

#[derive(InputObject)]
pub(super) struct MarkInput {
    criterion: ScoreCriterion,
    mark: Decimal,
}

impl QuoteInput {
    fn checked(&self) -> Result<Quote, Invalid> {
        let lines = self.lines.iter().map(|line| {
            Ok(QuoteLine {
                card: name(&line.card)?,
                unit_price: line.unit_price,
                unit: line.unit.into(),
                cards: line.cards,
                basis: line.basis.into(),
                list_price: line.list_price,
            })
        });
        let answers = self.answers.iter().map(|a| Ok((a.question.into(), name(&a.answer)?)));
        Ok(Quote {
            currency: self.currency.into(),
            valid_until: self.valid_until,
            tax_included: self.tax_included,
            tax: Percent::new(self.tax_percent)?,
            lines: lines.collect::<Result<_, Invalid>>()?,
            answers: answers.collect::<Result<_, Invalid>>()?,
        })
    }
}

impl ScoreCandidateInput {
    fn checked(&self) -> Result<Command, Invalid> {
        let marks = self.marks.iter().map(|m| Ok((m.criterion.into(), Percent::new(m.mark)?)));
        let scores = marks.collect::<Result<_, Invalid>>()?;
        let supplier = supplier(&self.supplier_id)?;
        Ok(Command::Shortlist(Shortlist::ScoreCandidate { supplier, scores }))
    }
}

#[Object]
impl ShortlistMutation {
    async fn add_candidate(
        &self,
        context: &Context<'_>,
        input: CandidateInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = supplier(&input.supplier_id)
            .map(|supplier| Command::Shortlist(Shortlist::AddCandidate { supplier }));
        procure(context, &input.target, command.map_err(Error::from)).await
    }

    async fn drop_candidate(
        &self,
        context: &Context<'_>,
        input: DropCandidateInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = || -> Result<Command, Error> {
            let supplier = supplier(&input.supplier_id)?;
            let reason = text(&input.reason)?;
            Ok(Command::Shortlist(Shortlist::DropCandidate { supplier, reason }))
        };
        procure(context, &input.target, command()).await
    }

    /// Copies what the registry holds today; a gap in the hard requirements disqualifies.
    async fn review_qualifications(
        &self,
        context: &Context<'_>,
        input: CandidateInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = supplier(&input.supplier_id)
            .map(|supplier| Command::Shortlist(Shortlist::ReviewQualifications { supplier }));
        procure(context, &input.target, command.map_err(Error::from)).await
    }

    async fn record_quote(
        &self,
        context: &Context<'_>,
        input: RecordQuoteInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let command = match supplier(&input.supplier_id) {
            Ok(supplier) => quote(context, supplier, &input).await?,
            Err(invalid) => Err(invalid.into()),
        };
        procure(context, &input.target, command).await
    }

    /// Your own marks; marking again replaces them.
    async fn score_candidate(
        &self,
        context: &Context<'_>,
        input: ScoreCandidateInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }
}

async fn quote(
    context: &Context<'_>,
    supplier: SupplierId,
    input: &RecordQuoteInput,
) -> async_graphql::Result<Result<Command, Error>> {
    let read = match (&input.file, &input.quote) {
        (Some(file), None) => match file.checked() {
            Ok(file) => engine(context)?
                .quote_from(viewer(context)?, &file)
                .await
                .map(|quote| (quote, Some(file))),
            Err(invalid) => Err(invalid.into()),
        },
        (None, Some(quote)) => quote.checked().map(|quote| (quote, None)).map_err(Error::from),
        (Some(_), Some(_)) | (None, None) => {
            Err(Invalid::new("quote", "give either `file` or `quote`").into())
        }
    };
    Ok(read.map(|(quote, source)| {
        let quote = Box::new(quote);
        Command::Shortlist(Shortlist::RecordQuote { supplier, quote, source })
    }))
}
