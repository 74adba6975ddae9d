//! Two columns of text as the least that a spreadsheet program opens.
//!
//! A workbook of text alone is five small parts; a library that also knows styles, formulas and
//! pictures would be built for nothing here. The parts carry no time, so the same brief is the same
//! bytes.

use std::{
    fmt::Write as _,
    io::{Cursor, Write},
};

use zip::{ZipWriter, write::SimpleFileOptions};

use super::rows::Group;
use crate::xml::escaped;

const CONTENT_TYPES: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
    r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
    r#"<Default Extension="xml" ContentType="application/xml"/>"#,
    r#"<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>"#,
    r#"<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#,
    "</Types>"
);
const RELATIONSHIPS: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    r#"<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>"#,
    "</Relationships>"
);
const WORKBOOK: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" "#,
    r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">"#,
    r#"<sheets><sheet name="brief" sheetId="1" r:id="rId1"/></sheets></workbook>"#
);
const WORKBOOK_RELATIONSHIPS: &str = concat!(
    r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    r#"<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>"#,
    "</Relationships>"
);

pub(super) fn packed(groups: &[Group]) -> Vec<u8> {
    let parts = [
        ("[Content_Types].xml", CONTENT_TYPES.to_owned()),
        ("_rels/.rels", RELATIONSHIPS.to_owned()),
        ("xl/workbook.xml", WORKBOOK.to_owned()),
        ("xl/_rels/workbook.xml.rels", WORKBOOK_RELATIONSHIPS.to_owned()),
        ("xl/worksheets/sheet1.xml", sheet(groups)),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive
            .start_file(name, SimpleFileOptions::default())
            .and_then(|()| Ok(archive.write_all(content.as_bytes())?))
            .expect("a few kilobytes are packed in memory");
    }
    archive.finish().expect("a few kilobytes are packed in memory").into_inner()
}

fn sheet(groups: &[Group]) -> String {
    let mut rows = String::new();
    let mut number = 0;
    let mut row = |cells: [&str; 2]| {
        number += 1;
        let _ = write!(rows, r#"<row r="{number}">"#);
        for (column, cell) in ["A", "B"].into_iter().zip(cells) {
            if !cell.is_empty() {
                let _ = write!(
                    rows,
                    r#"<c r="{column}{number}" t="inlineStr"><is><t xml:space="preserve">{}</t></is></c>"#,
                    escaped(cell)
                );
            }
        }
        rows.push_str("</row>");
    };
    for group in groups {
        row([&format!("【{}】", group.heading), group.value.as_deref().unwrap_or("")]);
        for (label, value) in &group.rows {
            row([label, value]);
        }
        row(["", ""]);
    }
    format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#,
            r#"<cols><col min="1" max="1" width="26" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols>"#,
            "<sheetData>{rows}</sheetData></worksheet>"
        ),
        rows = rows
    )
}
