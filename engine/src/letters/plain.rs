//! A letter as plain text, complete in itself: nothing in the HTML is missing here.

use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::page::Page;

const CELLS: usize = 20;

pub(super) fn plain(page: &Page) -> String {
    let footer = [Some(page.content.footer.clone()), page.says_of_choice()];
    let footer = footer.into_iter().flatten().collect::<Vec<_>>().join("\n");
    // Mail programs show what follows this line as a signature.
    format!("{}\n\n-- \n{footer}", words(page))
}

/// What it says, without what stands below every letter.
pub(super) fn words(page: &Page) -> String {
    let content = page.content;
    let mut blocks = vec![content.lead.clone(), content.body.clone()];
    let figures = content.figures.iter().map(|figure| line(page, &figure.label, &figure.value));
    blocks.push(figures.collect::<Vec<_>>().join("\n"));
    if let Some(chart) = &content.chart {
        let bars = chart
            .bars
            .iter()
            .map(|bar| format!("{} {}", cells(bar.part), line(page, &bar.label, &bar.shown)));
        blocks.push(headed(&chart.title, bars));
    }
    if let Some(list) = &content.list {
        blocks
            .push(headed(&list.title, list.items.iter().map(|item| format!("- {}", inset(item)))));
    }
    if let Some(link) = &page.link {
        blocks.push(page.filled("mail.link", &[("action", &content.action), ("url", link)]));
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n")
}

fn line(page: &Page, label: &str, value: &str) -> String {
    page.filled("mail.figure_line", &[("label", label), ("value", &inset(value))])
}

fn headed(title: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    format!("{title}\n{}", lines.join("\n"))
}

/// Words of several lines stay one item.
fn inset(text: &str) -> String {
    text.replace('\n', "\n  ")
}

fn cells(part: Decimal) -> String {
    let filled = (part * Decimal::from(CELLS) / Decimal::ONE_HUNDRED).round().to_usize();
    let filled = filled.unwrap_or_default().min(CELLS);
    format!("{}{}", "█".repeat(filled), "░".repeat(CELLS - filled))
}
