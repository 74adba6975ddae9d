//! `sixgate schema`: the GraphQL schema as text, exactly as it is committed.

use std::process::ExitCode;

use crate::output;

pub(crate) fn execute() -> anyhow::Result<ExitCode> {
    output::line(sixgate_graphql::sdl().trim_end())?;
    Ok(ExitCode::SUCCESS)
}
