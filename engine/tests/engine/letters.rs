//! Who is written to, about what, in which language, and when a letter is no longer needed.

use sixgate_engine::Pass;
use sixgate_workflows::{
    deadline::NoticeKind,
    function::Function,
    notice::{Notice, Status},
    person::{self, MailAddress},
    procurement::Course,
    stage::Stage,
};

use crate::{
    mail_failures::unreachable,
    people::Who,
    world::{World, envelope, header, text, to},
};

impl World {
    pub(crate) fn notices(&self) -> Vec<Notice> {
        let views = self.engine.views();
        views.notices.states().filter_map(Clone::clone).collect()
    }

    pub(crate) fn notices_of(&self, kind: NoticeKind) -> Vec<Notice> {
        self.notices().into_iter().filter(|notice| notice.subject.kind == kind).collect()
    }

    pub(crate) async fn settle(&self) -> Pass {
        self.engine.settle().await.unwrap()
    }

    async fn by_admin(&self, whom: Who, command: person::Command) {
        let ada = self.viewer(Who::Ada).actor;
        self.engine.employ(&ada, envelope(), whom.id(), command).await.unwrap();
    }
}

#[tokio::test]
async fn a_request_to_sign_goes_once_to_each_who_may_sign() {
    let mut world = World::filled(Stage::Needs).await;
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (2, 2));
    assert_eq!(world.addressees(), ["paul@buyer.example", "rita@buyer.example"]);
    for _ in 0..3 {
        let pass = world.settle().await;
        assert_eq!((pass.fired, pass.sent), (0, 0));
    }
    for with_checkpoint in [false, true] {
        if with_checkpoint {
            world.engine.save_checkpoint().unwrap();
        }
        world.empty_mail_folder();
        world.restart().await;
        let pass = world.settle().await;
        assert_eq!((pass.fired, pass.sent), (0, 0));
        assert!(world.mails().is_empty());
    }
}

#[tokio::test]
async fn a_pass_tells_when_there_will_be_something_to_do_again() {
    let world = World::filled(Stage::Needs).await;
    // Three working days after a Monday, at nine in the morning in Shanghai.
    assert_eq!(world.settle().await.next, Some(crate::world::time("2026-01-08T01:00:00Z")));
    world.at("2026-01-08T00:59:59Z");
    assert_eq!(world.settle().await.fired, 0);
    world.at("2026-01-08T01:00:00Z");
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (2, 2));
    assert_eq!(world.mails().len(), 4);
}

#[tokio::test]
async fn nobody_is_asked_again_for_what_is_signed() {
    let world = World::filled(Stage::Needs).await;
    world.settle().await;
    world.must(Who::Rita, world.sign_off(Function::Requester)).await;
    world.empty_mail_folder();
    world.at("2026-01-08T01:00:00Z");
    world.settle().await;
    assert_eq!(world.addressees(), ["paul@buyer.example"]);
}

#[tokio::test]
async fn a_change_after_signing_is_told_to_whoever_had_signed() {
    let world = World::filled(Stage::Needs).await;
    world.settle().await;
    world.must(Who::Paul, world.sign_off(Function::Procurement)).await;
    world.empty_mail_folder();
    world.must(Who::Rita, crate::wishes::record_sizing()).await;
    world.settle().await;
    let voided = world.notices_of(NoticeKind::SignOffVoided);
    assert_eq!(voided.len(), 1);
    assert_eq!(voided[0].letters.keys().copied().collect::<Vec<_>>(), [Who::Paul.id()]);
}

#[tokio::test]
async fn a_letter_is_written_in_the_language_of_its_reader_with_a_stable_message_id() {
    let world = World::filled(Stage::Negotiation).await;
    world.settle().await;
    let mails = world.mails();
    let to_maya = mails.iter().find(|mail| to(mail) == Who::Maya.address()).unwrap();
    let to_lena = mails.iter().find(|mail| to(mail) == Who::Lena.address()).unwrap();
    assert!(header(to_lena, "Subject: ").starts_with("Please sign by "));
    assert!(header(to_maya, "Subject: ").starts_with("=?utf-8?"), "Chinese, so encoded");
    assert_eq!(header(to_lena, "From: "), "Sixgate <gates@buyer.example>");
    let ids: std::collections::BTreeSet<_> =
        mails.iter().map(|mail| header(mail, "Message-ID: ")).collect();
    assert_eq!(ids.len(), mails.len());
    assert!(ids.iter().all(|id| id.ends_with("@buyer.example>")));
}

#[tokio::test]
async fn a_substitute_receives_the_letter_of_an_absent_colleague() {
    let world = World::filled(Stage::Needs).await;
    world.stand_in(Who::Paul, Who::Nils, "2026-01-05", "2026-01-07").await;
    world.stand_in(Who::Nils, Who::Aldo, "2026-01-05", "2026-01-07").await;
    world.settle().await;
    assert_eq!(world.addressees(), ["nils@buyer.example", "rita@buyer.example"]);
    world.empty_mail_folder();
    world.at("2026-01-08T01:00:00Z");
    world.settle().await;
    assert_eq!(world.addressees(), ["paul@buyer.example", "rita@buyer.example"]);
}

#[tokio::test]
async fn somebody_deactivated_gets_no_letters() {
    let world = World::filled(Stage::Needs).await;
    let grant = person::Command::GrantFunction { function: Function::Procurement };
    world.by_admin(Who::Nils, grant).await;
    world.by_admin(Who::Paul, person::Command::Deactivate).await;
    world.settle().await;
    assert_eq!(world.addressees(), ["nils@buyer.example", "rita@buyer.example"]);
}

#[tokio::test]
async fn a_deadline_without_readers_is_told_to_the_administrators_and_shown() {
    let world = World::filled(Stage::Budget).await;
    let revoke = person::Command::RevokeFunction { function: Function::Finance };
    world.by_admin(Who::Fiona, revoke).await;
    let pass = world.settle().await;
    assert_eq!((pass.fired, pass.sent), (1, 1));
    let notices = world.notices_of(NoticeKind::SignOffWanted);
    assert_eq!(notices.len(), 1);
    assert!(notices[0].subject.unaddressed);
    assert_eq!(world.addressees(), [Who::Ada.address()]);
    let mail = &world.mails()[0];
    assert!(header(mail, "Subject: ").starts_with("Nobody to tell: Please sign"), "{mail}");
    let room = world.engine.mail_room(&world.viewer(Who::Paul)).unwrap();
    assert_eq!(room.unaddressed.len(), 1, "procurement sees it as well");
    assert_eq!(world.settle().await.fired, 0);

    let maya = world.viewer(Who::Maya);
    let seen = world.engine.procurement(&maya, crate::world::CLUSTER, None).await.unwrap();
    let reminders = world.engine.reminders(&maya, &seen);
    let shown = reminders.iter().any(|reminder| {
        reminder.fired.as_ref().is_some_and(|notice| notice.subject == notices[0].subject)
    });
    assert!(shown, "the manager sees that nobody was told");
}

#[tokio::test]
async fn a_name_or_address_that_no_header_takes_keeps_nobody_elses_letter_back() {
    let world = World::filled(Stage::Needs).await;
    let register = |name: &str, mail: &str| person::Command::Register {
        name: crate::world::name(name),
        mail: MailAddress::new(mail).unwrap(),
        locale: sixgate_workflows::locale::Locale::En,
        zone: chrono_tz::Tz::Asia__Shanghai,
        functions: [Function::Procurement].into(),
    };
    let long = "x".repeat(200);
    let odd = [(long.as_str(), "long@buyer.example"), ("Odd Example", "odd@buyer..example")];
    for (number, (name, mail)) in odd.into_iter().enumerate() {
        let id = sixgate_workflows::ids::PersonId(uuid::Uuid::from_u128(0x77 + number as u128));
        let ada = world.viewer(Who::Ada).actor;
        world.engine.employ(&ada, envelope(), id, register(name, mail)).await.unwrap();
    }
    world.settle().await;
    let expected = ["long@buyer.example", "paul@buyer.example", "rita@buyer.example"];
    assert_eq!(world.addressees(), expected);
    assert_eq!(world.settle().await.fired, 0);
}

#[tokio::test]
async fn a_letter_about_what_no_longer_stands_is_withdrawn() {
    for end in [
        Course::Hold { reason: text("the budget round comes first") },
        Course::Cancel { reason: text("no longer needed") },
    ] {
        let mut world = World::filled(Stage::Needs).await;
        world.restart_with(unreachable().await).await;
        world.settle().await;
        assert!(all(&world, |status| matches!(status, Status::Deferred { .. })));
        world.must(Who::Maya, end).await;
        world.restart_with(world.folder()).await;
        world.later(chrono::Duration::minutes(1));
        world.settle().await;
        assert!(all(&world, |status| status.id() == "withdrawn"));
        assert!(world.mails().is_empty());
    }
}

#[tokio::test]
async fn only_the_letter_to_whoever_signed_meanwhile_is_withdrawn() {
    let mut world = World::filled(Stage::Needs).await;
    world.restart_with(unreachable().await).await;
    world.settle().await;
    world.must(Who::Rita, world.sign_off(Function::Requester)).await;
    world.restart().await;
    world.later(chrono::Duration::minutes(1));
    world.settle().await;
    assert_eq!(world.addressees(), ["paul@buyer.example"]);
}

fn all(world: &World, is: impl Fn(&Status) -> bool) -> bool {
    let letters = world.engine.letters();
    !letters.is_empty() && letters.iter().all(|letter| is(&letter.status))
}
