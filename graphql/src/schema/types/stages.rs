//! What each stage has recorded, and what follows from it.

pub(crate) mod brief_template;
pub(crate) mod budget;
pub(crate) mod needs;
pub(crate) mod negotiation;
pub(crate) mod operation;
pub(crate) mod poc;
pub(crate) mod shortlist;
pub(crate) mod sizing;

use async_graphql::{ID, SimpleObject};
use sixgate_workflows::{evidence, ids::SupplierId, procurement::Procurement};

use crate::schema::global_id::GlobalId;

/// A file that was uploaded; `GET /evidence/<hash>` gives its bytes.
#[derive(SimpleObject)]
pub(crate) struct EvidenceFile {
    hash: String,
    name: String,
}

/// A supplier as it was named when it became a candidate.
#[derive(SimpleObject)]
pub(crate) struct SupplierReference {
    id: ID,
    name: String,
}

impl From<&evidence::EvidenceFile> for EvidenceFile {
    fn from(file: &evidence::EvidenceFile) -> Self {
        Self { hash: file.hash.to_string(), name: file.name.to_string() }
    }
}

fn supplier(procurement: &Procurement, id: SupplierId) -> SupplierReference {
    SupplierReference {
        id: GlobalId::Supplier(id).into(),
        name: procurement.supplier_name(id).to_owned(),
    }
}
