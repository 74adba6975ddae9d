//! A small organisation: people, suppliers, one procurement, a clock that is set, mail in a folder.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use futures_util::FutureExt;
use rust_decimal::Decimal;
use sixgate_engine::{
    Done, Engine, Envelope, Error, Parts, Settings,
    access::Viewer,
    clock::SetClock,
    ids,
    keys::Keys,
    mail::{Folder, Transport},
};
use sixgate_storage::{BlobStore, EventLog, MemoryLog};
use sixgate_workflows::{
    budget,
    context::Actor,
    evidence::EvidenceFile,
    function::Function,
    ids::{CommandId, ProcurementId, SupplierId},
    needs, negotiation, operation, poc,
    procurement::{Command, Course, Procurement},
    shortlist,
    stage::Stage,
    supplier::{self, Certificate, Qualification},
    text::{Name, Text},
};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{deals, people::Who, wishes};

pub(crate) const AURORA: SupplierId = SupplierId(Uuid::from_u128(0xa));
pub(crate) const BOREAL: SupplierId = SupplierId(Uuid::from_u128(0xb));
pub(crate) const CUMULUS: SupplierId = SupplierId(Uuid::from_u128(0xc));
const SUPPLIERS: [(SupplierId, &str); 3] =
    [(AURORA, "Aurora Compute"), (BOREAL, "Boreal Cloud"), (CUMULUS, "Cumulus GPU")];

pub(crate) const CLUSTER: ProcurementId = ProcurementId(Uuid::from_u128(0x900));
/// A Monday at nine in the morning, where the organisation is.
pub(crate) const START: &str = "2026-01-05T01:00:00Z";
pub(crate) const EVIDENCE: &[u8] = b"a made-up page of evidence";

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub(crate) fn text(words: &str) -> Text {
    Text::new(words).unwrap()
}

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub(crate) fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

pub(crate) fn number(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// The one file that was uploaded before everything else.
pub(crate) fn file(title: &str) -> EvidenceFile {
    EvidenceFile { hash: ids::content_hash(EVIDENCE), name: name(title) }
}

/// What can be asked of a procurement, so that tests need not name the stage twice.
pub(crate) trait Ask {
    fn ask(self) -> Command;
}

impl Ask for Command {
    fn ask(self) -> Command {
        self
    }
}

macro_rules! rooms {
    ($($variant:ident: $command:ty;)+) => {$(
        impl Ask for $command {
            fn ask(self) -> Command {
                Command::$variant(self)
            }
        }
    )+};
}

rooms! {
    Course: Course;
    Needs: needs::Command;
    Budget: budget::Command;
    Shortlist: shortlist::Command;
    Poc: poc::Command;
    Negotiation: negotiation::Command;
    Operation: operation::Command;
}

/// A command id that no other command of the test binary has.
pub(crate) fn envelope() -> Envelope {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Envelope { command: CommandId(Uuid::from_u128(u128::from(number) << 64)), expected: None }
}

pub(crate) struct World {
    pub(crate) directory: TempDir,
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) blobs: Arc<BlobStore>,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) keys: Arc<Keys>,
    pub(crate) engine: Arc<Engine>,
}

impl World {
    /// People and suppliers, and nothing bought yet.
    pub(crate) async fn new() -> Self {
        Self::on(Arc::new(MemoryLog::new())).await
    }

    pub(crate) async fn on(log: Arc<dyn EventLog>) -> Self {
        let world = Self::empty(log).await;
        world.staff().await;
        world
    }

    /// An engine over the log, and nobody registered.
    pub(crate) async fn empty(log: Arc<dyn EventLog>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let keys = Arc::new(Keys::open(&directory.path().join("keys")).unwrap());
        Self::with_keys(directory, log, keys).await
    }

    /// An engine over a log and the keys that belong to it.
    pub(crate) async fn with_keys(
        directory: TempDir,
        log: Arc<dyn EventLog>,
        keys: Arc<Keys>,
    ) -> Self {
        let blobs = Arc::new(BlobStore::open(directory.path().join("blobs")).unwrap());
        let clock = Arc::new(SetClock::at(time(START)));
        let transport = Transport::Folder(Folder::new(directory.path().join("mail")));
        let settings = settings(directory.path().join("checkpoints"));
        let (log_of_engine, blobs_of_engine) = (Arc::clone(&log), Arc::clone(&blobs));
        let engine = Engine::open(Parts {
            log: log_of_engine,
            blobs: blobs_of_engine,
            clock: Arc::clone(&clock) as _,
            transport,
            keys: Arc::clone(&keys),
            settings,
        })
        .await
        .unwrap();
        Self { directory, log, blobs, clock, keys, engine }
    }

    async fn staff(&self) {
        let system = Actor::system();
        for who in Who::ALL {
            let in_ten_years = time("2036-01-01T00:00:00Z");
            for command in [who.register(), who.issue_token(in_ten_years)] {
                self.engine.employ(&system, envelope(), who.id(), command).await.unwrap();
            }
        }
        self.blobs.put(EVIDENCE).unwrap();
        let paul = self.viewer(Who::Paul);
        for (supplier, title) in SUPPLIERS {
            let contact = name("sales@supplier.example");
            let registered = supplier::Command::Register { name: name(title), contact };
            self.engine.supply(&paul, envelope(), supplier, registered).await.unwrap();
            for qualification in Qualification::ALL {
                let certificate = certificate(qualification);
                let recorded = supplier::Command::RecordCertificate { certificate };
                self.engine.supply(&paul, envelope(), supplier, recorded).await.unwrap();
            }
        }
    }

    /// Rita's procurement, just opened.
    pub(crate) async fn opened() -> Self {
        let world = Self::new().await;
        world.open(CLUSTER).await;
        world
    }

    pub(crate) async fn open(&self, id: ProcurementId) -> Done {
        let open = Course::Open { title: name("Serving cluster") }.ask();
        self.engine.procure(&self.viewer(Who::Rita), envelope(), id, open).await.unwrap()
    }

    /// At whose gate only signatures are missing.
    pub(crate) async fn filled(stage: Stage) -> Self {
        let world = Self::opened().await;
        world.pass_to(stage).await;
        world.fill().await;
        world
    }

    pub(crate) async fn fill(&self) {
        let commands = match self.procurement().stage {
            Stage::Needs => wishes::needs(),
            Stage::Budget => wishes::budget(),
            Stage::Shortlist => wishes::shortlist(),
            Stage::Poc => wishes::poc(),
            Stage::Negotiation => deals::negotiation(),
            Stage::Operation => deals::operation(self.now()),
        };
        for (who, command) in commands {
            self.must(who, command).await;
        }
    }

    pub(crate) async fn sign_all(&self) {
        let signers: &[Who] = match self.procurement().stage {
            Stage::Needs | Stage::Shortlist => &[Who::Rita, Who::Paul],
            Stage::Budget => &[Who::Fiona],
            Stage::Poc => &[Who::Rita, Who::Otto],
            Stage::Negotiation => &[Who::Lena, Who::Fiona, Who::Paul, Who::Maya],
            Stage::Operation => &[Who::Maya],
        };
        for who in signers {
            self.must(*who, self.sign_off(who.function().unwrap())).await;
        }
    }

    pub(crate) fn sign_off(&self, function: Function) -> Course {
        let procurement = self.procurement();
        Course::SignOff { function, version: procurement.ledger(procurement.stage).version }
    }

    /// A week for each stage.
    pub(crate) async fn pass_to(&self, stage: Stage) {
        while self.procurement().stage < stage {
            self.fill().await;
            self.sign_all().await;
            self.later(Duration::days(7));
            self.must(Who::Paul, Course::Advance).await;
        }
    }

    /// The made-up evidence is uploaded by whoever may, since only then they may refer to it.
    pub(crate) async fn ask(&self, who: Who, command: impl Ask) -> Result<Done, Error> {
        let _ = self.engine.upload(&self.viewer(who), EVIDENCE.to_vec()).await;
        self.engine.procure(&self.viewer(who), envelope(), CLUSTER, command.ask()).await
    }

    pub(crate) async fn must(&self, who: Who, command: impl Ask) -> Done {
        let command = command.ask();
        match self.ask(who, command.clone()).await {
            Ok(done) => done,
            Err(error) => panic!("{who:?} asked for {command:?}: {error:?}"),
        }
    }

    pub(crate) fn viewer(&self, who: Who) -> Viewer {
        self.engine.viewer(&who.token()).unwrap()
    }

    pub(crate) fn procurement(&self) -> Procurement {
        let views = self.engine.views();
        let mut found = views.procurements.states().filter_map(Option::as_ref);
        found.find(|procurement| procurement.id == CLUSTER).cloned().unwrap()
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.engine.moment().now
    }

    pub(crate) fn at(&self, text: &str) {
        self.clock.set(time(text));
    }

    pub(crate) fn later(&self, by: Duration) {
        self.clock.set(self.now() + by);
    }

    pub(crate) fn mail_folder(&self) -> PathBuf {
        self.directory.path().join("mail")
    }

    /// The letters in the folder as text, in the order of their names.
    pub(crate) fn mails(&self) -> Vec<String> {
        let Ok(files) = fs::read_dir(self.mail_folder()) else { return Vec::new() };
        let paths = files.map(|file| file.unwrap().path());
        // What is still being written has another name.
        let whole = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "eml");
        let mut paths: Vec<_> = paths.filter(whole).collect();
        paths.sort();
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// Whom the letters in the folder went to, each once for each letter.
    pub(crate) fn addressees(&self) -> Vec<String> {
        let mut addressees: Vec<String> = self.mails().iter().map(|mail| to(mail)).collect();
        addressees.sort();
        addressees
    }

    pub(crate) fn empty_mail_folder(&self) {
        let _ = fs::remove_dir_all(self.mail_folder());
    }

    pub(crate) fn folder(&self) -> Transport {
        Transport::Folder(Folder::new(self.mail_folder()))
    }

    /// Another engine over the same log, files and clock.
    pub(crate) async fn another(&self, transport: Transport) -> Result<Arc<Engine>, Error> {
        self.another_with(|parts| Parts { transport, ..parts }).await
    }

    pub(crate) async fn another_with(
        &self,
        change: impl FnOnce(Parts) -> Parts,
    ) -> Result<Arc<Engine>, Error> {
        Engine::open(change(Parts {
            log: Arc::clone(&self.log),
            blobs: Arc::clone(&self.blobs),
            clock: Arc::clone(&self.clock) as _,
            transport: self.folder(),
            keys: Arc::clone(&self.keys),
            settings: settings(self.directory.path().join("checkpoints")),
        }))
        .await
    }

    /// As after a restart of the program.
    pub(crate) async fn restart(&mut self) {
        self.restart_with(self.folder()).await;
    }

    pub(crate) async fn restart_with(&mut self, transport: Transport) {
        self.engine = self.another(transport).await.unwrap();
    }
}

/// What is kept up to date is what would be built anew, after every scenario.
impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // Only the log in memory answers at once; a log that was rigged to fail has nothing to say.
        if let Some(Ok(rebuilt)) = self.engine.rebuilt().now_or_never() {
            let views = self.engine.views();
            assert!(
                views.position != rebuilt.position || *views == rebuilt,
                "the views at {} are not what the log says",
                rebuilt.position
            );
        }
    }
}

pub(crate) fn settings(checkpoints: PathBuf) -> Settings {
    Settings {
        zone: Tz::Asia__Shanghai,
        sender_name: "Sixgate".to_owned(),
        sender_address: "gates@buyer.example".to_owned(),
        public_url: Some("https://sixgate.buyer.example".to_owned()),
        checkpoints: Some(checkpoints),
        instance: "here".to_owned(),
    }
}

fn certificate(qualification: Qualification) -> Certificate {
    let expires_on = day("2028-12-31");
    Certificate { qualification, number: name("No. 4711"), expires_on, document: None }
}

/// The addressee of a letter in the folder.
pub(crate) fn to(mail: &str) -> String {
    header(mail, "To: ").rsplit(['<', ' ']).next().unwrap().trim_end_matches('>').to_owned()
}

pub(crate) fn header<'a>(mail: &'a str, title: &str) -> &'a str {
    mail.lines().find_map(|line| line.strip_prefix(title)).unwrap()
}
