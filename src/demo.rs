//! The sample organisation, taken through all six stages.

use std::process::ExitCode;

use crate::arguments::DemoArguments;

pub(crate) async fn run(_arguments: DemoArguments) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the demo is not available in this build")
}
