//! Interconnect, storage, environment, term, region and contact.
//!
//! GB is read as GiB and Gb/s as it stands, because that is what people mean.
//! A need that is named without its kind ("needed between nodes") stays open.

use super::Group;
use super::leaves::Sought;
use crate::brief::clauses::{has_word, is_negative, is_open, named};
use crate::brief::{BetweenNodes, Contact, Environment, Interconnect, Load, Storage, Term};
use crate::document::Warnings;
use crate::{Estimate, Warning};
use chrono::{Months, NaiveDate};

const SIZE: &[(&str, f64)] = &[
    ("tib", 1024.0),
    ("tb", 1024.0),
    ("gib", 1.0),
    ("gb", 1.0),
    ("mib", 1.0 / 1024.0),
    ("mb", 1.0 / 1024.0),
    ("t", 1024.0),
    ("g", 1.0),
];
const RATE: &[(&str, f64)] = &[
    ("gib/s", 1.0),
    ("gb/s", 1.0),
    ("gbps", 0.125),
    ("mib/s", 1.0 / 1024.0),
    ("mb/s", 1.0 / 1024.0),
];
const DURATION: &[(&str, f64)] = &[
    ("分钟", 1.0),
    ("分", 1.0),
    ("minutes", 1.0),
    ("minute", 1.0),
    ("min", 1.0),
    ("小时", 60.0),
    ("hours", 60.0),
    ("hour", 60.0),
    ("h", 60.0),
    ("天", 1440.0),
];
const MONTHS: &[(&str, f64)] = &[
    // `4月` is April.
    ("个月", 1.0),
    ("months", 1.0),
    ("month", 1.0),
    ("年", 12.0),
    ("years", 12.0),
    ("year", 12.0),
    ("季度", 3.0),
    ("个季度", 3.0),
    ("周", 7.0 / 30.0),
    ("weeks", 7.0 / 30.0),
    ("天", 1.0 / 30.0),
    ("days", 1.0 / 30.0),
];
const LINK: &[(&str, f64)] =
    &[("gbps", 1.0), ("gb/s", 1.0), ("gbit/s", 1.0), ("g", 1.0), ("tbps", 1000.0)];
const BETWEEN: [&str; 8] =
    ["跨机", "跨节点", "节点间", "机间", "多机", "between nodes", "inter-node", "across nodes"];
const TEMPLATES: [(&str, &str); 13] = [
    ("tensorrt-llm", "TensorRT-LLM"),
    ("lmdeploy", "LMDeploy"),
    ("sglang", "SGLang"),
    ("vllm", "vLLM"),
    ("tgi", "TGI"),
    ("deepspeed", "DeepSpeed"),
    ("megatron", "Megatron"),
    ("pytorch", "PyTorch"),
    ("tensorflow", "TensorFlow"),
    ("mindspore", "MindSpore"),
    ("triton", "Triton"),
    ("jax", "JAX"),
    ("paddle", "PaddlePaddle"),
];

pub(super) fn interconnect(group: &Group<'_>, warnings: &mut Warnings) -> Interconnect {
    let bandwidth =
        Sought { words: &["带宽", "bandwidth", "infiniband", "roce", "ib"], units: LINK };
    let bandwidth_gbit_s = group.number(&bandwidth, warnings);
    Interconnect {
        nvlink: group.yes(&["nvlink"]),
        between_nodes: between_nodes(group, warnings),
        bandwidth_gbit_s,
    }
}

fn between_nodes(group: &Group<'_>, warnings: &mut Warnings) -> Estimate<BetweenNodes> {
    let about = |clause: &&&str| {
        let lower = clause.to_lowercase();
        named(clause, &BETWEEN).is_some() || has_infiniband(&lower) || lower.contains("roce")
    };
    let clauses: Vec<&str> = group.clauses.iter().filter(about).copied().collect();
    let Some(first) = clauses.first() else { return Estimate::tbd(&group.note) };
    if clauses.iter().any(|clause| is_open(clause)) {
        return Estimate::tbd(*first);
    }
    if clauses.iter().all(|clause| is_negative(clause)) {
        return Estimate::known(BetweenNodes::None);
    }
    let lower = clauses.join("\n").to_lowercase();
    match (has_infiniband(&lower), lower.contains("roce")) {
        (true, false) => Estimate::known(BetweenNodes::Infiniband),
        (false, true) => Estimate::known(BetweenNodes::Roce),
        (false, false) => Estimate::tbd(*first),
        (true, true) => {
            warnings.push(Warning::new("link_not_one", "both InfiniBand and RoCE are named"));
            Estimate::tbd(*first)
        }
    }
}

fn has_infiniband(lower: &str) -> bool {
    lower.contains("infiniband") || has_word(lower, "ib")
}

pub(super) fn storage(group: &Group<'_>, warnings: &mut Warnings) -> Storage {
    let checkpoint = ["检查点", "checkpoint"];
    let mut find = |words: &[&str], units| group.number(&Sought { words, units }, warnings);
    let dataset_gib = find(&["数据集", "数据量", "模型与数据", "dataset", "data set"], SIZE);
    let read_gib_s = find(&["读取", "读吞吐", "读带宽", "吞吐", "读", "read", "throughput"], RATE);
    let checkpoint_gib = find(&checkpoint, SIZE);
    let checkpoint_interval_min = find(&["检查点", "checkpoint", "间隔", "interval"], DURATION);
    let volume_gib =
        find(&["云盘", "磁盘", "数据盘", "卷", "容量", "volume", "disk", "capacity"], SIZE);
    let no_checkpoint = group
        .clauses
        .iter()
        .any(|clause| named(clause, &checkpoint).is_some() && is_negative(clause));
    Storage {
        dataset_gib,
        read_gib_s,
        checkpoint_gib: if no_checkpoint { Estimate::known(0.0) } else { checkpoint_gib },
        checkpoint_interval_min,
        volume_gib,
        shared: group.yes(&["共享", "shared"]),
    }
}

pub(super) fn environment(group: &Group<'_>) -> Environment {
    let image = group.text_after(&["私有镜像", "自定义镜像", "镜像", "private image", "image"]);
    Environment {
        template: group.one_of(&TEMPLATES),
        image,
        cuda: version_after(group, &["cuda"]),
        driver: version_after(group, &["驱动版本", "驱动", "driver"]),
    }
}

/// The first run of digits and points behind the word.
fn version_after(group: &Group<'_>, words: &[&str]) -> Estimate<String> {
    for clause in &group.clauses {
        let Some(found) = named(clause, words) else { continue };
        let digits = found.after.trim_start_matches(|skip: char| !skip.is_ascii_digit());
        let end =
            digits.find(|end: char| !end.is_ascii_digit() && end != '.').unwrap_or(digits.len());
        let version = digits[..end].trim_end_matches('.');
        if !version.is_empty() {
            return Estimate::known(version.to_owned());
        }
        return Estimate::tbd(*clause);
    }
    Estimate::tbd(&group.note)
}

pub(super) fn term(group: &Group<'_>, warnings: &mut Warnings) -> Term {
    let dated: Option<(&str, Estimate<NaiveDate>, usize)> =
        group.clauses.iter().find_map(|clause| {
            let day = date_in(clause).map(|(day, end)| (*clause, Estimate::known(day), end));
            day.or_else(|| {
                month_in(clause).map(|(low, high, end)| (*clause, Estimate::range(low, high), end))
            })
        });
    // The digits of the date are no duration.
    let undated = Group {
        clauses: group
            .clauses
            .iter()
            .map(|clause| match &dated {
                Some((with_date, _, end)) if with_date == clause => &clause[*end..],
                _ => clause,
            })
            .collect(),
        note: group.note.clone(),
    };
    let start = match dated {
        Some((_, start, _)) => start,
        None => {
            let open = group
                .clauses
                .iter()
                .find(|clause| named(clause, &["开始", "起租", "start"]).is_some());
            Estimate::tbd(open.map_or(group.note.as_str(), |clause| clause))
        }
    };
    let utilisation =
        Sought { words: &["利用率", "utilisation", "utilization"], units: &[("%", 1.0)] };
    // A share without a name can be of nothing else here.
    let bare = Sought { words: &[""], units: &[("%", 1.0)] };
    let mut utilisation_pct = undated.number(&utilisation, warnings);
    if utilisation_pct.is_tbd()
        && !undated.clauses.iter().any(|clause| named(clause, utilisation.words).is_some())
    {
        let found = undated.number(&bare, warnings);
        utilisation_pct = if found.is_tbd() { utilisation_pct } else { found };
    }
    Term {
        start,
        months: undated.number(&Sought { words: &[""], units: MONTHS }, warnings),
        load: load(group),
        utilisation_pct,
        phased: group.yes(&["分批", "分期", "分阶段", "phased", "phase"]),
    }
}

fn load(group: &Group<'_>) -> Estimate<Load> {
    let lower = group.clauses.join("\n").to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&["突发", "高峰", "峰谷", "波动", "bursty", "burst", "peaks"]) {
        Estimate::known(Load::Bursty)
    } else if has(&["恒定", "稳定", "平稳", "持续", "steady", "constant"]) {
        Estimate::known(Load::Steady)
    } else {
        let open = group.clauses.iter().find(|clause| named(clause, &["负载", "load"]).is_some());
        Estimate::tbd(open.map_or(group.note.as_str(), |clause| clause))
    }
}

/// `2026-03-01`, `2026/3/1`, `2026.3.1` and `2026年3月1日`, with the place behind it.
fn date_in(clause: &str) -> Option<(NaiveDate, usize)> {
    let bytes = clause.as_bytes();
    for from in 0..bytes.len() {
        if !bytes[from].is_ascii_digit() || (from > 0 && bytes[from - 1].is_ascii_digit()) {
            continue;
        }
        let mut rest = &clause[from..];
        let mut parts = [0u32; 3];
        let mut read = 0;
        for (part, ends) in
            parts.iter_mut().zip([["-", "/", ".", "年"], ["-", "/", ".", "月"], ["日", "", "", ""]])
        {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(number) = rest[..digits].parse() else { break };
            *part = number;
            rest = &rest[digits..];
            read += 1;
            match ends.iter().find_map(|end| rest.strip_prefix(end)) {
                Some(after) => rest = after,
                None => break,
            }
        }
        let [year, month, day] = parts;
        if read == 3
            && (2000..2200).contains(&year)
            && let Some(date) =
                i32::try_from(year).ok().and_then(|year| NaiveDate::from_ymd_opt(year, month, day))
        {
            return Some((date, clause.len() - rest.len()));
        }
    }
    None
}

/// `2026年4月` and `2026-04` are some day of that month.
fn month_in(clause: &str) -> Option<(NaiveDate, NaiveDate, usize)> {
    for (at, _) in clause.match_indices("20") {
        let digits = |text: &str, most: usize| {
            text.bytes().take(most).take_while(u8::is_ascii_digit).count()
        };
        if clause[..at].ends_with(|before: char| before.is_ascii_digit())
            || digits(&clause[at..], 5) != 4
        {
            continue;
        }
        let Ok(year) = clause[at..at + 4].parse() else { continue };
        let Some(rest) = ["年", "-", "/", "."]
            .iter()
            .find_map(|sign| clause[at + 4..].trim_start().strip_prefix(sign))
        else {
            continue;
        };
        let rest = rest.trim_start();
        let length = digits(rest, 2);
        let Ok(month) = rest[..length].parse() else { continue };
        let rest = &rest[length..];
        let goes_on =
            rest.starts_with(|next: char| next.is_ascii_digit() || matches!(next, '-' | '/' | '.'));
        let first = NaiveDate::from_ymd_opt(year, month, 1).filter(|_| !goes_on);
        let last = first.and_then(|first| first.checked_add_months(Months::new(1))?.pred_opt());
        if let (Some(first), Some(last)) = (first, last) {
            let rest = rest.trim_start().strip_prefix('月').unwrap_or(rest);
            return Some((first, last, clause.len() - rest.len()));
        }
    }
    None
}

pub(super) fn region(text: Option<&str>, group: &Group<'_>) -> Estimate<String> {
    match text {
        Some(text) if !group.clauses.is_empty() => {
            let lines: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
            Estimate::known(lines.join("; "))
        }
        _ => Estimate::tbd(&group.note),
    }
}

/// Labelled parts first; what is left is name, team and time in this order.
pub(super) fn contact(group: &Group<'_>) -> Contact {
    const LABELS: [&[&str]; 3] = [
        &["姓名", "联系人", "name"],
        &["团队", "部门", "team", "department"],
        &["联系时间", "可联系时间", "可联系", "时间", "reachable", "available", "hours"],
    ];
    let mut parts: [Option<String>; 3] = [None, None, None];
    let mut unlabelled = Vec::new();
    let parts_at = |clause: &&str| {
        clause.split(['、', '/']).map(|part| part.trim().to_owned()).collect::<Vec<_>>()
    };
    for piece in group.clauses.iter().flat_map(parts_at) {
        let piece = piece.as_str();
        let labelled = LABELS.iter().position(|words| {
            named(piece, words).is_some_and(|found| {
                found.before.is_empty() && found.after.starts_with([':', '=', ' '])
            })
        });
        match labelled {
            Some(at) => {
                let text = piece.split_once([':', '=', ' ']).map_or("", |(_, text)| text);
                parts[at] = Some(text.trim().to_owned());
            }
            None if !piece.is_empty() => unlabelled.push(piece.to_owned()),
            None => {}
        }
    }
    let mut unlabelled = unlabelled.into_iter();
    for part in &mut parts {
        if part.is_none() {
            *part = unlabelled.next();
        }
    }
    let rest: Vec<String> = unlabelled.collect();
    let [name, team, reachable] = parts;
    let reachable =
        reachable.map(|first| std::iter::once(first).chain(rest).collect::<Vec<_>>().join(", "));
    let leaf = |part: Option<String>| match part {
        Some(text) if is_open(&text) || text.is_empty() => Estimate::tbd(text),
        Some(text) => Estimate::known(text),
        None => Estimate::tbd(&group.note),
    };
    Contact { name: leaf(name), team: leaf(team), reachable: leaf(reachable) }
}
