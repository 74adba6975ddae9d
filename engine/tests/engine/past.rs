//! The past as it was: states at a position or an instant, histories, the audit trail, inboxes.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use sixgate_engine::{Error, read::AsOf};
use sixgate_storage::{Position, Revision};
use sixgate_workflows::{
    procurement::{Course, Procurement},
    stage::Stage,
};

use crate::{
    people::Who,
    wishes,
    world::{Ask, CLUSTER, World, text},
};

struct Moment {
    position: Position,
    at: DateTime<Utc>,
    state: Procurement,
}

/// An hour between any two commands, and what was there after each.
async fn recorded() -> (World, Vec<Moment>) {
    let world = World::new().await;
    let opened = world.open(CLUSTER).await;
    let moment = |position| Moment { position, at: world.now(), state: world.procurement() };
    let mut moments = vec![moment(opened.position)];
    let mut commands: Vec<_> = wishes::needs().into_iter().chain(wishes::needs()).collect();
    commands.push((Who::Maya, Course::Hold { reason: text("the budget round") }.ask()));
    for (who, command) in commands {
        world.later(Duration::hours(1));
        let done = world.must(who, command).await;
        moments.push(moment(done.position));
    }
    (world, moments)
}

#[tokio::test]
async fn a_past_position_shows_what_stood_there() {
    let (world, moments) = recorded().await;
    let rita = world.viewer(Who::Rita);
    world.later(Duration::days(400));
    for moment in &moments {
        let as_of = Some(AsOf::Position(moment.position));
        let seen = world.engine.procurement(&rita, CLUSTER, as_of).await.unwrap();
        assert_eq!(*seen.state(), moment.state);
        assert_eq!(seen.position, moment.position);
        assert_eq!(seen.moment.now, moment.at, "judged at the time of its last commit");
    }
    let newest = moments.last().unwrap();
    let beyond = Some(AsOf::Position(Position(newest.position.0 + 1_000)));
    let seen = world.engine.procurement(&rita, CLUSTER, beyond).await.unwrap();
    assert_eq!(*seen.state(), newest.state);
}

#[tokio::test]
async fn a_past_instant_shows_what_stood_then() {
    let (world, moments) = recorded().await;
    let rita = world.viewer(Who::Rita);
    for moment in &moments {
        for after in [Duration::zero(), Duration::minutes(59)] {
            let instant = moment.at + after;
            let as_of = Some(AsOf::Time(instant));
            let seen = world.engine.procurement(&rita, CLUSTER, as_of).await.unwrap();
            assert_eq!(*seen.state(), moment.state);
            assert_eq!(seen.position, moment.position);
            assert_eq!(seen.moment.now, instant);
        }
    }
}

/// Long enough for stations on the way, and the clock goes back a day in the middle.
#[tokio::test]
async fn a_long_past_shows_at_any_point_what_stood_there() {
    let world = World::opened().await;
    let mut moments = Vec::new();
    for number in 0..600 {
        world.later(if number == 300 { -Duration::days(1) } else { Duration::minutes(10) });
        let course = match number % 2 {
            0 => Course::Hold { reason: text(&format!("reason {number}")) },
            _ => Course::Resume,
        };
        let position = world.must(Who::Rita, course).await.position;
        moments.push(Moment { position, at: world.now(), state: world.procurement() });
    }
    let rita = world.viewer(Who::Rita);
    for moment in moments.iter().step_by(13).chain(&moments[253..259]) {
        let as_of = Some(AsOf::Position(moment.position));
        let seen = world.engine.procurement(&rita, CLUSTER, as_of).await.unwrap();
        assert_eq!((seen.position, seen.moment.now), (moment.position, moment.at));
        assert_eq!(*seen.state(), moment.state);

        // What was decided after that time ends the past, wherever it stands.
        let ends = moments.iter().position(|m| m.at > moment.at).unwrap_or(moments.len());
        let last = &moments[ends - 1];
        let as_of = Some(AsOf::Time(moment.at));
        let seen = world.engine.procurement(&rita, CLUSTER, as_of).await.unwrap();
        assert_eq!(seen.position, last.position);
        assert_eq!(*seen.state(), last.state);
    }
}

#[tokio::test]
async fn before_it_was_opened_a_procurement_is_not_found() {
    let (world, moments) = recorded().await;
    let rita = world.viewer(Who::Rita);
    let opened = &moments[0];
    for as_of in [
        AsOf::Position(Position::ZERO),
        AsOf::Position(Position(opened.position.0 - 1)),
        AsOf::Time(opened.at - Duration::seconds(1)),
    ] {
        let answer = world.engine.procurement(&rita, CLUSTER, Some(as_of)).await;
        assert!(matches!(answer, Err(Error::NotFound)), "{as_of:?}");
    }
}

#[tokio::test]
async fn the_past_is_seen_by_whoever_sees_the_present() {
    let (world, moments) = recorded().await;
    let as_of = Some(AsOf::Position(moments[0].position));
    let ruben = world.viewer(Who::Ruben);
    let answer = world.engine.procurement(&ruben, CLUSTER, as_of).await;
    assert!(matches!(answer, Err(Error::NotFound)));
    world.must(Who::Maya, Course::AddMember { person: Who::Ruben.id() }).await;
    assert!(world.engine.procurement(&ruben, CLUSTER, as_of).await.is_ok());
    world.must(Who::Maya, Course::RemoveMember { person: Who::Rita.id() }).await;
    let rita = world.engine.procurement(&world.viewer(Who::Rita), CLUSTER, as_of).await;
    assert!(matches!(rita, Err(Error::NotFound)));
}

#[tokio::test]
async fn pages_of_a_history_join_to_the_whole_stream() {
    let world = World::filled(Stage::Shortlist).await;
    let rita = world.viewer(Who::Rita);
    let whole = world.engine.history(&rita, CLUSTER, Revision::ZERO, 1_000).await.unwrap();
    let stamps = |page: &[sixgate_engine::read::Happened]| -> Vec<_> {
        page.iter().map(|event| (event.stamp.position, event.stamp.index)).collect()
    };
    assert!(stamps(&whole).is_sorted());
    for most in [1, 2, 3, 7] {
        let (mut joined, mut after) = (Vec::new(), Revision::ZERO);
        loop {
            let page = world.engine.history(&rita, CLUSTER, after, most).await.unwrap();
            let Some(last) = page.last() else { break };
            let commits: BTreeSet<_> = page.iter().map(|event| event.revision).collect();
            assert!(commits.len() <= most);
            after = last.revision;
            joined.extend(stamps(&page));
        }
        assert_eq!(joined, stamps(&whole), "pages of {most}");
    }
    assert_eq!(whole[0].kind, "procurement.opened");
    assert_eq!(whole[0].data["title"], "Serving cluster");
    assert!(whole.iter().all(|event| event.stream == format!("procurement-{CLUSTER}")));
}

#[tokio::test]
async fn the_audit_trail_is_for_auditor_manager_and_admin() {
    let world = World::filled(Stage::Needs).await;
    let head = world.log.head().await.unwrap().position;
    for who in Who::ALL {
        let answer = world.engine.audit_trail(&world.viewer(who), Position::ZERO, 10_000).await;
        if !matches!(who, Who::Maya | Who::Aldo | Who::Ada) {
            assert!(matches!(answer, Err(Error::NotFound)), "{who:?}");
            continue;
        }
        let trail = answer.unwrap();
        let positions: BTreeSet<u64> = trail.iter().map(|e| e.stamp.position).collect();
        assert_eq!(positions, (1..=head.0).collect(), "{who:?}");
    }
    let aldo = world.viewer(Who::Aldo);
    let page = world.engine.audit_trail(&aldo, Position(5), 2).await.unwrap();
    assert_eq!(page.first().unwrap().stamp.position, 6);
    assert_eq!(page.last().unwrap().stamp.position, 7);
}

#[tokio::test]
async fn no_secret_of_a_token_is_in_the_audit_trail() {
    let world = World::new().await;
    let trail = world.engine.audit_trail(&world.viewer(Who::Aldo), Position::ZERO, 1_000).await;
    let text: String = trail.unwrap().iter().map(|event| event.data.to_string()).collect();
    assert!(text.contains(Who::Rita.token_id().to_string().as_str()));
    assert!(!text.contains(&Who::Rita.token()));
}

#[tokio::test]
async fn an_inbox_holds_what_its_owner_can_do() {
    for stage in Stage::ALL {
        let world = World::opened().await;
        world.pass_to(stage).await;
        for filled in [false, true] {
            if filled {
                world.fill().await;
            }
            for who in Who::ALL {
                let tasks = world.engine.inbox(&world.viewer(who));
                let mine = |task: &sixgate_engine::read::Task| {
                    who.function().is_some_and(|f| task.blocker.can_be_met_by.contains(&f))
                };
                assert!(tasks.iter().all(mine), "{who:?} at {stage}: {tasks:?}");
                let idle = matches!(who, Who::Ruben | Who::Aldo | Who::Ada | Who::Nils);
                assert!(!idle || tasks.is_empty(), "{who:?} at {stage}");
            }
        }
        let signs = world.procurement().policy.sign_offs[&stage].clone();
        for who in [Who::Rita, Who::Paul, Who::Fiona, Who::Lena, Who::Otto, Who::Maya] {
            let function = who.function().unwrap();
            let tasks = world.engine.inbox(&world.viewer(who));
            let criteria: Vec<_> =
                tasks.iter().map(|task| task.blocker.criterion.clone()).collect();
            let wanted = match signs.contains(&function) {
                true => vec![format!("{stage}.sign_off.{function}")],
                false => Vec::new(),
            };
            assert_eq!(criteria, wanted, "{who:?} at {stage}");
        }
    }
}

#[tokio::test]
async fn an_inbox_is_empty_of_what_is_on_hold_or_ended_and_the_longest_waiting_is_first() {
    let world = World::opened().await;
    world.later(Duration::days(1));
    let second = sixgate_workflows::ids::ProcurementId(uuid::Uuid::from_u128(0x100));
    world.open(second).await;
    let rita = world.viewer(Who::Rita);
    let tasks = world.engine.inbox(&rita);
    assert_eq!(tasks.first().unwrap().procurement, CLUSTER);
    assert_eq!(tasks.last().unwrap().procurement, second);
    assert!(tasks.is_sorted_by_key(|task| task.since));

    world.must(Who::Rita, Course::Hold { reason: text("the budget round comes first") }).await;
    let waiting = |id| world.engine.inbox(&rita).iter().any(|task| task.procurement == id);
    assert!(!waiting(CLUSTER) && waiting(second));
    world.must(Who::Rita, Course::Resume).await;
    assert!(waiting(CLUSTER));
    world.must(Who::Rita, Course::Cancel { reason: text("no longer needed") }).await;
    assert!(!waiting(CLUSTER));
}

#[tokio::test]
async fn a_signature_is_offered_only_when_it_is_time_and_to_whom_the_rules_let_sign() {
    let world = World::opened().await;
    let asked_to_sign = |who: Who| {
        let tasks = world.engine.inbox(&world.viewer(who));
        tasks.iter().any(|task| task.blocker.sign_off.is_some())
    };
    assert!(!asked_to_sign(Who::Paul), "nothing has been entered yet");
    let only_rita = wishes::needs().into_iter().map(|(_, command)| command);
    for command in only_rita {
        world.must(Who::Rita, command).await;
    }
    assert!(asked_to_sign(Who::Paul));
    assert!(!asked_to_sign(Who::Rita), "she alone entered everything");
}
