//! `sixgate brief`: the template of the brief, blank or filled in from a procurement.
//!
//! The rule: what is written can be read again by `sixgate read brief` and by the API. Fields that
//! the template has no place for are named on standard error, so nobody takes the file for the
//! whole brief.

use std::process::ExitCode;

use anyhow::Context;
use sixgate_engine::template;
use sixgate_workflows::needs::brief::Brief;

use crate::arguments::{BriefExportArguments, BriefTemplateArguments, TemplateFormat};
use crate::{output, store};

pub(crate) fn template(arguments: &BriefTemplateArguments) -> anyhow::Result<ExitCode> {
    write(&Brief::blank(), arguments)
}

pub(crate) async fn export(arguments: BriefExportArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = super::person::open(&arguments.store).await?;
    let brief = {
        let views = opened.engine.views();
        let mut all = views.procurements.states().filter_map(Option::as_ref);
        let found = all.find(|procurement| procurement.id == arguments.procurement);
        let found =
            found.with_context(|| format!("there is no procurement {}", arguments.procurement))?;
        let fact = found.needs.brief.as_ref();
        fact.context("the procurement has no brief yet")?.value.clone()
    };
    write(&brief, &arguments.template)
}

fn write(brief: &Brief, arguments: &BriefTemplateArguments) -> anyhow::Result<ExitCode> {
    let written = template::text(brief, arguments.locale);
    let bytes = match arguments.format {
        TemplateFormat::Text => written.text.into_bytes(),
        TemplateFormat::Xlsx => template::workbook(brief, arguments.locale),
    };
    match &arguments.output {
        Some(file) => std::fs::write(file, bytes)
            .with_context(|| format!("could not write {}", file.display()))?,
        None => output::line(String::from_utf8_lossy(&bytes).trim_end())?,
    }
    if !written.not_read_back.is_empty() {
        tracing::warn!(
            fields = written.not_read_back.join(", "),
            "the template has no place for these fields as they are; read again, they differ"
        );
    }
    Ok(ExitCode::SUCCESS)
}
