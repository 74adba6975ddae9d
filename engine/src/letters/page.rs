//! What a letter is laid out from, in text as in HTML.

use std::collections::BTreeSet;

use sixgate_workflows::{content::Content, function::Function, locale::Locale, texts};

/// Content with its links.
pub(super) struct Page<'a> {
    pub(super) content: &'a Content,
    pub(super) locale: Locale,
    pub(super) functions: &'a BTreeSet<Function>,
    pub(super) link: Option<String>,
    /// Where this kind of letter can be turned off, if it can.
    pub(super) preferences: Option<String>,
    pub(super) is_optional: bool,
}

impl Page<'_> {
    pub(super) fn filled(&self, key: &str, words: &[(&str, &str)]) -> String {
        let word =
            |name: &str| words.iter().find(|(known, _)| *known == name).map(|(_, word)| *word);
        texts::filled(key, self.locale, word)
    }

    /// Whether the reader may turn it off; where that is done is said with it.
    pub(super) fn says_of_choice(&self) -> Option<String> {
        match (&self.preferences, self.is_optional) {
            (Some(page), true) => Some(self.filled("mail.unsubscribe", &[("url", page)])),
            (None, true) => None,
            (_, false) => {
                let functions: Vec<&str> = self.functions.iter().map(|f| f.id()).collect();
                Some(self.filled("mail.mandatory", &[("function", &functions.join(", "))]))
            }
        }
    }
}
