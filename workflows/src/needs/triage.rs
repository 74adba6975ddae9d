//! Self-service, or talk to the supplier? Talk as soon as one reason holds; the reasons are the
//! answer.

use serde::{Deserialize, Serialize};

use super::brief::{Brief, Fabric, Load, Use};

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

    fn holds(self, brief: &Brief) -> bool {
        match self {
            Self::CrossNodeTraining => {
                brief.usage.low() == Some(&Use::Training)
                    && brief.interconnect.between_nodes.high().is_some_and(|f| *f != Fabric::None)
            }
            Self::FixedRegion => brief.region.is_given(),
            Self::DedicatedReserve => {
                brief.term.load.low() == Some(&Load::Steady)
                    && brief.term.months.high().is_some_and(|months| *months >= 1)
            }
            Self::PhasedDelivery => brief.term.phased.high() == Some(&true),
        }
    }
}

/// Empty means self-service.
pub fn reasons_to_talk(brief: &Brief) -> Vec<TalkReason> {
    TalkReason::ALL.into_iter().filter(|reason| reason.holds(brief)).collect()
}
