//! Tokens, functions that are granted and withdrawn, substitutes, and one's own business.

use std::sync::Arc;

use chrono::Duration;
use chrono_tz::Tz;
use sixgate_engine::{Error, access::Viewer};
use sixgate_workflows::{
    context::Actor,
    function::Function,
    locale::Locale,
    person::{self, Substitute},
    policy::{self, Policy},
    procurement::Course,
    rejection::Rejection,
    stage::Stage,
    supplier,
};

use crate::{
    people::Who,
    world::{CLUSTER, World, day, envelope, name, text, time},
};

impl World {
    pub(crate) async fn employ(
        &self,
        by: Who,
        whom: Who,
        command: person::Command,
    ) -> Result<(), Error> {
        let actor = self.viewer(by).actor;
        self.engine.employ(&actor, envelope(), whom.id(), command).await.map(|_| ())
    }

    pub(crate) async fn stand_in(&self, absent: Who, substitute: Who, from: &str, until: &str) {
        let substitute = Substitute { person: substitute.id(), from: day(from), until: day(until) };
        let command = person::Command::NameSubstitute { substitute };
        self.employ(absent, absent, command).await.unwrap();
    }

    fn refreshed(&self, viewer: &Viewer) -> Option<Viewer> {
        self.engine.refreshed(viewer)
    }
}

#[tokio::test]
async fn a_token_shows_its_owner_and_an_unknown_one_nobody() {
    let world = World::new().await;
    for who in Who::ALL {
        let viewer = world.viewer(who);
        assert_eq!((viewer.person, viewer.token), (who.id(), who.token_id()));
        assert_eq!(viewer.actor.functions, who.function().into_iter().collect());
        assert!(viewer.actor.stands_in.is_empty());
    }
    assert_eq!(world.viewer(Who::Maya).locale, Locale::ZhCn);
    for unknown in ["", "token of", "TOKEN OF RITA", &format!("{} ", Who::Rita.token())] {
        assert!(world.engine.viewer(unknown).is_none(), "{unknown:?}");
    }
    // The hash that the log knows is no token.
    let hash = sixgate_engine::ids::content_hash(Who::Rita.token().as_bytes());
    assert!(world.engine.viewer(hash.as_str()).is_none());
}

#[tokio::test]
async fn a_token_ends_at_the_instant_it_expires() {
    let world = World::new().await;
    let rita = world.viewer(Who::Rita);
    world.at("2035-12-31T23:59:59Z");
    assert!(world.refreshed(&rita).is_some());
    world.at("2036-01-01T00:00:00Z");
    assert!(world.engine.viewer(&Who::Rita.token()).is_none());
    assert!(world.refreshed(&rita).is_none());
}

#[tokio::test]
async fn a_revoked_token_shows_nobody_from_then_on() {
    let world = World::new().await;
    let rita = world.viewer(Who::Rita);
    let revoke = person::Command::RevokeToken { token: Who::Rita.token_id() };
    world.employ(Who::Rita, Who::Rita, revoke).await.unwrap();
    assert!(world.engine.viewer(&Who::Rita.token()).is_none());
    assert!(world.refreshed(&rita).is_none());
}

#[tokio::test]
async fn somebody_deactivated_is_nobody_and_stands_in_for_nobody() {
    let world = World::new().await;
    world.stand_in(Who::Paul, Who::Nils, "2026-01-05", "2026-01-09").await;
    let (paul, nils) = (world.viewer(Who::Paul), world.viewer(Who::Nils));
    assert!(nils.actor.acts_as(Function::Procurement));
    world.employ(Who::Ada, Who::Paul, person::Command::Deactivate).await.unwrap();
    assert!(world.engine.viewer(&Who::Paul.token()).is_none());
    assert!(world.refreshed(&paul).is_none());
    assert!(!world.refreshed(&nils).unwrap().actor.acts_as(Function::Procurement));
}

#[tokio::test]
async fn a_withdrawn_function_is_missing_from_then_on() {
    let world = World::opened().await;
    let maya = world.viewer(Who::Maya);
    let revoke = person::Command::RevokeFunction { function: Function::Manager };
    world.employ(Who::Ada, Who::Maya, revoke).await.unwrap();
    let now = world.refreshed(&maya).unwrap();
    assert!(now.actor.functions.is_empty());
    let hold = Course::Hold { reason: text("the budget round comes first") };
    assert!(matches!(world.ask(Who::Maya, hold).await, Err(Error::NotFound)));

    let grant = person::Command::GrantFunction { function: Function::Legal };
    world.employ(Who::Ada, Who::Maya, grant).await.unwrap();
    assert_eq!(world.refreshed(&maya).unwrap().actor.functions, [Function::Legal].into());
}

#[tokio::test]
async fn a_substitute_acts_from_the_first_to_the_last_day() {
    let world = World::opened().await;
    world.stand_in(Who::Rita, Who::Nils, "2026-01-07", "2026-01-08").await;
    let acts = || world.viewer(Who::Nils).actor.acts_as(Function::Requester);
    // Midnight in Shanghai is at 16:00 the day before in UTC.
    for (at, expected) in [
        ("2026-01-06T15:59:59Z", false),
        ("2026-01-06T16:00:00Z", true),
        ("2026-01-08T15:59:59Z", true),
        ("2026-01-08T16:00:00Z", false),
    ] {
        world.at(at);
        assert_eq!(acts(), expected, "{at}");
        let read = world.engine.procurement(&world.viewer(Who::Nils), CLUSTER, None).await;
        assert_eq!(read.is_ok(), expected, "sees what the absent member sees, {at}");
    }
}

#[tokio::test]
async fn a_substitute_signs_on_behalf_of_the_absent_colleague() {
    let world = World::filled(Stage::Needs).await;
    world.stand_in(Who::Paul, Who::Nils, "2026-01-05", "2026-01-09").await;
    world.must(Who::Nils, world.sign_off(Function::Procurement)).await;
    let signed = &world.procurement().ledgers[&Stage::Needs].sign_offs[&Function::Procurement];
    assert_eq!(signed.on_behalf_of, Some(Who::Paul.id()));
    assert_eq!(signed.stamp.by.person(), Some(Who::Nils.id()));
}

#[tokio::test]
async fn standing_in_is_not_passed_on() {
    let world = World::new().await;
    world.stand_in(Who::Paul, Who::Fiona, "2026-01-05", "2026-01-09").await;
    world.stand_in(Who::Fiona, Who::Nils, "2026-01-05", "2026-01-09").await;
    let nils = world.viewer(Who::Nils).actor;
    assert!(nils.acts_as(Function::Finance));
    assert!(!nils.acts_as(Function::Procurement));
    assert!(world.viewer(Who::Fiona).actor.acts_as(Function::Procurement));
}

#[tokio::test]
async fn nobody_stands_in_for_auditor_or_admin() {
    let world = World::new().await;
    for absent in [Who::Aldo, Who::Ada] {
        world.stand_in(absent, Who::Nils, "2026-01-05", "2026-01-09").await;
    }
    assert!(world.viewer(Who::Nils).actor.stands_in.is_empty());
}

#[tokio::test]
async fn everybody_minds_their_own_business_and_the_admin_that_of_all() {
    let world = World::new().await;
    let commands = |whom: Who| {
        let substitute = Substitute {
            person: Who::Otto.id(),
            from: day("2026-02-02"),
            until: day("2026-02-06"),
        };
        let token = sixgate_workflows::ids::TokenId(uuid::Uuid::from_u128(7));
        let hash = sixgate_engine::ids::content_hash(b"another token");
        let expires_at = time("2027-01-01T00:00:00Z");
        [
            (true, person::Command::SetPreferences { locale: Locale::En, zone: Tz::Asia__Tokyo }),
            (true, person::Command::NameSubstitute { substitute }),
            (true, person::Command::RevokeToken { token: whom.token_id() }),
            (false, person::Command::IssueToken { token, hash, label: name("phone"), expires_at }),
            (false, person::Command::GrantFunction { function: Function::Admin }),
            (false, person::Command::RevokeFunction { function: Function::Finance }),
            (false, person::Command::Deactivate),
        ]
    };
    let fiona = world.viewer(Who::Fiona).actor;
    let ada = world.viewer(Who::Ada).actor;
    for (own, command) in commands(Who::Fiona) {
        let what = format!("{command:?}");
        for other in [Who::Rita, Who::Maya, Who::Aldo] {
            let actor = world.viewer(other).actor;
            let answer = world.engine.employ(&actor, envelope(), Who::Fiona.id(), command.clone());
            assert!(matches!(answer.await, Err(Error::Forbidden)), "{other:?}: {what}");
        }
        let answer =
            world.engine.employ(&fiona, envelope(), Who::Fiona.id(), command.clone()).await;
        match own {
            true => assert!(answer.is_ok(), "{what}: {answer:?}"),
            false => assert!(matches!(answer, Err(Error::Forbidden)), "{what}"),
        }
    }
    for (_, command) in commands(Who::Lena) {
        world.engine.employ(&ada, envelope(), Who::Lena.id(), command.clone()).await.ok();
    }
    assert!(world.engine.viewer(&Who::Lena.token()).is_none());
}

#[tokio::test]
async fn suppliers_are_kept_by_procurement_and_the_policy_by_the_admin() {
    let world = World::new().await;
    let head = world.log.head().await.unwrap();
    let withdraw = || supplier::Command::Withdraw { reason: text("left the market") };
    let policy = || Box::new(Policy { version: 2, ..Policy::shipped() });
    let publish = || policy::Command::Publish { policy: policy(), reason: name("yearly review") };
    let aurora = crate::world::AURORA;
    for who in Who::ALL {
        let viewer = world.viewer(who);
        if who != Who::Paul {
            let answer = world.engine.supply(&viewer, envelope(), aurora, withdraw()).await;
            assert!(matches!(answer, Err(Error::Forbidden)), "{who:?}");
        }
        if who != Who::Ada {
            let answer = world.engine.govern(&viewer, envelope(), publish()).await;
            assert!(matches!(answer, Err(Error::Forbidden)), "{who:?}");
        }
    }
    assert_eq!(world.log.head().await.unwrap(), head);

    let paul = world.viewer(Who::Paul);
    world.engine.supply(&paul, envelope(), aurora, withdraw()).await.unwrap();
    assert!(world.engine.supplier(&paul, aurora).unwrap().withdrawn.is_some());
    world.engine.govern(&world.viewer(Who::Ada), envelope(), publish()).await.unwrap();
    let versions: Vec<u32> =
        world.engine.policies(&paul).unwrap().iter().map(|policy| policy.version).collect();
    assert_eq!(versions, [1, 2]);
    let again = world.engine.govern(&world.viewer(Who::Ada), envelope(), publish()).await;
    assert!(matches!(again, Err(Error::Rejected(Rejection::PolicyVersionTaken { .. }))));
}

#[tokio::test]
async fn a_running_procurement_keeps_its_policy_until_the_manager_adopts_the_newest() {
    let world = World::opened().await;
    let policy = Box::new(Policy { version: 2, candidates_min: 1, ..Policy::shipped() });
    let publish = policy::Command::Publish { policy, reason: name("fewer candidates will do") };
    world.engine.govern(&world.viewer(Who::Ada), envelope(), publish).await.unwrap();
    assert_eq!(world.procurement().policy.version, 1);
    world.must(Who::Maya, Course::AdoptPolicy).await;
    assert_eq!(world.procurement().policy.candidates_min, 1);
}

#[tokio::test]
async fn the_command_line_of_the_administrator_may_register_people() {
    let world = World::empty(Arc::new(sixgate_storage::MemoryLog::new())).await;
    let system = Actor::system();
    let id = Who::Rita.id();
    world.engine.employ(&system, envelope(), id, Who::Rita.register()).await.unwrap();
    let expired = Who::Rita.issue_token(world.now() - Duration::seconds(1));
    let answer = world.engine.employ(&system, envelope(), id, expired).await;
    assert!(matches!(answer, Err(Error::Rejected(Rejection::AlreadyExpired { .. }))));
}
