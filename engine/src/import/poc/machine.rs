//! The output of tests of the hardware, as the verdicts need it.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use sixgate_evidence as read;
use sixgate_workflows::{
    invalid::Invalid,
    poc::reading::{
        DiagnosticFinding, DiagnosticsReading, KernelError, KernelLogReading, NetworkReading,
        ReferenceReading, StressCard, StressReading, TelemetryReading,
    },
    text::Name,
};

use super::{cards, count, figure, shortened};

/// Findings and errors are kept up to here; more of them say nothing new.
const FINDINGS_MAX: usize = 32;

const TOOL_UNKNOWN: &str = "perftest";

/// Of several message sizes the largest for bandwidth and the smallest for latency.
pub(super) fn perftest(facts: &read::Perftest) -> Result<NetworkReading, Invalid> {
    let largest = facts.rows.iter().filter(|row| row.average_gbit_s.is_some());
    let smallest = facts.rows.iter().filter(|row| row.typical_us.or(row.avg_us).is_some());
    let bandwidth = largest.max_by_key(|row| row.bytes).and_then(|row| row.average_gbit_s);
    let latency = smallest.min_by_key(|row| row.bytes);
    Ok(NetworkReading {
        test: shortened(facts.test.as_deref().unwrap_or(TOOL_UNKNOWN))?,
        gbit_s: figure("average_gbit_s", bandwidth)?,
        latency_us: figure(
            "p99_us",
            latency.and_then(|row| row.p99_us.or(row.typical_us).or(row.avg_us)),
        )?,
        seconds: None,
        error: None,
    })
}

/// What was received counts, not what was sent.
pub(super) fn iperf3(facts: &read::Iperf3) -> Result<NetworkReading, Invalid> {
    let protocol = facts.protocol.as_deref().unwrap_or("tcp").to_lowercase();
    let direction = if facts.reverse == Some(true) { " reverse" } else { "" };
    Ok(NetworkReading {
        test: shortened(&format!("iperf3 {protocol}{direction}"))?,
        gbit_s: figure("received_gbit_s", facts.received_gbit_s)?,
        latency_us: None,
        seconds: figure("seconds", facts.seconds)?,
        error: facts.error.as_deref().map(shortened).transpose()?,
    })
}

pub(super) fn stress(facts: &read::GpuBurn) -> Result<StressReading, Invalid> {
    let card = |card: &read::BurnCard| -> Result<StressCard, Invalid> {
        Ok(StressCard {
            gflops: figure("gflops", card.gflops)?,
            errors: card.errors,
            died: card.died,
            faulty: card.verdict.map(|verdict| match verdict {
                read::BurnVerdict::Ok => false,
                read::BurnVerdict::Faulty => true,
            }),
        })
    };
    Ok(StressReading {
        finished: facts.finished,
        progress_percent: figure("progress_pct", facts.progress_pct)?,
        cards: facts.cards.iter().map(card).collect::<Result<_, _>>()?,
    })
}

pub(super) fn diagnostics(facts: &read::DcgmDiag) -> Result<DiagnosticsReading, Invalid> {
    let small = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
    let mut findings = Vec::new();
    let errors = facts.tests.iter().flat_map(|test| test.errors.iter().map(move |e| (test, e)));
    for (test, error) in errors.take(FINDINGS_MAX) {
        findings.push(DiagnosticFinding {
            test: shortened(&test.name)?,
            id: small(error.id),
            severity: small(error.severity),
            category: small(error.category),
            text: shortened(&error.text)?,
        });
    }
    Ok(DiagnosticsReading {
        executed: count(facts.executed)?,
        failed: count(facts.failed)?,
        skipped: count(facts.skipped)?,
        findings,
    })
}

pub(super) fn kernel_log(facts: &read::KernelLog) -> Result<KernelLogReading, Invalid> {
    let error = |xid: &read::Xid| -> Result<KernelError, Invalid> {
        Ok(KernelError {
            xid: xid.xid,
            card: shortened(xid.pci.as_deref().unwrap_or("unknown"))?,
            count: u32::try_from(xid.count).unwrap_or(u32::MAX),
        })
    };
    let lost = |device: &read::LostDevice| -> Result<Name, Invalid> {
        shortened(device.pci.as_deref().unwrap_or(&device.text))
    };
    Ok(KernelLogReading {
        errors: facts.xids.iter().take(FINDINGS_MAX).map(error).collect::<Result<_, _>>()?,
        lost: facts.lost.iter().take(FINDINGS_MAX).map(lost).collect::<Result<_, _>>()?,
    })
}

pub(super) fn telemetry(facts: &read::DcgmMetrics) -> Result<TelemetryReading, Invalid> {
    let masks = ["DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"];
    let mask_of = |gpu: &read::DcgmGpu| {
        let value = masks.iter().find_map(|name| gpu.metrics.get(*name).copied().flatten())?;
        decimal_mask(value)
    };
    // One card without the counter leaves the whole unknown.
    let all: Option<Vec<u64>> = facts.gpus.iter().map(mask_of).collect();
    Ok(TelemetryReading {
        names: cards::names(facts.gpus.iter().filter_map(|gpu| gpu.model.as_deref()))?,
        cards: count(facts.gpus.len())?,
        throttle_mask: all.and_then(|masks| masks.into_iter().reduce(|a, b| a | b)),
        xids: facts.gpus.iter().filter_map(|gpu| gpu.xid_last).collect(),
    })
}

fn decimal_mask(value: f64) -> Option<u64> {
    use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
    Decimal::from_f64(value)?.to_u64()
}

pub(super) fn reference(facts: &read::Mlperf) -> Result<ReferenceReading, Invalid> {
    let scenario = facts.scenario.as_deref().map(shortened).transpose()?;
    let latency = ["SingleStream", "MultiStream"];
    let is_latency = facts.scenario.as_deref().is_some_and(|name| latency.contains(&name));
    Ok(ReferenceReading {
        scenario,
        performance: facts.mode.as_deref().map(|mode| mode == "PerformanceOnly"),
        valid: facts.result.map(|result| match result {
            read::MlperfResult::Valid => true,
            read::MlperfResult::Invalid => false,
        }),
        errors: facts.errors.map(|errors| u32::try_from(errors).unwrap_or(u32::MAX)),
        figure: figure("metric", facts.metric.as_ref().and_then(|metric| metric.value))?,
        is_latency,
    })
}

/// Options of a tool, by name.
pub(super) type Options = BTreeMap<String, String>;
