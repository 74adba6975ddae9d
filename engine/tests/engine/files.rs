//! Evidence files: who may store them, refer to them and read them.

use sixgate_engine::{Error, ids};
use sixgate_workflows::{
    evidence::EvidenceFile,
    poc::reading::Reading,
    procurement::Course,
    rejection::Rejection,
    stage::Stage,
    supplier::{self, Certificate, Qualification},
};

use crate::{
    deals,
    people::Who,
    wishes,
    world::{AURORA, EVIDENCE, World, day, envelope, name},
};

const PAGE: &[u8] = b"a page that nobody refers to yet";

fn page() -> EvidenceFile {
    EvidenceFile { hash: ids::content_hash(PAGE), name: name("page.txt") }
}

#[tokio::test]
async fn a_file_is_kept_once_under_the_hash_of_its_content() {
    let world = World::new().await;
    let before = world.blobs.count().unwrap();
    for who in [Who::Rita, Who::Paul, Who::Fiona, Who::Lena, Who::Otto, Who::Maya] {
        let hash = world.engine.upload(&world.viewer(who), PAGE.to_vec()).await.unwrap();
        assert_eq!(hash, ids::content_hash(PAGE));
    }
    assert_eq!(world.blobs.count().unwrap(), before + 1);
}

#[tokio::test]
async fn a_file_is_read_by_whoever_may_read_a_procurement_that_refers_to_it() {
    let world = World::opened().await;
    world.engine.upload(&world.viewer(Who::Rita), PAGE.to_vec()).await.unwrap();
    let hash = page().hash;
    let uploader = world.engine.download(&world.viewer(Who::Rita), &hash).await;
    assert!(matches!(uploader, Err(Error::NotFound)), "nothing refers to it yet");

    let brief = sixgate_workflows::needs::Command::RecordBrief {
        brief: Box::new(wishes::brief()),
        source: Some(page()),
    };
    world.must(Who::Rita, brief).await;
    let sees = |who| !matches!(who, Who::Ruben | Who::Nils);
    for who in Who::ALL {
        let answer = world.engine.download(&world.viewer(who), &hash).await;
        match sees(who) {
            true => assert_eq!(answer.unwrap(), PAGE, "{who:?}"),
            false => assert!(matches!(answer, Err(Error::NotFound)), "{who:?}"),
        }
    }
    world.must(Who::Rita, Course::AddMember { person: Who::Ruben.id() }).await;
    assert!(world.engine.download(&world.viewer(Who::Ruben), &hash).await.is_ok());
}

#[tokio::test]
async fn an_unknown_hash_is_not_found() {
    let world = World::opened().await;
    let maya = world.viewer(Who::Maya);
    let unknown = ids::content_hash(b"never uploaded");
    assert!(matches!(world.engine.download(&maya, &unknown).await, Err(Error::NotFound)));
    let file = EvidenceFile { hash: unknown, name: name("quote.csv") };
    assert!(not_uploaded(world.engine.quote_from(&maya, &file).await));
    assert!(not_uploaded(world.engine.evidence_from(&maya, file).await));
}

fn not_uploaded<T>(answer: Result<T, Error>) -> bool {
    matches!(answer, Err(Error::Rejected(Rejection::InvalidValue { what: "evidence file", .. })))
}

#[tokio::test]
async fn the_hash_of_somebody_elses_file_is_no_key_to_it() {
    let world = World::opened().await;
    world.engine.upload(&world.viewer(Who::Rita), PAGE.to_vec()).await.unwrap();
    let brief = || sixgate_workflows::needs::Command::RecordBrief {
        brief: Box::new(wishes::brief()),
        source: Some(page()),
    };
    world.must(Who::Rita, brief()).await;
    let nils = world.viewer(Who::Nils);
    let ruben = world.viewer(Who::Ruben);
    for stranger in [&nils, &ruben] {
        assert!(world.engine.brief_from(stranger, &page()).await.is_err());
    }
    let own = sixgate_workflows::ids::ProcurementId(uuid::Uuid::from_u128(0x777));
    let opened =
        sixgate_workflows::procurement::Command::Course(Course::Open { title: name("Own") });
    world.engine.procure(&ruben, envelope(), own, opened).await.unwrap();
    let copied = sixgate_workflows::procurement::Command::Needs(brief());
    assert!(not_uploaded(world.engine.procure(&ruben, envelope(), own, copied.clone()).await));
    world.engine.upload(&ruben, PAGE.to_vec()).await.unwrap();
    world.engine.procure(&ruben, envelope(), own, copied).await.unwrap();
    // Otto sees every procurement, and so may refer to what they refer to.
    assert!(!not_uploaded(world.engine.brief_from(&world.viewer(Who::Otto), &page()).await));
}

#[tokio::test]
async fn a_command_that_names_a_file_which_was_never_uploaded_is_rejected() {
    let world = World::opened().await;
    world.pass_to(Stage::Poc).await;
    world.must(Who::Rita, wishes::choose(AURORA)).await;
    let head = world.log.head().await.unwrap();
    let mut evidence = wishes::evidence(Reading::Serving(wishes::serving()));
    evidence.file = page();
    let record = || wishes::record(AURORA, evidence.clone());
    let refused = world.ask(Who::Otto, record()).await.unwrap_err();
    let Error::Rejected(Rejection::InvalidValue { what, why }) = &refused else {
        panic!("{refused:?}");
    };
    assert_eq!(*what, "evidence file");
    assert!(why.contains(page().hash.as_str()));
    assert_eq!(world.log.head().await.unwrap(), head);

    world.engine.upload(&world.viewer(Who::Otto), PAGE.to_vec()).await.unwrap();
    world.must(Who::Otto, record()).await;
}

#[tokio::test]
async fn every_kind_of_command_that_names_a_file_is_checked() {
    let missing = || EvidenceFile { hash: ids::content_hash(b"missing"), name: name("x.pdf") };
    let refused = |answer: Result<_, Error>| {
        matches!(
            answer,
            Err(Error::Rejected(Rejection::InvalidValue { what: "evidence file", .. }))
        )
    };
    let world = World::opened().await;
    world.pass_to(Stage::Shortlist).await;
    world.must(Who::Paul, wishes::add(AURORA)).await;
    let quote = sixgate_workflows::shortlist::Command::RecordQuote {
        supplier: AURORA,
        quote: Box::new(wishes::quote()),
        source: Some(missing()),
    };
    assert!(refused(world.ask(Who::Paul, quote).await));

    let world = World::opened().await;
    world.pass_to(Stage::Negotiation).await;
    for command in [
        (Who::Paul, deals::record_terms(AURORA, deals::terms())),
        (Who::Lena, deals::approve(AURORA)),
        (Who::Paul, deals::record_terms(crate::world::BOREAL, deals::terms())),
        (Who::Lena, deals::approve(crate::world::BOREAL)),
        (Who::Paul, deals::decide_award(deals::both_awarded())),
    ] {
        world.must(command.0, command.1).await;
    }
    let mut contract = deals::contract();
    contract.document = missing();
    assert!(refused(world.ask(Who::Paul, deals::sign_contract(AURORA, contract)).await));

    let certificate = Certificate {
        qualification: Qualification::Mlps,
        number: name("No. 4712"),
        expires_on: day("2029-01-01"),
        document: Some(missing()),
    };
    let record = supplier::Command::RecordCertificate { certificate };
    let paul = world.viewer(Who::Paul);
    assert!(refused(world.engine.supply(&paul, envelope(), AURORA, record).await));
}

#[tokio::test]
async fn the_document_of_a_certificate_is_read_by_whoever_may_see_suppliers() {
    let world = World::new().await;
    let paul = world.viewer(Who::Paul);
    world.engine.upload(&paul, PAGE.to_vec()).await.unwrap();
    let certificate = Certificate {
        qualification: Qualification::Mlps,
        number: name("No. 4712"),
        expires_on: day("2029-01-01"),
        document: Some(page()),
    };
    let record = supplier::Command::RecordCertificate { certificate };
    world.engine.supply(&paul, envelope(), AURORA, record).await.unwrap();
    for who in [Who::Ruben, Who::Paul, Who::Aldo] {
        let read = world.engine.download(&world.viewer(who), &page().hash).await;
        assert_eq!(read.unwrap(), PAGE, "{who:?}");
    }
    let nils = world.engine.download(&world.viewer(Who::Nils), &page().hash).await;
    assert!(matches!(nils, Err(Error::NotFound)));
}

#[tokio::test]
async fn a_file_that_was_lost_from_the_store_is_not_found() {
    let world = World::filled(Stage::Needs).await;
    let (hash, paul) = (ids::content_hash(EVIDENCE), world.viewer(Who::Paul));
    assert_eq!(world.engine.download(&paul, &hash).await.unwrap(), EVIDENCE);
    let (shelf, rest) = hash.as_str().split_at(2);
    std::fs::remove_file(world.directory.path().join("blobs").join(shelf).join(rest)).unwrap();
    assert!(matches!(world.engine.download(&paul, &hash).await, Err(Error::NotFound)));
}
