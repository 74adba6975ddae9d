//! What people do next with a procurement, by looking at it as they would on their screens.
//!
//! The rule: a step is chosen from the state alone and from chance, so it fits after whatever
//! happened before: a crash, a way back, another policy. People are often late, and sometimes ask
//! for what the rules refuse; a refusal is an answer like any other.

mod operation;

use sixgate_workflows::{
    context::local_date,
    function::Function::{
        self, Finance, Legal, Manager, Operations, Procurement as Buyer, Requester,
    },
    gate::{self, Gate, Moment},
    ids::SupplierId,
    needs, negotiation, poc,
    procurement::{Command, Course, Phase, Procurement},
    shortlist,
    stage::Stage,
};

use super::{figures, random::Random};

/// Somebody who acts as this asks for that.
pub(super) struct Move {
    pub(super) function: Function,
    pub(super) command: Command,
}

fn of(function: Function, command: Command) -> Move {
    Move { function, command }
}

fn course(function: Function, course: Course) -> Vec<Move> {
    vec![of(function, Command::Course(course))]
}

/// Nothing, when nobody finds the time.
pub(super) fn next(
    procurement: &Procurement,
    suppliers: &[SupplierId],
    moment: Moment,
    random: &mut Random,
) -> Vec<Move> {
    match &procurement.phase {
        Phase::Cancelled { .. } | Phase::Closed { .. } => return Vec::new(),
        Phase::OnHold { .. } if random.chance(300) => return course(Manager, Course::Resume),
        Phase::OnHold { .. } => return Vec::new(),
        Phase::Active => {}
    }
    if let Some(turn) = turn(procurement, random) {
        return turn;
    }
    let gate = gate::gate(procurement, procurement.stage, moment);
    if procurement.stage == Stage::Operation {
        return operation::next(procurement, &gate, moment, random);
    }
    if random.chance(250) {
        return Vec::new();
    }
    match gate.awaits_sign_offs() {
        true if random.chance(30) => change_of_mind(procurement, random),
        true => signature(&gate)
            .unwrap_or_else(|| course(any_of(random, &[Buyer, Manager]), Course::Advance)),
        false if random.chance(60) => waiver(&gate, moment),
        // Tried too early, which the gate refuses.
        false if random.chance(20) => course(Buyer, Course::Advance),
        false => fill(procurement, suppliers, moment, random),
    }
}

/// Now and then something else happens than what was planned.
fn turn(procurement: &Procurement, random: &mut Random) -> Option<Vec<Move>> {
    let reason = || figures::text("it turned out otherwise");
    let earlier: Vec<Stage> =
        Stage::ALL.into_iter().filter(|stage| *stage < procurement.stage).collect();
    match random.between(0, 999) {
        0..15 => Some(course(Manager, Course::Hold { reason: reason() })),
        15..19 => Some(course(Manager, Course::Cancel { reason: reason() })),
        19..27 if procurement.stage < Stage::Operation => {
            let to = *random.pick(&earlier)?;
            Some(course(Buyer, Course::SendBack { to, reason: reason() }))
        }
        _ => None,
    }
}

pub(super) fn signature(gate: &Gate) -> Option<Vec<Move>> {
    let wanted = gate.sign_offs.iter().find(|wanted| !wanted.signed)?;
    let signed = Course::SignOff { function: wanted.function, version: gate.version };
    Some(course(wanted.function, signed))
}

fn waiver(gate: &Gate, moment: Moment) -> Vec<Move> {
    let Some(unmet) = gate.findings.iter().find(|finding| finding.blocks()) else {
        return Vec::new();
    };
    let expires_on = figures::later(local_date(moment.now, moment.zone), 20);
    let reason = figures::text("it is known and accepted for now");
    course(Manager, Course::Waive { criterion: unmet.criterion, reason, expires_on })
}

/// A material change, which voids what was signed.
fn change_of_mind(procurement: &Procurement, random: &mut Random) -> Vec<Move> {
    let command = match procurement.stage {
        Stage::Needs => {
            let overhead_gib = u32::try_from(random.between(16, 40)).unwrap_or(16);
            Command::Needs(figures::sizing(overhead_gib))
        }
        Stage::Budget => Command::Budget(figures::plan()),
        Stage::Negotiation => Command::Negotiation(figures::scaling()),
        Stage::Shortlist | Stage::Poc | Stage::Operation => return Vec::new(),
    };
    let function = match procurement.stage {
        Stage::Budget => Finance,
        Stage::Needs | Stage::Shortlist | Stage::Poc | Stage::Negotiation | Stage::Operation => {
            Requester
        }
    };
    let function = if procurement.stage == Stage::Negotiation { Operations } else { function };
    vec![of(function, command)]
}

fn any_of(random: &mut Random, functions: &[Function]) -> Function {
    random.pick(functions).copied().unwrap_or(Buyer)
}

/// Everything that the stage asks for; some days only half of it gets done.
fn fill(
    procurement: &Procurement,
    suppliers: &[SupplierId],
    moment: Moment,
    random: &mut Random,
) -> Vec<Move> {
    let mut moves = match procurement.stage {
        Stage::Needs => vec![
            of(Requester, Command::Needs(figures::brief())),
            of(Operations, Command::Needs(figures::sizing(24))),
        ],
        Stage::Budget => {
            let rental = if random.chance(300) { 95_000 } else { 50_000 };
            let costs = figures::costs(rental).map(|cost| of(Finance, Command::Budget(cost)));
            [of(Buyer, Command::Budget(figures::plan()))].into_iter().chain(costs).collect()
        }
        Stage::Shortlist => candidates(procurement, suppliers, moment, random),
        Stage::Poc => trials(procurement, moment, random),
        Stage::Negotiation => deal(procurement, moment, random),
        Stage::Operation => Vec::new(),
    };
    if random.chance(200) {
        moves.truncate(moves.len().div_ceil(2));
    }
    moves
}

fn candidates(
    procurement: &Procurement,
    suppliers: &[SupplierId],
    moment: Moment,
    random: &mut Random,
) -> Vec<Move> {
    let today = local_date(moment.now, moment.zone);
    let known = &procurement.shortlist.candidates;
    let least = procurement.policy.candidates_min;
    let fresh = suppliers.iter().filter(|supplier| !known.contains_key(supplier));
    let chosen = known.keys().chain(fresh).copied().take(least.max(known.len()));
    let valid_days = [20, 45, 100].map(|days| figures::later(today, days));
    let mut moves = Vec::new();
    for supplier in chosen {
        let valid_until = random.pick(&valid_days).copied().unwrap_or(today);
        let marks = [88, 71].map(|mark| Command::Shortlist(figures::score(supplier, mark)));
        let [first, second] = marks;
        moves.extend([
            of(Buyer, Command::Shortlist(shortlist::Command::AddCandidate { supplier })),
            of(Buyer, Command::Shortlist(shortlist::Command::ReviewQualifications { supplier })),
            of(Buyer, Command::Shortlist(figures::quote(supplier, valid_until))),
            of(Operations, first),
            of(Requester, second),
        ]);
    }
    moves
}

fn trials(procurement: &Procurement, moment: Moment, random: &mut Random) -> Vec<Move> {
    let today = local_date(moment.now, moment.zone);
    let finalists = &procurement.poc.finalists;
    let running = procurement.shortlist.running().map(|(supplier, _)| *supplier);
    let fresh = running.filter(|supplier| !finalists.contains_key(supplier));
    let least = procurement.policy.finalists_min;
    let chosen: Vec<SupplierId> =
        finalists.keys().copied().chain(fresh).take(least.max(finalists.len())).collect();
    let mut moves = Vec::new();
    for supplier in chosen {
        if !finalists.contains_key(&supplier) {
            let ends_on = figures::later(today, random.between(5, 20).unsigned_abs());
            moves.push(of(Requester, Command::Poc(figures::finalist(supplier, ends_on))));
        }
        let explanation = figures::text("a fan had failed and was changed");
        let explained = poc::Command::RecordExplanation { supplier, explanation };
        if finalists.contains_key(&supplier) {
            moves.push(of(Buyer, Command::Poc(explained)));
        }
        let readings = figures::readings(supplier, random.chance(80));
        moves.extend(readings.map(|reading| of(Operations, Command::Poc(reading))));
        let baseline = poc::Command::RecordBaseline { supplier };
        moves.push(of(Requester, Command::Poc(baseline)));
    }
    moves
}

fn deal(procurement: &Procurement, moment: Moment, random: &mut Random) -> Vec<Move> {
    let today = local_date(moment.now, moment.zone);
    let finalists = procurement.poc.finalists.iter();
    let accepted: Vec<SupplierId> = finalists
        .filter(|(_, finalist)| finalist.baseline.is_some())
        .map(|(supplier, _)| *supplier)
        .take(2)
        .collect();
    let deal = |command: negotiation::Command| Command::Negotiation(command);
    let mut moves = Vec::new();
    for supplier in &accepted {
        moves.push(of(Buyer, deal(figures::terms(*supplier))));
        moves.push(of(Legal, deal(figures::approval(*supplier))));
    }
    moves.push(of(Buyer, deal(figures::award(&accepted))));
    for supplier in &accepted {
        let days = random.between(60, 200).unsigned_abs();
        let contract = figures::contract(*supplier, today, figures::later(today, days));
        moves.push(of(Buyer, deal(contract)));
    }
    moves.push(of(Operations, deal(figures::scaling())));
    moves
}

/// A requester who may look at it, when the one who opened it has left.
pub(super) fn needs_member(procurement: &Procurement) -> bool {
    procurement.is_active() && procurement.stage < Stage::Operation
}

/// Whether it takes a file that has to be uploaded first.
pub(super) fn refers_to_a_file(command: &Command) -> bool {
    match command {
        Command::Poc(poc::Command::RecordEvidence { .. })
        | Command::Negotiation(negotiation::Command::RecordContract { .. }) => true,
        Command::Needs(needs::Command::RecordBrief { source, .. }) => source.is_some(),
        Command::Course(_)
        | Command::Needs(_)
        | Command::Budget(_)
        | Command::Shortlist(_)
        | Command::Poc(_)
        | Command::Negotiation(_)
        | Command::Operation(_) => false,
    }
}
