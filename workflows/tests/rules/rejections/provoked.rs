//! One command for each rejection.

use sixgate_workflows::{
    function::Function,
    gate::Criterion,
    negotiation::{award::Role, terms::ContractForm},
    person,
    poc::reading::Reading,
    policy::{self, Policies},
    procurement::Course,
    recorded::Fact,
    rejection::Rejection,
    shortlist::{self, score::ScoreCriterion},
    stage::Stage,
};

use crate::{
    fixture::*,
    harness::{Who, nothing, without},
    notices::Post,
    organisation::{grant, person_after, publish, register_person, set_preferences},
};

pub(super) fn all() -> Vec<Rejection> {
    let mut all = of_the_course();
    all.extend(of_sign_offs());
    all.extend(of_needs_and_budget());
    all.extend(of_the_shortlist());
    all.extend(of_the_poc());
    all.extend(of_negotiation());
    all.extend(of_operation());
    all.extend(of_the_organisation());
    all
}

fn sign(function: Function, version: u32) -> Course {
    Course::SignOff { function, version }
}

fn waive(criterion: Criterion, until: &str) -> Course {
    Course::Waive { criterion, reason: text("known"), expires_on: day(until) }
}

fn of_the_course() -> Vec<Rejection> {
    let needs = at_stage(Stage::Needs);
    let mut held = needs.clone();
    held.must(Course::Hold { reason: text("pause") });
    let mut cancelled = needs.clone();
    cancelled.must(Course::Cancel { reason: text("stop") });
    let stranger = sixgate_workflows::ids::PersonId(crate::harness::id().0);
    vec![
        needs.rejected(Course::Open { title: name("Again") }),
        nothing().rejected(Course::Advance),
        needs.rejected(Course::AddMember { person: stranger }),
        needs.rejected(Course::AddMember { person: Who::Rita.id() }),
        needs.rejected(Course::Advance),
        at_stage(Stage::Operation).rejected(Course::Advance),
        needs.rejected(Course::SendBack { to: Stage::Budget, reason: text("forward") }),
        held.rejected(Course::Advance),
        needs.rejected(Course::Resume),
        cancelled.rejected(Course::Resume),
        needs.rejected(Course::Close),
        needs.rejected(Course::AdoptPolicy),
        needs.rejected(add(AURORA)),
        needs.rejected(waive(Criterion::UseKnown, "2026-01-01")),
        needs.rejected(waive(Criterion::UseKnown, "2027-01-01")),
        needs.rejected(waive(Criterion::ReserveSet, "2026-02-01")),
        filled(Stage::Needs).rejected(waive(Criterion::UseKnown, "2026-02-01")),
    ]
}

fn of_sign_offs() -> Vec<Rejection> {
    let needs = filled(Stage::Needs);
    let mut signed = needs.clone();
    signed.sign(Who::Tessa, Function::Requester);
    let mut alone = at_stage(Stage::Needs);
    alone.by(Who::Rita).must(record_brief(brief()));
    let mut by_program = needs.clone();
    by_program.by(Who::System);
    let mut by_rita = needs.clone();
    by_rita.by(Who::Rita);
    vec![
        signed.rejected(sign(Function::Requester, 2)),
        signed.rejected(sign(Function::Procurement, 2)),
        by_rita.rejected(sign(Function::Procurement, 2)),
        by_rita.rejected(sign(Function::Finance, 2)),
        by_rita.rejected(sign(Function::Requester, 1)),
        by_program.rejected(sign(Function::Requester, 2)),
        alone.rejected(sign(Function::Requester, 1)),
    ]
}

fn of_needs_and_budget() -> Vec<Rejection> {
    let needs = at_stage(Stage::Needs);
    let mut blank = needs.clone();
    blank.must(record_brief(sixgate_workflows::needs::brief::Brief::blank()));
    let budget = at_stage(Stage::Budget);
    let mut planned = budget.clone();
    planned.must(plan_budget(plan()));
    let cost_kind = sixgate_workflows::budget::tco::CostKind::Rental;
    let dollars = sixgate_workflows::budget::tco::Cost::Amount {
        currency: sixgate_workflows::money::Currency::Usd,
        per_month: sixgate_workflows::estimate::Estimate::known(number("1")),
        basis: text("list price"),
    };
    vec![
        needs.rejected(record_sizing()),
        blank.rejected(record_sizing()),
        budget.rejected(cost(cost_kind, "1")),
        planned.rejected(cost(cost_kind, "-1")),
        planned
            .rejected(sixgate_workflows::budget::Command::RecordCost { cost_kind, cost: dollars }),
    ]
}

fn of_the_shortlist() -> Vec<Rejection> {
    let mut world = at_stage(Stage::Shortlist);
    let gone = Fact::new(text("left the market"), world.procurement().opened);
    world.supplier_mut(FADED).withdrawn = Some(gone);
    let mut full = world.clone();
    for supplier in [AURORA, BOREAL, CUMULUS, DELTA, EREBUS] {
        full.must(add(supplier));
    }
    let mut sixth = full.clone();
    sixth.supplier_mut(FADED).withdrawn = None;
    let unmarked = without(&scores(70), &ScoreCriterion::Sla);
    vec![
        world.rejected(add(FADED)),
        world.rejected(add(UNKNOWN)),
        world.rejected(review(AURORA)),
        full.rejected(add(AURORA)),
        sixth.rejected(add(FADED)),
        full.rejected(shortlist::Command::ScoreCandidate { supplier: AURORA, scores: unmarked }),
    ]
}

fn of_the_poc() -> Vec<Rejection> {
    let world = at_stage(Stage::Poc);
    let mut chosen = world.clone();
    chosen.must(choose(AURORA));
    let mut failed = chosen.clone();
    failed.must(measure(AURORA, Reading::Cards(throttling())));
    let mut full = at_stage(Stage::Shortlist);
    full.set_policy(|policy| {
        policy.version = 2;
        policy.finalists_max = 2;
    });
    full.must(Course::AdoptPolicy).pass().must(choose(AURORA)).must(choose(BOREAL));
    vec![
        world.rejected(choose(FADED)),
        world.rejected(measure(AURORA, Reading::Cards(cards()))),
        chosen.rejected(baseline(AURORA)),
        chosen.rejected(explain(AURORA)),
        failed.rejected(measure(AURORA, Reading::Cards(cards()))),
        full.rejected(choose(CUMULUS)),
    ]
}

fn of_negotiation() -> Vec<Rejection> {
    let world = at_stage(Stage::Negotiation);
    let mut offered = world.clone();
    offered.must(record_terms(AURORA, terms())).must(record_terms(BOREAL, terms()));
    let mut online = terms();
    online.form = ContractForm::OnlineAgreement;
    let split = |first: u32, second: u32| {
        decide_award(vec![award(AURORA, Role::Primary, first), award(BOREAL, Role::Backup, second)])
    };
    let twice = vec![award(AURORA, Role::Primary, 60), award(AURORA, Role::Backup, 40)];
    let leaderless = vec![award(AURORA, Role::Backup, 60), award(BOREAL, Role::Backup, 40)];
    vec![
        world.rejected(record_terms(AURORA, online)),
        world.rejected(approve(AURORA)),
        offered.rejected(split(50, 50)),
        offered.rejected(split(60, 50)),
        offered.rejected(decide_award(twice)),
        offered.rejected(decide_award(leaderless)),
        offered.rejected(sign_contract(AURORA, contract())),
    ]
}

fn of_operation() -> Vec<Rejection> {
    let mut world = at_stage(Stage::Operation);
    let now = world.context.now;
    let empty = world.clone();
    world.must(report(INCIDENT, AURORA, now)).must(record_usage(AURORA, usage(now, "1")));
    vec![
        empty.rejected(probe(CUMULUS, now)),
        empty.rejected(resolve(INCIDENT, now, now)),
        empty.rejected(record_review("2026-Q1")),
        world.rejected(report(INCIDENT, AURORA, now)),
        world.rejected(record_usage(AURORA, usage(now, "1"))),
    ]
}

fn of_the_organisation() -> Vec<Rejection> {
    let inactive =
        person_after(vec![register_person(), person::Command::Deactivate, set_preferences()]).2;
    let pointless = person_after(vec![register_person(), grant(Function::Finance)]).2;
    let mut published = publish(|policy| policy.version = 7);
    let policy::Command::Publish { policy, .. } = &mut published;
    policy.candidates_max = 4;
    let taken = policy::decide(&Policies::default(), published, &nothing().context);
    let mut post = Post::default();
    let nobody = post.attempt();
    vec![inactive.unwrap(), pointless.unwrap(), taken.unwrap_err(), nobody.unwrap_err()]
}
