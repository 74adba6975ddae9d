//! Letters of every kind in both languages, as a mail program of another house reads them.

use mail_parser::{Message, MessageParser, MimeHeaders};
use quick_xml::{Reader, events::Event};
use sixgate_engine::{
    mail::{Letter, freeze},
    preview,
};
use sixgate_workflows::{deadline::NoticeKind, locale::Locale};

const LETTER_BYTES_MAX: usize = 100 * 1024;

fn all() -> impl Iterator<Item = (NoticeKind, Locale, Letter)> {
    NoticeKind::ALL.into_iter().flat_map(|kind| {
        Locale::ALL.into_iter().map(move |locale| (kind, locale, preview(kind, locale).unwrap()))
    })
}

/// Line ends as in a file; a part ends with as many as it likes.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").trim_end().to_owned()
}

fn header<'a>(message: &'a Message, name: &'a str) -> Option<&'a str> {
    message.header_raw(name).map(str::trim)
}

/// The pieces of text in markup, which must be well-formed.
fn texts(html: &str) -> Vec<String> {
    let mut reader = Reader::from_str(html);
    reader.config_mut().check_end_names = true;
    let mut texts = vec![String::new()];
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} in {html}")) {
            Event::Eof => break,
            Event::Text(text) => texts.last_mut().unwrap().push_str(&text),
            Event::GeneralRef(name) => {
                let character = match &*name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "#39" => "'",
                    "#160" => " ",
                    other => panic!("&{other}; is not written by us"),
                };
                texts.last_mut().unwrap().push_str(character);
            }
            Event::Start(_) | Event::End(_) | Event::Empty(_) => texts.push(String::new()),
            Event::DocType(_) => {}
            Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {
                panic!("something else than text in {html}")
            }
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

#[test]
fn another_parser_reads_every_letter_as_it_was_written() {
    for (kind, locale, letter) in all() {
        let context = format!("{} {}", kind.id(), locale.tag());
        let bytes = freeze(&letter).unwrap();
        assert!(bytes.is_ascii() && bytes.len() < LETTER_BYTES_MAX, "{context}: {}", bytes.len());
        let long = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap();
        assert!(long <= 80, "{context}: a line of {long} octets");

        let message = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(message.subject(), Some(letter.subject.as_str()), "{context}");
        assert_eq!(message.message_id(), Some(letter.message_id.as_str()), "{context}");
        let to = message.to().unwrap().first().unwrap();
        assert_eq!(
            (to.name(), to.address()),
            (Some(letter.to.name.as_str()), Some("reader@buyer.example"))
        );
        assert_eq!(message.date().unwrap().to_timestamp(), letter.date.timestamp());
        assert_eq!(header(&message, "Auto-Submitted"), Some("auto-generated"));

        assert_eq!(plain(&message.body_text(0).unwrap()), plain(&letter.text), "{context}");
        let html = letter.html.as_deref().unwrap();
        assert_eq!(plain(&message.body_html(0).unwrap()), plain(html), "{context}");
        let kinds: Vec<String> = message
            .parts
            .iter()
            .map(|part| {
                let kind = part.content_type().unwrap();
                format!("{}/{}", kind.ctype(), kind.subtype().unwrap())
            })
            .collect();
        let mut expected = vec!["multipart/alternative", "text/plain", "text/html"];
        expected.extend(letter.calendar.is_some().then_some("text/calendar"));
        assert_eq!(kinds, expected, "{context}: the richest alternative comes last");
    }
}

#[test]
fn the_markup_is_well_formed_and_says_nothing_that_the_text_does_not_say() {
    for (kind, locale, letter) in all() {
        let said = letter.text.replace('\n', " ");
        let html = letter.html.unwrap();
        assert!(html.contains(&format!("<html lang=\"{}\">", locale.tag())), "{html}");
        for text in texts(&html).into_iter().filter(|text| *text != letter.subject) {
            let text = text.trim();
            assert!(said.contains(text), "{}: {text:?} is not in {said}", kind.id());
        }
        assert!(!html.contains("<img") && !html.contains("src=") && !html.contains("<script"));
    }
}

#[test]
fn every_link_leads_to_a_page_of_this_house_and_changes_nothing() {
    for (kind, _, letter) in all() {
        let html = letter.html.unwrap();
        let links: Vec<&str> =
            html.split("href=\"").skip(1).map(|after| after.split('"').next().unwrap()).collect();
        let house = "https://sixgate.buyer.example";
        let about = links[0].strip_prefix(&format!("{house}/procurements/")).unwrap();
        assert!(about.parse::<uuid::Uuid>().is_ok(), "{about}");
        assert!(letter.text.contains(links[0]), "{}", letter.text);
        let preferences = format!("{house}/preferences");
        let optional: &[&str] = if kind.is_optional() { &[&preferences] } else { &[] };
        assert_eq!(links[1..], *optional, "{}", kind.id());
    }
}

#[test]
fn only_an_optional_letter_says_where_to_decline_it() {
    for (kind, locale, letter) in all() {
        let bytes = freeze(&letter).unwrap();
        let message = MessageParser::default().parse(&bytes).unwrap();
        let page = header(&message, "List-Unsubscribe");
        let optional = kind.is_optional();
        assert_eq!(page.is_some(), optional, "{}", kind.id());
        assert!(page.is_none_or(|page| page == "<https://sixgate.buyer.example/preferences>"));
        let unread = match locale {
            Locale::En => "Replies to this address are not read.",
            Locale::ZhCn => "此地址的回信无人阅读。",
        };
        assert!(letter.text.contains(unread) && letter.html.unwrap().contains(unread));
    }
}

#[test]
fn the_first_line_says_what_is_wanted() {
    for (kind, locale, letter) in all() {
        let first = letter.text.lines().next().unwrap();
        assert!(first.contains("“"), "{} {}: the title is in {first}", kind.id(), locale.tag());
        let html = letter.html.unwrap();
        let shown = texts(&html).into_iter().find(|text| *text != letter.subject).unwrap();
        assert_eq!(shown, first);
    }
}

#[test]
fn a_page_that_would_break_its_header_is_refused() {
    let letter = |page: &str| Letter { preferences: Some(page.to_owned()), ..crate::letter() };
    let cases = [
        ("https://a.example/\r\nBcc: b@c.example", "mail_control_character"),
        ("https://a.example/>, <mailto:b@c.example", "mail_not_a_page"),
        ("mailto:b@c.example", "mail_not_a_page"),
        ("https://例子.example/", "mail_not_a_page"),
        (&format!("https://a.example/{}", "b".repeat(600)), "mail_too_long"),
    ];
    for (page, code) in cases {
        assert_eq!(freeze(&letter(page)).unwrap_err().code(), code, "{page}");
    }
}
