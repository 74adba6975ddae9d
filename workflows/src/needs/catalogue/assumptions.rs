//! Figures that a sizing and its advice assume where nothing was measured.
//!
//! Each has a source and a date, and each can be replaced by policy.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

macro_rules! assumptions {
    ($($variant:ident $id:literal;)+) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum Assumption {
            $(#[serde(rename = $id)] $variant,)+
        }

        impl Assumption {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }
        }
    };
}

assumptions! {
    ActivationMib "activation_mib";
    VisionActivationMib "vision_activation_mib";
    RuntimeMib "runtime_mib";
    CommunicationPairMib "communication_pair_mib";
    CommunicationGroupMib "communication_group_mib";
    LoadedPermille "loaded_permille";
    VisiblePermille "visible_permille";
    InferenceUtilisationPercent "inference_utilisation_percent";
    TrainingUtilisationPercent "training_utilisation_percent";
    BlockTokens "block_tokens";
    StepTokens "step_tokens";
    StateCopies "state_copies";
    AdapterRank "adapter_rank";
    CardsPerNode "cards_per_node";
    FastFabricGbitS "fast_fabric_gbit_s";
    LargeScaleCards "large_scale_cards";
    BulkCards "bulk_cards";
    SelfServiceCards "self_service_cards";
    LowUtilisationPercent "low_utilisation_percent";
    ShortNeedMonths "short_need_months";
    SteadyNeedMonths "steady_need_months";
    RentBelowUsePercent "rent_below_use_percent";
    VolatileDemandPercent "volatile_demand_percent";
    HybridSavingLowPercent "hybrid_saving_low_percent";
    HybridSavingHighPercent "hybrid_saving_high_percent";
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    pub value: u32,
    pub source: String,
    pub as_of: NaiveDate,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumptions(BTreeMap<Assumption, Assumed>);

impl Assumptions {
    pub(super) fn new(shipped: BTreeMap<Assumption, Assumed>) -> Self {
        Self(shipped)
    }

    pub fn get(&self, name: Assumption) -> &Assumed {
        self.0.get(&name).expect("a test holds that every assumption ships with a value")
    }

    pub fn value(&self, name: Assumption) -> u32 {
        self.get(name).value
    }

    /// An organisation's own figure; its policy is the source.
    pub fn set(&mut self, name: Assumption, value: u32) {
        if let Some(assumed) = self.0.get_mut(&name) {
            assumed.value = value;
            "policy".clone_into(&mut assumed.source);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::needs::catalogue::Catalogue;

    use super::*;

    #[test]
    fn every_assumption_ships_with_a_value_and_a_source() {
        for name in Assumption::ALL {
            let assumed = Catalogue::shipped().assumed(*name);
            assert!(!assumed.source.is_empty(), "{}", name.id());
        }
    }
}
