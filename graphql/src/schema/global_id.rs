//! Global ids: opaque to clients, the kind and the UUID to us.

use async_graphql::ID;
use sixgate_workflows::{
    ids::{PersonId, ProcurementId, SupplierId},
    invalid::Invalid,
};
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalId {
    Procurement(ProcurementId),
    Supplier(SupplierId),
    Person(PersonId),
}

impl GlobalId {
    pub fn parse(id: &str) -> Result<Self, Invalid> {
        let unknown = || Invalid::new("id", format!("`{id}` is not an id of this service"));
        let (kind, uuid) = id.split_once('_').ok_or_else(unknown)?;
        let uuid = Uuid::parse_str(uuid).map_err(|_| unknown())?;
        match kind {
            "procurement" => Ok(Self::Procurement(ProcurementId(uuid))),
            "supplier" => Ok(Self::Supplier(SupplierId(uuid))),
            "person" => Ok(Self::Person(PersonId(uuid))),
            _ => Err(unknown()),
        }
    }

    pub fn procurement(id: &ID) -> Result<ProcurementId, Invalid> {
        match Self::parse(id)? {
            Self::Procurement(id) => Ok(id),
            Self::Supplier(_) | Self::Person(_) => Err(other_kind(id, "procurement")),
        }
    }

    pub fn supplier(id: &ID) -> Result<SupplierId, Invalid> {
        match Self::parse(id)? {
            Self::Supplier(id) => Ok(id),
            Self::Procurement(_) | Self::Person(_) => Err(other_kind(id, "supplier")),
        }
    }

    pub fn person(id: &ID) -> Result<PersonId, Invalid> {
        match Self::parse(id)? {
            Self::Person(id) => Ok(id),
            Self::Procurement(_) | Self::Supplier(_) => Err(other_kind(id, "person")),
        }
    }
}

fn other_kind(id: &ID, wanted: &str) -> Invalid {
    Invalid::new("id", format!("`{}` is not the id of a {wanted}", id.as_str()))
}

impl From<GlobalId> for ID {
    fn from(id: GlobalId) -> Self {
        match id {
            GlobalId::Procurement(id) => format!("procurement_{id}"),
            GlobalId::Supplier(id) => format!("supplier_{id}"),
            GlobalId::Person(id) => format!("person_{id}"),
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_as_what_it_was_written_for() {
        let id = GlobalId::Supplier(SupplierId(Uuid::nil()));
        assert_eq!(GlobalId::parse(ID::from(id).as_str()).unwrap(), id);
        assert!(GlobalId::procurement(&ID::from(id)).is_err());
        for bad in ["", "supplier", "supplier_", "supplier_x", "notice_0", "_"] {
            assert!(GlobalId::parse(bad).is_err(), "{bad:?} was taken");
        }
    }
}
