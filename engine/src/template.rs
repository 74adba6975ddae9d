//! Writes the brief in the template that its reader knows, as text or as a workbook.
//!
//! ```text
//! rows       each group's labels and values, in words that the reader knows
//! workbook   the same rows as xlsx
//! ```
//!
//! The rule: what is read from what was written is the brief that was written. The template has no
//! place for some things – why a field is to be determined, a range of words, a comma in a name –
//! so every writing is read back, and the fields that would come back otherwise are named with it.

mod rows;
mod workbook;

use serde_json::Value;
use sixgate_evidence::{Facts, Kind};
use sixgate_workflows::{
    locale::Locale,
    needs::{brief::Brief, difference::changes},
};

use self::rows::{Group, groups};

/// A brief in the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    /// The paths of fields that the template cannot carry, as `environment.template`.
    pub not_read_back: Vec<String>,
}

pub fn text(brief: &Brief, locale: Locale) -> Written {
    let text: String = groups(brief, locale).iter().map(|group| lines(group, locale)).collect();
    let not_read_back = lost(brief, text.as_bytes());
    Written { text, not_read_back }
}

/// The same rows as an Excel workbook of one sheet.
pub fn workbook(brief: &Brief, locale: Locale) -> Vec<u8> {
    workbook::packed(&groups(brief, locale))
}

fn lines(group: &Group, locale: Locale) -> String {
    let colon = match locale {
        Locale::En => ": ",
        Locale::ZhCn => "：",
    };
    let value = group.value.as_deref().unwrap_or_default();
    let mut text = format!("【{}】{value}\n", group.heading);
    for (label, value) in &group.rows {
        text.extend([label.as_str(), colon, value, "\n"]);
    }
    text.push('\n');
    text
}

fn lost(brief: &Brief, written: &[u8]) -> Vec<String> {
    let read = sixgate_evidence::read(Kind::Brief, written).ok();
    let read = read.and_then(|document| {
        let Facts::Brief(facts) = document.facts else { return None };
        crate::import::brief(&facts).ok()
    });
    // A text that is no brief at all carries nothing of it.
    let read = read.unwrap_or_else(Brief::blank);
    let open = |value: &Value| value.get("tbd").is_some();
    let found = changes(brief, &read).into_iter();
    found
        .filter(|change| !(open(&change.before) && open(&change.after)))
        .map(|change| change.field)
        .collect()
}
