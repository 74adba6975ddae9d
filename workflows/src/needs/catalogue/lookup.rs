//! Which card a name means, whoever wrote it: a tool, a quote, a person.
//!
//! The rule: names are compared by whole tokens and the longest match wins, so an L20 is no L20X and
//! an A10 no A100. What is left over of the name must not speak against the match: a variant that
//! the catalogue does not have, such as a laptop's or a slice of a card, is unknown rather than its
//! namesake. A name that fits several cards says which.
//!
//! Memory alone never identifies a card, since four cards print 46068 MiB; it only chooses among
//! those that the name allows.

use super::{Catalogue, card::Card};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    Found(&'a Card),
    /// In the catalogue's order.
    Ambiguous(Vec<&'a Card>),
    Unknown,
}

/// Tokens that make another card of it when no alias has them.
const VARIANTS: [&str; 26] = [
    "d", "x", "e", "nvl", "ti", "super", "laptop", "mobile", "max", "q", "mig", "vgpu", "grid",
    "virtual", "1g", "2g", "3g", "4g", "7g", "1c", "pro", "ada", "sxm2", "duo", "v2", "3e",
];

impl Catalogue {
    pub fn lookup(&self, name: &str) -> Lookup<'_> {
        let wanted = tokens(name);
        let mut best: Vec<&Card> = Vec::new();
        let mut length = 0;
        for card in &self.cards {
            let names = card.aliases.iter().chain(&card.tool_names).chain([&card.name]);
            let longest = names.filter_map(|alias| matched(&wanted, &tokens(alias), card)).max();
            match longest {
                Some(found) if found > length => (best, length) = (vec![card], found),
                Some(found) if found == length => best.push(card),
                Some(_) | None => {}
            }
        }
        match best.as_slice() {
            [] => Lookup::Unknown,
            [card] => Lookup::Found(card),
            _ => Lookup::Ambiguous(best),
        }
    }

    /// By name and what the tool prints as total memory.
    pub fn identify(&self, name: &str, mib: u32) -> Lookup<'_> {
        let mut fitting = match self.lookup(name) {
            Lookup::Found(card) => vec![card],
            Lookup::Ambiguous(cards) => cards,
            Lookup::Unknown => Vec::new(),
        };
        fitting.retain(|card| card.may_have(mib));
        match fitting.as_slice() {
            [] => Lookup::Unknown,
            [card] => Lookup::Found(card),
            _ => Lookup::Ambiguous(fitting),
        }
    }
}

impl<'a> Lookup<'a> {
    /// The card to plan with: of several, the one with the least memory promises nothing that the
    /// others do not keep.
    pub fn cautious(&self) -> Option<&'a Card> {
        match self {
            Self::Found(card) => Some(card),
            Self::Ambiguous(cards) => cards.iter().copied().min_by_key(|card| card.memory_mib()),
            Self::Unknown => None,
        }
    }
}

/// How long the match is in tokens, if the alias is in the name and the rest does not speak against
/// it.
fn matched(wanted: &[String], alias: &[String], card: &Card) -> Option<usize> {
    if alias.is_empty() {
        return None;
    }
    let place = wanted.windows(alias.len()).position(|window| window == alias)?;
    let rest = wanted[..place].iter().chain(&wanted[place + alias.len()..]);
    let mut rest = rest.map(String::as_str);
    rest.all(|token| !VARIANTS.contains(&token) && memory_agrees(token, card))
        .then_some(alias.len())
}

/// A size in the name is the seller's, within a tenth of what the tool prints.
fn memory_agrees(token: &str, card: &Card) -> bool {
    let Some(size) = token.strip_suffix("gb").and_then(|size| size.parse::<u32>().ok()) else {
        return true;
    };
    card.memory_mib.iter().any(|mib| {
        let (named, known) = (u64::from(size) * 1_024, u64::from(*mib));
        named.abs_diff(known) * 10 <= known
    })
}

/// Lower-case words and numbers; a multiplier is dropped, a size gets its unit, and what is written
/// together is taken apart where a brand ends.
fn tokens(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let lower = name.chars().take(200).collect::<String>().to_lowercase();
    for word in lower.split(|c: char| !c.is_ascii_alphanumeric()) {
        let word = without_multiplier(word);
        if word.is_empty() {
            continue;
        }
        let unit = matches!(word, "g" | "gb" | "gib");
        match found.last_mut() {
            Some(last) if unit && last.bytes().all(|b| b.is_ascii_digit()) => last.push_str("gb"),
            _ => found.extend(taken_apart(word)),
        }
    }
    found
}

fn without_multiplier(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match word[digits..].strip_prefix('x') {
        Some(rest) if digits > 0 && !rest.is_empty() => rest,
        Some(_) | None => word,
    }
}

fn taken_apart(word: &str) -> Vec<String> {
    for brand in ["rtx", "ascend", "geforce", "nvidia", "tesla"] {
        if let Some(rest) = word.strip_prefix(brand)
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            let mut parts = vec![brand.to_owned()];
            parts.extend(taken_apart(rest));
            return parts;
        }
    }
    // "4090d" is a card of its own, "80g" a size.
    if let Some(size) = word.strip_suffix("gib").or_else(|| word.strip_suffix('g'))
        && size.len() >= 2
        && size.bytes().all(|b| b.is_ascii_digit())
    {
        return vec![format!("{size}gb")];
    }
    match word {
        "4090d" | "5090d" => vec![word[..4].to_owned(), "d".to_owned()],
        _ => vec![word.to_owned()],
    }
}
