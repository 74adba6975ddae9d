//! Reads the tables of perftest: `ib_write_bw`, `ib_read_lat` and their kin.
//!
//! The unit is in the header and nowhere else, so figures without one are refused.
//! A peak of zero was not measured. What a link of some nominal speed should reach is not known here.

mod columns;

use crate::document::Warnings;
use crate::text::{Line, Text};
use crate::{Document, Facts, Kind, Refused, Warning};
use columns::Columns;
pub use columns::PerftestRow;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Perftest {
    /// As the program titles it: `RDMA_Write BW Test`.
    pub test: Option<String>,
    pub device: Option<String>,
    pub connection: Option<String>,
    pub link: Option<String>,
    pub queue_pairs: Option<u32>,
    pub mtu_bytes: Option<u32>,
    pub rows: Vec<PerftestRow>,
}

const ROWS_MAX: usize = 10_000;
const TABLES_MAX: usize = 1_000;

/// One table with what was printed above it.
#[derive(Default)]
struct Run {
    first_line: u64,
    facts: Perftest,
    columns: Option<Columns>,
    is_closed: bool,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    if text.content().contains("\"BW_average\"") {
        return Err(Refused::new(
            "no_unit",
            "the JSON of perftest names no unit for its figures",
            "upload the text that the program printed",
        ));
    }
    if !text.lines().any(|line| Columns::parse(line.text).is_some()) {
        let looked_for = "a header with #bytes and #iterations";
        return Err(Refused::not_this_kind(Kind::Perftest, looked_for));
    }
    text.refuse_long_lines()?;
    let mut warnings = Warnings::default();
    let mut runs = vec![Run::default()];
    for line in text.lines() {
        let begins = title(line.text).is_some() || Columns::parse(line.text).is_some();
        let last = runs.len() - 1;
        if begins && runs[last].columns.is_some() && runs.len() < TABLES_MAX {
            runs.push(Run::default());
        }
        let last = runs.len() - 1;
        runs[last].line(line, &mut warnings);
    }
    runs.retain(|run| run.columns.is_some());
    let score = |run: &Run| (run.is_closed, run.facts.rows.len());
    let best = (0..runs.len()).max_by_key(|at| (score(&runs[*at]), *at)).unwrap_or(0);
    if runs.len() > 1 {
        let said = format!("the file has {} tables; this one is given", runs.len());
        warnings.push(Warning::at("several_runs", runs[best].first_line, said));
    }
    let run = runs.swap_remove(best);
    let incomplete_because = if run.facts.rows.is_empty() {
        Some("the table has no row".to_owned())
    } else {
        (!run.is_closed).then(|| "the line that closes the table is missing".to_owned())
    };
    Ok(Document::new(
        Kind::Perftest,
        Facts::Perftest(Box::new(run.facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

/// `                    RDMA_Write BW Test`
fn title(line: &str) -> Option<&str> {
    let line = line.trim();
    let is_title =
        (line.starts_with("RDMA_") || line.starts_with("Send ") || line.starts_with("Raw "))
            && (line.ends_with(" Test") || line.ends_with("Test "));
    is_title.then_some(line)
}

impl Run {
    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text.trim();
        if self.first_line == 0 && !text.is_empty() {
            self.first_line = line.number;
        }
        if let Some(title) = title(text) {
            self.facts.test = Some(title.to_owned());
        } else if let Some(columns) = Columns::parse(text) {
            self.columns = Some(columns);
        } else if text.len() >= 20 && text.bytes().all(|byte| byte == b'-') {
            self.is_closed = !self.facts.rows.is_empty();
        } else if let Some(columns) = &self.columns {
            if let Some(row) = columns.row(line, warnings)
                && self.facts.rows.len() < ROWS_MAX
            {
                self.facts.rows.push(row);
            }
        } else {
            self.condition(text);
        }
    }

    /// `Number of qps   : 2`; two of them may share a line.
    fn condition(&mut self, text: &str) {
        let value = |label: &str| {
            let (_, rest) = text.split_once(label)?;
            rest.trim_start().strip_prefix(':')?.split_whitespace().next()
        };
        let facts = &mut self.facts;
        facts.device = value("Device").map(str::to_owned).or(facts.device.take());
        facts.connection = value("Connection type").map(str::to_owned).or(facts.connection.take());
        facts.link = value("Link type").map(str::to_owned).or(facts.link.take());
        let number = |word: &str| word.split('[').next().and_then(|digits| digits.parse().ok());
        facts.queue_pairs = value("Number of qps").and_then(number).or(facts.queue_pairs);
        facts.mtu_bytes = value("Mtu").and_then(number).or(facts.mtu_bytes);
    }
}
