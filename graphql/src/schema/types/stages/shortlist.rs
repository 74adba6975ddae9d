//! Stage 3: candidates, their qualifications, quotes and scores.

use async_graphql::{Object, SimpleObject};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::read::Seen;
use sixgate_workflows::{
    context::local_date,
    ids::SupplierId,
    shortlist::{self, quote, score},
};

use super::{EvidenceFile, SupplierReference, supplier};
use crate::schema::{
    scalars::{PriceBasis, PriceUnit, Qualification, Question, ScoreCriterion},
    types::{history::EventLink, money::Money, people::PersonReference},
};

pub(crate) struct Shortlist(pub Seen);

pub(crate) struct Candidate {
    seen: Seen,
    id: SupplierId,
    candidate: shortlist::Candidate,
}

#[derive(SimpleObject)]
pub(crate) struct QualificationReview {
    /// Hard requirements without a valid certificate; not empty means disqualified.
    missing: Vec<Qualification>,
    /// The last day on which all are valid.
    valid_until: Option<NaiveDate>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Score {
    /// Mean of the evaluators' weighted marks, 0 to 100.
    mean: Decimal,
    /// Between the highest and the lowest evaluator.
    spread: Decimal,
    evaluations: Vec<Evaluation>,
}

#[derive(SimpleObject)]
pub(crate) struct Evaluation {
    by: PersonReference,
    marks: Vec<Mark>,
}

#[derive(SimpleObject)]
pub(crate) struct Mark {
    criterion: ScoreCriterion,
    mark: Decimal,
}

pub(crate) struct Quote {
    quote: quote::Quote,
    source: Option<EvidenceFile>,
    event: EventLink,
    today: NaiveDate,
}

#[derive(SimpleObject)]
pub(crate) struct QuoteLine {
    card: String,
    unit_price: Decimal,
    unit: PriceUnit,
    cards: u32,
    basis: PriceBasis,
    /// Net of tax; a month is taken as 730 hours.
    per_card_hour: Option<Money>,
    /// Against the list price, in percent.
    discount_percent: Option<Decimal>,
}

#[derive(SimpleObject)]
pub(crate) struct Answer {
    question: Question,
    answer: String,
}

#[Object]
impl Shortlist {
    /// The best score first; those not scored last.
    #[graphql(complexity = "5 * child_complexity")]
    async fn candidates(&self) -> Vec<Candidate> {
        let state = self.0.state();
        let mut candidates: Vec<Candidate> = state
            .shortlist
            .candidates
            .iter()
            .map(|(id, candidate)| Candidate {
                seen: self.0.clone(),
                id: *id,
                candidate: candidate.clone(),
            })
            .collect();
        candidates.sort_by_key(|c| {
            std::cmp::Reverse(
                score::overall(&c.candidate.scores, &state.policy.score_weights).map(|s| s.0),
            )
        });
        candidates
    }
}

#[Object]
impl Candidate {
    async fn supplier(&self) -> SupplierReference {
        supplier(self.seen.state(), self.id)
    }

    async fn review(&self) -> Option<QualificationReview> {
        let fact = self.candidate.review.as_ref()?;
        Some(QualificationReview {
            missing: fact.value.missing.iter().map(|q| (*q).into()).collect(),
            valid_until: fact.value.expires_on(),
            event: EventLink(fact.stamp),
        })
    }

    async fn qualified(&self) -> bool {
        let moment = self.seen.moment;
        self.candidate.is_qualified_on(local_date(moment.now, moment.zone))
    }

    async fn quote(&self) -> Option<Quote> {
        let fact = self.candidate.quote.as_ref()?;
        let moment = self.seen.moment;
        Some(Quote {
            quote: fact.value.clone(),
            source: self.candidate.quote_source.as_ref().map(Into::into),
            event: EventLink(fact.stamp),
            today: local_date(moment.now, moment.zone),
        })
    }

    /// `null` is not rated, which is not zero.
    async fn score(&self) -> Option<Score> {
        let weights = &self.seen.state().policy.score_weights;
        let (mean, spread) = score::overall(&self.candidate.scores, weights)?;
        let evaluations = self.candidate.scores.iter().map(|(person, scores)| Evaluation {
            by: PersonReference(*person),
            marks: scores
                .iter()
                .map(|(c, mark)| Mark { criterion: (*c).into(), mark: mark.value() })
                .collect(),
        });
        Some(Score { mean, spread, evaluations: evaluations.collect() })
    }
}

#[Object]
impl Quote {
    async fn valid_until(&self) -> NaiveDate {
        self.quote.valid_until
    }

    async fn tax_included(&self) -> bool {
        self.quote.tax_included
    }

    async fn tax_percent(&self) -> Decimal {
        self.quote.tax.value()
    }

    async fn lines(&self) -> Vec<QuoteLine> {
        let lines = self.quote.lines.iter();
        lines
            .map(|line| QuoteLine {
                card: line.card.to_string(),
                unit_price: line.unit_price,
                unit: line.unit.into(),
                cards: line.cards,
                basis: line.basis.into(),
                per_card_hour: self.quote.price_per_card_hour(line).map(Into::into),
                discount_percent: quote::Quote::discount(line).map(|percent| percent.value()),
            })
            .collect()
    }

    async fn answers(&self) -> Vec<Answer> {
        let answers = self.quote.answers.iter();
        answers
            .map(|(question, answer)| Answer {
                question: (*question).into(),
                answer: answer.to_string(),
            })
            .collect()
    }

    /// Every question must be answered before a quote can be compared.
    async fn unanswered(&self) -> Vec<Question> {
        self.quote.unanswered().into_iter().map(Into::into).collect()
    }

    async fn comparable(&self) -> bool {
        self.quote.unanswered().is_empty()
    }

    /// Whether it can still be accepted.
    async fn valid(&self) -> bool {
        self.today <= self.quote.valid_until
    }

    async fn source(&self) -> Option<&EvidenceFile> {
        self.source.as_ref()
    }

    async fn event(&self) -> &EventLink {
        &self.event
    }
}
