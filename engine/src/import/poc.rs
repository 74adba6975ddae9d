//! Tool output as evidence for the acceptance.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use sixgate_evidence::{CardState, Document, Facts, GpuInventory, LlmBench, NcclTests};
use sixgate_workflows::{
    evidence::EvidenceFile,
    invalid::Invalid,
    poc::{
        Evidence,
        reading::{CardsReading, CollectiveReading, Reading, ServingReading},
    },
    text::Name,
};

use super::decimal;
use crate::error::Error;

pub(super) fn evidence(file: EvidenceFile, document: &Document) -> Result<Evidence, Error> {
    let reading = match &document.facts {
        Facts::GpuInventory(facts) => cards(facts).map(Reading::Cards),
        Facts::NcclTests(facts) => collective(facts).map(Reading::Collective),
        Facts::LlmBench(facts) => serving(facts).map(Reading::Serving),
        Facts::Brief(_)
        | Facts::Quote(_)
        | Facts::Bill(_)
        | Facts::Usage(_)
        | Facts::HfConfig(_) => Err(Invalid::new(
            "file",
            format!("is a {}, which says nothing about a machine", document.kind.as_str()),
        )),
        Facts::DcgmDiag(_)
        | Facts::DcgmMetrics(_)
        | Facts::Fio(_)
        | Facts::GpuBurn(_)
        | Facts::KernelLog(_)
        | Facts::Perftest(_)
        | Facts::Iperf3(_)
        | Facts::Mlperf(_) => Err(Invalid::new(
            "file",
            format!("is a {}, which is read but not judged yet", document.kind.as_str()),
        )),
    };
    let because = document.incomplete_because.as_deref().map(shortened);
    Ok(Evidence {
        file,
        reader_version: document.kind.reader_version(),
        complete: document.complete,
        incomplete_because: because.transpose().map_err(Error::ImportValue)?,
        reading: reading.map_err(Error::ImportValue)?,
    })
}

fn shortened(text: &str) -> Result<Name, Invalid> {
    Name::new(&text.chars().take(Name::CHARACTERS_MAX).collect::<String>())
}

/// Sorted, so that the same file gives the same reading.
fn names<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<Name>, Invalid> {
    texts.collect::<BTreeSet<_>>().into_iter().map(Name::new).collect()
}

fn cards(facts: &GpuInventory) -> Result<CardsReading, Invalid> {
    let smallest = facts
        .cards
        .iter()
        .filter_map(|card| card.memory_total_mib)
        .map(|mib| decimal("memory_total_mib", mib))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .min();
    let growth = facts
        .cards
        .iter()
        .filter_map(|card| Some(card.memory_used_last_mib? - card.memory_used_first_mib?))
        .map(|mib| decimal("memory growth", mib.max(0.0)))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .max();
    let broken = facts.cards.iter().filter(|card| card.state != CardState::Ok).count();
    let masks = facts.cards.iter().map(|card| card.throttle_mask_seen);
    // One card without a reading leaves the whole unknown, unless another has already slowed down.
    let throttle_mask = masks.clone().collect::<Option<Vec<u64>>>().map_or_else(
        || masks.flatten().reduce(|a, b| a | b).filter(|mask| *mask & !0x5 != 0),
        |masks| masks.into_iter().reduce(|a, b| a | b),
    );
    Ok(CardsReading {
        names: names(facts.cards.iter().filter_map(|card| card.name.as_deref()))?,
        cards: count(facts.cards.len())?,
        memory_mib: smallest,
        driver: facts.driver.as_deref().map(Name::new).transpose()?,
        lost: count(facts.lost.len().max(broken))?,
        throttle_mask,
        memory_growth_mib: growth,
    })
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
    })
}

fn figure(what: &'static str, value: Option<f64>) -> Result<Option<Decimal>, Invalid> {
    value.map(|value| decimal(what, value)).transpose()
}

fn count(number: usize) -> Result<u32, Invalid> {
    u32::try_from(number).map_err(|_| Invalid::new("cards", "are too many to be counted"))
}
