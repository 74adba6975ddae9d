//! The few ways in which a clause gives a leaf: a number with a unit, a yes or no, a piece of text.
//!
//! A clause that names the leaf and says 待定 settles it: it is to be determined, with the clause as the note.
//! Which words name which leaf is said by the callers.

use super::Group;
use crate::brief::clauses::{self, Named};
use crate::brief::quantity;
use crate::document::Warnings;
use crate::{Estimate, Warning};

/// What names a leaf and the units its number may have; the unit `""` is a bare number.
pub(super) struct Sought<'a> {
    pub(super) words: &'a [&'a str],
    pub(super) units: &'a [(&'a str, f64)],
}

impl Group<'_> {
    pub(super) fn number(&self, sought: &Sought<'_>, warnings: &mut Warnings) -> Estimate<f64> {
        for clause in &self.clauses {
            let Some(named) = clauses::named(clause, sought.words) else { continue };
            if let Some(found) = number_in(&named, sought, warnings) {
                return found;
            }
            if clauses::is_open(clause) {
                return Estimate::tbd(*clause);
            }
        }
        Estimate::tbd(&self.note)
    }

    pub(super) fn count(&self, sought: &Sought<'_>, warnings: &mut Warnings) -> Estimate<u32> {
        whole(self.number(sought, warnings))
    }

    /// Named and not denied is yes.
    pub(super) fn yes(&self, words: &[&str]) -> Estimate<bool> {
        match self.clauses.iter().find_map(|clause| clauses::named(clause, words)) {
            None => Estimate::tbd(&self.note),
            Some(named) if clauses::is_open(named.clause) => Estimate::tbd(named.clause),
            Some(named) => {
                let denied = named.before.ends_with(['不', '无', '非']);
                Estimate::known(!denied && !clauses::is_negative(named.clause))
            }
        }
    }

    /// The first of the words that occurs, in the spelling given here.
    pub(super) fn one_of(&self, words: &[(&str, &str)]) -> Estimate<String> {
        let lower = self.clauses.join("\n").to_lowercase();
        match words.iter().find(|(word, _)| lower.contains(word)) {
            Some((_, spelling)) => Estimate::known((*spelling).to_owned()),
            None => Estimate::tbd(&self.note),
        }
    }

    /// What follows one of the words in its clause.
    pub(super) fn text_after(&self, words: &[&str]) -> Estimate<String> {
        for clause in &self.clauses {
            let Some(named) = clauses::named(clause, words) else { continue };
            let text = named.after.trim_start_matches([':', '=', ' ', '为']).trim();
            if clauses::is_open(clause) {
                return Estimate::tbd(*clause);
            }
            if !text.is_empty() {
                return Estimate::known(text.to_owned());
            }
        }
        Estimate::tbd(&self.note)
    }
}

/// The number after the word is meant before one in front of it.
fn number_in(
    named: &Named<'_>,
    sought: &Sought<'_>,
    warnings: &mut Warnings,
) -> Option<Estimate<f64>> {
    let found = quantity::all(named.after).into_iter().chain(quantity::all(named.before));
    for quantity in found {
        let Some(estimate) = quantity.in_units(sought.units) else { continue };
        if quantity.is_approximate {
            let said = format!("{:?} is approximate", named.clause);
            warnings.push(Warning::new("approximate", said));
        }
        return Some(estimate);
    }
    None
}

pub(super) fn whole(estimate: Estimate<f64>) -> Estimate<u32> {
    match estimate {
        Estimate::Known { known } => match count(known) {
            Some(known) => Estimate::known(known),
            None => Estimate::tbd(format!("{known} is no whole number")),
        },
        Estimate::Range { low, high } => match (count(low), count(high)) {
            (Some(low), Some(high)) => Estimate::range(low, high),
            _ => Estimate::tbd(format!("{low} to {high} are no whole numbers")),
        },
        Estimate::Tbd { tbd } => Estimate::Tbd { tbd },
    }
}

fn count(number: f64) -> Option<u32> {
    if number.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number in range")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let whole = number as u32;
    Some(whole)
}
