//! A csv file with a header, row by row.
//!
//! A row with another number of cells than the header is reported, never shifted into place.
//! What a column means is the reader's business.

use crate::text::Text;
use csv::StringRecord;

pub(crate) struct Table<'a> {
    names: Vec<String>,
    records: csv::StringRecordsIntoIter<&'a [u8]>,
}

pub(crate) struct Row {
    pub(crate) line: u64,
    /// Other than the header's; such a row cannot be trusted.
    pub(crate) has_wrong_length: bool,
    cells: StringRecord,
}

impl<'a> Table<'a> {
    /// `None` when there is no line at all.
    pub(crate) fn open(text: &'a Text) -> Option<Self> {
        let mut records = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.content().as_bytes())
            .into_records();
        let names = records.next()?.ok()?.iter().map(str::to_owned).collect();
        Some(Self { names, records })
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn rows(self) -> impl Iterator<Item = Row> {
        let width = self.names.len();
        self.records.filter_map(Result::ok).map(move |cells| Row {
            line: cells.position().map_or(0, csv::Position::line),
            has_wrong_length: cells.len() != width,
            cells,
        })
    }
}

impl Row {
    /// Empty when the column or the cell does not exist.
    pub(crate) fn cell(&self, column: Option<usize>) -> &str {
        column.and_then(|column| self.cells.get(column)).unwrap_or("")
    }

    pub(crate) fn filled_cells(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.is_empty()).count()
    }
}
