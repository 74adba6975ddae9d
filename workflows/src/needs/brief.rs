//! The brief (需求清单): what is wanted, in nine groups, each figure as sure as its author is.
//!
//! It only records; what follows from it is computed in `sizing`, `triage` and the gate.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    estimate::{Estimate, unnamed},
    percent::Percent,
    text::Name,
};

/// Exactly one; "any" is not a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    OnlineInference,
    BatchInference,
    FineTuning,
    Training,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    Fp32,
    Bf16,
    Fp16,
    Fp8,
    Int8,
    Int4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fabric {
    None,
    Infiniband,
    Roce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Load {
    Steady,
    Bursty,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    #[serde(rename = "use")]
    pub usage: Estimate<Use>,
    pub model: Model,
    pub targets: Targets,
    pub cards: Cards,
    pub interconnect: Interconnect,
    pub storage: Storage,
    pub environment: Environment,
    pub term: Term,
    pub region: Estimate<Name>,
    pub contact: Contact,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// In units of 10⁹ parameters.
    pub parameters_b: Estimate<Decimal>,
    pub precision: Estimate<Precision>,
    pub vram_per_card_gib: Estimate<Decimal>,
    pub tensor_parallel: Estimate<u32>,
    pub data_parallel: Estimate<u32>,
    pub pipeline_parallel: Estimate<u32>,
}

/// What the service must reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Targets {
    /// Requests, or jobs, at the same time at the peak.
    pub peak_concurrency: Estimate<u32>,
    pub context_tokens: Estimate<u32>,
    pub latency_ms: Estimate<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cards {
    pub model: Estimate<Name>,
    pub substitutes: Vec<Name>,
    pub total: Estimate<u32>,
    pub per_node: Estimate<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interconnect {
    pub nvlink: Estimate<bool>,
    pub between_nodes: Estimate<Fabric>,
    pub bandwidth_gbit_s: Estimate<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    pub dataset_gib: Estimate<Decimal>,
    pub read_gib_s: Estimate<Decimal>,
    pub checkpoint_gib: Estimate<Decimal>,
    pub checkpoint_interval_min: Estimate<Decimal>,
    pub volume_gib: Estimate<Decimal>,
    pub shared: Estimate<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    pub template: Estimate<Name>,
    pub image: Estimate<Name>,
    pub cuda: Estimate<Name>,
    pub driver: Estimate<Name>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub start: Estimate<NaiveDate>,
    pub months: Estimate<u32>,
    pub load: Estimate<Load>,
    pub utilisation: Estimate<Percent>,
    pub phased: Estimate<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    pub name: Estimate<Name>,
    pub team: Estimate<Name>,
    pub reachable: Estimate<Name>,
}

impl Use {
    pub const ALL: [Self; 4] =
        [Self::OnlineInference, Self::BatchInference, Self::FineTuning, Self::Training];

    pub fn id(self) -> &'static str {
        match self {
            Self::OnlineInference => "online_inference",
            Self::BatchInference => "batch_inference",
            Self::FineTuning => "fine_tuning",
            Self::Training => "training",
        }
    }

    /// Whether somebody waits for each answer, so that a latency range must be known.
    pub fn has_latency(self) -> bool {
        match self {
            Self::OnlineInference | Self::BatchInference => true,
            Self::FineTuning | Self::Training => false,
        }
    }
}

impl Fabric {
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Infiniband => "infiniband",
            Self::Roce => "roce",
        }
    }
}

impl Precision {
    /// Bytes that one parameter takes.
    pub fn bytes(self) -> Decimal {
        match self {
            Self::Fp32 => Decimal::from(4),
            Self::Bf16 | Self::Fp16 => Decimal::TWO,
            Self::Fp8 | Self::Int8 => Decimal::ONE,
            Self::Int4 => Decimal::new(5, 1),
        }
    }
}

impl Brief {
    /// A brief in which everything is still to be determined.
    pub fn blank() -> Self {
        Self {
            usage: Estimate::tbd("TBD"),
            model: Model {
                parameters_b: Estimate::tbd("TBD"),
                precision: Estimate::tbd("TBD"),
                vram_per_card_gib: Estimate::tbd("TBD"),
                tensor_parallel: Estimate::tbd("TBD"),
                data_parallel: Estimate::tbd("TBD"),
                pipeline_parallel: Estimate::tbd("TBD"),
            },
            targets: Targets {
                peak_concurrency: Estimate::tbd("TBD"),
                context_tokens: Estimate::tbd("TBD"),
                latency_ms: Estimate::tbd("TBD"),
            },
            cards: Cards {
                model: unnamed(),
                substitutes: Vec::new(),
                total: Estimate::tbd("TBD"),
                per_node: Estimate::tbd("TBD"),
            },
            interconnect: Interconnect {
                nvlink: Estimate::tbd("TBD"),
                between_nodes: Estimate::tbd("TBD"),
                bandwidth_gbit_s: Estimate::tbd("TBD"),
            },
            storage: Storage {
                dataset_gib: Estimate::tbd("TBD"),
                read_gib_s: Estimate::tbd("TBD"),
                checkpoint_gib: Estimate::tbd("TBD"),
                checkpoint_interval_min: Estimate::tbd("TBD"),
                volume_gib: Estimate::tbd("TBD"),
                shared: Estimate::tbd("TBD"),
            },
            environment: Environment {
                template: unnamed(),
                image: unnamed(),
                cuda: unnamed(),
                driver: unnamed(),
            },
            term: Term {
                start: Estimate::tbd("TBD"),
                months: Estimate::tbd("TBD"),
                load: Estimate::tbd("TBD"),
                utilisation: Estimate::tbd("TBD"),
                phased: Estimate::tbd("TBD"),
            },
            region: unnamed(),
            contact: Contact { name: unnamed(), team: unnamed(), reachable: unnamed() },
        }
    }

    /// The groups in which nothing at all is given, by their names in the template.
    pub fn blank_groups(&self) -> Vec<&'static str> {
        let (model, targets, cards) = (&self.model, &self.targets, &self.cards);
        let (storage, environment, term) = (&self.storage, &self.environment, &self.term);
        let given = [
            ("use", self.usage.is_given()),
            (
                "model",
                model.parameters_b.is_given()
                    || model.precision.is_given()
                    || targets.peak_concurrency.is_given(),
            ),
            ("cards", cards.model.is_given() || cards.total.is_given()),
            (
                "interconnect",
                self.interconnect.nvlink.is_given() || self.interconnect.between_nodes.is_given(),
            ),
            (
                "storage",
                storage.dataset_gib.is_given()
                    || storage.volume_gib.is_given()
                    || storage.checkpoint_gib.is_given(),
            ),
            (
                "environment",
                environment.template.is_given()
                    || environment.image.is_given()
                    || environment.cuda.is_given(),
            ),
            ("term", term.start.is_given() || term.months.is_given()),
            ("region", self.region.is_given()),
            ("contact", self.contact.name.is_given()),
        ];
        given.into_iter().filter(|(_, given)| !given).map(|(group, _)| group).collect()
    }
}
