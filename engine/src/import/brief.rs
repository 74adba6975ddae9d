//! The brief as read from its template.

use sixgate_evidence as read;
use sixgate_workflows::{
    estimate::Estimate,
    invalid::Invalid,
    needs::brief::{
        Brief, Cards, Contact, Environment, Fabric, Interconnect, Load, Model, Precision, Storage,
        Targets, Term, Use,
    },
    percent::Percent,
    text::Name,
};

use super::decimal;

/// What the template says; what it leaves out is to be determined.
pub fn brief(facts: &read::Brief) -> Result<Brief, Invalid> {
    Ok(Brief {
        usage: estimate(&facts.r#use, |value| {
            Ok(match value {
                read::brief::Use::OnlineInference => Use::OnlineInference,
                read::brief::Use::BatchInference => Use::BatchInference,
                read::brief::Use::FineTuning => Use::FineTuning,
                read::brief::Use::Training => Use::Training,
            })
        })?,
        model: model(&facts.model)?,
        targets: Targets {
            peak_concurrency: estimate(&facts.model.peak_concurrency, |value| Ok(*value))?,
            context_tokens: estimate(&facts.model.context_tokens, |value| Ok(*value))?,
            latency_ms: figure("latency_ms", &facts.model.latency_ms)?,
        },
        cards: cards(&facts.cards)?,
        interconnect: interconnect(&facts.interconnect)?,
        storage: storage(&facts.storage)?,
        environment: Environment {
            template: name(&facts.environment.template)?,
            image: name(&facts.environment.image)?,
            cuda: name(&facts.environment.cuda)?,
            driver: name(&facts.environment.driver)?,
        },
        term: term(&facts.term)?,
        region: name(&facts.region)?,
        contact: Contact {
            name: name(&facts.contact.name)?,
            team: name(&facts.contact.team)?,
            reachable: name(&facts.contact.reachable)?,
        },
    })
}

fn estimate<T, U: PartialOrd + Clone>(
    value: &read::Estimate<T>,
    convert: impl Fn(&T) -> Result<U, Invalid>,
) -> Result<Estimate<U>, Invalid> {
    match value {
        read::Estimate::Known { known } => Ok(Estimate::known(convert(known)?)),
        read::Estimate::Range { low, high } => Estimate::range(convert(low)?, convert(high)?),
        read::Estimate::Tbd { tbd } => Ok(Estimate::tbd(tbd)),
    }
}

fn figure(
    what: &'static str,
    value: &read::Estimate<f64>,
) -> Result<Estimate<rust_decimal::Decimal>, Invalid> {
    estimate(value, |figure| decimal(what, *figure))
}

fn name(value: &read::Estimate<String>) -> Result<Estimate<Name>, Invalid> {
    estimate(value, |text| Name::new(text))
}

fn model(facts: &read::brief::Model) -> Result<Model, Invalid> {
    Ok(Model {
        parameters_b: figure("parameters_b", &facts.parameters_b)?,
        precision: estimate(&facts.precision, |text| precision(text))?,
        vram_per_card_gib: figure("vram_per_card_gib", &facts.vram_per_card_gib)?,
        tensor_parallel: estimate(&facts.tensor_parallel, |value| Ok(*value))?,
        data_parallel: estimate(&facts.data_parallel, |value| Ok(*value))?,
        pipeline_parallel: estimate(&facts.pipeline_parallel, |value| Ok(*value))?,
    })
}

fn precision(text: &str) -> Result<Precision, Invalid> {
    match text.to_ascii_lowercase().as_str() {
        "fp32" => Ok(Precision::Fp32),
        "bf16" => Ok(Precision::Bf16),
        "fp16" => Ok(Precision::Fp16),
        "fp8" => Ok(Precision::Fp8),
        "int8" => Ok(Precision::Int8),
        "int4" | "fp4" => Ok(Precision::Int4),
        other => Err(Invalid::new("precision", format!("`{other}` is not known"))),
    }
}

fn cards(facts: &read::brief::Cards) -> Result<Cards, Invalid> {
    let substitutes = match &facts.substitutes {
        read::Estimate::Known { known } => {
            known.iter().map(|card| Name::new(card)).collect::<Result<_, _>>()?
        }
        read::Estimate::Range { .. } | read::Estimate::Tbd { .. } => Vec::new(),
    };
    Ok(Cards {
        model: name(&facts.model)?,
        substitutes,
        total: estimate(&facts.total, |value| Ok(*value))?,
        per_node: estimate(&facts.per_node, |value| Ok(*value))?,
    })
}

fn interconnect(facts: &read::brief::Interconnect) -> Result<Interconnect, Invalid> {
    Ok(Interconnect {
        nvlink: estimate(&facts.nvlink, |value| Ok(*value))?,
        between_nodes: estimate(&facts.between_nodes, |fabric| {
            Ok(match fabric {
                read::brief::BetweenNodes::None => Fabric::None,
                read::brief::BetweenNodes::Infiniband => Fabric::Infiniband,
                read::brief::BetweenNodes::Roce => Fabric::Roce,
            })
        })?,
        bandwidth_gbit_s: figure("bandwidth_gbit_s", &facts.bandwidth_gbit_s)?,
    })
}

fn storage(facts: &read::brief::Storage) -> Result<Storage, Invalid> {
    Ok(Storage {
        dataset_gib: figure("dataset_gib", &facts.dataset_gib)?,
        read_gib_s: figure("read_gib_s", &facts.read_gib_s)?,
        checkpoint_gib: figure("checkpoint_gib", &facts.checkpoint_gib)?,
        checkpoint_interval_min: figure("checkpoint_interval_min", &facts.checkpoint_interval_min)?,
        volume_gib: figure("volume_gib", &facts.volume_gib)?,
        shared: estimate(&facts.shared, |value| Ok(*value))?,
    })
}

fn term(facts: &read::brief::Term) -> Result<Term, Invalid> {
    Ok(Term {
        start: estimate(&facts.start, |day| Ok(*day))?,
        months: estimate(&facts.months, |months| whole_months(*months))?,
        load: estimate(&facts.load, |load| {
            Ok(match load {
                read::brief::Load::Steady => Load::Steady,
                read::brief::Load::Bursty => Load::Bursty,
            })
        })?,
        utilisation: estimate(&facts.utilisation_pct, |percent| {
            Percent::new(decimal("utilisation_pct", *percent)?)
        })?,
        phased: estimate(&facts.phased, |value| Ok(*value))?,
    })
}

/// Part of a month is a month to plan for.
fn whole_months(months: f64) -> Result<u32, Invalid> {
    use rust_decimal::prelude::ToPrimitive;
    decimal("months", months)?
        .ceil()
        .to_u32()
        .ok_or_else(|| Invalid::new("months", format!("{months} is not a duration")))
}
