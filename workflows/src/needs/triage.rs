//! Self-service, or talk to the supplier? Talk as soon as one reason holds; the reasons are the
//! answer. A fine-tune on two or three cards, or a trial without a term, needs no talk.

use serde::{Deserialize, Serialize};

use super::{
    brief::{Brief, Fabric, Load, Use},
    catalogue::{Catalogue, assumptions::Assumption},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TalkReason {
    /// Distributed training across nodes that asks something of the network.
    CrossNodeTraining,
    /// A fixed site or region, for compliance or latency.
    FixedRegion,
    /// Dedicated capacity, reserved for a steady load.
    DedicatedReserve,
    /// Bulk, or delivered in phases.
    PhasedDelivery,
}

impl TalkReason {
    pub const ALL: [Self; 4] =
        [Self::CrossNodeTraining, Self::FixedRegion, Self::DedicatedReserve, Self::PhasedDelivery];

    pub fn id(self) -> &'static str {
        match self {
            Self::CrossNodeTraining => "cross_node_training",
            Self::FixedRegion => "fixed_region",
            Self::DedicatedReserve => "dedicated_reserve",
            Self::PhasedDelivery => "phased_delivery",
        }
    }

    /// The fields that it looks at.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::CrossNodeTraining => &["use", "interconnect.between_nodes"],
            Self::FixedRegion => &["region"],
            Self::DedicatedReserve => &["use", "cards.total", "term.load", "term.months"],
            Self::PhasedDelivery => &["cards.total", "term.phased"],
        }
    }

    fn holds(self, brief: &Brief, catalogue: &Catalogue) -> bool {
        let assumed = |name| catalogue.assumptions.value(name);
        let total = brief.cards.total.high();
        match self {
            Self::CrossNodeTraining => {
                matches!(brief.usage.low(), Some(Use::Training | Use::FineTuning))
                    && brief.interconnect.between_nodes.high().is_some_and(|f| *f != Fabric::None)
            }
            Self::FixedRegion => brief.region.is_given(),
            Self::DedicatedReserve => {
                let small = assumed(Assumption::SelfServiceCards);
                let small = brief.usage.low() == Some(&Use::FineTuning)
                    && total.is_some_and(|cards| *cards <= small);
                brief.term.load.low() == Some(&Load::Steady)
                    && brief.term.months.high().is_some_and(|months| *months >= 1)
                    && !small
            }
            Self::PhasedDelivery => {
                brief.term.phased.high() == Some(&true)
                    || total.is_some_and(|cards| *cards >= assumed(Assumption::BulkCards))
            }
        }
    }
}

/// Empty means self-service.
pub fn reasons_to_talk(brief: &Brief) -> Vec<TalkReason> {
    reasons_by(brief, Catalogue::shipped())
}

/// By an organisation's own figures of what is small and what is bulk.
pub fn reasons_by(brief: &Brief, catalogue: &Catalogue) -> Vec<TalkReason> {
    TalkReason::ALL.into_iter().filter(|reason| reason.holds(brief, catalogue)).collect()
}
