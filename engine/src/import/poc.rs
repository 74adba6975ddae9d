//! Tool output as evidence for the acceptance.

mod cards;
mod machine;
mod storage;

use rust_decimal::Decimal;
use sixgate_evidence::{Document, Facts, LlmBench, NcclTests};
use sixgate_workflows::{
    evidence::EvidenceFile,
    invalid::Invalid,
    poc::{
        Evidence,
        reading::{CollectiveReading, Reading, RequestRate, ServingReading},
    },
    text::Name,
};

use super::decimal;
use crate::error::Error;

pub(super) fn evidence(file: EvidenceFile, document: &Document) -> Result<Evidence, Error> {
    let because = document.incomplete_because.as_deref().map(shortened);
    Ok(Evidence {
        file,
        reader_version: document.kind.reader_version(),
        complete: document.complete,
        incomplete_because: because.transpose().map_err(Error::ImportValue)?,
        reading: machine_reading(document).map_err(Error::ImportValue)?,
    })
}

/// What a tool's output says about a machine; refused for a file that says nothing about one.
pub fn machine_reading(document: &Document) -> Result<Reading, Invalid> {
    match &document.facts {
        Facts::GpuInventory(facts) => cards::reading(facts).map(Reading::Cards),
        Facts::NcclTests(facts) => collective(facts).map(Reading::Collective),
        Facts::LlmBench(facts) => serving(facts).map(Reading::Serving),
        Facts::Perftest(facts) => machine::perftest(facts).map(Reading::Network),
        Facts::Iperf3(facts) => machine::iperf3(facts).map(Reading::Network),
        Facts::Fio(facts) => storage::reading(facts).map(Reading::Storage),
        Facts::GpuBurn(facts) => machine::stress(facts).map(Reading::Stress),
        Facts::DcgmDiag(facts) => machine::diagnostics(facts).map(Reading::Diagnostics),
        Facts::KernelLog(facts) => machine::kernel_log(facts).map(Reading::KernelLog),
        Facts::DcgmMetrics(facts) => machine::telemetry(facts).map(Reading::Telemetry),
        Facts::Mlperf(facts) => machine::reference(facts).map(Reading::Reference),
        Facts::Brief(_)
        | Facts::Quote(_)
        | Facts::Prices(_)
        | Facts::Bill(_)
        | Facts::Usage(_)
        | Facts::HfConfig(_) => Err(Invalid::new(
            "file",
            format!("is a {}, which says nothing about a machine", document.kind.as_str()),
        )),
    }
}

fn shortened(text: &str) -> Result<Name, Invalid> {
    Name::new(&text.chars().take(Name::CHARACTERS_MAX).collect::<String>())
}

fn collective(facts: &NcclTests) -> Result<CollectiveReading, Invalid> {
    Ok(CollectiveReading {
        ranks: facts.ranks,
        peak_gb_s: figure("peak_busbw_gb_s", facts.peak_busbw_gb_s)?,
        out_of_bounds: facts.out_of_bounds.map(|wrong| u32::try_from(wrong).unwrap_or(u32::MAX)),
    })
}

fn serving(facts: &LlmBench) -> Result<ServingReading, Invalid> {
    let requests = |count: u64| {
        u32::try_from(count).map_err(|_| Invalid::new("requests", "are too many to be counted"))
    };
    let completed = facts.completed.ok_or_else(|| {
        Invalid::new("completed", "is missing: the file does not say how many requests succeeded")
    })?;
    Ok(ServingReading {
        issued: facts.issued.map(requests).transpose()?,
        completed: requests(completed)?,
        first_token_p99_ms: figure("ttft_ms.p99", facts.ttft_ms.p99)?,
        per_token_p99_ms: figure("tpot_ms.p99", facts.tpot_ms.p99)?,
        output_tokens_s: figure("output_tokens_s", facts.output_tokens_s)?,
        load: load(facts)?,
    })
}

/// The tools that always say at what rate they sent write nothing for "as fast as possible".
fn load(facts: &LlmBench) -> Result<Option<RequestRate>, Invalid> {
    Ok(match facts.request_rate {
        Some(rate) => Some(RequestRate::PerSecond(decimal("request_rate", rate)?)),
        None => matches!(&*facts.tool, "vllm" | "sglang").then_some(RequestRate::Unlimited),
    })
}

fn figure(what: &'static str, value: Option<f64>) -> Result<Option<Decimal>, Invalid> {
    value.map(|value| decimal(what, value)).transpose()
}

fn count(number: usize) -> Result<u32, Invalid> {
    u32::try_from(number).map_err(|_| Invalid::new("cards", "are too many to be counted"))
}
