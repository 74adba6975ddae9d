//! Slurm's accounting (`sacct`, with `-P` or `-p`) as card-hours that jobs held.
//!
//! Rule: a job counts its cards times its elapsed time, each record of a requeued job for itself; steps repeat their job
//! and never count.
//! Accounting knows nothing of how busy the cards were.

mod held;
mod records;

use super::Usage;
use crate::document::Warnings;
use crate::text::Text;
use crate::{Document, Facts, Kind, Moment, Refused, Warning};
use held::Held;
use records::{Columns, Records};
use std::collections::HashSet;

const JOBS_MAX: u32 = 5_000_000;

pub(super) fn is_accounting(text: &Text) -> bool {
    Columns::find(text).is_some()
}

pub(super) fn read(text: &Text) -> Result<Document, Refused> {
    let columns = Columns::find(text)
        .ok_or_else(|| Refused::not_this_kind(Kind::Usage, "a header with JobID"))?;
    if columns.resources.is_none() {
        return Err(Refused::new(
            "no_cards_column",
            "the accounting has no column AllocTRES, which tells the cards of a job",
            "run sacct -aDXP --noconvert --format=JobID,State,Start,End,Elapsed,ElapsedRaw,AllocTRES",
        ));
    }
    let mut warnings = Warnings::default();
    let mut counted = Counted::default();
    let mut records = Records::new(text, &columns);
    while let Some(record) = records.next_record(&mut warnings) {
        if counted.jobs >= JOBS_MAX {
            let said = format!("the accounting has more than {JOBS_MAX} jobs");
            return Err(Refused::new("too_many_rows", said, "split it by month"));
        }
        counted.add(&record, &columns, &mut warnings);
    }
    let cut_line = records.cut_line();
    let (facts, incomplete_because) = counted.finish(cut_line, &mut warnings);
    Ok(Document::new(
        Kind::Usage,
        Facts::Usage(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

#[derive(Default)]
struct Counted {
    jobs: u32,
    steps: u64,
    running: u64,
    without_time: u64,
    /// Whether any job's resources name cards; where none does, cards may not be tracked at all.
    names_cards: bool,
    names_resources: bool,
    card_seconds: f64,
    start: Option<Moment>,
    end: Option<Moment>,
    held: Held,
    known: HashSet<(String, String, String)>,
}

impl Counted {
    fn add(&mut self, record: &records::Record<'_>, columns: &Columns, warnings: &mut Warnings) {
        let job = record.cell(columns.job);
        if job.contains('.') {
            self.steps += 1;
            return;
        }
        let (start_text, end_text) = (record.cell_of(columns.start), record.cell_of(columns.end));
        if start_text.is_some() {
            let key = |text: Option<&str>| text.unwrap_or("").to_owned();
            // Two exports put together have the same record twice; a requeued job starts at another time.
            let raw = record.cell_of(columns.job_raw).unwrap_or(job);
            if !self.known.insert((raw.to_owned(), key(start_text), key(end_text))) {
                let said = "a record comes twice and counts once";
                warnings.push(Warning::at("record_repeated", record.line, said));
                return;
            }
        }
        self.jobs += 1;
        let start = start_text.and_then(|text| time(text, record.line, warnings));
        let end = end_text.and_then(|text| time(text, record.line, warnings));
        let resources = record.cell_of(columns.resources);
        self.names_resources |= resources.is_some();
        let cards = resources.and_then(|text| records::cards(text, record.line, warnings));
        self.names_cards |= cards.is_some();
        let is_running = end_text.is_some_and(|text| text.eq_ignore_ascii_case("unknown"));
        let has_started = start.is_some();
        self.running += u64::from(is_running && has_started);
        self.widen(start, end);
        let Some(cards) = cards.filter(|cards| *cards > 0) else { return };
        if record
            .cell_of(columns.suspended)
            .is_some_and(|text| text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
        {
            let said = "a job was suspended; whether its cards were free meanwhile is not told";
            warnings.push(Warning::at("suspended", record.line, said));
        }
        let elapsed = record
            .cell_of(columns.elapsed_raw)
            .and_then(|text| text.parse::<u64>().ok())
            .or_else(|| records::elapsed(record.cell_of(columns.elapsed)?))
            .or_else(|| {
                let seconds = (end?.clock() - start?.clock()).num_seconds();
                u64::try_from(seconds).ok()
            });
        let Some(elapsed) = elapsed else {
            self.without_time += 1;
            warnings.push(Warning::at("bad_time", record.line, "the elapsed time is none"));
            return;
        };
        self.card_seconds += cards as f64 * elapsed as f64;
        if let Some(start) = start {
            self.held.add(start.clock(), elapsed, cards);
        }
    }

    fn widen(&mut self, start: Option<Moment>, end: Option<Moment>) {
        if let Some(start) = start
            && self.start.is_none_or(|known| start.clock() < known.clock())
        {
            self.start = Some(start);
        }
        if let Some(end) = end
            && self.end.is_none_or(|known| end.clock() > known.clock())
        {
            self.end = Some(end);
        }
    }

    fn finish(self, cut_line: Option<u64>, warnings: &mut Warnings) -> (Usage, Option<String>) {
        if self.jobs == 0 && self.steps > 0 {
            let said =
                "the file has only steps of jobs, which repeat their jobs and are not counted";
            warnings.push(Warning::new("only_steps", said));
        }
        if self.jobs > 0 && !self.names_cards {
            let said = if self.names_resources {
                "no job names cards; they may be missing in AccountingStorageTRES"
            } else {
                "no job names its resources"
            };
            warnings.push(Warning::new("no_cards_tracked", said));
        }
        let facts = Usage {
            window_start: self.start,
            window_end: self.end,
            allocated_card_hours: self.names_cards.then_some(self.card_seconds / 3600.0),
            cards: if self.names_cards { self.held.most() } else { None },
            series: self.jobs,
            ..Usage::of("slurm-sacct")
        };
        let incomplete_because = if let Some(line) = cut_line {
            Some(format!("the last row, line {line}, is cut"))
        } else if self.jobs == 0 {
            Some("the file has no job".to_owned())
        } else if self.running > 0 {
            Some(format!(
                "{} jobs had not ended and count up to when the file was made",
                self.running
            ))
        } else if self.without_time > 0 {
            Some(format!("{} jobs have no elapsed time and are not counted", self.without_time))
        } else {
            None
        };
        (facts, incomplete_because)
    }
}

fn time(text: &str, line: u64, warnings: &mut Warnings) -> Option<Moment> {
    if text.eq_ignore_ascii_case("unknown") || text.eq_ignore_ascii_case("none") {
        return None;
    }
    let moment = Moment::parse(text).or_else(|| {
        // `%z` writes the offset without its colon.
        let (clock, minutes) = text.split_at_checked(text.len().checked_sub(2)?)?;
        Moment::parse(&format!("{clock}:{minutes}")).filter(|moment| moment.has_zone())
    });
    match moment {
        None => warnings.push(Warning::at(
            "bad_time",
            line,
            "a time is relative or none; set SLURM_TIME_FORMAT=standard",
        )),
        Some(moment) if !moment.has_zone() => {
            warnings.once(Warning::at(
                "no_zone",
                line,
                "times are those of the cluster and have no zone",
            ));
        }
        Some(_) => {}
    }
    moment
}
