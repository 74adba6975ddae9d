//! The brief as a file that people fill in.

use async_graphql::Object;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sixgate_engine::template;
use sixgate_workflows::{locale::Locale, needs::brief::Brief};

pub(crate) struct BriefTemplate {
    pub brief: Brief,
    pub locale: Locale,
}

#[Object]
impl BriefTemplate {
    /// As plain text with the nine headings.
    async fn text(&self) -> String {
        template::text(&self.brief, self.locale).text
    }

    /// The same as an Excel workbook, in base64.
    async fn xlsx(&self) -> String {
        STANDARD.encode(template::workbook(&self.brief, self.locale))
    }

    /// Fields that the template has no place for as they are, by their paths: read again, they
    /// differ.
    async fn not_read_back(&self) -> Vec<String> {
        template::text(&self.brief, self.locale).not_read_back
    }
}
