//! When a line of a kernel log was written, in the seven ways that logs say it.
//!
//! Seconds since the start are kept as such: nothing here knows when the machine started.
//! A time without a year is no time, because logs reach over the turn of the year.

use crate::Moment;
use crate::text::Line;
use chrono::{DateTime, NaiveDateTime};

#[derive(Default)]
pub(super) struct When {
    pub(super) moment: Option<Moment>,
    pub(super) uptime_s: Option<f64>,
    pub(super) has_no_year: bool,
}

const HEAD_BYTES: usize = 80;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// As much of a line as can hold its time.
pub(super) fn head_bytes(text: &str) -> usize {
    text.floor_char_boundary(HEAD_BYTES)
}

pub(super) fn of(line: Line<'_>) -> When {
    let zoned =
        |text: &str| zoned(text).map(|moment| When { moment: Some(moment), ..When::default() });
    if let Some(when) = zoned(line.stamp) {
        return when;
    }
    let head = line.text[..head_bytes(line.text)].trim_start();
    if let Some((inside, _)) = head.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return in_brackets(inside.trim());
    }
    if MONTHS.iter().any(|month| head.starts_with(month)) {
        return When { has_no_year: true, ..When::default() };
    }
    // `kern  :warn  : 2025-01-21T04:41:44,285060+00:00 NVRM: …`, `2025-01-21T04:41:44+0000 host kernel: …`
    let mut words = head.split(' ').filter(|word| word.len() >= 8).take(4);
    if let Some(when) = words.find_map(zoned) {
        return when;
    }
    let local = head.get(..19).and_then(Moment::parse);
    When { moment: local, ..When::default() }
}

fn zoned(word: &str) -> Option<Moment> {
    if word.len() < 20 || !word.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let word = word.replace(',', ".");
    DateTime::parse_from_rfc3339(&word)
        .or_else(|_| DateTime::parse_from_str(&word, "%Y-%m-%dT%H:%M:%S%.f%z"))
        .ok()
        .map(Moment::Zoned)
}

/// `12345.678` or `Sun Feb 23 16:24:18 2025`.
fn in_brackets(inside: &str) -> When {
    if let Some(uptime) = uptime(inside) {
        return When { uptime_s: Some(uptime), ..When::default() };
    }
    // The weekday follows from the date; some tools get it wrong, which is no reason to lose the time.
    let date = inside.split_once(' ').map_or(inside, |(_, date)| date.trim_start());
    let local = NaiveDateTime::parse_from_str(date, "%b %e %H:%M:%S %Y").ok().map(Moment::Local);
    When { moment: local.or_else(|| Moment::parse(inside)), ..When::default() }
}

fn uptime(inside: &str) -> Option<f64> {
    let (seconds, parts) = inside.split_once('.')?;
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || parts.len() != 6 || !all_digits(seconds) || !all_digits(parts) {
        return None;
    }
    inside.parse().ok()
}

/// Its time in brackets, or the word that the system's log writes for the kernel.
pub(super) fn looks_like_kernel(line: Line<'_>) -> bool {
    let head = &line.text[..head_bytes(line.text)];
    let in_brackets = head.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let has_time = in_brackets.is_some_and(|(inside, _)| {
        let when = self::in_brackets(inside.trim());
        when.uptime_s.is_some() || when.moment.is_some()
    });
    has_time || head.contains(" kernel: ") || head.starts_with("kern  :")
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::text::Line;

    #[test]
    fn every_spelling_of_a_time_is_known() {
        for (text, stamp, clock) in [
            ("[Sun Feb 23 16:24:18 2025] NVRM: x", "", "2025-02-23 16:24:18"),
            ("[Thu Apr  4 18:03:56 2024] NVRM: x", "", "2024-04-04 18:03:56"),
            (
                "kern  :warn  : 2025-01-21T04:41:44,285060+00:00 NVRM",
                "",
                "2025-01-21 04:41:44.285060",
            ),
            ("2025-01-21T06:41:44+0200 host kernel: NVRM: x", "", "2025-01-21 04:41:44"),
            ("host kernel: NVRM: x", "2025-01-21T04:41:44Z", "2025-01-21 04:41:44"),
            ("2025-01-21 04:41:44 host kernel: x", "", "2025-01-21 04:41:44"),
        ] {
            let when = of(Line { number: 1, text, prefix: "", stamp });
            let moment = when.moment.map(|moment| moment.clock().to_string());
            assert_eq!(moment.as_deref(), Some(clock), "{text}");
        }
        let when = of(Line { number: 1, text: "[ 1843.308145] NVRM: x", prefix: "", stamp: "" });
        assert_eq!((when.uptime_s, when.moment), (Some(1_843.308_145), None));
        let when =
            of(Line { number: 1, text: "Feb 14 05:03:41 host kernel: x", prefix: "", stamp: "" });
        assert!(when.has_no_year && when.moment.is_none());
    }
}
