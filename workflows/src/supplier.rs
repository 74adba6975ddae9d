//! The supplier registry: who they are, what entitles them to sell, and how they bill.
//!
//! Shared by all procurements. A procurement copies what it reviewed into its own stream, so a
//! later change here never rewrites a past decision.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::{
    context::Context,
    evidence::EvidenceFile,
    ids::SupplierId,
    recorded::{Fact, Stamp},
    rejection::Rejection,
    text::{Name, Text},
};

/// Qualifications that the source documents ask for, each with a number and an expiry date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Qualification {
    /// ICP filing, 备案.
    IcpFiling,
    /// Value-added telecom licence, 增值电信许可.
    TelecomLicence,
    /// Multi-level protection scheme, 等保.
    Mlps,
}

impl Qualification {
    pub const ALL: [Self; 3] = [Self::IcpFiling, Self::TelecomLicence, Self::Mlps];

    pub fn id(self) -> &'static str {
        match self {
            Self::IcpFiling => "icp_filing",
            Self::TelecomLicence => "telecom_licence",
            Self::Mlps => "mlps",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    pub qualification: Qualification,
    pub number: Name,
    /// The last day on which it is valid.
    pub expires_on: NaiveDate,
    pub document: Option<EvidenceFile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metering {
    PerSecond,
    PerMinute,
    PerHour,
}

/// How a supplier bills, in the words that matter when an instance stops or a line drops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BillingProfile {
    pub metering: Metering,
    pub price_locked: bool,
    /// What a stopped instance still pays, such as storage.
    pub while_stopped: Text,
    /// What destroying an instance loses.
    pub when_destroyed: Text,
    /// Rules for idle time, overtime and disconnection.
    pub overtime: Text,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    Register {
        name: Name,
        contact: Name,
    },
    RecordCertificate {
        certificate: Certificate,
    },
    RecordBilling {
        profile: BillingProfile,
    },
    Withdraw {
        reason: Text,
    },
    /// Takes back who the contact was.
    EraseContact,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    Registered {
        id: SupplierId,
        name: Name,
        contact: Name,
    },
    CertificateRecorded {
        certificate: Certificate,
    },
    BillingRecorded {
        profile: BillingProfile,
    },
    Withdrawn {
        reason: Text,
    },
    /// The contact is not readable any more (`personal`).
    ContactErased {},
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplier {
    pub id: SupplierId,
    pub name: Name,
    pub contact: Name,
    /// The contact is a pseudonym now.
    pub contact_erased: bool,
    pub certificates: BTreeMap<Qualification, Fact<Certificate>>,
    pub billing: Option<Fact<BillingProfile>>,
    pub withdrawn: Option<Fact<Text>>,
}

pub fn decide(
    state: Option<&Supplier>,
    id: SupplierId,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let known = || state.ok_or(Rejection::NoSuchSupplier { supplier: id });
    match command {
        Command::Register { name, contact } => match state {
            Some(_) => Err(Rejection::AlreadyRegistered),
            None => Ok(vec![Event::Registered { id, name, contact }]),
        },
        Command::RecordCertificate { certificate } => {
            still_listed(known()?)?;
            if certificate.expires_on < context.today() {
                return Err(Rejection::AlreadyExpired { expires_on: certificate.expires_on });
            }
            Ok(vec![Event::CertificateRecorded { certificate }])
        }
        Command::RecordBilling { profile } => {
            still_listed(known()?)?;
            Ok(vec![Event::BillingRecorded { profile }])
        }
        Command::Withdraw { reason } => {
            still_listed(known()?)?;
            Ok(vec![Event::Withdrawn { reason }])
        }
        Command::EraseContact => match known()?.contact_erased {
            true => Err(Rejection::NothingChanges),
            false => Ok(vec![Event::ContactErased {}]),
        },
    }
}

fn still_listed(supplier: &Supplier) -> Result<(), Rejection> {
    match supplier.withdrawn {
        Some(_) => Err(Rejection::SupplierWithdrawn { supplier: supplier.id }),
        None => Ok(()),
    }
}

pub fn evolve(state: &mut Option<Supplier>, event: &Event, stamp: Stamp) {
    if let Event::Registered { id, name, contact } = event {
        *state = Some(Supplier {
            id: *id,
            name: name.clone(),
            contact: contact.clone(),
            contact_erased: false,
            certificates: BTreeMap::new(),
            billing: None,
            withdrawn: None,
        });
        return;
    }
    let Some(supplier) = state else { return };
    match event {
        Event::Registered { .. } => {}
        Event::CertificateRecorded { certificate } => {
            let fact = Fact::new(certificate.clone(), stamp);
            supplier.certificates.insert(certificate.qualification, fact);
        }
        Event::BillingRecorded { profile } => {
            supplier.billing = Some(Fact::new(profile.clone(), stamp));
        }
        Event::Withdrawn { reason } => {
            supplier.withdrawn = Some(Fact::new(reason.clone(), stamp));
        }
        Event::ContactErased {} => supplier.contact_erased = true,
    }
}
