//! given / when / then for a procurement: a world with fixed time, made-up people and suppliers.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use chrono_tz::Tz;
use sixgate_workflows::{
    budget,
    checklist::{Entry, Item, checklist},
    context::{Actor, ActorId, Context, StandIn},
    deadline::{Deadline, NoticeKind, deadlines},
    function::Function,
    gate::{Gate, Moment, Reason, gate},
    ids::{PersonId, ProcurementId, SupplierId},
    needs, negotiation, operation, poc,
    policy::Policy,
    procurement::{Command, Course, CourseEvent, Event, Procurement, decide, evolve},
    recorded::Stamp,
    rejection::Rejection,
    shortlist,
    stage::Stage,
    stored::StoredEvent,
    supplier::Supplier,
};
use uuid::Uuid;

/// The made-up people. Everybody holds one function, but Tessa holds two and Pia none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Rita,
    Ruben,
    Paul,
    Fiona,
    Lena,
    Otto,
    Maya,
    /// Requester and procurement at once.
    Tessa,
    Pia,
    System,
}

impl Who {
    const PEOPLE: [Self; 9] = [
        Self::Rita,
        Self::Ruben,
        Self::Paul,
        Self::Fiona,
        Self::Lena,
        Self::Otto,
        Self::Maya,
        Self::Tessa,
        Self::Pia,
    ];

    fn functions(self) -> BTreeSet<Function> {
        match self {
            Self::Rita | Self::Ruben => [Function::Requester].into(),
            Self::Paul => [Function::Procurement].into(),
            Self::Fiona => [Function::Finance].into(),
            Self::Lena => [Function::Legal].into(),
            Self::Otto => [Function::Operations].into(),
            Self::Maya => [Function::Manager].into(),
            Self::Tessa => [Function::Requester, Function::Procurement].into(),
            Self::Pia | Self::System => BTreeSet::new(),
        }
    }

    pub(crate) fn id(self) -> PersonId {
        let place = Self::PEOPLE.iter().position(|who| *who == self).unwrap();
        PersonId(Uuid::from_u128(0x100 + u128::try_from(place).unwrap()))
    }

    pub(crate) fn actor(self) -> Actor {
        if self == Self::System {
            return Actor::system();
        }
        Actor { id: ActorId::Person(self.id()), functions: self.functions(), stands_in: Vec::new() }
    }

    pub(crate) fn standing_in(self, absent: Self, function: Function) -> Actor {
        let stand_in = StandIn { function, for_person: absent.id() };
        Actor { stands_in: vec![stand_in], ..self.actor() }
    }
}

impl From<Who> for Actor {
    fn from(who: Who) -> Self {
        who.actor()
    }
}

/// What can be asked of a procurement, so that tests need not name the stage twice.
pub(crate) trait Ask {
    fn ask(self) -> Command;
}

/// What can have happened to a procurement.
pub(crate) trait Happen {
    fn happen(self) -> Event;
}

impl Ask for Command {
    fn ask(self) -> Command {
        self
    }
}

impl Happen for Event {
    fn happen(self) -> Event {
        self
    }
}

macro_rules! rooms {
    ($($variant:ident: $command:ty, $event:ty;)+) => {$(
        impl Ask for $command {
            fn ask(self) -> Command {
                Command::$variant(self)
            }
        }

        impl Happen for $event {
            fn happen(self) -> Event {
                Event::$variant(self)
            }
        }
    )+};
}

rooms! {
    Course: Course, CourseEvent;
    Needs: needs::Command, needs::Event;
    Budget: budget::Command, budget::Event;
    Shortlist: shortlist::Command, shortlist::Event;
    Poc: poc::Command, poc::Event;
    Negotiation: negotiation::Command, negotiation::Event;
    Operation: operation::Command, operation::Event;
}

pub(crate) fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

pub(crate) fn id() -> ProcurementId {
    ProcurementId(Uuid::from_u128(0x900))
}

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) context: Context,
    pub(crate) state: Option<Procurement>,
    pub(crate) log: Vec<(Event, Stamp)>,
    position: u64,
}

/// Nothing has happened yet, at a fixed time and place.
pub(crate) fn nothing() -> World {
    let context = Context {
        now: time("2026-01-05T01:00:00Z"),
        zone: Tz::Asia__Shanghai,
        actor: Who::Rita.actor(),
        policy: Policy::shipped(),
        suppliers: crate::fixture::registry(),
        people: Who::PEOPLE.map(Who::id).into(),
    };
    World { context, state: None, log: Vec::new(), position: 0 }
}

/// A procurement that Rita opened, and then what else was done to it.
#[track_caller]
pub(crate) fn given<C: Ask>(commands: impl IntoIterator<Item = (Who, C)>) -> World {
    let mut world = nothing();
    let title = crate::fixture::name("Serving cluster");
    world.by(Who::Rita).must(Course::Open { title });
    for (who, command) in commands {
        world.by(who).must(command);
    }
    world
}

impl World {
    pub(crate) fn at(&mut self, text: &str) -> &mut Self {
        self.context.now = time(text);
        self
    }

    pub(crate) fn later(&mut self, by: Duration) -> &mut Self {
        self.context.now += by;
        self
    }

    pub(crate) fn by(&mut self, actor: impl Into<Actor>) -> &mut Self {
        self.context.actor = actor.into();
        self
    }

    pub(crate) fn set_policy(&mut self, change: impl FnOnce(&mut Policy)) -> &mut Self {
        change(&mut self.context.policy);
        self
    }

    pub(crate) fn supplier_mut(&mut self, supplier: SupplierId) -> &mut Supplier {
        self.context.suppliers.get_mut(&supplier).unwrap()
    }

    pub(crate) fn procurement(&self) -> &Procurement {
        self.state.as_ref().unwrap()
    }

    pub(crate) fn moment(&self) -> Moment {
        Moment { now: self.context.now, zone: self.context.zone }
    }

    pub(crate) fn gate(&self) -> Gate {
        gate(self.procurement(), self.procurement().stage, self.moment())
    }

    /// What the present gate is closed by.
    pub(crate) fn blockers(&self) -> Vec<String> {
        self.gate().blockers().into_iter().map(|blocker| blocker.criterion).collect()
    }

    /// Why a criterion blocks the present gate.
    #[track_caller]
    pub(crate) fn why(&self, criterion: &str) -> Reason {
        let blockers = self.gate().blockers();
        let found = blockers.into_iter().find(|blocker| blocker.criterion == criterion);
        found.unwrap_or_else(|| panic!("{criterion} does not block")).reason
    }

    pub(crate) fn version(&self) -> u32 {
        self.gate().version
    }

    pub(crate) fn item(&self, item: Item) -> Entry {
        let entries = checklist(self.procurement(), self.moment());
        entries.into_iter().find(|entry| entry.item == item).unwrap()
    }

    pub(crate) fn deadlines(&self) -> Vec<Deadline> {
        deadlines(self.procurement(), self.moment())
    }

    pub(crate) fn deadlines_of(&self, kind: NoticeKind) -> Vec<Deadline> {
        self.deadlines().into_iter().filter(|deadline| deadline.kind == kind).collect()
    }

    /// When a kind is due, as text, in order.
    pub(crate) fn due(&self, kind: NoticeKind) -> Vec<String> {
        let due = |deadline: Deadline| deadline.due.format("%Y-%m-%dT%H:%M:%SZ").to_string();
        self.deadlines_of(kind).into_iter().map(due).collect()
    }

    pub(crate) fn decide(&self, command: impl Ask) -> Result<Vec<Event>, Rejection> {
        decide(self.state.as_ref(), id(), command.ask(), &self.context)
    }

    /// Decides and, when accepted, lets it happen.
    pub(crate) fn run(&mut self, command: impl Ask) -> Result<Vec<Event>, Rejection> {
        let events = self.decide(command)?;
        self.position += 1;
        for (index, event) in (0..).zip(&events) {
            let stamp = Stamp {
                at: self.context.now,
                by: self.context.actor.id,
                position: self.position,
                index,
            };
            evolve(&mut self.state, event, stamp, self.context.zone);
            self.log.push((event.clone(), stamp));
        }
        Ok(events)
    }

    #[track_caller]
    pub(crate) fn must(&mut self, command: impl Ask) -> &mut Self {
        let command = command.ask();
        if let Err(rejection) = self.run(command.clone()) {
            panic!("{command:?} was rejected: {rejection:?}");
        }
        self
    }

    #[track_caller]
    pub(crate) fn rejected(&self, command: impl Ask) -> Rejection {
        match self.decide(command) {
            Err(rejection) => rejection,
            Ok(events) => panic!("it was accepted: {events:?}"),
        }
    }

    /// Signs what is there now.
    #[track_caller]
    pub(crate) fn sign(&mut self, actor: impl Into<Actor>, function: Function) -> &mut Self {
        let version = self.version();
        self.by(actor).must(Course::SignOff { function, version })
    }

    pub(crate) fn signed(&self, stage: Stage) -> Vec<Function> {
        self.procurement().ledger(stage).sign_offs.keys().copied().collect()
    }

    pub(crate) fn when(&mut self, command: impl Ask) -> Answer<'_> {
        let before = self.state.clone();
        let result = self.run(command);
        Answer { world: self, before, result }
    }
}

#[must_use]
pub(crate) struct Answer<'a> {
    world: &'a mut World,
    before: Option<Procurement>,
    result: Result<Vec<Event>, Rejection>,
}

impl<'a> Answer<'a> {
    #[track_caller]
    pub(crate) fn then<E: Happen>(self, events: impl IntoIterator<Item = E>) -> &'a mut World {
        let expected: Vec<Event> = events.into_iter().map(Happen::happen).collect();
        assert_eq!(self.result, Ok(expected));
        self.world
    }

    /// The kinds alone, where the data is that of the command.
    #[track_caller]
    pub(crate) fn then_kinds<const N: usize>(self, kinds: [&str; N]) -> &'a mut World {
        match &self.result {
            Ok(events) => {
                let found: Vec<String> = events.iter().map(StoredEvent::kind).collect();
                assert_eq!(found, kinds);
            }
            Err(rejection) => panic!("it was rejected: {rejection:?}"),
        }
        self.world
    }

    #[track_caller]
    pub(crate) fn then_rejects(self, rejection: Rejection) -> &'a mut World {
        assert_eq!(self.result, Err(rejection));
        assert_eq!(self.before, self.world.state, "a rejected command changes nothing");
        self.world
    }

    /// For values whose wording is not the point.
    #[track_caller]
    pub(crate) fn then_rejects_as(self, code: &str) -> &'a mut World {
        match &self.result {
            Err(rejection) => assert_eq!(rejection.code(), code, "{rejection:?}"),
            Ok(events) => panic!("it was accepted: {events:?}"),
        }
        assert_eq!(self.before, self.world.state, "a rejected command changes nothing");
        self.world
    }
}

/// A map with one change, for fixtures that differ in one entry.
pub(crate) fn without<K: Ord + Clone, V: Clone>(map: &BTreeMap<K, V>, key: &K) -> BTreeMap<K, V> {
    let mut map = map.clone();
    map.remove(key);
    map
}
