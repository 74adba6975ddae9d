//! Evidence files: uploaded first, referred to by their hash afterwards.

use std::sync::Arc;

use sixgate_storage::Hash;
use sixgate_workflows::evidence::ContentHash;

use crate::{
    access::{self, Action, Resource, Viewer},
    engine::Engine,
    error::Error,
};

impl Engine {
    /// Stores a file durably and answers its hash. The same bytes are kept once.
    pub async fn upload(&self, viewer: &Viewer, bytes: Vec<u8>) -> Result<ContentHash, Error> {
        access::authorise(&viewer.actor, Action::Upload)?;
        let blobs = Arc::clone(&self.blobs);
        let hash = blocking(move || blobs.put(&bytes)).await??;
        Ok(ContentHash::new(&hash.to_string())?)
    }

    /// A file that a procurement refers to which the viewer may read, or a supplier's certificate.
    pub async fn download(&self, viewer: &Viewer, hash: &ContentHash) -> Result<Vec<u8>, Error> {
        self.may_see_file(viewer, hash)?;
        self.file(hash).await
    }

    fn may_see_file(&self, viewer: &Viewer, hash: &ContentHash) -> Result<(), Error> {
        let views = self.views();
        let suppliers = views.suppliers.states().filter_map(Option::as_ref);
        let certifies = suppliers
            .flat_map(|supplier| supplier.certificates.values())
            .filter_map(|certificate| certificate.value.document.as_ref())
            .any(|document| document.hash == *hash);
        if certifies && access::authorise(&viewer.actor, Action::Read(Resource::Suppliers)).is_ok()
        {
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
                access::authorise(&viewer.actor, resource).is_ok()
            });
        match readable {
            true => Ok(()),
            false => Err(Error::NotFound),
        }
    }

    /// The bytes of a file, for the readers.
    pub(crate) async fn file(&self, hash: &ContentHash) -> Result<Vec<u8>, Error> {
        let blobs = Arc::clone(&self.blobs);
        let hash = stored(hash)?;
        match blocking(move || blobs.get(&hash)).await? {
            Ok(bytes) => Ok(bytes),
            Err(sixgate_storage::Error::BlobAbsent { .. }) => Err(Error::NotFound),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn holds(&self, hash: &ContentHash) -> Result<bool, Error> {
        let blobs = Arc::clone(&self.blobs);
        let hash = stored(hash)?;
        Ok(blocking(move || blobs.contains(&hash)).await??)
    }
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
