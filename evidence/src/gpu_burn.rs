//! Reads the console of gpu-burn: its progress, drawn over itself, and its verdicts.
//!
//! The run is complete when every card it says it tested has a verdict; the exit code says nothing and is not there.
//! Work done is reported beside the verdict, because a card that did nothing is called OK too.

mod progress;
mod run;

use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
use run::Run;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GpuBurn {
    pub finished: bool,
    /// The furthest that was drawn; null when no progress was.
    pub progress_pct: Option<f64>,
    /// From the line `Tested N GPUs:`.
    pub cards_tested: Option<u32>,
    pub cards: Vec<BurnCard>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BurnCard {
    pub index: u32,
    pub name: Option<String>,
    pub uuid: Option<String>,
    /// The last figure after the card had done work; null when it did none.
    pub gflops: Option<f64>,
    /// Over all summaries, because the tool counts anew after each; null when never drawn. A counter that ran over is
    /// given as what it must have passed.
    pub errors: Option<u64>,
    pub died: bool,
    pub verdict: Option<BurnVerdict>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BurnVerdict {
    Ok,
    Faulty,
}

const CARDS_MAX: u32 = 4096;
const RUNS_MAX: usize = 1000;

pub(crate) fn is_gpu_burn(content: &str) -> bool {
    content.contains("Gflop/s)") && content.contains("proc'd:")
        || content.contains("Burning for ") && content.contains(" seconds")
        || run::tested(content).is_some()
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    if !is_gpu_burn(text.content()) {
        let looked_for = "the progress or the verdicts of gpu-burn";
        return Err(Refused::not_this_kind(Kind::GpuBurn, looked_for));
    }
    text.refuse_long_lines()?;
    let mut warnings = Warnings::default();
    let mut runs = vec![Run::default()];
    for line in text.lines() {
        let last = runs.len() - 1;
        if runs[last].is_over_before(line.text) && runs.len() < RUNS_MAX {
            runs.push(Run::beginning_on(line.number));
        }
        let last = runs.len() - 1;
        runs[last].line(line, &mut warnings);
    }
    let best = (0..runs.len()).max_by_key(|at| (runs[*at].is_finished(), *at)).unwrap_or(0);
    if runs.len() > 1 {
        let said = format!("the file has {} runs; this one is given", runs.len());
        warnings.push(Warning::at("several_runs", runs[best].first_line, said));
    }
    let (facts, incomplete_because) = runs.swap_remove(best).finish();
    Ok(Document::new(
        Kind::GpuBurn,
        Facts::GpuBurn(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}
