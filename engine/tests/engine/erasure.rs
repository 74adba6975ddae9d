//! Somebody who was erased: nowhere to be read, never written to, nobody to act, and all of it again
//! after every restart.

use std::{fs, path::Path, sync::Arc};

use chrono::Duration;
use sixgate_engine::{
    Error, Parts,
    keys::Keys,
    read::{AsOf, Happened},
};
use sixgate_storage::{
    Commit, EventLog, Expected, MemoryLog, NewCommit, NewEvent, Position, Revision, SledLog,
    StreamId, sled::Options,
};
use sixgate_workflows::{
    estimate::Estimate,
    notice::{Because, Status},
    person::{self, Substitute},
    procurement::Course,
    rejection::Rejection,
    stage::Stage,
    supplier,
};

use crate::{
    mail_failures::unreachable,
    people::Who,
    rigged::{Failure, Rigged},
    wishes,
    world::{AURORA, Ask, CLUSTER, World, day, envelope, name},
};

const PAUL: [&str; 2] = ["Paul Example", "paul@buyer.example"];
const PSEUDONYM: &str = "erased-00000102";

impl World {
    async fn erase(&self, whom: Who) {
        self.employ(Who::Ada, whom, person::Command::Erase).await.unwrap();
    }

    fn record(&self, who: Who) -> person::Person {
        let people = self.engine.colleagues(&self.viewer(Who::Ada)).unwrap();
        people.into_iter().find(|person| person.id == who.id()).unwrap()
    }

    fn key_file(&self) -> std::path::PathBuf {
        self.directory.path().join("keys")
    }

    /// As after a restart of the program, with keys read from their file.
    async fn restart_with_keys(&mut self) -> Result<(), Error> {
        self.keys = Arc::new(Keys::open(&self.key_file())?);
        self.engine = self.another(self.folder()).await?;
        Ok(())
    }

    async fn trail(&self) -> Vec<Happened> {
        let aldo = self.viewer(Who::Aldo);
        self.engine.audit_trail(&aldo, Position::ZERO, 10_000).await.unwrap()
    }

    /// All that can be read through the engine.
    async fn everything(&self) -> String {
        let views = format!("{:?}", *self.engine.views());
        let trail = self.trail().await;
        let aldo = self.viewer(Who::Aldo);
        let mut seen = Vec::new();
        for happened in &trail {
            let as_of = AsOf::Position(Position(happened.stamp.position));
            if let Ok(then) = self.engine.procurement(&aldo, CLUSTER, Some(as_of)).await {
                seen.push(format!("{:?}", then.state().needs));
            }
        }
        let people = self.engine.colleagues(&aldo).unwrap();
        let suppliers = self.engine.suppliers(&aldo).unwrap();
        format!("{views} {trail:?} {seen:?} {people:?} {suppliers:?} {:?}", self.engine.letters())
    }
}

fn found<'a>(words: &[&'a str], text: &str) -> Vec<&'a str> {
    words.iter().copied().filter(|word| text.contains(word)).collect()
}

#[tokio::test]
async fn an_erased_person_is_a_pseudonym_in_every_read_model_and_answer() {
    let mut world = World::filled(Stage::Needs).await;
    world.settle().await;
    assert_eq!(found(&PAUL, &world.everything().await), PAUL);
    world.engine.save_checkpoint().unwrap();
    world.erase(Who::Paul).await;
    for _ in 0..2 {
        assert_eq!(found(&PAUL, &world.everything().await), [""; 0]);
        let paul = world.record(Who::Paul);
        assert_eq!(paul.name.as_str(), PSEUDONYM);
        assert_eq!(paul.mail.as_str(), "erased-00000102@erased.invalid");
        assert!(paul.erased && !paul.active && paul.tokens.is_empty());
        world.restart_with_keys().await.unwrap();
    }
    // What he did is still his, under the pseudonym.
    assert!(world.trail().await.iter().any(|h| h.stamp.by.person() == Some(Who::Paul.id())));
}

#[tokio::test]
async fn an_erased_person_gets_in_nowhere_and_is_chosen_for_nothing() {
    let world = World::filled(Stage::Needs).await;
    let before = world.viewer(Who::Paul);
    world.erase(Who::Paul).await;
    assert!(world.engine.viewer(&Who::Paul.token()).is_none());
    assert!(world.engine.refreshed(&before).is_none());
    let nobody = |error| {
        let Error::Rejected(Rejection::NoSuchPerson { person }) = error else {
            panic!("{error:?}")
        };
        assert_eq!(person, Who::Paul.id());
    };
    let substitute =
        Substitute { person: Who::Paul.id(), from: day("2026-01-01"), until: day("2026-02-01") };
    let substitute = person::Command::NameSubstitute { substitute };
    nobody(world.employ(Who::Fiona, Who::Fiona, substitute).await.unwrap_err());
    nobody(world.ask(Who::Maya, Course::AddMember { person: Who::Paul.id() }).await.unwrap_err());
    for command in [
        person::Command::Erase,
        person::Command::GrantFunction { function: sixgate_workflows::function::Function::Legal },
        Who::Paul.register(),
        Who::Paul.issue_token(world.now() + Duration::days(1)),
    ] {
        let error = world.employ(Who::Ada, Who::Paul, command).await.unwrap_err();
        assert!(matches!(error, Error::Rejected(_)), "{error:?}");
    }
}

#[tokio::test]
async fn letters_that_wait_for_an_erased_person_are_withdrawn_and_none_follows() {
    let mut world = World::filled(Stage::Needs).await;
    world.restart_with(unreachable().await).await;
    world.settle().await;
    world.erase(Who::Paul).await;
    world.restart().await;
    // Its next attempt would be due in a minute.
    world.settle().await;
    let fates = |world: &World| -> Vec<_> {
        let notices = world.notices();
        let letters = notices.iter().flat_map(|notice| notice.letters.iter());
        letters
            .filter(|(to, _)| **to == Who::Paul.id())
            .map(|(_, letter)| letter.status.clone())
            .collect()
    };
    assert_eq!(fates(&world), [Status::Withdrawn { because: Because::ReaderErased }]);
    for _ in 0..10 {
        world.later(Duration::days(7));
        world.settle().await;
    }
    assert_eq!(fates(&world), [Status::Withdrawn { because: Because::ReaderErased }]);
    let mails = world.addressees();
    assert!(mails.contains(&Who::Rita.address()) && !mails.contains(&Who::Paul.address()));
    assert!(!mails.iter().any(|address| address.contains("erased")), "{mails:?}");
}

#[tokio::test]
async fn an_answer_about_a_letter_that_was_under_way_keeps_nothing_of_an_erased_person() {
    let mut world = World::filled(Stage::Needs).await;
    let (log, id) = (Arc::clone(&world.log), Who::Paul.id());
    world.settle().await;
    world.erase(Who::Paul).await;
    let sent: Vec<Commit> = log.read_all(Position::ZERO, 10_000).await.unwrap();
    let sent = sent.iter().rev().find(|c| {
        c.events.iter().any(|e| e.kind == "notice.sent" && contains(&e.data, &id.to_string()))
    });
    // The same answer once more, as it would come in after the erasure.
    let sent = sent.unwrap().clone();
    let data = serde_json::json!({ "to": id, "reply": "250 taken" }).to_string().into_bytes();
    let event = NewEvent { kind: "notice.sent".to_owned(), schema: 1, data };
    log.append(NewCommit {
        stream: sent.stream,
        expected: Expected::Any,
        metadata: sent.metadata,
        events: vec![event],
    })
    .await
    .unwrap();
    world.restart_with_keys().await.unwrap();
    assert_eq!(found(&PAUL, &world.everything().await), [""; 0]);
}

#[tokio::test]
async fn erasing_is_for_admins_and_the_machine_s_owner() {
    let world = World::filled(Stage::Needs).await;
    for who in Who::ALL.into_iter().filter(|who| *who != Who::Ada) {
        let person = world.employ(who, Who::Paul, person::Command::Erase).await;
        let viewer = world.viewer(who);
        let contact = supplier::Command::EraseContact;
        let supplier = world.engine.supply(&viewer, envelope(), AURORA, contact).await;
        let procurement = world.ask(who, Course::EraseContact).await;
        for answer in [person, supplier.map(drop), procurement.map(drop)] {
            assert!(matches!(answer, Err(Error::Forbidden | Error::NotFound)), "{who:?}");
        }
    }
    let system = sixgate_workflows::context::Actor::system();
    let erase = person::Command::Erase;
    world.engine.employ(&system, envelope(), Who::Paul.id(), erase).await.unwrap();
    assert!(world.record(Who::Paul).erased);
}

#[tokio::test]
async fn a_command_that_brings_personal_data_is_still_the_same_command_when_repeated() {
    let mut world = World::new().await;
    let system = sixgate_workflows::context::Actor::system();
    let id = sixgate_workflows::ids::PersonId(uuid::Uuid::from_u128(0x777));
    let envelope = envelope();
    let command = |mail: &str| person::Command::Register {
        name: name("Vera Example"),
        mail: person::MailAddress::new(mail).unwrap(),
        locale: sixgate_workflows::locale::Locale::En,
        zone: chrono_tz::Tz::UTC,
        functions: [].into(),
    };
    let register = |engine: Arc<sixgate_engine::Engine>, mail: &'static str| {
        let (system, command) = (system.clone(), command(mail));
        async move { engine.employ(&system, envelope, id, command).await }
    };
    let first = register(Arc::clone(&world.engine), "vera@buyer.example").await.unwrap();
    world.restart_with_keys().await.unwrap();
    let again = register(Arc::clone(&world.engine), "vera@buyer.example").await.unwrap();
    assert_eq!((again.position, again.repeated), (first.position, true));
    let other = register(Arc::clone(&world.engine), "other@buyer.example").await;
    assert!(matches!(other, Err(Error::CommandIdReused)));
    let erase = person::Command::Erase;
    world.engine.employ(&system, crate::world::envelope(), id, erase).await.unwrap();
    let again = register(Arc::clone(&world.engine), "vera@buyer.example").await.unwrap();
    assert_eq!((again.position, again.repeated), (first.position, true));
}

#[tokio::test]
async fn an_erasure_that_was_stored_but_not_carried_out_is_carried_out_at_the_next_start() {
    let log = Rigged::new();
    let mut world = World::on(Arc::clone(&log) as _).await;
    let keys_before = fs::read(world.key_file()).unwrap();
    log.fail(Failure::UnknownAndStored);
    let answer = world.employ(Who::Ada, Who::Paul, person::Command::Erase).await;
    assert!(matches!(answer, Err(Error::Unknown(_))), "{answer:?}");
    assert_eq!(fs::read(world.key_file()).unwrap(), keys_before);
    world.restart_with_keys().await.unwrap();
    assert_eq!(found(&PAUL, &world.everything().await), [""; 0]);
    assert_ne!(fs::read(world.key_file()).unwrap(), keys_before);
}

#[tokio::test]
async fn a_key_file_from_before_an_erasure_is_erased_again_at_the_next_start() {
    let mut world = World::filled(Stage::Needs).await;
    world.engine.save_checkpoint().unwrap();
    let backup = fs::read(world.key_file()).unwrap();
    let checkpoint = world.directory.path().join("checkpoints/views");
    let old_checkpoint = fs::read(&checkpoint).unwrap();
    world.erase(Who::Paul).await;
    world.engine.save_checkpoint().unwrap();
    for old in [false, true] {
        fs::write(world.key_file(), &backup).unwrap();
        if old {
            fs::write(&checkpoint, &old_checkpoint).unwrap();
        }
        world.restart_with_keys().await.unwrap();
        assert_eq!(found(&PAUL, &world.everything().await), [""; 0]);
        let lines = fs::read_to_string(world.key_file()).unwrap();
        let of_paul = format!(r#""of":"person-{}""#, Who::Paul.id());
        assert!(!lines.contains(&of_paul), "the key is there again");
    }
}

#[tokio::test]
async fn a_second_engine_on_the_log_forgets_too() {
    let world = World::filled(Stage::Needs).await;
    let other = world.another(world.folder()).await.unwrap();
    world.erase(Who::Paul).await;
    other.settle().await.unwrap();
    assert_eq!(found(&PAUL, &format!("{:?}", *other.views())), [""; 0]);
    let rebuilt = other.rebuilt().await.unwrap();
    assert_eq!(*other.views(), rebuilt);
}

#[tokio::test]
async fn the_contact_of_a_supplier_is_erased_alone() {
    let world = World::new().await;
    let ada = world.viewer(Who::Ada);
    let erase = supplier::Command::EraseContact;
    world.engine.supply(&ada, envelope(), AURORA, erase.clone()).await.unwrap();
    for supplier in world.engine.suppliers(&ada).unwrap() {
        let erased = supplier.id == AURORA;
        assert_eq!(supplier.contact_erased, erased);
        let contact = if erased { "erased-0000000a" } else { "sales@supplier.example" };
        assert_eq!(supplier.contact.as_str(), contact);
    }
    let again = world.engine.supply(&ada, envelope(), AURORA, erase).await;
    assert!(matches!(again, Err(Error::Rejected(Rejection::NothingChanges))));
}

#[tokio::test]
async fn after_the_contact_of_a_procurement_was_erased_the_next_one_stays() {
    let mut world = World::filled(Stage::Needs).await;
    world.settle().await;
    let gate = |world: &World| {
        let seen = world.procurement();
        sixgate_workflows::gate::gate(&seen, seen.stage, world.engine.moment()).blockers()
    };
    let before = gate(&world);
    world.must(Who::Ada, Course::EraseContact).await;
    let contact = |world: &World| world.procurement().needs.brief.unwrap().value.contact;
    assert_eq!(contact(&world).name, Estimate::known(name("erased-00000900")));
    // It is as complete as it was.
    assert_eq!(gate(&world), before);
    let mut brief = wishes::brief();
    brief.contact.name = Estimate::known(name("Wanda Example"));
    world.must(Who::Rita, wishes::record_brief(brief)).await;
    for _ in 0..2 {
        assert_eq!(contact(&world).name, Estimate::known(name("Wanda Example")));
        world.restart_with_keys().await.unwrap();
        fs::remove_file(world.directory.path().join("checkpoints/views")).ok();
    }
    let aldo = world.viewer(Who::Aldo);
    let history = world.engine.history(&aldo, CLUSTER, Revision::ZERO, 10_000).await.unwrap();
    let briefs: Vec<String> = history
        .iter()
        .filter(|happened| happened.kind == "needs.brief_recorded")
        .map(|happened| happened.data["brief"]["contact"]["name"]["known"].to_string())
        .collect();
    assert_eq!(briefs, [r#""erased-00000900""#, r#""Wanda Example""#]);
    world.must(Who::Rita, Course::Cancel { reason: crate::world::text("not needed") }).await;
    world.must(Who::Ada, Course::EraseContact).await;
    assert_eq!(contact(&world).name, Estimate::known(name("erased-00000900")));
}

/// The log with every sealed field in plain words, as it was written before there were seals.
async fn unsealed(world: &World) -> Arc<MemoryLog> {
    let old = Arc::new(MemoryLog::new());
    let mut trail = world.trail().await.into_iter();
    for commit in world.log.read_all(Position::ZERO, 10_000).await.unwrap() {
        let events = commit.events.iter().map(|event| {
            let mut data = trail.next().unwrap().data;
            if event.kind == "person.token_issued" {
                let stored: serde_json::Value = serde_json::from_slice(&event.data).unwrap();
                data["hash"] = stored["hash"].clone();
            }
            let data = data.to_string().into_bytes();
            NewEvent { kind: event.kind.clone(), schema: event.schema, data }
        });
        old.append(NewCommit {
            stream: commit.stream.clone(),
            expected: Expected::Any,
            metadata: commit.metadata.clone(),
            events: events.collect(),
        })
        .await
        .unwrap();
    }
    old
}

#[tokio::test]
async fn a_log_from_before_there_were_seals_is_read_and_shows_pseudonyms_once_erased() {
    let mut world = World::filled(Stage::Needs).await;
    world.settle().await;
    let people = world.record(Who::Paul);
    let old = unsealed(&world).await;
    fs::remove_file(world.key_file()).unwrap();
    fs::remove_dir_all(world.directory.path().join("checkpoints")).ok();
    world.log = old;
    world.restart_with_keys().await.unwrap();
    assert_eq!(world.record(Who::Paul), people);
    assert_eq!(found(&PAUL, &world.everything().await), PAUL);
    world.erase(Who::Paul).await;
    for _ in 0..2 {
        assert_eq!(found(&PAUL, &world.everything().await), [""; 0]);
        world.restart_with_keys().await.unwrap();
    }
}

fn contains(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

fn files_with(directory: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("mail") {
            found.extend(files_with(&path, word));
        } else if path.is_file() && contains(&fs::read(&path).unwrap(), word) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[tokio::test]
async fn no_name_and_no_address_is_in_the_bytes_of_the_data_directory() {
    let directory = tempfile::tempdir().unwrap();
    let log = Arc::new(SledLog::open(directory.path(), Options::default()).unwrap());
    let mut world = World::on(log as _).await;
    world.open(CLUSTER).await;
    world.fill().await;
    world.settle().await;
    world.restart_with(unreachable().await).await;
    world.pass_to(Stage::Budget).await;
    world.fill().await;
    world.settle().await;
    world.engine.save_checkpoint().unwrap();
    let directories = [directory.path(), world.directory.path()];
    let files = |word: &str| directories.map(|directory| files_with(directory, word)).concat();
    // What is not personal is found, so the search sees what is stored.
    assert!(!files("Aurora Compute").is_empty());
    assert!(!files("Serving cluster").is_empty());
    for who in Who::ALL {
        for word in [format!("{who:?} Example"), who.address()] {
            assert_eq!(files(&word), [""; 0], "{word}");
        }
    }
    for word in ["sales@supplier.example", "laptop", "Example\"", "@buyer.example>"] {
        assert_eq!(files(word), [""; 0], "{word}");
    }
}

#[tokio::test]
async fn a_sealed_field_that_was_moved_or_changed_is_an_error_that_says_where() {
    let world = World::new().await;
    let commits = world.log.read_all(Position::ZERO, 10_000).await.unwrap();
    let of = |who: Who| {
        let stream = format!("person-{}", who.id());
        commits.iter().find(|commit| commit.stream.as_str() == stream).unwrap()
    };
    let data = |commit: &Commit| -> serde_json::Value {
        serde_json::from_slice(&commit.events[0].data).unwrap()
    };
    let (rita, paul) = (data(of(Who::Rita)), data(of(Who::Paul)));
    let with = |place: &str, value: &serde_json::Value| {
        let mut changed = rita.clone();
        *changed.pointer_mut(place).unwrap() = value.clone();
        changed
    };
    let flipped = rita["name"]["sealed"].as_str().unwrap();
    let flipped =
        flipped.replacen(&flipped[20..21], if &flipped[20..21] == "A" { "B" } else { "A" }, 1);
    let forged = [
        (with("/name", &paul["name"]), "`/name` at position 1 does not open"),
        (with("/name", &rita["mail"]), "`/name` at position 1 does not open"),
        (with("/name/sealed", &flipped.into()), "`/name` at position 1"),
        (with("/name/sealed", &"????".into()), "`/name` at position 1 is damaged"),
        (with("/name/key", &"ab".into()), "which is not in the key file"),
        (with("/mail", &serde_json::json!({ "sealed": 1 })), "`/mail` at position 1 is neither"),
    ];
    for (data, why) in forged {
        let log = Arc::new(MemoryLog::new());
        let first = &commits[0];
        log.append(NewCommit {
            stream: StreamId::new(format!("person-{}", Who::Rita.id())).unwrap(),
            expected: Expected::Absent,
            metadata: first.metadata.clone(),
            events: vec![NewEvent {
                kind: "person.registered".to_owned(),
                schema: 1,
                data: data.to_string().into_bytes(),
            }],
        })
        .await
        .unwrap();
        let opened = world.another_with(|parts| Parts { log: log as _, ..parts }).await;
        let Some(Error::Unreadable(unreadable)) = opened.err() else { panic!("{why}") };
        assert_eq!(unreadable.kind, "person.registered");
        assert!(unreadable.why.contains(why), "{unreadable}");
    }
}

#[tokio::test]
async fn a_key_file_that_is_gone_is_not_taken_for_an_erasure() {
    let mut world = World::new().await;
    fs::remove_file(world.key_file()).unwrap();
    let error = world.restart_with_keys().await.unwrap_err();
    let Error::Unreadable(unreadable) = error else { panic!("{error:?}") };
    assert!(unreadable.why.contains("restore the key file"), "{unreadable}");
}

#[tokio::test]
async fn without_a_place_for_keys_nothing_personal_is_stored() {
    let world = World::new().await;
    let head = world.log.head().await.unwrap();
    let nowhere = world.directory.path().join("absent/keys");
    let log = Arc::new(MemoryLog::new());
    let keys = Arc::new(Keys::open(&nowhere).unwrap());
    let (there, its_keys) = (Arc::clone(&log), Arc::clone(&keys));
    let engine = world
        .another_with(|parts| Parts { log: there as _, keys: its_keys, ..parts })
        .await
        .unwrap();
    let system = sixgate_workflows::context::Actor::system();
    let register = |engine: Arc<sixgate_engine::Engine>| {
        let system = system.clone();
        async move { engine.employ(&system, envelope(), Who::Rita.id(), Who::Rita.register()).await }
    };
    let error = register(Arc::clone(&engine)).await.unwrap_err();
    assert_eq!(error.code(), "keys");
    assert_eq!(log.head().await.unwrap().position, Position::ZERO);
    // Nobody knows what the failed write left behind, so none follows it.
    fs::create_dir(nowhere.parent().unwrap()).unwrap();
    assert_eq!(register(engine).await.unwrap_err().code(), "keys");
    assert_eq!(world.log.head().await.unwrap(), head);
}

#[tokio::test]
async fn a_command_to_a_procurement_that_is_not_there_erases_nothing() {
    let world = World::opened().await;
    let error = world.ask(Who::Ada, Course::EraseContact.ask()).await.unwrap_err();
    assert!(matches!(error, Error::Rejected(Rejection::BriefMissing)), "{error:?}");
}
