//! Made-up figures for every stage, and the happy path through all six.

mod deals;
mod measured;
pub(crate) mod shapes;
mod wishes;

use std::collections::BTreeMap;

use chrono::{Duration, NaiveDate};
use rust_decimal::Decimal;
use sixgate_workflows::{
    context::ActorId,
    evidence::{ContentHash, EvidenceFile},
    function::Function,
    ids::SupplierId,
    procurement::{Command, Course},
    recorded::Stamp,
    stage::Stage,
    supplier::{self, Certificate, Qualification, Supplier},
    text::{Name, Text},
};
use uuid::Uuid;

pub(crate) use self::{deals::*, measured::*, wishes::*};
use crate::harness::{Ask, Who, World, given, time};

pub(crate) const AURORA: SupplierId = SupplierId(Uuid::from_u128(0xa));
pub(crate) const BOREAL: SupplierId = SupplierId(Uuid::from_u128(0xb));
pub(crate) const CUMULUS: SupplierId = SupplierId(Uuid::from_u128(0xc));
pub(crate) const DELTA: SupplierId = SupplierId(Uuid::from_u128(0xd));
pub(crate) const EREBUS: SupplierId = SupplierId(Uuid::from_u128(0xe));
/// Registered, but with an expired certificate.
pub(crate) const FADED: SupplierId = SupplierId(Uuid::from_u128(0xf));
pub(crate) const UNKNOWN: SupplierId = SupplierId(Uuid::from_u128(0xffff));

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub(crate) fn text(words: &str) -> Text {
    Text::new(words).unwrap()
}

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub(crate) fn number(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub(crate) fn file(title: &str) -> EvidenceFile {
    let hash = ContentHash::new(&"ab".repeat(32)).unwrap();
    EvidenceFile { hash, name: name(title) }
}

pub(crate) fn registry() -> BTreeMap<SupplierId, Supplier> {
    let valid = day("2027-12-31");
    [
        (AURORA, "Aurora Compute", valid),
        (BOREAL, "Boreal Cloud", valid),
        (CUMULUS, "Cumulus GPU", valid),
        (DELTA, "Delta Machines", valid),
        (EREBUS, "Erebus Power", valid),
        (FADED, "Faded Light", day("2025-12-31")),
    ]
    .into_iter()
    .map(|(id, title, expires_on)| (id, registered(id, title, expires_on)))
    .collect()
}

fn registered(id: SupplierId, title: &str, expires_on: NaiveDate) -> Supplier {
    let stamp =
        Stamp { at: time("2025-11-03T02:00:00Z"), by: ActorId::System, position: 0, index: 0 };
    let mut state = None;
    let contact = name("sales@supplier.example");
    let registered = supplier::Event::Registered { id, name: name(title), contact };
    supplier::evolve(&mut state, &registered, stamp);
    for qualification in Qualification::ALL {
        let certificate = certificate(qualification, expires_on);
        let recorded = supplier::Event::CertificateRecorded { certificate };
        supplier::evolve(&mut state, &recorded, stamp);
    }
    state.unwrap()
}

pub(crate) fn certificate(qualification: Qualification, expires_on: NaiveDate) -> Certificate {
    Certificate { qualification, number: name("No. 4711"), expires_on, document: None }
}

/// What fills a stage so that only signatures are missing.
pub(crate) fn filling(stage: Stage, world: &World) -> Vec<(Who, Command)> {
    match stage {
        Stage::Needs => needs(),
        Stage::Budget => budget(),
        Stage::Shortlist => shortlist(),
        Stage::Poc => measured::poc(),
        Stage::Negotiation => negotiation(),
        Stage::Operation => operation(world.context.now),
    }
}

pub(crate) fn signers(stage: Stage) -> Vec<(Who, Function)> {
    match stage {
        Stage::Needs => {
            vec![(Who::Rita, Function::Requester), (Who::Paul, Function::Procurement)]
        }
        Stage::Budget => vec![(Who::Fiona, Function::Finance)],
        Stage::Shortlist => {
            vec![(Who::Rita, Function::Requester), (Who::Paul, Function::Procurement)]
        }
        Stage::Poc => vec![(Who::Rita, Function::Requester), (Who::Otto, Function::Operations)],
        Stage::Negotiation => vec![
            (Who::Lena, Function::Legal),
            (Who::Fiona, Function::Finance),
            (Who::Paul, Function::Procurement),
            (Who::Maya, Function::Manager),
        ],
        Stage::Operation => vec![(Who::Maya, Function::Manager)],
    }
}

impl World {
    /// Meets every criterion of the present stage.
    #[track_caller]
    pub(crate) fn fill(&mut self) -> &mut Self {
        for (who, command) in filling(self.procurement().stage, self) {
            self.by(who).must(command);
        }
        self
    }

    #[track_caller]
    pub(crate) fn sign_all(&mut self) -> &mut Self {
        for (who, function) in signers(self.procurement().stage) {
            self.sign(who, function);
        }
        self
    }

    /// A week later each time, since nothing is bought in a day.
    #[track_caller]
    pub(crate) fn pass(&mut self) -> &mut Self {
        self.fill().sign_all().later(Duration::days(7)).by(Who::Paul).must(Course::Advance)
    }

    #[track_caller]
    pub(crate) fn pass_to(&mut self, stage: Stage) -> &mut Self {
        while self.procurement().stage < stage {
            self.pass();
        }
        self
    }
}

/// A procurement that has just entered the stage.
#[track_caller]
pub(crate) fn at_stage(stage: Stage) -> World {
    let mut world = given::<Command>([]);
    world.pass_to(stage);
    world
}

/// A procurement at whose gate only signatures are missing.
#[track_caller]
pub(crate) fn filled(stage: Stage) -> World {
    let mut world = at_stage(stage);
    world.fill();
    world
}

/// The happy path to its end.
#[track_caller]
pub(crate) fn closed() -> World {
    let mut world = filled(Stage::Operation);
    world.sign_all().by(Who::Paul).must(Course::Close);
    world
}

/// The filling of a stage but for what `left_out` picks.
#[track_caller]
pub(crate) fn filled_but(stage: Stage, left_out: impl Fn(&Command) -> bool) -> World {
    let mut world = at_stage(stage);
    for (who, command) in filling(stage, &world) {
        if !left_out(&command) {
            world.by(who).must(command.ask());
        }
    }
    world
}
