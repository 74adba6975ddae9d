//! A promise, as it is entered: only the card and how many are needed, the rest as far as promised.

use async_graphql::InputObject;
use rust_decimal::Decimal;
use sixgate_workflows::{
    invalid::Invalid,
    percent::Percent,
    poc::promise::{
        DriverVersion, NetworkPromise, Promise, ReferencePromise, ServingLoad, StoragePromise,
        StressPromise,
    },
};

use crate::schema::{input::name, scalars::StorageOperation};

/// What the supplier promises, at the conditions of the test.
#[derive(InputObject)]
pub(super) struct PromiseInput {
    /// As sellers or tools call it, such as `H100 SXM`; compared by whole words.
    card: String,
    cards: u32,
    memory_mib_min: Option<Decimal>,
    /// Numbers between dots, such as `550.90.07`.
    driver_min: Option<String>,
    power_limit_w_min: Option<Decimal>,
    pcie_generation_min: Option<u32>,
    pcie_width_min: Option<u32>,
    memory_growth_mib_max: Option<Decimal>,
    collective_gb_s_min: Option<Decimal>,
    network: Option<NetworkPromiseInput>,
    storage: Option<Vec<StoragePromiseInput>>,
    success_percent_min: Option<Decimal>,
    first_token_p99_ms_max: Option<Decimal>,
    per_token_p99_ms_max: Option<Decimal>,
    output_tokens_s_min: Option<Decimal>,
    serving_load: Option<ServingLoadInput>,
    stress: Option<StressPromiseInput>,
    reference: Option<ReferencePromiseInput>,
}

/// Between two nodes, in one direction.
#[derive(InputObject)]
pub(super) struct NetworkPromiseInput {
    gbit_s_min: Option<Decimal>,
    latency_us_max: Option<Decimal>,
    /// A shorter run is inconclusive.
    seconds_min: Option<Decimal>,
}

/// One figure of the volume, under exactly these conditions.
#[derive(InputObject)]
pub(super) struct StoragePromiseInput {
    operation: StorageOperation,
    block_bytes: u64,
    queue_depth: u32,
    jobs: u32,
    mib_s_min: Option<Decimal>,
    operations_s_min: Option<Decimal>,
    latency_p99_ms_max: Option<Decimal>,
    seconds_min: Option<Decimal>,
}

/// At what load the figures of serving hold.
#[derive(InputObject)]
pub(super) struct ServingLoadInput {
    requests_s: Option<Decimal>,
    requests_min: Option<u32>,
}

#[derive(InputObject)]
pub(super) struct StressPromiseInput {
    gflops_min: Option<Decimal>,
    slowest_of_median_percent_min: Option<Decimal>,
}

/// A published benchmark: its scenario and the figure promised in it.
#[derive(InputObject)]
pub(super) struct ReferencePromiseInput {
    scenario: String,
    figure: Decimal,
}

impl PromiseInput {
    pub(super) fn checked(&self) -> Result<Promise, Invalid> {
        let percent = |value: &Option<Decimal>| value.map(Percent::new).transpose();
        let storage = self.storage.iter().flatten().map(StoragePromiseInput::checked).collect();
        Ok(Promise {
            memory_mib_min: self.memory_mib_min,
            driver_min: self.driver_min.as_deref().map(DriverVersion::new).transpose()?,
            power_limit_w_min: self.power_limit_w_min,
            pcie_generation_min: self.pcie_generation_min,
            pcie_width_min: self.pcie_width_min,
            memory_growth_mib_max: self.memory_growth_mib_max,
            collective_gb_s_min: self.collective_gb_s_min,
            network: self.network.as_ref().map(|network| NetworkPromise {
                gbit_s_min: network.gbit_s_min,
                latency_us_max: network.latency_us_max,
                seconds_min: network.seconds_min,
            }),
            storage,
            success_min: percent(&self.success_percent_min)?,
            first_token_p99_ms_max: self.first_token_p99_ms_max,
            per_token_p99_ms_max: self.per_token_p99_ms_max,
            output_tokens_s_min: self.output_tokens_s_min,
            serving_load: self.serving_load.as_ref().map(|load| ServingLoad {
                requests_s: load.requests_s,
                requests_min: load.requests_min,
            }),
            stress: self.stress.as_ref().map(StressPromiseInput::checked).transpose()?,
            reference: self.reference.as_ref().map(ReferencePromiseInput::checked).transpose()?,
            ..Promise::of(name(&self.card)?, self.cards)
        })
    }
}

impl StoragePromiseInput {
    fn checked(&self) -> StoragePromise {
        StoragePromise {
            operation: self.operation.into(),
            block_bytes: self.block_bytes,
            queue_depth: self.queue_depth,
            jobs: self.jobs,
            mib_s_min: self.mib_s_min,
            operations_s_min: self.operations_s_min,
            latency_p99_ms_max: self.latency_p99_ms_max,
            seconds_min: self.seconds_min,
        }
    }
}

impl StressPromiseInput {
    fn checked(&self) -> Result<StressPromise, Invalid> {
        Ok(StressPromise {
            gflops_min: self.gflops_min,
            slowest_of_median_min: self
                .slowest_of_median_percent_min
                .map(Percent::new)
                .transpose()?,
        })
    }
}

impl ReferencePromiseInput {
    fn checked(&self) -> Result<ReferencePromise, Invalid> {
        Ok(ReferencePromise { scenario: name(&self.scenario)?, figure: self.figure })
    }
}
