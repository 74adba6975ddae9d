//! The log as a whole, for backups, and the files that its commits refer to.
//!
//! Who may take a backup holds everything that was ever recorded, so it is the administrators alone.

use std::sync::Arc;

use serde_json::Value;
use sixgate_storage::{Commit, Hash, checkpoint::CheckpointBook, export::Export};
use sixgate_workflows::{evidence::EvidenceFile, procurement, stored::StoredEvent, supplier};

use crate::{
    access::{self, Action, Resource, Viewer},
    engine::Engine,
    error::Error,
    subject::{OneProcurement, OneSupplier, Subject},
};

impl Engine {
    /// Begins an export of everything up to the present head, while commands go on.
    pub async fn export(&self, viewer: &Viewer) -> Result<Export, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::WholeLog))?;
        let checkpoints = match self.checkpoint_book() {
            Some(book) => book.kept()?,
            None => Vec::new(),
        };
        let blobs = self.blobs.as_ref().clone();
        Ok(Export::begin(Arc::clone(&self.log), blobs, checkpoints).await?)
    }

    /// The signed checkpoints of the data directory, which is where the read models are kept too.
    pub fn checkpoint_book(&self) -> Option<CheckpointBook> {
        let directory = self.settings.checkpoints.as_ref()?.parent()?;
        Some(CheckpointBook::new(directory))
    }
}

/// The files that a commit refers to. An event that cannot be read refers to none; that it cannot
/// be read is noticed by whoever follows the log.
pub fn files_of(commit: &Commit) -> Vec<Hash> {
    let stream = commit.stream.as_str();
    let mut files: Vec<Hash> = Vec::new();
    if stream.starts_with(OneProcurement::PREFIX) {
        let events = events::<procurement::Event>(commit);
        files.extend(events.filter_map(|event| stored(event.file()?)));
    } else if stream.starts_with(OneSupplier::PREFIX) {
        let events = events::<supplier::Event>(commit);
        files.extend(events.filter_map(|event| {
            let supplier::Event::CertificateRecorded { certificate } = event else { return None };
            stored(certificate.document.as_ref()?)
        }));
    }
    files
}

/// The events of a commit with personal data left sealed, since no key is needed to name files.
fn events<E: StoredEvent>(commit: &Commit) -> impl Iterator<Item = E> {
    commit.events.iter().filter_map(|event| {
        let mut data = serde_json::from_slice(&event.data).ok()?;
        without_seals(&mut data);
        E::read(&event.kind, event.schema, data).ok()
    })
}

/// Puts a word in the place of everything sealed.
fn without_seals(data: &mut Value) {
    match data {
        Value::Object(fields) if fields.contains_key("sealed") => *data = "sealed".into(),
        Value::Object(fields) => fields.values_mut().for_each(without_seals),
        Value::Array(values) => values.iter_mut().for_each(without_seals),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn stored(file: &EvidenceFile) -> Option<Hash> {
    file.hash.as_str().parse().ok()
}
