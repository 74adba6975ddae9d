//! Evidence files: uploaded first, referred to by their hash afterwards.
//!
//! A hash is no key: only who uploaded a file since the start, or may read something that refers to
//! it, may have it read or refer to it in turn. Whoever is refused uploads it; the same bytes are
//! kept once.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use sixgate_storage::Hash;
use sixgate_workflows::{
    context::{Actor, ActorId},
    evidence::ContentHash,
    invalid::Invalid,
};

use crate::{
    access::{self, Action, Resource, Viewer},
    engine::Engine,
    error::Error,
};

/// Who has uploaded what since the start.
#[derive(Debug, Default)]
pub(crate) struct Uploads(Mutex<BTreeSet<(ActorId, ContentHash)>>);

/// Above this many they are forgotten, which costs an upload of the same bytes.
const UPLOADS_MAX: usize = 100_000;

impl Uploads {
    fn note(&self, by: ActorId, hash: &ContentHash) {
        let mut uploads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if uploads.len() >= UPLOADS_MAX {
            uploads.clear();
        }
        uploads.insert((by, hash.clone()));
    }

    fn holds(&self, by: ActorId, hash: &ContentHash) -> bool {
        let uploads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        uploads.contains(&(by, hash.clone()))
    }
}

impl Engine {
    /// Stores a file durably and answers its hash. The same bytes are kept once.
    pub async fn upload(&self, viewer: &Viewer, bytes: Vec<u8>) -> Result<ContentHash, Error> {
        access::authorise(&viewer.actor, Action::Upload)?;
        let blobs = Arc::clone(&self.blobs);
        let hash = blocking(move || blobs.put(&bytes)).await??;
        let hash = ContentHash::new(&hash.to_string())?;
        self.uploads.note(viewer.actor.id, &hash);
        Ok(hash)
    }

    /// A file that a procurement refers to which the viewer may read, or a supplier's certificate.
    pub async fn download(&self, viewer: &Viewer, hash: &ContentHash) -> Result<Vec<u8>, Error> {
        self.may_see_file(&viewer.actor, hash)?;
        self.file(hash).await?.ok_or(Error::NotFound)
    }

    /// The bytes of a file that the actor wants to refer to.
    pub(crate) async fn own_file(
        &self,
        actor: &Actor,
        hash: &ContentHash,
    ) -> Result<Vec<u8>, Error> {
        self.may_refer_to(actor, hash)?;
        self.file(hash).await?.ok_or_else(|| not_uploaded(hash))
    }

    /// Whether it is there, and the actor has anything to do with it.
    pub(crate) async fn can_be_referred_to(
        &self,
        actor: &Actor,
        hash: &ContentHash,
    ) -> Result<(), Error> {
        self.may_refer_to(actor, hash)?;
        match self.holds(hash).await? {
            true => Ok(()),
            false => Err(not_uploaded(hash)),
        }
    }

    fn may_refer_to(&self, actor: &Actor, hash: &ContentHash) -> Result<(), Error> {
        match self.uploads.holds(actor.id, hash) || self.may_see_file(actor, hash).is_ok() {
            true => Ok(()),
            false => Err(not_uploaded(hash)),
        }
    }

    fn may_see_file(&self, actor: &Actor, hash: &ContentHash) -> Result<(), Error> {
        let views = self.views();
        let suppliers = views.suppliers.states().filter_map(Option::as_ref);
        let certifies = suppliers
            .flat_map(|supplier| supplier.certificates.values())
            .filter_map(|certificate| certificate.value.document.as_ref())
            .any(|document| document.hash == *hash);
        if certifies && access::authorise(actor, Action::Read(Resource::Suppliers)).is_ok() {
            return Ok(());
        }
        let referring = views.files.get(hash).ok_or(Error::NotFound)?;
        let readable = views
            .procurements
            .states()
            .filter_map(Option::as_ref)
            .filter(|procurement| referring.contains(&procurement.id))
            .any(|procurement| {
                let resource = Action::Read(Resource::Procurement(procurement));
                access::authorise(actor, resource).is_ok()
            });
        match readable {
            true => Ok(()),
            false => Err(Error::NotFound),
        }
    }

    async fn file(&self, hash: &ContentHash) -> Result<Option<Vec<u8>>, Error> {
        let blobs = Arc::clone(&self.blobs);
        let hash = stored(hash)?;
        match blocking(move || blobs.get(&hash)).await? {
            Ok(bytes) => Ok(Some(bytes)),
            Err(sixgate_storage::Error::BlobAbsent { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn holds(&self, hash: &ContentHash) -> Result<bool, Error> {
        let blobs = Arc::clone(&self.blobs);
        let hash = stored(hash)?;
        Ok(blocking(move || blobs.contains(&hash)).await??)
    }
}

/// The same whether it is absent or somebody else's.
fn not_uploaded(hash: &ContentHash) -> Error {
    let why = format!("you have uploaded no file with the hash {hash}; upload it first");
    Invalid::new("evidence file", why).into()
}

fn stored(hash: &ContentHash) -> Result<Hash, Error> {
    hash.as_str().parse().map_err(|_| Error::NotFound)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Error::Setup(format!("a file operation did not end: {error}")))
}
