//! Packs small workbooks for tests.

use std::fmt::Write as _;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// A workbook of these sheets, each given as its own markup.
pub(crate) fn book(sheets: &[(&str, &str)]) -> Vec<u8> {
    packed(&parts(sheets))
}

/// Cells that are numbers become numbers, 46112 a date, `6%` a share shown in percent, the others text; empty cells are left out.
pub(crate) fn sheet_of(rows: &[Vec<String>]) -> String {
    let mut text = String::from("<worksheet><sheetData>");
    for (row, cells) in (1..).zip(rows) {
        write!(text, "<row r=\"{row}\">").unwrap();
        for (column, cell) in ('A'..='Z').zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let is_number = cell.parse::<f64>().is_ok();
            match cell.as_str() {
                _ if cell.ends_with('%') => {
                    let share = cell.trim_end_matches('%').parse::<f64>().unwrap() / 100.0;
                    write!(text, "<c r=\"{column}{row}\" s=\"2\"><v>{share}</v></c>")
                }
                "46112" => write!(text, "<c r=\"{column}{row}\" s=\"1\"><v>{cell}</v></c>"),
                _ if is_number => write!(text, "<c r=\"{column}{row}\"><v>{cell}</v></c>"),
                _ => write!(
                    text,
                    "<c r=\"{column}{row}\" t=\"inlineStr\"><is><t>{cell}</t></is></c>"
                ),
            }
            .unwrap();
        }
        text.push_str("</row>");
    }
    text + "</sheetData></worksheet>"
}

pub(crate) fn parts(sheets: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut listed = String::new();
    let mut related = String::new();
    let mut parts = Vec::new();
    for (at, (name, markup)) in (1..).zip(sheets) {
        write!(listed, "<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"rId{at}\"/>").unwrap();
        let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet";
        write!(
            related,
            "<Relationship Id=\"rId{at}\" Type=\"{kind}\" Target=\"worksheets/sheet{at}.xml\"/>"
        )
        .unwrap();
        parts.push((format!("xl/worksheets/sheet{at}.xml"), (*markup).to_owned()));
    }
    let relationships = |inner: &str| {
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{inner}</Relationships>"
        )
    };
    let document =
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
    let root =
        format!("<Relationship Id=\"rId1\" Type=\"{document}\" Target=\"xl/workbook.xml\"/>");
    parts.push(("_rels/.rels".to_owned(), relationships(&root)));
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), relationships(&related)));
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let ids = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    parts.push((
        "xl/workbook.xml".to_owned(),
        format!(
            "<workbook xmlns=\"{main}\" xmlns:r=\"{ids}\"><sheets>{listed}</sheets></workbook>"
        ),
    ));
    let formats = "<xf numFmtId=\"0\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/><xf numFmtId=\"9\" applyNumberFormat=\"1\"/>";
    parts.push((
        "xl/styles.xml".to_owned(),
        format!(
            "<styleSheet xmlns=\"{main}\"><cellXfs count=\"3\">{formats}</cellXfs></styleSheet>"
        ),
    ));
    parts
}

pub(crate) fn packed(parts: &[(String, String)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}
