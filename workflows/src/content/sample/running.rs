//! The sample in operation: two years of a primary and a backup, up to the moment looked at.

use std::collections::BTreeMap;

use chrono::{Duration, NaiveTime};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{BACKUP, PRIMARY, Words, day, fact, file, name, stamp_at, text, time, told};
use crate::{
    budget::{
        self,
        tco::{Cost, CostKind, Plan},
    },
    calendar,
    deadline::NoticeKind,
    estimate::Estimate,
    gate::Moment,
    ids::{IncidentId, SupplierId},
    money::{Currency, Money},
    negotiation::{
        self, Contract, Offer,
        award::{Award, Role},
        terms::{Agreement, Clause, ClauseTerm, ContractForm, Terms},
    },
    operation::{
        self, Meeting,
        sla::{Incident, Severity},
        usage::{Bill, Usage},
    },
    percent::Percent,
    recorded::Fact,
};

const FIRST_DAY: &str = "2026-01-01";
const LAST_DAY: &str = "2027-12-31";
const CARDS: [(SupplierId, u32, u32); 2] = [(PRIMARY, 64, 13_500), (BACKUP, 32, 16_800)];

pub(super) fn budget(words: &Words) -> budget::State {
    let per_month = [880_000, 20_000, 30_000, 60_000, 5_000, 10_000];
    let costs = CostKind::ALL.into_iter().zip(per_month).map(|(kind, amount)| {
        let cost = Cost::Amount {
            currency: Currency::Cny,
            per_month: Estimate::known(Decimal::from(amount)),
            basis: text(words.basis),
        };
        (kind, fact(cost))
    });
    let plan = Plan::new(24, Percent::of(18), Currency::Cny);
    budget::State { plan: Some(fact(plan)), costs: costs.collect(), ..budget::State::default() }
}

pub(super) fn contracts(words: &Words) -> negotiation::State {
    let offer = |price: u32| {
        let clause = ClauseTerm { agreement: Agreement::Agreed, reference: Some(name("§ 7.2")) };
        let terms = Terms {
            form: ContractForm::Signed,
            term_months: 24,
            currency: Currency::Cny,
            list_price_per_month: Decimal::from(price) * Decimal::TWO,
            price_per_month: Decimal::from(price),
            availability: Percent::tenths(999),
            response_minutes: 15,
            clauses: [(Clause::Availability, clause)].into(),
        };
        Offer { terms: fact(terms), review: None }
    };
    let contract = |cards, price: u32| Contract {
        signed_on: day("2025-12-18"),
        starts_on: day(FIRST_DAY),
        ends_on: day(LAST_DAY),
        cards,
        value_per_month: Money::new(Decimal::from(cards * price), Currency::Cny),
        document: file(words.contract),
    };
    let award = |supplier, role, share| Award { supplier, role, share: Percent::of(share) };
    negotiation::State {
        offers: CARDS.map(|(supplier, _, price)| (supplier, offer(price))).into(),
        awards: Some(fact(vec![
            award(PRIMARY, Role::Primary, 65),
            award(BACKUP, Role::Backup, 35),
        ])),
        contracts: CARDS
            .map(|(supplier, cards, price)| (supplier, fact(contract(cards, price))))
            .into(),
        scaling: None,
    }
}

pub(super) fn running(kind: NoticeKind, words: &Words, moment: Moment) -> operation::State {
    let first = "2026-Q1".parse().expect("it is the name of a quarter");
    let of_each = CARDS.map(|(supplier, cards, _)| {
        // A backup that hardly works takes the split out of its band.
        let idle = kind == NoticeKind::SupplierSplit && supplier == BACKUP;
        (supplier, usage(cards, idle, moment))
    });
    operation::State {
        usage: of_each.into(),
        bills: CARDS.map(|(supplier, cards, price)| (supplier, bills(cards, price, moment))).into(),
        availability: BTreeMap::new(),
        incidents: incidents(words, moment),
        first_review: Some(fact(first)),
        first_review_before: None,
        reviews: BTreeMap::new(),
        meetings: if kind == NoticeKind::ReviewMoved {
            [(first, vec![told(moved(words), moment.now, Duration::minutes(-5))])].into()
        } else {
            BTreeMap::new()
        },
        outcome: None,
    }
}

/// A day earlier, and in a room.
fn moved(words: &Words) -> Meeting {
    Meeting { starts_at: time("2026-03-30T06:00:00Z"), place: Some(name(words.room)) }
}

/// Week by week, up to the moment.
fn usage(cards: u32, is_idle: bool, moment: Moment) -> Vec<Fact<Usage>> {
    let start = calendar::instant(day("2026-01-05").and_time(NaiveTime::MIN), moment.zone);
    let week = Duration::weeks(1);
    let all = Decimal::from(cards * 168);
    let part = |percent: u32| all * Percent::of(percent).ratio();
    let (busy, used) = if is_idle { (20, 12) } else { (91, 74) };
    (0..)
        .map(|number| start + week * number)
        .take_while(|from| *from + week <= moment.now)
        .map(|from| {
            let usage = Usage {
                from,
                until: from + week,
                cards,
                busy_card_hours: part(busy),
                used_card_hours: part(used),
                idle_card_hours: part(98 - busy),
                unknown_card_hours: part(2),
            };
            told(usage, from + week, Duration::hours(1))
        })
        .collect()
}

/// Month by month, each told on the fourth of the next.
fn bills(cards: u32, price: u32, moment: Moment) -> Vec<Fact<Bill>> {
    let midnight = |months| {
        let first = calendar::months_after(day(FIRST_DAY), months);
        calendar::instant(first.and_time(NaiveTime::MIN), moment.zone)
    };
    let after = Duration::days(3);
    (0..)
        .map(|month| (midnight(month), midnight(month + 1)))
        .take_while(|(_, until)| *until + after <= moment.now)
        .map(|(from, until)| {
            let hours = Decimal::from((until - from).num_hours()) * Decimal::from(cards);
            let bill = Bill {
                from,
                until,
                currency: Currency::Cny,
                billed: Decimal::from(cards * price),
                tax: Decimal::from(cards * price) * Percent::of(6).ratio(),
                card_hours: Some(hours),
            };
            told(bill, until, after)
        })
        .collect()
}

/// One in February that breaks the promise, and one in March that goes on.
fn incidents(words: &Words, moment: Moment) -> BTreeMap<IncidentId, (SupplierId, Fact<Incident>)> {
    let incident = |started: &str, minutes: Option<i64>| {
        let started_at = time(started);
        let after = |minutes| started_at + Duration::minutes(minutes);
        let incident = Incident {
            severity: Severity::P0,
            started_at,
            what: text(words.fault),
            responded_at: minutes.map(|_| after(11)),
            ended_at: minutes.map(after),
        };
        (PRIMARY, Fact::new(incident, stamp_at(after(2))))
    };
    let all = [
        ("2026-02-10T03:20:00Z", Some(96)),
        ("2026-03-03T06:01:00Z", (moment.now > time("2026-03-04T00:00:00Z")).then_some(24)),
    ];
    (1_u128..)
        .zip(all)
        .filter(|(_, (started, _))| time(started) <= moment.now)
        .map(|(number, (started, minutes))| {
            (IncidentId(Uuid::from_u128(number)), incident(started, minutes))
        })
        .collect()
}
