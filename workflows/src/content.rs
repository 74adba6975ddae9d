//! What a letter says to one reader, before it becomes plain text or HTML.
//!
//! The rule: the subject and the first line say what is wanted and by when, and whatever figures the
//! reader needs for it stand in the letter itself, taken from the procurement as it is at the moment
//! of writing. A figure that nobody knows is left out; it is never shown as zero. Instants are in the
//! reader's zone, days are those of the organisation.
//! It deliberately knows no markup, no address and no link.

mod course;
mod notation;
mod reviews;
pub mod sample;
mod service;
mod spending;
mod suppliers;

pub use self::reviews::{meeting, place};

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use rust_decimal::Decimal;

use crate::{
    deadline::{Deadline, NoticeKind},
    function::Function,
    gate::Moment,
    locale::Locale,
    percent::Band,
    procurement::Procurement,
    supplier::Supplier,
    texts,
};

/// Who reads it.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub name: &'a str,
    pub locale: Locale,
    pub zone: Tz,
    /// As what they are written to.
    pub functions: &'a BTreeSet<Function>,
}

/// Where the figures are taken from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub procurement: &'a Procurement,
    pub deadline: &'a Deadline,
    /// The registry's entry of the supplier that it is about, if it is about one.
    pub supplier: Option<&'a Supplier>,
    /// The time of writing, in the organisation's zone.
    pub moment: Moment,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub subject: String,
    /// The first line: what is wanted, and by when.
    pub lead: String,
    pub body: String,
    pub figures: Vec<Figure>,
    pub chart: Option<Chart>,
    pub list: Option<List>,
    /// What the reader does on the page that is linked.
    pub action: String,
    pub footer: String,
    /// When what is wanted is wanted, as the subject and the first line say it.
    pub by: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    pub label: String,
    pub value: String,
}

/// Horizontal bars, each a part of a hundred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    pub title: String,
    pub bars: Vec<Bar>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    pub label: String,
    /// Percent, at least 0; above 100 it fills the whole width.
    pub part: Decimal,
    /// The figure in words, which says all that the bar shows.
    pub shown: String,
    /// Where the part should lie, when it is not there.
    pub missed: Option<Band>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    pub title: String,
    pub items: Vec<String>,
}

pub fn written(source: &Source, reader: &Reader) -> Content {
    let desk = Desk { source: *source, reader: *reader };
    let mut draft = draft(&desk);
    for (name, value) in &source.deadline.details {
        draft.words.entry(name).or_insert_with(|| value.clone());
    }
    let by = desk.by(draft.by);
    let functions = reader.functions.iter().map(|f| f.id()).collect::<Vec<_>>().join(", ");
    draft.words.entry("function").or_insert(functions);
    draft.words.insert("by", by.clone());
    draft.words.insert("name", reader.name.to_owned());
    let kind = source.deadline.kind.id();
    let filled = |key: &str| {
        texts::filled(key, reader.locale, |name| draft.words.get(name).map(String::as_str))
    };
    Content {
        subject: filled(&format!("mail.{kind}.subject")),
        lead: filled(&format!("mail.{kind}.lead")),
        body: filled(&format!("mail.{kind}.body")),
        action: filled(&format!("mail.{kind}.action")),
        footer: filled("mail.footer"),
        by,
        figures: draft.figures,
        chart: draft.chart,
        list: draft.list,
    }
}

fn draft(desk: &Desk) -> Draft {
    match desk.source.deadline.kind {
        NoticeKind::SignOffWanted => course::sign_off_wanted(desk),
        NoticeKind::SignOffVoided => course::sign_off_voided(desk),
        NoticeKind::StageOverdue => course::stage_overdue(desk),
        NoticeKind::QuoteValidity => suppliers::quote_validity(desk),
        NoticeKind::QualificationExpiry => suppliers::qualification_expiry(desk),
        NoticeKind::TrialEnd => suppliers::trial_end(desk),
        NoticeKind::ContractExpiry => suppliers::contract_expiry(desk),
        NoticeKind::SupplierSplit => suppliers::split(desk),
        NoticeKind::TooFewSuppliers => suppliers::too_few(desk),
        NoticeKind::ReviewInvitation => reviews::invitation(desk),
        NoticeKind::ReviewMoved => reviews::invitation(desk),
        NoticeKind::ReviewCancelled => reviews::cancelled(desk),
        NoticeKind::ReviewPack => reviews::pack(desk),
        NoticeKind::ReviewChaser => reviews::chaser(desk),
        NoticeKind::SlaIncident => service::incident(desk),
        NoticeKind::SlaBreach | NoticeKind::SlaClaim => service::missed(desk),
        NoticeKind::SlaStatement => service::statement(desk),
        NoticeKind::WeeklyReconciliation => spending::weekly(desk),
        NoticeKind::BudgetBurn => spending::burn(desk),
        NoticeKind::BudgetForecast => spending::forecast(desk),
        NoticeKind::RentToOwn => spending::own(desk),
    }
}

/// What a writer has in front of them.
#[derive(Clone, Copy)]
struct Desk<'a> {
    source: Source<'a>,
    reader: Reader<'a>,
}

#[derive(Clone, Copy)]
enum By {
    /// The last day on which it is in time.
    Day(NaiveDate),
    Instant(DateTime<Utc>),
    /// Not before and not after: a meeting.
    At(DateTime<Utc>),
    AtOnce,
}

/// What one kind adds to its texts.
struct Draft {
    by: By,
    words: BTreeMap<&'static str, String>,
    figures: Vec<Figure>,
    chart: Option<Chart>,
    list: Option<List>,
}

impl Draft {
    fn new(by: By) -> Self {
        Self { by, words: BTreeMap::new(), figures: Vec::new(), chart: None, list: None }
    }

    /// A word of the texts, in place of the deadline's own.
    fn word(mut self, name: &'static str, value: impl ToString) -> Self {
        self.words.insert(name, value.to_string());
        self
    }

    /// Left out when it is not known.
    fn figure(
        mut self,
        desk: &Desk,
        label: &'static str,
        value: impl Into<Option<String>>,
    ) -> Self {
        if let Some(value) = value.into() {
            let label = desk.text(&format!("mail.figure.{label}")).to_owned();
            self.figures.push(Figure { label, value });
        }
        self
    }

    fn chart(mut self, desk: &Desk, title: &str, bars: Vec<Bar>) -> Self {
        if !bars.is_empty() {
            self.chart =
                Some(Chart { title: desk.text(&format!("mail.chart.{title}")).to_owned(), bars });
        }
        self
    }

    fn list(mut self, desk: &Desk, title: &str, items: Vec<String>) -> Self {
        if !items.is_empty() {
            self.list =
                Some(List { title: desk.text(&format!("mail.list.{title}")).to_owned(), items });
        }
        self
    }
}
