//! The six kinds of things that have a stream of their own, and how each is decided and evolved.
//!
//! This is the seam between the pure rules and the runtime: the runtime knows streams, bytes and
//! revisions; a subject knows which rules belong to a stream.

use std::fmt::Debug;

use chrono_tz::Tz;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use sixgate_storage::StreamId;
use sixgate_workflows::{
    budget::price_index,
    context::Context,
    evidence::EvidenceFile,
    ids::{PersonId, ProcurementId, SupplierId},
    notice::{self, digest},
    person, policy, procurement,
    recorded::Stamp,
    rejection::Rejection,
    stored::StoredEvent,
    supplier,
};

use crate::projection::{Entities, Views};

pub trait Subject: Clone + Send + Sync + 'static {
    /// What its streams begin with.
    const PREFIX: &'static str;

    type Command: Clone + Debug + Serialize + Send;
    type Event: StoredEvent + Debug + Send;
    type State: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    fn stream(&self) -> StreamId;

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection>;

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, zone: Tz);

    /// Where its states are kept among the read models.
    fn entities(views: &Views) -> &Entities<Self>;

    /// The evidence file that an event refers to, which must have been uploaded before.
    fn file(event: &Self::Event) -> Option<&EvidenceFile>;
}

#[derive(Clone, Copy, Debug)]
pub struct OneProcurement(pub ProcurementId);

#[derive(Clone, Copy, Debug)]
pub struct OneSupplier(pub SupplierId);

#[derive(Clone, Copy, Debug)]
pub struct OnePerson(pub PersonId);

#[derive(Clone, Copy, Debug)]
pub struct ThePolicy;

#[derive(Clone, Copy, Debug)]
pub struct ThePrices;

/// By the key of the deadline that fired.
#[derive(Clone, Debug)]
pub struct OneNotice(pub String);

/// By its own key.
#[derive(Clone, Debug)]
pub struct OneDigest(pub String);

fn stream(prefix: &str, rest: impl std::fmt::Display) -> StreamId {
    StreamId::new(format!("{prefix}{rest}")).expect("a prefix and hexadecimal digits name a stream")
}

/// Keys are long and hold characters that stream names may not, so the name is their hash.
fn hexadecimal(key: &str) -> String {
    let digest = Sha256::digest(key.as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl Subject for OneProcurement {
    const PREFIX: &'static str = "procurement-";

    type Command = procurement::Command;
    type Event = procurement::Event;
    type State = Option<procurement::Procurement>;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, self.0)
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        procurement::decide(state.as_ref(), self.0, command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, zone: Tz) {
        procurement::evolve(state, event, stamp, zone);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.procurements
    }

    fn file(event: &Self::Event) -> Option<&EvidenceFile> {
        event.file()
    }
}

impl Subject for OneSupplier {
    const PREFIX: &'static str = "supplier-";

    type Command = supplier::Command;
    type Event = supplier::Event;
    type State = Option<supplier::Supplier>;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, self.0)
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        supplier::decide(state.as_ref(), self.0, command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, _zone: Tz) {
        supplier::evolve(state, event, stamp);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.suppliers
    }

    fn file(event: &Self::Event) -> Option<&EvidenceFile> {
        match event {
            supplier::Event::CertificateRecorded { certificate } => certificate.document.as_ref(),
            supplier::Event::Registered { .. }
            | supplier::Event::BillingRecorded { .. }
            | supplier::Event::Withdrawn { .. }
            | supplier::Event::ContactErased {} => None,
        }
    }
}

impl Subject for OnePerson {
    const PREFIX: &'static str = "person-";

    type Command = person::Command;
    type Event = person::Event;
    type State = Option<person::Person>;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, self.0)
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        person::decide(state.as_ref(), self.0, command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, _zone: Tz) {
        person::evolve(state, event, stamp);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.people
    }

    fn file(_event: &Self::Event) -> Option<&EvidenceFile> {
        None
    }
}

impl Subject for ThePolicy {
    const PREFIX: &'static str = "policy";

    type Command = policy::Command;
    type Event = policy::Event;
    type State = policy::Policies;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, "")
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        policy::decide(state, command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, _zone: Tz) {
        policy::evolve(state, event, stamp);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.policy
    }

    fn file(_event: &Self::Event) -> Option<&EvidenceFile> {
        None
    }
}

impl Subject for ThePrices {
    const PREFIX: &'static str = "prices";

    type Command = price_index::Command;
    type Event = price_index::Event;
    type State = price_index::PriceIndex;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, "")
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        price_index::decide(state, command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, _zone: Tz) {
        price_index::evolve(state, event, stamp);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.prices
    }

    fn file(event: &Self::Event) -> Option<&EvidenceFile> {
        match event {
            price_index::Event::Recorded { file, .. } => file.as_ref(),
            price_index::Event::Withdrawn { .. } => None,
        }
    }
}

impl Subject for OneNotice {
    const PREFIX: &'static str = "notice-";

    type Command = notice::Command;
    type Event = notice::Event;
    type State = Option<notice::Notice>;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, hexadecimal(&self.0))
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        notice::decide(state.as_ref(), command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, _zone: Tz) {
        notice::evolve(state, event, stamp);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.notices
    }

    fn file(_event: &Self::Event) -> Option<&EvidenceFile> {
        None
    }
}

impl Subject for OneDigest {
    const PREFIX: &'static str = "digest-";

    type Command = digest::Command;
    type Event = notice::Event;
    type State = Option<digest::Digest>;

    fn stream(&self) -> StreamId {
        stream(Self::PREFIX, hexadecimal(&self.0))
    }

    fn decide(
        &self,
        state: &Self::State,
        command: Self::Command,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Rejection> {
        digest::decide(state.as_ref(), command, context)
    }

    fn evolve(state: &mut Self::State, event: &Self::Event, stamp: Stamp, _zone: Tz) {
        digest::evolve(state, event, stamp);
    }

    fn entities(views: &Views) -> &Entities<Self> {
        &views.digests
    }

    fn file(_event: &Self::Event) -> Option<&EvidenceFile> {
        None
    }
}
