//! From what a reader found in a file to what the rules work with.
//!
//! `evidence` knows no procurement and `workflows` no file formats; this is where they meet. A
//! figure that was not read stays absent, and one that the product does not keep is refused with
//! its name: nothing is guessed.

mod brief;
mod model;
mod poc;
mod prices;

pub use self::{brief::brief, model::model_shape, poc::machine_reading, prices::price_points};

use chrono::{DateTime, Utc};
use rust_decimal::{Decimal, prelude::FromPrimitive};
use sixgate_evidence::{Document, Facts, Kind};
use sixgate_workflows::{
    budget::price_index::point::PricePoint,
    evidence::{ContentHash, EvidenceFile},
    invalid::Invalid,
    money::Currency,
    needs::brief::Brief,
    operation::usage::{Bill, Usage},
    percent::Percent,
    poc::Evidence,
    shortlist::quote::{PriceBasis, PriceUnit, Question, Quote, QuoteLine},
    text::Name,
};

use crate::{access::Viewer, engine::Engine, error::Error};

impl Engine {
    pub async fn brief_from(&self, viewer: &Viewer, file: &EvidenceFile) -> Result<Brief, Error> {
        let Facts::Brief(facts) = self.read(viewer, Kind::Brief, &file.hash).await?.facts else {
            return Err(other_kind());
        };
        brief::brief(&facts).map_err(Error::ImportValue)
    }

    pub async fn quote_from(&self, viewer: &Viewer, file: &EvidenceFile) -> Result<Quote, Error> {
        let Facts::Quote(facts) = self.read(viewer, Kind::Quote, &file.hash).await?.facts else {
            return Err(other_kind());
        };
        quote(&facts).map_err(Error::ImportValue)
    }

    /// The prices of a file that is whole; of one that is cut off nobody knows what is missing.
    pub async fn prices_from(
        &self,
        viewer: &Viewer,
        file: &EvidenceFile,
    ) -> Result<Vec<PricePoint>, Error> {
        let document = self.read(viewer, Kind::Prices, &file.hash).await?;
        if let Some(why) = document.incomplete_because {
            return Err(Error::ImportValue(Invalid::new("file", why)));
        }
        let Facts::Prices(facts) = document.facts else { return Err(other_kind()) };
        price_points(&facts).map_err(Error::ImportValue)
    }

    pub async fn usage_from(&self, viewer: &Viewer, file: &EvidenceFile) -> Result<Usage, Error> {
        let Facts::Usage(facts) = self.read(viewer, Kind::Usage, &file.hash).await?.facts else {
            return Err(other_kind());
        };
        usage(&facts).map_err(Error::ImportValue)
    }

    pub async fn bill_from(&self, viewer: &Viewer, file: &EvidenceFile) -> Result<Bill, Error> {
        let Facts::Bill(facts) = self.read(viewer, Kind::Bill, &file.hash).await?.facts else {
            return Err(other_kind());
        };
        bill(&facts).map_err(Error::ImportValue)
    }

    /// Whatever tool printed it: the reader recognises the file by its content.
    pub async fn evidence_from(
        &self,
        viewer: &Viewer,
        file: EvidenceFile,
    ) -> Result<Evidence, Error> {
        crate::access::authorise(&viewer.actor, crate::access::Action::Upload)?;
        let bytes = self.own_file(&viewer.actor, &file.hash).await?;
        let document = parsed(move || sixgate_evidence::read_auto(&bytes)).await?;
        poc::evidence(file, &document)
    }

    async fn read(
        &self,
        viewer: &Viewer,
        kind: Kind,
        hash: &ContentHash,
    ) -> Result<Document, Error> {
        crate::access::authorise(&viewer.actor, crate::access::Action::Upload)?;
        let bytes = self.own_file(&viewer.actor, hash).await?;
        parsed(move || sixgate_evidence::read(kind, &bytes)).await
    }
}

/// Readers are bounded but may take a moment, so they do not run where requests are answered.
async fn parsed(
    read: impl FnOnce() -> Result<Document, sixgate_evidence::Refused> + Send + 'static,
) -> Result<Document, Error> {
    tokio::task::spawn_blocking(read)
        .await
        .map_err(|error| Error::Setup(format!("a reader did not end: {error}")))?
        .map_err(Error::Import)
}

/// A reader only ever answers with its own facts, so this is never seen.
fn other_kind() -> Error {
    Error::ImportValue(Invalid::new("file", "is of another kind than was asked for"))
}

/// Measured figures are floats in the tools' files; here they become decimals of six places, which
/// no tool measures beyond and no sum of floats reaches.
fn decimal(what: &'static str, value: f64) -> Result<Decimal, Invalid> {
    Decimal::from_f64(value)
        .map(|decimal| decimal.round_dp(6).normalize())
        .ok_or_else(|| Invalid::new(what, format!("{value} is not a figure that can be kept")))
}

fn required<T>(what: &'static str, value: Option<T>) -> Result<T, Invalid> {
    value.ok_or_else(|| Invalid::new(what, "is missing in the file"))
}

fn instant(
    what: &'static str,
    moment: Option<sixgate_evidence::Moment>,
) -> Result<DateTime<Utc>, Invalid> {
    match required(what, moment)? {
        sixgate_evidence::Moment::Zoned(time) => Ok(time.with_timezone(&Utc)),
        sixgate_evidence::Moment::Local(_) => {
            Err(Invalid::new(what, "has no time zone; the period cannot be placed"))
        }
    }
}

fn quote(facts: &sixgate_evidence::Quote) -> Result<Quote, Invalid> {
    let lines = facts.lines.iter().map(quote_line).collect::<Result<Vec<_>, _>>()?;
    let answers = facts
        .answers
        .iter()
        .map(|(question, answer)| {
            let known = Question::from_id(question)
                .ok_or_else(|| Invalid::new("answer", format!("`{question}` is no question")))?;
            Ok((known, Name::new(answer)?))
        })
        .collect::<Result<_, Invalid>>()?;
    Ok(Quote {
        currency: Currency::from_code(required("currency", facts.currency.as_deref())?)?,
        valid_until: required("valid_until", facts.valid_until)?,
        tax_included: required("tax_included", facts.tax_included)?,
        tax: Percent::new(required("tax_percent", facts.tax_percent)?)?,
        lines,
        answers,
    })
}

fn quote_line(line: &sixgate_evidence::QuoteLine) -> Result<QuoteLine, Invalid> {
    use sixgate_evidence::{Basis, Unit};
    Ok(QuoteLine {
        card: Name::new(&line.card)?,
        unit_price: line.unit_price,
        unit: match line.unit {
            Unit::CardHour => PriceUnit::CardHour,
            Unit::CardDay => PriceUnit::CardDay,
            Unit::CardMonth => PriceUnit::CardMonth,
            Unit::CardYear => PriceUnit::CardYear,
        },
        // An on-demand price is for as many as one takes.
        cards: line.quantity.unwrap_or(1),
        basis: match line.basis {
            Some(Basis::Reserved) => PriceBasis::Reserved,
            Some(Basis::OnDemand) => PriceBasis::OnDemand,
            None => {
                return Err(Invalid::new(
                    "basis",
                    "a price line says neither reserved nor on_demand",
                ));
            }
        },
        list_price: line.list_price,
    })
}

fn usage(facts: &sixgate_evidence::Usage) -> Result<Usage, Invalid> {
    let seen = |what, value| hours(what, required(what, value)?);
    Ok(Usage {
        from: instant("window_start", facts.window_start)?,
        until: instant("window_end", facts.window_end)?,
        cards: required("cards", facts.cards)?,
        busy_card_hours: seen("busy_card_hours", facts.busy_card_hours)?,
        used_card_hours: seen("used_card_hours", facts.used_card_hours)?,
        idle_card_hours: seen("idle_card_hours", facts.idle_card_hours)?,
        unknown_card_hours: hours("unknown_card_hours", facts.unknown_card_hours.unwrap_or(0.0))?,
    })
}

/// A sum of many samples, which no tool printed: what adding floats left behind is rounded away,
/// at a third of a second.
fn hours(what: &'static str, value: f64) -> Result<Decimal, Invalid> {
    Ok(decimal(what, value)?.round_dp(4).normalize())
}

fn bill(facts: &sixgate_evidence::Bill) -> Result<Bill, Invalid> {
    Ok(Bill {
        from: instant("period_start", facts.period_start)?,
        until: instant("period_end", facts.period_end)?,
        currency: Currency::from_code(required("currency", facts.currency.as_deref())?)?,
        billed: required("billed", facts.billed)?,
        tax: facts.tax.unwrap_or_default(),
        card_hours: facts.card_hours.map(|hours| decimal("card_hours", hours)).transpose()?,
    })
}
