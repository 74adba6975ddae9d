//! A supplier of the registry.

use async_graphql::{ID, Object, SimpleObject};
use chrono::NaiveDate;
use sixgate_workflows::supplier;

use super::history::EventLink;
use crate::schema::{
    global_id::GlobalId,
    scalars::{Metering, Qualification},
};

pub(crate) struct Supplier(pub supplier::Supplier);

pub(crate) struct Certificate(sixgate_workflows::recorded::Fact<supplier::Certificate>);

#[derive(SimpleObject)]
pub(crate) struct BillingProfile {
    metering: Metering,
    price_locked: bool,
    while_stopped: String,
    when_destroyed: String,
    overtime: String,
}

#[Object]
impl Supplier {
    pub(crate) async fn id(&self) -> ID {
        GlobalId::Supplier(self.0.id).into()
    }

    async fn name(&self) -> &str {
        self.0.name.as_str()
    }

    async fn contact(&self) -> &str {
        self.0.contact.as_str()
    }

    #[graphql(complexity = "3 * child_complexity")]
    async fn certificates(&self) -> Vec<Certificate> {
        self.0.certificates.values().cloned().map(Certificate).collect()
    }

    async fn billing(&self) -> Option<BillingProfile> {
        let profile = &self.0.billing.as_ref()?.value;
        Some(BillingProfile {
            metering: profile.metering.into(),
            price_locked: profile.price_locked,
            while_stopped: profile.while_stopped.to_string(),
            when_destroyed: profile.when_destroyed.to_string(),
            overtime: profile.overtime.to_string(),
        })
    }

    /// Why it was taken from the registry, if it was.
    async fn withdrawn_because(&self) -> Option<&str> {
        self.0.withdrawn.as_ref().map(|reason| reason.value.as_str())
    }
}

#[Object]
impl Certificate {
    async fn qualification(&self) -> Qualification {
        self.0.value.qualification.into()
    }

    async fn number(&self) -> &str {
        self.0.value.number.as_str()
    }

    /// The last day on which it is valid.
    async fn expires_on(&self) -> NaiveDate {
        self.0.value.expires_on
    }

    async fn event(&self) -> EventLink {
        EventLink(self.0.stamp)
    }
}
