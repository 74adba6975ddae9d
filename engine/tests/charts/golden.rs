//! Charts whose bytes are kept: a change of them is meant, or it is a fault.
//!
//! `UPDATE_GOLDEN=1` writes them anew.

use std::{fs, path::Path};

use sixgate_workflows::locale::Locale;

use crate::{page, samples};

#[test]
fn every_kind_is_drawn_as_it_was_in_both_languages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/charts/golden");
    for locale in Locale::ALL {
        for (name, chart) in samples::all(locale) {
            let (file, drawn) = (folder.join(format!("{name}.{}.svg", locale.tag())), chart.svg());
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&file, &drawn).unwrap();
            }
            let kept = fs::read_to_string(&file).unwrap_or_default();
            assert!(kept == drawn, "{name} in {} is drawn otherwise than it was", locale.tag());
        }
    }
}

#[test]
fn every_kind_is_a_page_of_its_own_that_tells_what_it_shows() {
    for locale in Locale::ALL {
        for (name, chart) in samples::all(locale) {
            let page = page::read(&chart.svg()).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            assert!(!page.title.trim().is_empty(), "{name} has no title");
            assert_eq!(page.described, chart.told(), "{name}");
            assert!(!chart.told().contains('{'), "{name}: {}", chart.told());
        }
    }
}
