//! A made-up procurement in which any kind of letter is due, for looking at what letters say.
//!
//! The rule: a sample goes the way of a real letter from the deadline on, so what a preview shows is
//! what people get. Its figures are invented, agree with each other, and never change.
//! It deliberately records nothing and needs no log.

mod running;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use self::running::running;
use super::{Reader, Source};
use crate::{
    checklist::{Item, Standing},
    context::ActorId,
    deadline::{self, Deadline, NoticeKind},
    evidence::{ContentHash, EvidenceFile},
    function::Function,
    gate::Moment,
    ids::{ProcurementId, SupplierId},
    locale::Locale,
    money::Currency,
    negotiation, operation,
    percent::Percent,
    poc::{self, Finalist},
    policy::Policy,
    procurement::{Phase, Procurement, Voided},
    recorded::{Fact, Stamp},
    shortlist::{
        self, Candidate, Review,
        quote::{PriceBasis, PriceUnit, Quote, QuoteLine},
    },
    stage::Stage,
    supplier::{Certificate, Qualification, Supplier},
    text::{Name, Text},
};

const PRIMARY: SupplierId = SupplierId(Uuid::from_u128(0xa));
const BACKUP: SupplierId = SupplierId(Uuid::from_u128(0xb));

/// One letter's sources, and whom it is to.
#[derive(Clone, Debug)]
pub struct Sample {
    pub procurement: Procurement,
    pub deadline: Deadline,
    pub supplier: Supplier,
    pub moment: Moment,
    pub name: &'static str,
    pub locale: Locale,
    pub zone: Tz,
    pub functions: BTreeSet<Function>,
}

impl Sample {
    /// `None` only if the sample does not have what this kind is due by.
    pub fn of(kind: NoticeKind, locale: Locale) -> Option<Self> {
        let words = Words::of(locale);
        let moment = Moment { now: time(now(kind)), zone: Tz::Asia__Shanghai };
        let procurement = procurement(kind, &words, moment);
        let deadline = due(&procurement, kind, moment)?;
        let (name, zone) = match locale {
            Locale::En => ("Jane Miller", Tz::Europe__Berlin),
            Locale::ZhCn => ("王芳", Tz::Asia__Shanghai),
        };
        let functions = deadline.to.iter().take(1).copied().collect();
        let supplier = registered(&words);
        Some(Self { procurement, deadline, supplier, moment, name, locale, zone, functions })
    }

    pub fn source(&self) -> Source<'_> {
        Source {
            procurement: &self.procurement,
            deadline: &self.deadline,
            supplier: Some(&self.supplier),
            moment: self.moment,
        }
    }

    pub fn reader(&self) -> Reader<'_> {
        let Self { name, locale, zone, functions, .. } = self;
        Reader { name, locale: *locale, zone: *zone, functions }
    }
}

fn due(procurement: &Procurement, kind: NoticeKind, moment: Moment) -> Option<Deadline> {
    deadline::deadlines(procurement, moment)
        .into_iter()
        .rfind(|deadline| deadline.kind == kind && deadline.due <= moment.now)
}

/// Shortly after such a letter is due in the sample.
fn now(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::SignOffWanted | NoticeKind::SignOffVoided => "2025-11-12T02:05:00Z",
        NoticeKind::StageOverdue => "2025-12-01T01:05:00Z",
        NoticeKind::TrialEnd => "2025-12-09T01:05:00Z",
        NoticeKind::QuoteValidity => "2025-12-13T01:05:00Z",
        NoticeKind::SlaBreach => "2026-02-11T06:00:00Z",
        NoticeKind::SlaStatement | NoticeKind::SupplierSplit => "2026-03-02T01:05:00Z",
        NoticeKind::SlaIncident => "2026-03-03T06:05:00Z",
        NoticeKind::WeeklyReconciliation => "2026-03-09T01:05:00Z",
        NoticeKind::SlaClaim => "2026-03-16T01:05:00Z",
        NoticeKind::ReviewInvitation => "2026-03-17T01:05:00Z",
        NoticeKind::ReviewMoved => "2026-03-18T01:05:00Z",
        NoticeKind::ReviewCancelled => "2026-03-20T02:00:00Z",
        NoticeKind::ReviewPack => "2026-04-01T01:05:00Z",
        NoticeKind::ReviewChaser => "2026-04-15T01:05:00Z",
        NoticeKind::BudgetForecast => "2026-04-20T01:05:00Z",
        NoticeKind::QualificationExpiry => "2026-06-01T01:05:00Z",
        NoticeKind::TooFewSuppliers => "2026-07-02T01:05:00Z",
        NoticeKind::RentToOwn => "2027-01-04T01:05:00Z",
        NoticeKind::BudgetBurn => "2027-06-04T01:05:00Z",
        NoticeKind::ContractExpiry => "2027-12-01T01:05:00Z",
    }
}

fn stage(kind: NoticeKind) -> Stage {
    match kind {
        NoticeKind::SignOffWanted | NoticeKind::SignOffVoided => Stage::Budget,
        NoticeKind::StageOverdue => Stage::Needs,
        NoticeKind::QuoteValidity => Stage::Shortlist,
        NoticeKind::TrialEnd => Stage::Poc,
        NoticeKind::QualificationExpiry
        | NoticeKind::ContractExpiry
        | NoticeKind::ReviewInvitation
        | NoticeKind::ReviewMoved
        | NoticeKind::ReviewCancelled
        | NoticeKind::ReviewPack
        | NoticeKind::ReviewChaser
        | NoticeKind::SlaIncident
        | NoticeKind::SlaBreach
        | NoticeKind::SlaStatement
        | NoticeKind::SlaClaim
        | NoticeKind::SupplierSplit
        | NoticeKind::TooFewSuppliers
        | NoticeKind::WeeklyReconciliation
        | NoticeKind::BudgetBurn
        | NoticeKind::BudgetForecast
        | NoticeKind::RentToOwn => Stage::Operation,
    }
}

fn procurement(kind: NoticeKind, words: &Words, moment: Moment) -> Procurement {
    let stage = stage(kind);
    let entered = match stage {
        Stage::Operation => stamp("2026-01-01T01:00:00Z"),
        Stage::Needs | Stage::Budget | Stage::Shortlist | Stage::Poc | Stage::Negotiation => {
            stamp("2025-11-10T01:00:00Z")
        }
    };
    let phase = if kind == NoticeKind::ReviewCancelled {
        Phase::Cancelled { at: stamp_at(moment.now), reason: text(words.basis) }
    } else {
        Phase::Active
    };
    let signing = stage == Stage::Budget;
    let ready = stamp("2025-11-12T02:00:00Z");
    let too_few = (kind == NoticeKind::TooFewSuppliers).then_some((
        Item::TwoSuppliers,
        Standing { met: false, since: stamp("2026-07-01T16:00:00Z") },
    ));
    let operates = stage == Stage::Operation;
    Procurement {
        id: ProcurementId(Uuid::from_u128(0x0193_7d1e_7f00_7000_8000_0000_0000_0001)),
        title: name(words.title),
        opened: stamp("2025-11-03T01:00:00Z"),
        members: BTreeSet::new(),
        policy: Policy::shipped(),
        adoption: None,
        phase,
        stage,
        entered,
        entries: 1,
        passed: BTreeMap::new(),
        ledgers: BTreeMap::new(),
        waivers: BTreeMap::new(),
        standings: too_few.into_iter().collect(),
        ready_since: signing.then_some(ready),
        voided: signing.then(|| Voided {
            stage,
            functions: [Function::Finance].into(),
            because: "budget.cost_recorded".to_owned(),
            stamp: ready,
        }),
        needs: crate::needs::State::default(),
        budget: running::budget(words),
        shortlist: shortlist::State { candidates: candidates(words) },
        poc: poc::State { finalists: [(PRIMARY, finalist())].into() },
        negotiation: if operates {
            running::contracts(words)
        } else {
            negotiation::State::default()
        },
        operation: if operates {
            running(kind, words, moment)
        } else {
            operation::State::default()
        },
    }
}

fn candidates(words: &Words) -> BTreeMap<SupplierId, Candidate> {
    let certificates = |first: &str| {
        let days = [first, "2027-06-30", "2028-03-31"];
        Qualification::ALL.into_iter().zip(days.map(day)).collect()
    };
    let candidate = |called: &str, first: &str| Candidate {
        name: name(called),
        review: Some(fact(Review { valid_until: certificates(first), missing: BTreeSet::new() })),
        quote: Some(fact(quote())),
        quote_source: None,
        scores: BTreeMap::new(),
    };
    [
        (PRIMARY, candidate(words.primary, "2028-06-30")),
        (BACKUP, candidate(words.backup, "2026-06-30")),
    ]
    .into()
}

fn quote() -> Quote {
    let line = |price: u32, cards, basis| QuoteLine {
        card: name("H100 80GB"),
        unit_price: Decimal::from(price),
        unit: PriceUnit::CardMonth,
        cards,
        basis,
        list_price: None,
    };
    Quote {
        currency: Currency::Cny,
        valid_until: day("2025-12-20"),
        tax_included: true,
        tax: Percent::of(6),
        lines: vec![line(13_500, 64, PriceBasis::Reserved), line(16_800, 32, PriceBasis::OnDemand)],
        answers: BTreeMap::new(),
    }
}

fn finalist() -> Finalist {
    let promise = json!({ "card": "H100 SXM", "cards": 8 });
    Finalist {
        promise: serde_json::from_value(promise).expect("a promise needs a card and a number"),
        trial_ends_on: day("2025-12-12"),
        evidence: Vec::new(),
        verdict: None,
        explanation: None,
        baseline: None,
    }
}

fn registered(words: &Words) -> Supplier {
    let certificate = Certificate {
        qualification: Qualification::IcpFiling,
        number: name("ICP-2026-004711"),
        expires_on: day("2026-06-30"),
        document: None,
    };
    Supplier {
        id: BACKUP,
        name: name(words.backup),
        contact: name("-"),
        contact_erased: false,
        certificates: [(Qualification::IcpFiling, fact(certificate))].into(),
        billing: None,
        withdrawn: None,
    }
}

/// What the sample calls things.
struct Words {
    title: &'static str,
    primary: &'static str,
    backup: &'static str,
    fault: &'static str,
    room: &'static str,
    contract: &'static str,
    basis: &'static str,
}

impl Words {
    fn of(locale: Locale) -> Self {
        match locale {
            Locale::En => Self {
                title: "Inference cluster, phase 2",
                primary: "Aurora Compute",
                backup: "Boreal Cloud",
                fault: "No route to nodes 3 to 8",
                room: "Room 3",
                contract: "Contract C-2026-017.pdf",
                basis: "Offer of the supplier",
            },
            Locale::ZhCn => Self {
                title: "推理集群二期",
                primary: "极光算力",
                backup: "北辰云",
                fault: "3至8号节点网络不可达",
                room: "3号会议室",
                contract: "合同C-2026-017.pdf",
                basis: "供应商报价",
            },
        }
    }
}

const WELL_FORMED: &str = "the sample is written with values that are well-formed";

fn name(words: &str) -> Name {
    Name::new(words).expect(WELL_FORMED)
}

fn text(words: &str) -> Text {
    Text::new(words).expect(WELL_FORMED)
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect(WELL_FORMED)
}

fn time(text: &str) -> DateTime<Utc> {
    text.parse().expect(WELL_FORMED)
}

fn file(words: &str) -> EvidenceFile {
    let hash = ContentHash::new(&"0".repeat(64)).expect(WELL_FORMED);
    EvidenceFile { hash, name: name(words) }
}

fn stamp(text: &str) -> Stamp {
    stamp_at(time(text))
}

fn stamp_at(at: DateTime<Utc>) -> Stamp {
    // Later ones have higher positions, as in a log.
    let position = u64::try_from(at.timestamp()).unwrap_or_default();
    Stamp { at, by: ActorId::System, position, index: 0 }
}

fn fact<T>(value: T) -> Fact<T> {
    Fact::new(value, stamp("2025-11-11T01:00:00Z"))
}

/// Recorded some time after what it tells of.
fn told<T>(value: T, of: DateTime<Utc>, after: Duration) -> Fact<T> {
    Fact::new(value, stamp_at(of + after))
}
