//! The words of `sixgate brief`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sixgate_workflows::{ids::ProcurementId, locale::Locale};

use super::{StoreArguments, locale};

#[derive(Debug, Subcommand)]
pub(crate) enum BriefCommand {
    /// Writes a blank template
    Template(BriefTemplateArguments),
    /// Writes the brief of a procurement, while no server runs on its data directory
    Export(BriefExportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct BriefTemplateArguments {
    /// The language of headings and labels: zh-CN or en
    #[arg(long, default_value = "zh-CN", value_parser = locale)]
    pub(crate) locale: Locale,
    /// A text, or an Excel workbook
    #[arg(long, value_enum, default_value_t = TemplateFormat::Text)]
    pub(crate) format: TemplateFormat,
    /// Where to write it; a text goes to standard output if absent
    #[arg(long, value_name = "FILE", required_if_eq("format", "xlsx"))]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BriefExportArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) template: BriefTemplateArguments,
    /// The id of the procurement
    #[arg(value_name = "ID")]
    pub(crate) procurement: ProcurementId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateFormat {
    Text,
    Xlsx,
}
