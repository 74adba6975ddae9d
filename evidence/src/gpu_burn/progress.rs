//! One drawing of the progress: percent, work and speed of each card, errors of each card.
//!
//! Temperatures are left alone: the tool hands them out in another order than the cards.
//! Several drawings may stand in one line where the returns between them were lost.

pub(super) struct Progress {
    pub(super) percent: Option<f64>,
    pub(super) cards: Vec<Drawn>,
}

#[derive(Default)]
pub(super) struct Drawn {
    /// −1 for a card that died.
    pub(super) processed: Option<i64>,
    pub(super) gflops: Option<f64>,
    pub(super) errors: Option<i64>,
    pub(super) died: bool,
}

const WORK: &str = "proc'd:";

pub(super) fn drawings(line: &str) -> impl Iterator<Item = Progress> {
    let mut pieces = line.split(WORK);
    let mut before = pieces.next().unwrap_or("");
    pieces.map(move |piece| {
        let percent = percent_at_end(before);
        before = piece;
        Progress { percent, cards: cards(piece) }
    })
}

/// `…  temps: 50 C - 45 C 30.0%  `
fn percent_at_end(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next_back()?.strip_suffix('%')?;
    word.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

fn cards(piece: &str) -> Vec<Drawn> {
    let (work, rest) = piece.split_once("errors:").unwrap_or((piece, ""));
    let errors = rest.split("temps:").next().unwrap_or("");
    let mut cards: Vec<Drawn> = work.split(" - ").filter_map(work_of).collect();
    let mut at = 0;
    // Marks belong to the count before them: `0 - -524288000  (WARNING!)- 0`.
    for word in errors.split_whitespace() {
        let word = word.trim_end_matches('-');
        if let Ok(count) = word.parse::<i64>() {
            if let Some(card) = cards.get_mut(at) {
                card.errors = Some(count);
            }
            at += 1;
        } else if word == "(DIED!)"
            && let Some(card) = at.checked_sub(1).and_then(|at| cards.get_mut(at))
        {
            card.died = true;
        }
    }
    cards
}

/// `81 (47174 Gflop/s)`
fn work_of(text: &str) -> Option<Drawn> {
    let (processed, rest) = text.trim().split_once('(')?;
    let gflops = rest.split_once("Gflop/s")?.0.trim().parse().ok();
    Some(Drawn {
        processed: processed.trim().parse().ok(),
        gflops: gflops.filter(|gflops: &f64| gflops.is_finite()),
        ..Drawn::default()
    })
}
