//! What a letter becomes, and what cannot become one.

use crate::{letter, moment};
use sixgate_engine::mail::{
    Invitation, Letter, Method, Unsendable, freeze, invitation, message_id,
};

fn frozen(letter: &Letter) -> String {
    String::from_utf8(freeze(letter).unwrap()).unwrap()
}

/// The header section with its folded lines joined.
fn headers(message: &str) -> Vec<String> {
    let (head, _) = message.split_once("\r\n\r\n").unwrap();
    head.replace("\r\n ", " ").split("\r\n").map(str::to_owned).collect()
}

#[track_caller]
fn assert_lines_fit(message: &str) {
    for line in message.split("\r\n") {
        assert!(line.len() <= 998, "a line of {} octets", line.len());
        assert!(!line.contains(['\r', '\n']), "a bare line end in {line:?}");
    }
}

#[test]
fn a_plain_letter_has_exactly_these_bytes() {
    let expected = "From: Sixgate <gates@procurement.example>\r\n\
        To: \"Li Lei\" <li.lei@buyer.example>\r\n\
        Subject: Quarterly review is due\r\n\
        Date: Tue, 30 Mar 2027 01:02:03 +0000\r\n\
        Message-ID: <IDENTIFIER@procurement.example>\r\n\
        Auto-Submitted: auto-generated\r\n\
        X-Auto-Response-Suppress: All\r\n\
        MIME-Version: 1.0\r\n\
        Content-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: 7bit\r\n\
        \r\n\
        The review of contract C-17 is due.\r\n\r\n";
    let id = letter().message_id;
    let expected = expected.replace("IDENTIFIER", id.split_once('@').unwrap().0);
    assert_eq!(frozen(&letter()), expected);
}

#[test]
fn the_message_id_depends_on_the_key_alone() {
    assert_eq!(message_id("abc", "a.example"), "ba7816bf8f01cfea414140de5dae2223@a.example");
    assert_ne!(message_id("abd", "a.example"), message_id("abc", "a.example"));
}

#[test]
fn the_same_letter_gives_the_same_bytes() {
    let rich = Letter {
        html: Some("<p>评审</p>".into()),
        calendar: Some("BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR\n".into()),
        ..letter()
    };
    assert_eq!(freeze(&rich), freeze(&rich.clone()));
    let other = Letter { text: "Another text.".into(), ..rich.clone() };
    assert_ne!(freeze(&rich), freeze(&other));
}

#[test]
fn chinese_names_and_subjects_are_encoded_words_in_short_lines() {
    let mut letter = letter();
    letter.from.name = "采购部".into();
    letter.to.name = "李雷, \"小\"李".into();
    letter.subject =
        "季度评审即将到期：请在三月三十一日之前完成供应商服务等级评估并提交结论".into();
    letter.text = "请查看合同。\n".into();
    let message = frozen(&letter);
    assert!(message.is_ascii());
    assert_lines_fit(&message);
    let (head, _) = message.split_once("\r\n\r\n").unwrap();
    assert!(head.split("\r\n").all(|line| line.len() <= 78), "{head}");
    assert!(head.contains("From: =?utf-8?b?6YeH6LSt6YOo?= <gates@procurement.example>"), "{head}");
    assert!(head.contains("Subject: =?utf-8?b?"), "{head}");
}

#[test]
fn a_line_break_in_a_header_field_is_refused() {
    let attack = "Eve\r\nBcc: all@buyer.example";
    for text in [attack, "a\rb", "a\nb", "a\0b", "a\u{7f}b", "a\u{2028}b", "a\u{202e}b"] {
        let in_from = {
            let mut letter = letter();
            letter.from.name = text.into();
            letter
        };
        let in_to = {
            let mut letter = letter();
            letter.to.name = text.into();
            letter
        };
        let in_subject = Letter { subject: text.into(), ..letter() };
        let in_address = {
            let mut letter = letter();
            letter.to.address = format!("{text}@buyer.example");
            letter
        };
        for letter in [in_from, in_to, in_subject, in_address] {
            let error = freeze(&letter).unwrap_err();
            assert_eq!(error.code(), "mail_control_character", "{text:?}: {error}");
        }
    }
}

#[test]
fn a_body_cannot_add_headers_or_parts() {
    let mut letter = letter();
    letter.text = "one\rtwo\r\n.\r\nRCPT TO:<x@y.example>\n\0\u{1b}[2Jend\r".into();
    letter.html = Some("<p>\rBcc: x@y.example\n\n--sixgate--</p>".into());
    let message = frozen(&letter);
    assert_lines_fit(&message);
    assert!(
        message.contains("one\r\ntwo\r\n.\r\nRCPT TO:<x@y.example>\r\n[2Jend\r\n"),
        "{message}"
    );
    assert!(!headers(&message).iter().any(|line| line.starts_with("Bcc")), "{message}");

    // Whoever knows the boundary of a letter and quotes it, gets a letter with another boundary.
    let boundary = message.split("boundary=\"").nth(1).unwrap().split('"').next().unwrap();
    letter.text = format!("--{boundary}\n\nforged");
    let forged = frozen(&letter);
    assert_eq!(forged.matches(boundary).count(), 1);
}

#[test]
fn a_long_unbroken_subject_is_shortened_and_no_line_is_too_long() {
    for word in ["a".repeat(1200), "评".repeat(1200), "a评".repeat(600)] {
        let message = frozen(&Letter { subject: word.clone(), text: word, ..letter() });
        assert_lines_fit(&message);
        assert!(headers(&message).iter().any(|line| line.starts_with("Subject: ")));
    }
}

#[test]
fn text_that_looks_like_an_encoded_word_is_shown_as_it_is() {
    let message = frozen(&Letter { subject: "=?utf-8?b?RXZlDQo=?= hello".into(), ..letter() });
    assert!(message.contains("Subject: = ?utf-8?b?RXZlDQo= ?= hello\r\n"), "{message}");
}

#[test]
fn spaces_never_fold_into_a_blank_line() {
    let subject = format!("a{}b", " ".repeat(190));
    assert!(frozen(&Letter { subject, ..letter() }).contains("Subject: a b\r\n"));
}

#[test]
fn a_calendar_is_the_last_alternative_and_names_its_method() {
    let calendar = invitation(&Invitation {
        method: Method::Request,
        uid: "review-17@procurement.example".into(),
        sequence: 0,
        stamp: moment("2027-03-01T00:00:00Z"),
        start: moment("2027-03-31T06:00:00Z"),
        end: moment("2027-03-31T07:00:00Z"),
        organizer: letter().from,
        attendee: letter().to,
        summary: "Review".into(),
        description: "Contract C-17".into(),
        location: None,
        url: None,
    });
    let html = Some("<p>due</p>".into());
    let message = frozen(&Letter { html, calendar: Some(calendar.clone()), ..letter() });
    assert_lines_fit(&message);
    let kinds: Vec<&str> = message
        .lines()
        .filter_map(|line| line.strip_prefix("Content-Type: "))
        .map(|kind| kind.trim_end_matches(';'))
        .collect();
    let expected = [
        "multipart/alternative",
        "text/plain; charset=utf-8",
        "text/html; charset=utf-8",
        "text/calendar; method=REQUEST; charset=utf-8",
    ];
    assert_eq!(kinds, expected);
    let decoded = message.replace("=\r\n", "").replace("=3D", "=");
    assert!(decoded.contains(&calendar), "{message}");
}

#[test]
fn a_calendar_that_neither_requests_nor_cancels_is_refused() {
    for calendar in [
        "",
        "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
        "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR\r\n",
        "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n",
        "METHOD:REQUEST\r\n",
    ] {
        let letter = Letter { calendar: Some(calendar.into()), ..letter() };
        assert_eq!(freeze(&letter), Err(Unsendable::Calendar), "{calendar:?}");
    }
}

#[test]
fn fields_that_no_server_would_take_are_refused() {
    let with_to = |address: &str| {
        let mut letter = letter();
        letter.to.address = address.into();
        letter
    };
    let with_name = |name: String| {
        let mut letter = letter();
        letter.to.name = name;
        letter
    };
    let cases = [
        (with_to(""), "mail_not_an_address"),
        (with_to("li.lei"), "mail_not_an_address"),
        (with_to("<li@buyer.example>"), "mail_not_an_address"),
        (with_to("\"li lei\"@buyer.example"), "mail_not_an_address"),
        (with_to("a@b.example,c@d.example"), "mail_not_an_address"),
        (with_to(&format!("a@{}.example", "b".repeat(300))), "mail_too_long"),
        (with_name("n".repeat(121)), "mail_too_long"),
        (Letter { subject: " ".into(), ..letter() }, "mail_empty"),
        (Letter { message_id: "no-domain".into(), ..letter() }, "mail_message_id"),
        (Letter { message_id: "../up@b.example".into(), ..letter() }, "mail_message_id"),
        (Letter { date: moment("1969-12-31T23:59:59Z"), ..letter() }, "mail_date"),
        (Letter { text: "x".repeat(5 * 1024 * 1024), ..letter() }, "mail_too_large"),
    ];
    for (letter, code) in cases {
        let error = freeze(&letter).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
}

#[test]
fn no_single_character_anywhere_makes_freezing_panic_or_break_a_line() {
    let characters = (0..=0x2ff).chain(0x2000..=0x2070).chain([0xfeff, 0xfffd, 0x1f600, 0x10ffff]);
    for character in characters.filter_map(char::from_u32) {
        let text = format!("x{character}y");
        let mut letter = letter();
        letter.from.name.clone_from(&text);
        letter.to.name.clone_from(&text);
        letter.subject.clone_from(&text);
        letter.text.clone_from(&text);
        match freeze(&letter) {
            Ok(bytes) => {
                let message = String::from_utf8(bytes).unwrap();
                assert!(message.is_ascii(), "{character:?}");
                assert_lines_fit(&message);
            }
            Err(error) => assert_eq!(error.code(), "mail_control_character", "{character:?}"),
        }
    }
}
