//! Opening, members, sending back, holding, resuming, cancelling, closing, adopting a policy.

use sixgate_workflows::{
    gate::Criterion,
    percent::{Band, Percent},
    procurement::{Course, CourseEvent, Phase},
    rejection::Rejection,
    stage::Stage,
    stored::StoredEvent,
};

use crate::{
    fixture::{at_stage, brief, closed, filled, name, record_brief, text},
    harness::{Who, given, id, nothing},
};

#[test]
fn opening_pins_the_policy_and_enters_the_first_stage() {
    let mut world = nothing();
    let title = name("Serving cluster");
    let policy = Box::new(world.context.policy.clone());
    world.by(Who::Rita).when(Course::Open { title: title.clone() }).then([
        CourseEvent::Opened { id: id(), title, policy },
        CourseEvent::StageEntered { stage: Stage::Needs },
    ]);
    world.when(Course::Open { title: name("Again") }).then_rejects(Rejection::AlreadyRegistered);
}

#[test]
fn nothing_can_be_asked_of_a_procurement_that_was_never_opened() {
    nothing()
        .when(Course::Advance)
        .then_rejects(Rejection::NoSuchProcurement { procurement: id() });
}

#[test]
fn members_come_and_go_once() {
    let mut world = at_stage(Stage::Needs);
    let (person, stranger) = (Who::Otto.id(), sixgate_workflows::ids::PersonId(id().0));
    world.when(Course::AddMember { person }).then([CourseEvent::MemberAdded { person }]);
    world.when(Course::AddMember { person }).then_rejects(Rejection::NothingChanges);
    world.when(Course::RemoveMember { person }).then([CourseEvent::MemberRemoved { person }]);
    world.when(Course::RemoveMember { person }).then_rejects(Rejection::NothingChanges);
    world
        .when(Course::AddMember { person: stranger })
        .then_rejects(Rejection::NoSuchPerson { person: stranger });
    assert_eq!(world.procurement().members, [Who::Rita.id()].into());
}

#[test]
fn sending_back_voids_what_was_signed_from_there_on_and_keeps_the_rest() {
    let mut world = at_stage(Stage::Shortlist);
    let before = world.log.len();
    let reason = text("the concurrency was a guess");
    world.by(Who::Fiona).when(Course::SendBack { to: Stage::Needs, reason: reason.clone() }).then(
        [
            CourseEvent::SentBack { from: Stage::Shortlist, to: Stage::Needs, reason },
            CourseEvent::StageEntered { stage: Stage::Needs },
        ],
    );
    let procurement = world.procurement();
    assert_eq!(procurement.stage, Stage::Needs);
    assert_eq!(procurement.entries, 4);
    assert!(procurement.passed.is_empty());
    for stage in [Stage::Needs, Stage::Budget] {
        assert!(world.signed(stage).is_empty());
        assert!(world.procurement().ledger(stage).version > 0);
    }
    assert!(world.procurement().needs.brief.is_some());
    assert_eq!(world.log.len(), before + 2, "history only grows");
    assert!(world.log.iter().any(|(event, _)| event.kind() == "procurement.signed_off"));
}

#[test]
fn sending_back_by_one_stage_leaves_earlier_signatures_alone() {
    let mut world = at_stage(Stage::Shortlist);
    world.by(Who::Paul).must(Course::SendBack { to: Stage::Budget, reason: text("too dear") });
    assert_eq!(world.signed(Stage::Needs).len(), 2);
    assert!(world.signed(Stage::Budget).is_empty());
    assert_eq!(world.procurement().passed.keys().copied().collect::<Vec<_>>(), [Stage::Needs]);
}

#[test]
fn a_stage_that_was_sent_back_is_signed_and_passed_again() {
    let mut world = at_stage(Stage::Shortlist);
    world.by(Who::Paul).must(Course::SendBack { to: Stage::Needs, reason: text("new model") });
    world.by(Who::Paul).when(Course::Advance).then_rejects_as("gate_closed");
    world.sign_all().by(Who::Paul).must(Course::Advance);
    assert_eq!(world.blockers(), ["budget.sign_off.finance"], "the budget stands, unsigned");
    world.sign_all().by(Who::Paul).must(Course::Advance);
    assert_eq!(world.procurement().stage, Stage::Shortlist);
}

#[test]
fn only_an_earlier_stage_can_be_gone_back_to() {
    let mut world = at_stage(Stage::Budget);
    for stage in [Stage::Budget, Stage::Shortlist, Stage::Operation] {
        world
            .by(Who::Paul)
            .when(Course::SendBack { to: stage, reason: text("forward") })
            .then_rejects(Rejection::NotEarlier { stage, current: Stage::Budget });
    }
}

#[test]
fn on_hold_nothing_is_accepted_but_what_ends_the_hold() {
    let mut world = filled(Stage::Needs);
    let reason = text("the project waits for its funding");
    world.when(Course::Hold { reason: reason.clone() }).then([CourseEvent::Held { reason }]);
    let version = world.version();
    let function = sixgate_workflows::function::Function::Requester;
    for course in [
        Course::Advance,
        Course::SignOff { function, version },
        Course::Hold { reason: text("once more") },
        Course::Close,
        Course::AdoptPolicy,
    ] {
        world.when(course).then_rejects(Rejection::IsOnHold);
    }
    world.when(record_brief(brief())).then_rejects(Rejection::IsOnHold);
    world
        .when(Course::AddMember { person: Who::Otto.id() })
        .then_kinds(["procurement.member_added"]);
    world.when(Course::Resume).then([CourseEvent::Resumed {}]);
    world.when(record_brief(brief())).then_kinds(["needs.brief_recorded"]);
}

#[test]
fn a_hold_can_end_in_a_cancellation() {
    let mut world = at_stage(Stage::Poc);
    world.must(Course::Hold { reason: text("budget freeze") });
    world.must(Course::Cancel { reason: text("not needed any more") });
    assert!(matches!(world.procurement().phase, Phase::Cancelled { .. }));
}

#[test]
fn only_what_is_on_hold_can_be_resumed() {
    at_stage(Stage::Needs).when(Course::Resume).then_rejects(Rejection::NotOnHold);
}

#[test]
fn what_was_cancelled_takes_nothing_any_more() {
    let mut world = at_stage(Stage::Poc);
    let reason = text("the project was stopped");
    world.when(Course::Cancel { reason: reason.clone() }).then([CourseEvent::Cancelled { reason }]);
    for course in [
        Course::Advance,
        Course::Resume,
        Course::Cancel { reason: text("twice") },
        Course::AddMember { person: Who::Otto.id() },
    ] {
        world.when(course).then_rejects(Rejection::HasEnded);
    }
}

#[test]
fn what_was_closed_takes_nothing_any_more() {
    let mut world = closed();
    world.when(Course::Close).then_rejects(Rejection::HasEnded);
    world
        .when(Course::SendBack { to: Stage::Needs, reason: text("once more") })
        .then_rejects(Rejection::HasEnded);
}

#[test]
fn only_operation_can_be_closed_and_only_through_its_gate() {
    let mut world = at_stage(Stage::Negotiation);
    let current = Stage::Negotiation;
    world.when(Course::Close).then_rejects(Rejection::NotInOperation { current });
    let mut world = at_stage(Stage::Operation);
    world.when(Course::Close).then_rejects_as("gate_closed");
    world.when(Course::Advance).then_rejects(Rejection::LastStage);
    world.fill().sign_all();
    world
        .when(Course::Close)
        .then([CourseEvent::StagePassed { stage: Stage::Operation }, CourseEvent::Closed {}]);
}

#[test]
fn an_open_gate_is_passed_into_the_next_stage() {
    let mut world = filled(Stage::Needs);
    world.sign_all();
    world.by(Who::Paul).when(Course::Advance).then([
        CourseEvent::StagePassed { stage: Stage::Needs },
        CourseEvent::StageEntered { stage: Stage::Budget },
    ]);
}

#[test]
fn adopting_a_policy_says_which_criteria_turn() {
    let mut world = filled(Stage::Budget);
    let stricter = Band { low: Percent::of(19), high: Percent::of(20) };
    world.set_policy(|policy| {
        policy.version = 2;
        policy.reserve = stricter;
    });
    assert_eq!(world.blockers(), ["budget.sign_off.finance"], "what runs keeps its pinned policy");
    let policy = Box::new(world.context.policy.clone());
    world.by(Who::Maya).when(Course::AdoptPolicy).then([CourseEvent::PolicyAdopted {
        policy,
        now_met: [].into(),
        now_unmet: [Criterion::ReserveSet].into(),
    }]);
    assert_eq!(world.why("budget.reserve_set").details["band"], "19–20 %");
    world.set_policy(|policy| {
        policy.version = 3;
        policy.reserve = Band { low: Percent::of(10), high: Percent::of(20) };
    });
    let policy = Box::new(world.context.policy.clone());
    world.when(Course::AdoptPolicy).then([CourseEvent::PolicyAdopted {
        policy,
        now_met: [Criterion::ReserveSet].into(),
        now_unmet: [].into(),
    }]);
    world.when(Course::AdoptPolicy).then_rejects(Rejection::PolicyAlreadyNewest { version: 3 });
}

#[test]
fn commands_can_be_given_one_by_one() {
    let world = given([
        (Who::Rita, Course::AddMember { person: Who::Otto.id() }),
        (Who::Rita, Course::Hold { reason: text("holiday") }),
        (Who::Rita, Course::Resume),
    ]);
    assert!(world.procurement().is_active());
    assert_eq!(world.log.len(), 5);
}
