//! state + event → state. It cannot fail: what was recorded has happened.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;

use super::{Adoption, CourseEvent, Event, Ledger, Phase, Procurement, SignOff, Voided, Waiver};
use crate::{
    budget::{self, moved::Basis},
    checklist::{self, Item, Standing},
    gate::{self, Moment},
    ids::SupplierId,
    needs, negotiation, operation, poc,
    policy::Policy,
    recorded::{Fact, Stamp},
    shortlist,
    stage::Stage,
};

/// Checklist standings are judged in the organisation's zone, at the time of the event.
pub fn evolve(state: &mut Option<Procurement>, event: &Event, stamp: Stamp, zone: Tz) {
    if let Event::Course(CourseEvent::Opened { id, title, policy }) = event {
        *state = Some(Procurement {
            id: *id,
            title: title.clone(),
            opened: stamp,
            members: stamp.by.person().into_iter().collect(),
            policy: (**policy).clone(),
            adoption: None,
            phase: Phase::Active,
            stage: Stage::Needs,
            entered: stamp,
            entries: 0,
            passed: BTreeMap::new(),
            ledgers: BTreeMap::new(),
            waivers: BTreeMap::new(),
            standings: BTreeMap::new(),
            ready_since: None,
            voided: None,
            needs: needs::State::default(),
            budget: budget::State::default(),
            shortlist: shortlist::State::default(),
            poc: poc::State::default(),
            negotiation: negotiation::State::default(),
            operation: operation::State::default(),
        });
        return;
    }
    // It says nothing about the procurement, which may have ended long ago.
    if let Event::Course(CourseEvent::ContactErased {}) = event {
        return;
    }
    let Some(procurement) = state else { return };
    match event {
        Event::Course(course) => course_happened(procurement, course, stamp),
        Event::Needs(event) => needs::evolve(&mut procurement.needs, event, stamp),
        Event::Budget(event) => budget::evolve(&mut procurement.budget, event, stamp),
        Event::Shortlist(event) => {
            shortlist::evolve(&mut procurement.shortlist, event, stamp);
            keep_to_the_running(procurement);
        }
        Event::Poc(event) => poc::evolve(&mut procurement.poc, event, stamp),
        Event::Negotiation(event) => {
            negotiation::evolve(&mut procurement.negotiation, event, stamp);
        }
        Event::Operation(event) => operation::evolve(&mut procurement.operation, event, stamp),
    }
    if let Some(stage) = event.changes() {
        let ledger = procurement.ledgers.entry(stage).or_default();
        ledger.version += 1;
        ledger.authors.extend(stamp.by.person());
    }
    judge(procurement, stamp, zone);
}

/// On a way back, a supplier that is dropped or disqualified takes its test, its offer, its contract
/// and the award it was part of with it; the history keeps them.
fn keep_to_the_running(procurement: &mut Procurement) {
    let running: BTreeSet<SupplierId> =
        procurement.shortlist.running().map(|(supplier, _)| *supplier).collect();
    procurement.poc.finalists.retain(|supplier, _| running.contains(supplier));
    let negotiation = &mut procurement.negotiation;
    negotiation.offers.retain(|supplier, _| running.contains(supplier));
    negotiation.contracts.retain(|supplier, _| running.contains(supplier));
    negotiation
        .awards
        .take_if(|awards| awards.value.iter().any(|award| !running.contains(&award.supplier)));
}

fn adopt(procurement: &mut Procurement, policy: &Policy, stamp: Stamp) {
    let before = Box::new(std::mem::replace(&mut procurement.policy, policy.clone()));
    let mut earlier = Vec::new();
    if let Some(adoption) = procurement.adoption.take() {
        earlier = adoption.earlier;
        earlier.push(adoption.latest);
    }
    procurement.adoption = Some(Adoption { before, latest: stamp, earlier });
}

fn course_happened(procurement: &mut Procurement, event: &CourseEvent, stamp: Stamp) {
    match event {
        CourseEvent::Opened { .. } => {}
        CourseEvent::MemberAdded { person } => {
            procurement.members.insert(*person);
        }
        CourseEvent::MemberRemoved { person } => {
            procurement.members.remove(person);
        }
        CourseEvent::SignedOff { stage, function, version, on_behalf_of } => {
            let signed = SignOff { version: *version, on_behalf_of: *on_behalf_of, stamp };
            ledger(procurement, *stage).sign_offs.insert(*function, signed);
            if let Some(voided) = &mut procurement.voided {
                voided.functions.remove(function);
            }
            procurement.voided.take_if(|voided| voided.functions.is_empty());
        }
        CourseEvent::SignOffsVoided { stage, functions, because } => {
            ledger(procurement, *stage).sign_offs.clear();
            procurement.voided = Some(Voided {
                stage: *stage,
                functions: functions.clone(),
                because: because.clone(),
                stamp,
            });
        }
        CourseEvent::Waived { criterion, reason, expires_on } => {
            let waiver = Waiver { reason: reason.clone(), expires_on: *expires_on, stamp };
            procurement.waivers.insert(*criterion, waiver);
        }
        CourseEvent::StagePassed { stage } => {
            procurement.passed.insert(*stage, stamp);
            procurement.voided = None;
            if *stage == Stage::Budget {
                let brief = procurement.needs.brief.as_ref().map(|fact| &fact.value);
                let basis = Basis::of(&procurement.budget, brief);
                procurement.budget.approved = basis.map(|basis| Fact::new(Box::new(basis), stamp));
            }
        }
        CourseEvent::StageEntered { stage } => {
            procurement.stage = *stage;
            procurement.entered = stamp;
            procurement.entries += 1;
        }
        CourseEvent::SentBack { to, .. } => sent_back(procurement, *to, stamp),
        CourseEvent::Held { reason } => {
            procurement.phase = Phase::OnHold { since: stamp, reason: reason.clone() };
        }
        CourseEvent::Resumed {} => {
            procurement.phase = Phase::Active;
            // The clock of the stage starts again, and so nothing is overdue at once.
            procurement.entered = stamp;
        }
        CourseEvent::Cancelled { reason } => {
            procurement.phase = Phase::Cancelled { at: stamp, reason: reason.clone() };
        }
        CourseEvent::Closed {} => procurement.phase = Phase::Closed { at: stamp },
        CourseEvent::PolicyAdopted { policy, .. } => adopt(procurement, policy, stamp),
        // The standing below turns by itself; the event records that somebody was told.
        CourseEvent::ItemLapsed { .. } | CourseEvent::ContactErased {} => {}
    }
}

/// What was signed from there on is void; what was entered and its authors stay.
fn sent_back(procurement: &mut Procurement, to: Stage, stamp: Stamp) {
    let mut functions = BTreeSet::new();
    for stage in to.onwards() {
        procurement.passed.remove(&stage);
        let signed = std::mem::take(&mut ledger(procurement, stage).sign_offs);
        functions.extend(signed.into_keys());
    }
    let because = "procurement.sent_back".to_owned();
    procurement.voided =
        (!functions.is_empty()).then_some(Voided { stage: to, functions, because, stamp });
}

fn ledger(procurement: &mut Procurement, stage: Stage) -> &mut Ledger {
    procurement.ledgers.entry(stage).or_default()
}

/// After each event: which checklist items hold, and whether only signatures are missing.
fn judge(procurement: &mut Procurement, stamp: Stamp, zone: Tz) {
    let moment = Moment { now: stamp.at, zone };
    for item in Item::ALL {
        let met = checklist::rule(procurement, item, moment).is_ok();
        let unchanged = procurement.standings.get(&item).is_some_and(|known| known.met == met);
        if !unchanged {
            procurement.standings.insert(item, Standing { met, since: stamp });
        }
    }
    let gate = gate::gate(procurement, procurement.stage, moment);
    let wanted: BTreeSet<_> =
        gate.sign_offs.iter().filter(|wanted| !wanted.signed).map(|w| w.function).collect();
    if wanted.is_empty() || !gate.awaits_sign_offs() {
        procurement.ready_since = None;
    } else if procurement.ready_since.is_none() {
        procurement.ready_since = Some(stamp);
    }
}
