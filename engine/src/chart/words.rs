//! Texts of the catalogue with the figures of a chart in them.

use sixgate_workflows::{locale::Locale, texts};

pub(super) fn filled(key: &str, locale: Locale, figures: &[(&str, &str)]) -> String {
    texts::filled(&format!("chart.{key}"), locale, |name| {
        figures.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    })
}

pub(super) fn word(key: &str, locale: Locale) -> String {
    filled(key, locale, &[])
}

/// Sentences one after the other, none of them empty.
pub(super) fn paragraph(sentences: impl IntoIterator<Item = String>, locale: Locale) -> String {
    let sentences: Vec<_> = sentences.into_iter().filter(|text| !text.is_empty()).collect();
    sentences.join(match locale {
        Locale::En => " ",
        Locale::ZhCn => "",
    })
}

/// Names and figures of one kind behind each other.
pub(super) fn listed(items: impl IntoIterator<Item = String>, locale: Locale) -> String {
    let items: Vec<_> = items.into_iter().collect();
    items.join(match locale {
        Locale::En => "; ",
        Locale::ZhCn => "；",
    })
}
