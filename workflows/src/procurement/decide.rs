//! command + state → events, or the reason why not.
//!
//! Each stage decides its own commands; here lies what holds for all of them: a procurement that
//! ended takes nothing, one on hold only what ends the hold, a stage's commands only in that stage,
//! and a material change voids what was signed.

use std::collections::BTreeSet;

use super::{Command, Course, CourseEvent, Event, Phase, Procurement};
use crate::{
    budget,
    calendar::days_after,
    checklist::{self, Item},
    context::Context,
    function::Function,
    gate::{self, Criterion, Moment},
    ids::ProcurementId,
    needs, negotiation, operation, poc,
    rejection::Rejection,
    shortlist,
    stage::Stage,
    stored::StoredEvent,
};

pub fn decide(
    state: Option<&Procurement>,
    id: ProcurementId,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    if let Command::Course(Course::Open { title }) = command {
        return match state {
            Some(_) => Err(Rejection::AlreadyRegistered),
            None => {
                let policy = Box::new(context.policy.clone());
                Ok(vec![
                    Event::Course(CourseEvent::Opened { id, title, policy }),
                    Event::Course(CourseEvent::StageEntered { stage: Stage::Needs }),
                ])
            }
        };
    }
    let procurement = state.ok_or(Rejection::NoSuchProcurement { procurement: id })?;
    takes_commands(procurement, &command)?;
    if let Some(needed) = command.stage().filter(|stage| *stage != procurement.stage) {
        return Err(Rejection::WrongStage { needed, current: procurement.stage });
    }
    let mut events = match command {
        Command::Course(course) => course_events(procurement, course, context)?,
        Command::Needs(command) => {
            wrap(needs::decide(procurement, command, context)?, Event::Needs)
        }
        Command::Budget(command) => {
            wrap(budget::decide(procurement, command, context)?, Event::Budget)
        }
        Command::Shortlist(command) => {
            wrap(shortlist::decide(procurement, command, context)?, Event::Shortlist)
        }
        Command::Poc(command) => wrap(poc::decide(procurement, command, context)?, Event::Poc),
        Command::Negotiation(command) => {
            wrap(negotiation::decide(procurement, command, context)?, Event::Negotiation)
        }
        Command::Operation(command) => {
            wrap(operation::decide(procurement, command, context)?, Event::Operation)
        }
    };
    events.extend(voided_sign_offs(procurement, &events));
    Ok(events)
}

fn wrap<E>(events: Vec<E>, into: fn(E) -> Event) -> Vec<Event> {
    events.into_iter().map(into).collect()
}

fn takes_commands(procurement: &Procurement, command: &Command) -> Result<(), Rejection> {
    if let Command::Course(Course::EraseContact) = command {
        return Ok(());
    }
    let ends_hold = matches!(
        command,
        Command::Course(
            Course::Resume
                | Course::Cancel { .. }
                | Course::AddMember { .. }
                | Course::RemoveMember { .. }
        )
    );
    match procurement.phase {
        Phase::Active => Ok(()),
        Phase::OnHold { .. } if ends_hold => Ok(()),
        Phase::OnHold { .. } => Err(Rejection::IsOnHold),
        Phase::Cancelled { .. } | Phase::Closed { .. } => Err(Rejection::HasEnded),
    }
}

fn voided_sign_offs(procurement: &Procurement, events: &[Event]) -> Option<Event> {
    let change = events.iter().find(|event| event.changes().is_some())?;
    let stage = change.changes()?;
    let functions: BTreeSet<Function> =
        procurement.ledger(stage).sign_offs.keys().copied().collect();
    if functions.is_empty() {
        return None;
    }
    let because = change.kind();
    Some(Event::Course(CourseEvent::SignOffsVoided { stage, functions, because }))
}

fn course_events(
    procurement: &Procurement,
    course: Course,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let current = procurement.stage;
    let one = |event| Ok(vec![Event::Course(event)]);
    match course {
        Course::Open { .. } => Err(Rejection::AlreadyRegistered),
        Course::AddMember { person } => {
            if !context.people.contains(&person) {
                return Err(Rejection::NoSuchPerson { person });
            }
            match procurement.members.contains(&person) {
                true => Err(Rejection::NothingChanges),
                false => one(CourseEvent::MemberAdded { person }),
            }
        }
        Course::RemoveMember { person } => match procurement.members.contains(&person) {
            true => one(CourseEvent::MemberRemoved { person }),
            false => Err(Rejection::NothingChanges),
        },
        Course::SignOff { function, version } => sign_off(procurement, function, version, context),
        Course::Waive { criterion, reason, expires_on } => {
            may_be_waived(procurement, criterion, context)?;
            let days_max = procurement.policy.waiver_days_max;
            if expires_on < context.today() {
                return Err(Rejection::AlreadyExpired { expires_on });
            }
            if expires_on > days_after(context.today(), days_max) {
                return Err(Rejection::WaiverTooLong { days_max });
            }
            one(CourseEvent::Waived { criterion, reason, expires_on })
        }
        Course::Advance => {
            let next = current.next().ok_or(Rejection::LastStage)?;
            gate_is_open(procurement, context)?;
            Ok(vec![
                Event::Course(CourseEvent::StagePassed { stage: current }),
                Event::Course(CourseEvent::StageEntered { stage: next }),
            ])
        }
        Course::SendBack { to, reason } => match to < current {
            true => Ok(vec![
                Event::Course(CourseEvent::SentBack { from: current, to, reason }),
                Event::Course(CourseEvent::StageEntered { stage: to }),
            ]),
            false => Err(Rejection::NotEarlier { stage: to, current }),
        },
        Course::Hold { reason } => one(CourseEvent::Held { reason }),
        Course::Resume => match procurement.phase {
            Phase::OnHold { .. } => one(CourseEvent::Resumed {}),
            Phase::Active | Phase::Cancelled { .. } | Phase::Closed { .. } => {
                Err(Rejection::NotOnHold)
            }
        },
        Course::Cancel { reason } => one(CourseEvent::Cancelled { reason }),
        Course::Close => {
            if current != Stage::Operation {
                return Err(Rejection::NotInOperation { current });
            }
            gate_is_open(procurement, context)?;
            Ok(vec![
                Event::Course(CourseEvent::StagePassed { stage: current }),
                Event::Course(CourseEvent::Closed {}),
            ])
        }
        Course::AdoptPolicy => adopt_policy(procurement, context),
        Course::NoteLapse { item } => note_lapse(procurement, item, context),
        Course::EraseContact => match procurement.needs.brief {
            Some(_) => one(CourseEvent::ContactErased {}),
            None => Err(Rejection::BriefMissing),
        },
    }
}

fn moment(context: &Context) -> Moment {
    Moment { now: context.now, zone: context.zone }
}

fn gate_is_open(procurement: &Procurement, context: &Context) -> Result<(), Rejection> {
    let stage = procurement.stage;
    let blockers = gate::gate(procurement, stage, moment(context)).blockers();
    match blockers.is_empty() {
        true => Ok(()),
        false => Err(Rejection::GateClosed { stage, blockers }),
    }
}

fn may_be_waived(
    procurement: &Procurement,
    criterion: Criterion,
    context: &Context,
) -> Result<(), Rejection> {
    let stage = criterion.stage();
    if stage != procurement.stage {
        return Err(Rejection::CriterionOfOtherStage { criterion, stage });
    }
    let met = gate::findings(procurement, stage, moment(context))
        .iter()
        .any(|finding| finding.criterion == criterion && finding.outcome.is_ok());
    match met {
        true => Err(Rejection::CriterionMet { criterion }),
        false => Ok(()),
    }
}

/// A signature is bound to the version its signer saw. Nobody signs what only they alone entered,
/// nor for two functions at one gate, nor for an absent colleague who could not sign either.
fn sign_off(
    procurement: &Procurement,
    function: Function,
    version: u32,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let stage = procurement.stage;
    let gate = gate::gate(procurement, stage, moment(context));
    if !gate.sign_offs.iter().any(|wanted| wanted.function == function) {
        return Err(Rejection::NotSignedHere { function, stage });
    }
    let signer = context.actor.id.person().ok_or(Rejection::NotAPerson)?;
    let stand_in = context.actor.stands_in.iter().find(|s| s.function == function);
    let on_behalf_of = match (context.actor.functions.contains(&function), stand_in) {
        (true, _) => None,
        (false, Some(stand_in)) => Some(stand_in.for_person),
        (false, None) => return Err(Rejection::FunctionMissing { function }),
    };
    let ledger = procurement.ledger(stage);
    if version != ledger.version {
        return Err(Rejection::VersionChanged { signed: version, current: ledger.version });
    }
    if ledger.sign_offs.contains_key(&function) {
        return Err(Rejection::AlreadySigned { function });
    }
    let concerned = |person| person == signer || Some(person) == on_behalf_of;
    for (other, signed) in &ledger.sign_offs {
        let by = signed.stamp.by.person();
        if by.is_some_and(concerned) || signed.on_behalf_of.is_some_and(concerned) {
            return Err(Rejection::SignedForOther { function: *other });
        }
    }
    if !ledger.authors.is_empty() && ledger.authors.iter().all(|author| concerned(*author)) {
        return Err(Rejection::FourEyes { function });
    }
    let signed = CourseEvent::SignedOff { stage, function, version, on_behalf_of };
    Ok(vec![Event::Course(signed)])
}

fn adopt_policy(procurement: &Procurement, context: &Context) -> Result<Vec<Event>, Rejection> {
    let newest = &context.policy;
    if newest.version <= procurement.policy.version {
        return Err(Rejection::PolicyAlreadyNewest { version: procurement.policy.version });
    }
    let unmet = |procurement: &Procurement| -> BTreeSet<Criterion> {
        gate::findings(procurement, procurement.stage, moment(context))
            .into_iter()
            .filter(|finding| finding.outcome.is_err())
            .map(|finding| finding.criterion)
            .collect()
    };
    let before = unmet(procurement);
    let after = unmet(&Procurement { policy: newest.clone(), ..procurement.clone() });
    Ok(vec![Event::Course(CourseEvent::PolicyAdopted {
        policy: Box::new(newest.clone()),
        now_met: before.difference(&after).copied().collect(),
        now_unmet: after.difference(&before).copied().collect(),
    })])
}

fn note_lapse(
    procurement: &Procurement,
    item: Item,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let stood = procurement.standings.get(&item).is_some_and(|standing| standing.met);
    let holds = checklist::rule(procurement, item, moment(context)).is_ok();
    match stood && !holds {
        true => Ok(vec![Event::Course(CourseEvent::ItemLapsed { item })]),
        false => Err(Rejection::NothingChanges),
    }
}
