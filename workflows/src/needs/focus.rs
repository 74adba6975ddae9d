//! What decides and what gets overlooked, by use: shown with the need, and checked again in the
//! quote and the POC.

use super::brief::Use;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    VramHeadroom,
    VramCapacity,
    MemoryBandwidth,
    LatencyTail,
    Throughput,
    PrecisionSupport,
    CardLink,
    CacheAtThePeak,
    Queueing,
    Fragmentation,
    OptimizerStates,
    ParallelScheme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focus {
    pub decides: &'static [Concern],
    pub overlooked: &'static [Concern],
}

impl Concern {
    pub const ALL: [Self; 12] = [
        Self::VramHeadroom,
        Self::VramCapacity,
        Self::MemoryBandwidth,
        Self::LatencyTail,
        Self::Throughput,
        Self::PrecisionSupport,
        Self::CardLink,
        Self::CacheAtThePeak,
        Self::Queueing,
        Self::Fragmentation,
        Self::OptimizerStates,
        Self::ParallelScheme,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::VramHeadroom => "vram_headroom",
            Self::VramCapacity => "vram_capacity",
            Self::MemoryBandwidth => "memory_bandwidth",
            Self::LatencyTail => "latency_tail",
            Self::Throughput => "throughput",
            Self::PrecisionSupport => "precision_support",
            Self::CardLink => "card_link",
            Self::CacheAtThePeak => "cache_at_the_peak",
            Self::Queueing => "queueing",
            Self::Fragmentation => "fragmentation",
            Self::OptimizerStates => "optimizer_states",
            Self::ParallelScheme => "parallel_scheme",
        }
    }
}

pub fn focus(usage: Use) -> Focus {
    match usage {
        Use::OnlineInference => Focus {
            decides: &[Concern::VramHeadroom, Concern::MemoryBandwidth, Concern::LatencyTail],
            overlooked: &[Concern::CacheAtThePeak],
        },
        Use::BatchInference => Focus {
            decides: &[Concern::VramCapacity, Concern::Throughput],
            overlooked: &[Concern::Queueing, Concern::Fragmentation],
        },
        Use::FineTuning => Focus {
            decides: &[Concern::VramCapacity, Concern::MemoryBandwidth, Concern::PrecisionSupport],
            overlooked: &[Concern::OptimizerStates],
        },
        Use::Training => Focus {
            decides: &[Concern::MemoryBandwidth, Concern::CardLink],
            overlooked: &[Concern::ParallelScheme],
        },
    }
}
