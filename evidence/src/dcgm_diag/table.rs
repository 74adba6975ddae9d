//! The table that `dcgmi diag` draws without `-j`.
//!
//! Rows without a name and rows named Info or Warning belong to the test above them.
//! The table has no numbers of errors.

use super::{DcgmDiag, DiagError, DiagStatus};
use crate::Refused;
use crate::text::Text;

type Found = (DcgmDiag, Option<String>);

pub(super) fn find(text: &Text) -> Result<Option<Found>, Refused> {
    let is_title = |line: &str| {
        cells(line).is_some_and(|(name, result)| name == "Diagnostic" && result == "Result")
    };
    if !text.lines().any(|line| is_title(line.text)) {
        return Ok(None);
    }
    text.refuse_long_lines()?;
    let mut facts = DcgmDiag::default();
    let mut category: Option<String> = None;
    let mut current: Option<String> = None;
    let mut is_closed = false;
    for line in text.lines().skip_while(|line| !is_title(line.text)).skip(1) {
        let line = line.text.trim();
        if let Some(name) = heading(line) {
            category = Some(name.to_owned());
            current = None;
            is_closed = false;
        } else if is_border(line) {
            is_closed = true;
        } else if let Some((name, result)) = cells(line) {
            is_closed = false;
            match category.as_deref() {
                Some("Metadata") => metadata(&mut facts, name, result),
                category => row(&mut facts, category, &mut current, name, result),
            }
        }
    }
    let incomplete_because = (!is_closed).then(|| "the table is not closed".to_owned());
    Ok(Some((facts, incomplete_because)))
}

/// `|-----  Metadata  ----------+-----|`
fn heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['|', '+'])?.strip_prefix("---")?;
    let name = rest.trim_start_matches('-').split("--").next()?.trim();
    (!name.is_empty() && !name.starts_with(['+', '|'])).then_some(name)
}

/// Whole, because a heading that is cut looks like the beginning of a border.
fn is_border(line: &str) -> bool {
    line.starts_with("+--")
        && line.matches('+').count() == 3
        && line.ends_with('+')
        && line.bytes().all(|byte| matches!(byte, b'+' | b'-'))
}

fn cells(line: &str) -> Option<(&str, &str)> {
    let inner = line.trim().strip_prefix('|')?;
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let (name, result) = inner.split_once('|')?;
    Some((name.trim(), result.trim()))
}

fn metadata(facts: &mut DcgmDiag, name: &str, value: &str) {
    match name {
        "DCGM Version" => facts.version = Some(value.to_owned()),
        "Driver Version Detected" => facts.driver = Some(value.to_owned()),
        "GPU Device IDs Detected" => {
            facts.entities = Some(value.split(',').filter(|id| !id.trim().is_empty()).count());
        }
        _ => {}
    }
}

fn row(
    facts: &mut DcgmDiag,
    category: Option<&str>,
    current: &mut Option<String>,
    name: &str,
    result: &str,
) {
    let is_warning = name.starts_with("Warning") || name.starts_with("Error");
    let belongs_to_above = name.is_empty() || is_warning || name.starts_with("Info");
    if !belongs_to_above {
        *current = Some(name.to_owned());
    }
    let Some(test) = current.as_deref().and_then(|name| facts.test(name, category)) else { return };
    // Version 4 lists every device below: `GPU0: Pass`.
    let of_device = result.rsplit_once(": ").map_or(result, |(_, status)| status);
    if !belongs_to_above {
        // `Pass - GPU: 1, Fail - GPU: 0`
        let worst = result.split(", ").filter_map(DiagStatus::parse).max();
        test.found(worst);
    } else if is_warning {
        test.error(DiagError { id: None, severity: None, category: None, text: result.to_owned() });
    } else if name.is_empty() && DiagStatus::parse(of_device).is_some() {
        test.found(DiagStatus::parse(of_device));
    } else {
        test.note(result);
    }
}
