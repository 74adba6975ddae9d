//! The terms of one supplier's contract, clause by clause.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{money::Currency, percent::Percent, policy::Policy, text::Name};

/// The clauses that the source says to read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clause {
    /// Availability with its compensation table.
    Availability,
    /// Response time to P0 faults.
    Response,
    /// Data belongs to the customer, and the platform may not access it.
    DataOwnership,
    DataDestruction,
    Exit,
    DisputeResolution,
    Prepayment,
    Termination,
    Refund,
    Renewal,
    /// 对公转账.
    CorporateTransfer,
    Instalments,
    /// 增值税专用发票.
    SpecialVatInvoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    Agreed,
    Open,
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClauseTerm {
    pub agreement: Agreement,
    /// Where it stands, such as "§ 7.2".
    pub reference: Option<Name>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContractForm {
    Signed,
    /// The user agreement one clicks on; of almost no use when it comes to enforcing rights.
    OnlineAgreement,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    pub form: ContractForm,
    pub term_months: u32,
    pub currency: Currency,
    /// Of one card, before and after what was negotiated.
    pub list_price_per_month: Decimal,
    pub price_per_month: Decimal,
    pub availability: Percent,
    pub response_minutes: u32,
    pub clauses: BTreeMap<Clause, ClauseTerm>,
}

impl Clause {
    pub const ALL: [Self; 13] = [
        Self::Availability,
        Self::Response,
        Self::DataOwnership,
        Self::DataDestruction,
        Self::Exit,
        Self::DisputeResolution,
        Self::Prepayment,
        Self::Termination,
        Self::Refund,
        Self::Renewal,
        Self::CorporateTransfer,
        Self::Instalments,
        Self::SpecialVatInvoice,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Availability => "availability",
            Self::Response => "response",
            Self::DataOwnership => "data_ownership",
            Self::DataDestruction => "data_destruction",
            Self::Exit => "exit",
            Self::DisputeResolution => "dispute_resolution",
            Self::Prepayment => "prepayment",
            Self::Termination => "termination",
            Self::Refund => "refund",
            Self::Renewal => "renewal",
            Self::CorporateTransfer => "corporate_transfer",
            Self::Instalments => "instalments",
            Self::SpecialVatInvoice => "special_vat_invoice",
        }
    }
}

impl Terms {
    pub fn is_agreed(&self, clause: Clause) -> bool {
        self.clauses.get(&clause).is_some_and(|term| term.agreement == Agreement::Agreed)
    }

    /// Clauses and figures that fall short of the policy, by id.
    pub fn shortfalls(&self, policy: &Policy) -> Vec<&'static str> {
        let clauses = policy
            .required_clauses
            .iter()
            .filter(|clause| !self.is_agreed(**clause))
            .map(|clause| clause.id());
        let availability =
            (self.availability < policy.availability_min).then_some("availability_figure");
        let response =
            (self.response_minutes > policy.response_minutes_max).then_some("response_figure");
        clauses.chain(availability).chain(response).collect()
    }

    /// Against the list price; `None` when that is zero or the price is above it.
    pub fn discount(&self) -> Option<Percent> {
        let part = self.price_per_month.checked_div(self.list_price_per_month)?;
        let discount = Decimal::ONE.checked_sub(part)?.checked_mul(Decimal::ONE_HUNDRED)?;
        Percent::new(discount.round_dp(2)).ok()
    }
}
