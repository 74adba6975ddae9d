//! A letter as HTML for mail programs, which know little of it.
//!
//! The rule: tables, inline styles and no colour of text or page, so that a dark program stays dark.
//! A bar is two coloured cells and not a picture, which many programs hide until asked; its figure
//! stands beside it in words. The markup is also well-formed XML, and whatever people wrote is
//! escaped. It deliberately loads nothing from anywhere.

use std::fmt::Write;

use rust_decimal::{Decimal, prelude::ToPrimitive};
use sixgate_workflows::content::{Bar, Chart, Figure, List};

use super::page::Page;

const BAR_PIXELS: u32 = 160;
const FILLED: &str = "#3b76b8";
const MISSED: &str = "#c0503c";
const EMPTY: &str = "#c9d1d9";

pub(super) fn html(page: &Page) -> String {
    let content = page.content;
    let (language, title) = (page.locale.tag(), escaped(&content.subject));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width\"/>\
         <meta name=\"color-scheme\" content=\"light dark\"/><title>{title}</title></head>\n\
         <body style=\"margin:0;padding:16px;font-family:sans-serif;font-size:15px;\
         line-height:1.5;max-width:640px\">\n"
    );
    paragraph(&mut out, "font-size:17px;font-weight:bold", &escaped(&content.lead));
    paragraph(&mut out, "", &escaped(&content.body));
    figures(&mut out, &content.figures);
    if let Some(shown) = &content.chart {
        chart(&mut out, shown);
    }
    if let Some(shown) = &content.list {
        list(&mut out, shown);
    }
    if let Some(link) = &page.link {
        let anchor = format!("<a href=\"{}\">{}</a>", escaped(link), escaped(&content.action));
        paragraph(&mut out, "font-weight:bold", &anchor);
    }
    out.push_str("<hr/>\n");
    let choice = page.says_of_choice().map(|choice| {
        let said = escaped(&choice);
        match page.preferences.as_deref().map(escaped) {
            Some(url) => said.replace(&url, &format!("<a href=\"{url}\">{url}</a>")),
            None => said,
        }
    });
    for line in [Some(escaped(&content.footer)), choice].into_iter().flatten() {
        paragraph(&mut out, "font-size:12px;margin:0", &line);
    }
    out.push_str("</body></html>\n");
    out
}

fn paragraph(out: &mut String, style: &str, markup: &str) {
    match style {
        "" => put(out, format_args!("<p>{markup}</p>\n")),
        style => put(out, format_args!("<p style=\"{style}\">{markup}</p>\n")),
    }
}

fn figures(out: &mut String, figures: &[Figure]) {
    if figures.is_empty() {
        return;
    }
    out.push_str(
        "<table cellpadding=\"0\" cellspacing=\"0\" style=\"border-collapse:collapse\">\n",
    );
    for Figure { label, value } in figures {
        let (label, value) = (escaped(label), lines(value));
        put(
            out,
            format_args!(
                "<tr><th scope=\"row\" align=\"left\" valign=\"top\" \
                 style=\"font-weight:normal;padding:2px 16px 2px 0\">{label}</th>\
                 <td valign=\"top\" style=\"font-weight:bold;padding:2px 0\">{value}</td></tr>\n"
            ),
        );
    }
    out.push_str("</table>\n");
}

fn chart(out: &mut String, chart: &Chart) {
    paragraph(out, "font-weight:bold;margin-bottom:4px", &escaped(&chart.title));
    out.push_str("<table cellpadding=\"0\" cellspacing=\"0\">\n");
    for bar in &chart.bars {
        let (label, shown) = (escaped(&bar.label), escaped(&bar.shown));
        put(
            out,
            format_args!(
                "<tr><th scope=\"row\" align=\"left\" \
                 style=\"font-weight:normal;padding:2px 12px 2px 0\">{label}</th><td>{}</td>\
                 <td style=\"padding:2px 0 2px 12px\">{shown}</td></tr>\n",
                cells(bar)
            ),
        );
    }
    out.push_str("</table>\n");
}

/// Hidden from those who listen: the figure beside it says the same.
fn cells(bar: &Bar) -> String {
    let filled = (bar.part * Decimal::from(BAR_PIXELS) / Decimal::ONE_HUNDRED).round().to_u32();
    let filled = filled.unwrap_or_default().min(BAR_PIXELS);
    let colour =
        if bar.missed.is_some() || bar.part > Decimal::ONE_HUNDRED { MISSED } else { FILLED };
    let cell = |pixels: u32, colour: &str| match pixels {
        0 => String::new(),
        pixels => format!(
            "<td width=\"{pixels}\" height=\"12\" bgcolor=\"{colour}\" \
             style=\"font-size:1px;line-height:12px\">&#160;</td>"
        ),
    };
    format!(
        "<table aria-hidden=\"true\" cellpadding=\"0\" cellspacing=\"0\" width=\"{BAR_PIXELS}\">\
         <tr>{}{}</tr></table>",
        cell(filled, colour),
        cell(BAR_PIXELS - filled, EMPTY)
    )
}

fn list(out: &mut String, list: &List) {
    paragraph(out, "font-weight:bold;margin-bottom:4px", &escaped(&list.title));
    out.push_str("<ul style=\"margin-top:0;padding-left:20px\">\n");
    for item in &list.items {
        put(out, format_args!("<li>{}</li>\n", lines(item)));
    }
    out.push_str("</ul>\n");
}

fn put(out: &mut String, arguments: std::fmt::Arguments) {
    out.write_fmt(arguments).expect("writing to a string cannot fail");
}

fn lines(text: &str) -> String {
    escaped(text).replace('\n', "<br/>")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sixgate_workflows::{
        content::{Bar, Chart, Content, Figure, List},
        locale::Locale,
    };

    use super::{super::page::Page, html};

    #[test]
    fn whatever_people_wrote_is_text_and_never_markup() {
        let attack = || "</td><script src='x'>&amp;\"\n<img onerror=\"x\"/>".to_owned();
        let bar = Bar { label: attack(), part: 1_000.into(), shown: attack(), missed: None };
        let content = Content {
            subject: attack(),
            lead: attack(),
            body: attack(),
            figures: vec![Figure { label: attack(), value: attack() }],
            chart: Some(Chart { title: attack(), bars: vec![bar] }),
            list: Some(List { title: attack(), items: vec![attack()] }),
            action: attack(),
            footer: attack(),
            by: attack(),
        };
        let page = Page {
            content: &content,
            locale: Locale::En,
            functions: &BTreeSet::new(),
            link: Some("https://a.example/\"><b>".to_owned()),
            preferences: None,
            is_optional: false,
        };
        let written = html(&page);
        for markup in ["<script", "<img", "<b>", "</td><s"] {
            assert!(!written.contains(markup), "{markup} in {written}");
        }
        assert_eq!(written.matches("&lt;script src=&#39;x&#39;&gt;&amp;amp;&quot;").count(), 12);
    }
}
