//! What launchers and collectors of logs put before a line: `[1,0]<stdout>:`, `(head, rank=0, pid=3808) `, a time stamp.
//!
//! A prefix is kept apart, not thrown away: lines of two programs differ by it, and a stamp may be the only time there is.
//! Short forms that could be content (`0: `, `[0] `, `worker-1  | `) count only where nearly all lines have them.

use std::borrow::Cow;

const PREFIX_BYTES_MAX: usize = 160;

/// The short forms, of which a file has one or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// `srun -l`: ` 0: `.
    TaskNumber,
    /// Intel MPI `-l` and torchrun: `[0] `, `[rank0]: `; it also turns up in the middle of a line.
    Bracket,
    /// docker compose: `worker-1  | `.
    Bar,
}

/// A line taken apart; the three join to the line.
pub(super) struct Parts<'a> {
    pub(super) prefix: &'a str,
    pub(super) rest: &'a str,
    /// Inside the prefix, without blanks around it; empty when there is none.
    pub(super) stamp: &'a str,
}

impl Habit {
    /// Looks at the first lines of a file.
    pub(super) fn of(head: &str) -> Option<Self> {
        [Self::TaskNumber, Self::Bracket, Self::Bar].into_iter().find(|habit| {
            let (mut with, mut without) = (0, 0);
            // What is drawn again after a bare return gets no tag again.
            for line in head.split('\n').filter(|line| !line.trim().is_empty()).take(200) {
                match habit.tag(line) {
                    Some(_) => with += 1,
                    None => without += 1,
                }
            }
            with > 2 && without * 9 <= with
        })
    }

    fn tag(self, line: &str) -> Option<usize> {
        let text = line.trim_start();
        let rest = match self {
            Self::TaskNumber => {
                let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
                if rest.len() == text.len() || text.len() - rest.len() > 5 {
                    return None;
                }
                match rest.strip_prefix(": ") {
                    Some(rest) => rest,
                    None if rest == ":" => "",
                    None => return None,
                }
            }
            Self::Bracket => {
                let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
                if !is_rank(inside) {
                    return None;
                }
                let rest = rest.strip_prefix(':').unwrap_or(rest);
                rest.strip_prefix(' ').unwrap_or(rest)
            }
            Self::Bar => {
                let (name, rest) = text
                    .split_once(" | ")
                    .or_else(|| text.strip_suffix(" |").map(|name| (name, "")))?;
                let name = name.trim_end();
                let is_name = !name.is_empty()
                    && name.starts_with(|first: char| first.is_ascii_lowercase())
                    && name.bytes().all(|byte| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
                    });
                if !is_name {
                    return None;
                }
                rest
            }
        };
        Some(line.len() - rest.len())
    }
}

/// `0`, `rank0`, `default3`.
fn is_rank(inside: &str) -> bool {
    let digits = inside.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let word = &inside[..inside.len() - digits.len()];
    let digits_only = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits_only && digits.len() <= 5 && matches!(word, "" | "rank" | "default")
}

/// Splits a line into its prefixes, of which there may be several, and the rest.
pub(super) fn take_apart(line: &str, habit: Option<Habit>) -> Parts<'_> {
    let mut at = 0;
    let mut stamp = "";
    let mut habit = habit;
    loop {
        let text = &line[at..];
        let length = match text.as_bytes().first() {
            Some(b'[') => mpi_tag(text).or_else(|| pod_tag(text)),
            Some(b'(') => ray_tag(text),
            Some(b'0'..=b'9') if stamp.is_empty() => {
                let length = stamp_at(text);
                stamp = length.and(text.split(' ').next()).unwrap_or("");
                length
            }
            Some(_) | None => None,
        };
        let length = length.or_else(|| habit.take().and_then(|habit| habit.tag(text)));
        match length {
            Some(length) => at += length,
            None => break,
        }
    }
    Parts { prefix: &line[..at], rest: &line[at..], stamp }
}

/// Takes out `[0]` between two words, as mixed output of several processes has it.
pub(super) fn without_middle_tags(line: &str) -> Cow<'_, str> {
    let is_tag = |word: &str| {
        word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).is_some_and(is_rank)
    };
    if !line.contains('[') || !line.split(' ').any(is_tag) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.split(' ').filter(|word| !is_tag(word)).collect::<Vec<_>>().join(" "))
}

/// `[1,0]<stdout>:`, and `[1,0]:` where a web page ate the angle brackets.
fn mpi_tag(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let (numbers, rest) = inner.split_once(']')?;
    let (job, rank) = numbers.split_once(',')?;
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(job) || !all_digits(rank) {
        return None;
    }
    let rest = ["<stdout>:", "<stderr>:", "<stddiag>:", ":"]
        .iter()
        .find_map(|tag| rest.strip_prefix(tag))?;
    Some(text.len() - rest.len())
}

/// `kubectl logs --prefix`: `[pod/bench-0/main] `.
fn pod_tag(text: &str) -> Option<usize> {
    let (name, rest) = text.strip_prefix("[pod/")?.split_once("] ")?;
    let is_tag = name.len() < PREFIX_BYTES_MAX && name.contains('/') && !name.contains(' ');
    is_tag.then(|| text.len() - rest.len())
}

/// `(head, rank=0, pid=3808) ` and `(worker1, rank=1, pid=7, ip=192.0.2.7) `.
fn ray_tag(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(')?;
    let (names, rest) = inner.split_once(')')?;
    let is_tag = names.len() < PREFIX_BYTES_MAX && names.contains("pid=") && !names.contains('(');
    let rest = rest.strip_prefix(' ').or_else(|| rest.is_empty().then_some(rest))?;
    is_tag.then(|| text.len() - rest.len())
}

/// An RFC 3339 time with its zone and a blank behind it: `2026-03-02T09:15:10.123456789Z `.
fn stamp_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.len() < 20 || bytes[4] != b'-' || bytes[10] != b'T' || bytes[13] != b':' {
        return None;
    }
    let end = bytes.iter().take(40).position(|byte| *byte == b' ').unwrap_or(bytes.len().min(40));
    let stamp = text.get(..end)?;
    let zone = stamp
        .get(19..)?
        .trim_start_matches(|part: char| part.is_ascii_digit() || matches!(part, '.' | ','));
    let is_zone = zone == "Z"
        || (zone.len() == 6 && zone.starts_with(['+', '-']) && zone.as_bytes()[3] == b':');
    // The files of a container runtime say the channel, and whether the line is whole.
    let rest = text.get(end + 1..).unwrap_or("");
    let channel = ["stdout F ", "stderr F "].iter().find(|channel| rest.starts_with(**channel));
    is_zone.then(|| (end + 1 + channel.map_or(0, |channel| channel.len())).min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::{Habit, take_apart, without_middle_tags};

    #[test]
    fn every_launcher_is_known() {
        for (line, rest) in [
            ("[1,0]<stdout>:# ok", "# ok"),
            ("[1,12]:# ok", "# ok"),
            ("(head, rank=0, pid=3808) [1,0]<stdout>:# ok", "# ok"),
            ("(RayTrainWorker pid=44, ip=192.0.2.4) # ok", "# ok"),
            ("[pod/bench-0/main] # ok", "# ok"),
            ("2026-03-02T09:15:10.123456789Z # ok", "# ok"),
            ("2026-03-02T09:15:10.123456789Z stdout F # ok", "# ok"),
            ("2026-03-02T09:15:10+08:00 [1,0]<stdout>:# ok", "# ok"),
            ("2026-03-02T09:15:10Z,7", "2026-03-02T09:15:10Z,7"),
            ("[0000:04:00] NVIDIA", "[0000:04:00] NVIDIA"),
            ("0: not a habit of this file", "0: not a habit of this file"),
        ] {
            assert_eq!(take_apart(line, None).rest, rest, "{line}");
        }
        let stamped = take_apart("2026-03-02T09:15:10Z (a, pid=1) x", None);
        assert_eq!(stamped.stamp, "2026-03-02T09:15:10Z");
    }

    #[test]
    fn short_forms_count_only_as_a_habit() {
        let srun = " 0: a\n 0: b\n 1: c\n";
        assert_eq!(Habit::of(srun), Some(Habit::TaskNumber));
        assert_eq!(take_apart(" 0: a", Habit::of(srun)).rest, "a");
        let intel = "[0] a\n[1] b\n[0] c\n";
        assert_eq!(take_apart("[0] a", Habit::of(intel)).rest, "a");
        let compose = "worker-1  | a\nworker-2  | b\nworker-1  | c\n";
        assert_eq!(take_apart("worker-1  | a", Habit::of(compose)).rest, "a");
        assert_eq!(Habit::of("1: one\ntwo\nthree\n[0] four\n"), None);
    }

    #[test]
    fn a_tag_in_the_middle_is_taken_out() {
        assert_eq!(without_middle_tags("8 [0] 2 [0x04] float"), "8 2 [0x04] float");
    }
}
