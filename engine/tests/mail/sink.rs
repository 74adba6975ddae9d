//! Against `smtp-sink`, the test server of Postfix: a real implementation of the other side.

use crate::sink_process::Sink;
use crate::{AMPLE, BRIEF, Letter, letter, settings, transport};
use sixgate_engine::mail::{Invitation, Method, Outcome, SmtpSettings, freeze, invitation};

fn rich_letter() -> Letter {
    let mut letter = letter();
    letter.from.name = "采购部".into();
    letter.to.name = "李雷".into();
    letter.subject = "季度评审即将到期".into();
    letter.text = "请在三月三十一日之前完成。\n.\n..\n".into();
    letter.html = Some("<p>请完成</p>".into());
    letter.calendar = Some(invitation(&Invitation {
        method: Method::Request,
        uid: "review-17@procurement.example".into(),
        sequence: 0,
        stamp: letter.date,
        start: letter.date,
        end: letter.date,
        organizer: letter.from.clone(),
        attendee: letter.to.clone(),
        summary: letter.subject.clone(),
        description: letter.text.clone(),
        location: None,
        url: None,
    }));
    letter
}

#[tokio::test]
async fn a_real_server_receives_the_frozen_bytes() {
    let plain = Letter { text: ".\n..two dots\n".repeat(5000), ..letter() };
    for letter in [rich_letter(), plain] {
        let sink = Sink::start(&[]).await;
        let bytes = freeze(&letter).unwrap();
        let outcome = transport(settings(sink.port)).send(&letter.envelope(), &bytes).await;
        assert!(
            matches!(&outcome, Outcome::Sent { reply } if reply.starts_with("250 ")),
            "{outcome:?}"
        );

        // The dump has line feeds only, and one more at its end.
        let expected = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
        let dump = tokio::time::timeout(AMPLE, sink.dump(&expected)).await;
        let (notes, received) = dump.expect("the whole letter is in the dump");
        assert_eq!(received.trim_end_matches('\n'), expected.trim_end_matches('\n'));
        assert!(notes.contains("X-Mail-Args: <gates@procurement.example>"), "{notes}");
        assert!(notes.contains("X-Rcpt-Args: <li.lei@buyer.example>"), "{notes}");
    }
}

#[tokio::test]
async fn every_fault_at_every_verb_has_its_outcome() {
    const SOFT: &str = "-r";
    const HARD: &str = "-f";
    const DROP: &str = "-q";
    const BUSY: &str = "-Q";
    let cases = [
        (
            "CONNECT",
            [
                (SOFT, "Unavailable"),
                (HARD, "Misconfigured"),
                (DROP, "Unavailable"),
                (BUSY, "Unavailable"),
            ],
        ),
        (
            "EHLO",
            [
                (SOFT, "Unavailable"),
                (HARD, "Misconfigured"),
                (DROP, "Unavailable"),
                (BUSY, "Unavailable"),
            ],
        ),
        (
            "MAIL",
            [
                (SOFT, "Unavailable"),
                (HARD, "Misconfigured"),
                (DROP, "Unavailable"),
                (BUSY, "Unavailable"),
            ],
        ),
        ("RCPT", [(SOFT, "Retry"), (HARD, "Refused"), (DROP, "Retry"), (BUSY, "Unavailable")]),
        ("DATA", [(SOFT, "Retry"), (HARD, "Refused"), (DROP, "Retry"), (BUSY, "Unavailable")]),
        (".", [(SOFT, "Retry"), (HARD, "Refused"), (DROP, "Unknown"), (BUSY, "Unavailable")]),
        ("QUIT", [(SOFT, "Sent"), (HARD, "Sent"), (DROP, "Sent"), (BUSY, "Sent")]),
    ];
    for (verb, faults) in cases {
        for (switch, expected) in faults {
            let sink = Sink::start(&[switch, verb]).await;
            let bytes = freeze(&letter()).unwrap();
            let outcome = transport(settings(sink.port)).send(&letter().envelope(), &bytes).await;
            let outcome = format!("{outcome:?}");
            assert!(outcome.starts_with(expected), "{switch} {verb}: {outcome}");
        }
    }
}

#[tokio::test]
async fn a_server_that_is_slow_to_say_go_on_is_left_at_the_deadline() {
    let sink = Sink::start(&["-w", "20"]).await;
    let mut settings: SmtpSettings = settings(sink.port);
    settings.deadlines.content = BRIEF;
    let bytes = freeze(&letter()).unwrap();
    let outcome = transport(settings).send(&letter().envelope(), &bytes).await;
    assert!(matches!(outcome, Outcome::Retry { .. }), "{outcome:?}");
}
