//! Every rejection that exists is provoked, and each can be read in both languages.

mod provoked;

use std::collections::BTreeSet;

use sixgate_workflows::{locale::Locale, rejection::Rejection, texts};

/// `NoSuchPerson` as `no_such_person`.
pub(crate) fn snake_case(variant: &str) -> String {
    let mut snake = String::new();
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// The variants of an enum, from its formatted source.
pub(crate) fn variants(source: &str, opening: &str) -> Vec<String> {
    let body = source.split_once(opening).unwrap().1.split_once("\n}").unwrap().0;
    body.lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| {
            let end = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
            snake_case(&line[..end])
        })
        .collect()
}

fn all() -> BTreeSet<String> {
    let source = include_str!("../../src/rejection.rs");
    variants(source, "pub enum Rejection {").into_iter().collect()
}

#[test]
fn every_rejection_is_provoked_by_some_command() {
    let provoked: BTreeSet<String> = provoked::all().iter().map(Rejection::code).collect();
    assert_eq!(provoked, all());
    assert!(provoked.len() > 50, "the variants were not found in their source");
}

#[test]
fn every_rejection_says_what_is_wrong_in_both_languages() {
    for rejection in provoked::all() {
        let key = format!("rejection.{}", rejection.code());
        for locale in Locale::ALL {
            let said = texts::rejection(&rejection, locale);
            assert!(!said.contains(['{', '}']), "{said}");
            assert_ne!(said, key);
        }
        let chinese = texts::rejection(&rejection, Locale::ZhCn);
        assert!(
            chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
                || chinese.contains('：')
        );
    }
}

#[test]
fn no_word_of_the_program_is_left_untranslated() {
    for rejection in provoked::all() {
        // Which value is refused, and which field is open, is told in the program's own words.
        if matches!(rejection, Rejection::InvalidValue { .. } | Rejection::SizingNeeds { .. }) {
            continue;
        }
        let said = texts::rejection(&rejection, Locale::ZhCn);
        let word = said.split(|c: char| !c.is_ascii_alphabetic()).find(|word| word.len() > 3);
        assert_eq!(word, None, "{said}");
    }
}

#[test]
fn a_rejection_carries_the_data_that_explains_it() {
    for rejection in provoked::all() {
        assert!(!rejection.details().contains_key("code"));
        assert_eq!(rejection.to_string(), rejection.code());
        let closed = matches!(rejection, Rejection::GateClosed { .. });
        assert_eq!(!rejection.blockers().is_empty(), closed);
    }
}
