//! What each misbehaviour of a server comes to.

use crate::fake_server::Step::{Hear, HearContent, HearTheEnd, Say, Signal};
use crate::fake_server::{FakeServer, Step};
use crate::{BRIEF, letter, settings, transport};
use sixgate_engine::mail::{
    Deadlines, Envelope, Outcome, Password, Security, SmtpSettings, freeze,
};

const OPENING: [Step; 3] =
    [Say("220 fake.example ready"), Hear("EHLO"), Say("250 fake.example at your service")];
const ENVELOPE: [Step; 4] =
    [Hear("MAIL FROM:"), Say("250 sender ok"), Hear("RCPT TO:"), Say("250 recipient ok")];
const ENDING: [Step; 3] = [Say("250 ok"), Hear("QUIT"), Say("221 bye")];
const CONTENT: [Step; 3] = [Hear("DATA"), Say("354 go ahead"), HearContent];

fn script(parts: &[&[Step]]) -> Vec<Step> {
    parts.concat()
}

async fn send(settings: SmtpSettings) -> Outcome {
    transport(settings).send(&letter().envelope(), &freeze(&letter()).unwrap()).await
}

/// Plays one script and compares the kind of the outcome and a word of its reason.
async fn plays(steps: Vec<Step>, change: fn(&mut SmtpSettings), kind: &str, reason: &str) {
    let server = FakeServer::start(vec![steps.clone()]).await;
    let mut settings = settings(server.port);
    change(&mut settings);
    let outcome = format!("{:?}", send(settings).await);
    assert!(outcome.starts_with(kind) && outcome.contains(reason), "{outcome} after {steps:?}");
    server.heard().await;
}

fn unchanged(_: &mut SmtpSettings) {}

#[tokio::test]
async fn a_letter_arrives_as_it_was_frozen_and_the_reply_is_kept() {
    let bytes = freeze(&crate::Letter { text: ".\n..dots\n".into(), ..letter() }).unwrap();
    let ending = [Say("250-2.0.0 queued"), Say("250 as A17"), Hear("QUIT"), Say("221 bye")];
    let server = FakeServer::start(vec![script(&[&OPENING, &ENVELOPE, &CONTENT, &ending])]).await;
    let outcome = transport(settings(server.port)).send(&letter().envelope(), &bytes).await;
    assert_eq!(outcome, Outcome::Sent { reply: "250 2.0.0 queued as A17".into() });

    let heard = server.heard().await;
    assert_eq!(heard[0], "EHLO client.example");
    assert_eq!(heard[1], "MAIL FROM:<gates@procurement.example>");
    assert_eq!(heard[2], "RCPT TO:<li.lei@buyer.example>");
    let content: String = heard[4..heard.len() - 2]
        .iter()
        .map(|line| format!("{}\r\n", line.strip_prefix('.').unwrap_or(line)))
        .collect();
    assert_eq!(content.as_bytes(), bytes);
}

#[tokio::test]
async fn a_server_that_never_greets_is_left_at_the_deadline() {
    let hurry: fn(&mut SmtpSettings) = |settings| {
        settings.deadlines = Deadlines { connect: BRIEF, session: BRIEF, ..settings.deadlines };
    };
    plays(vec![HearTheEnd], hurry, "Unavailable", "opening the connection: the deadline").await;
}

#[tokio::test]
async fn a_silent_server_is_left_at_each_phase() {
    let envelope: fn(&mut SmtpSettings) = |settings| settings.deadlines.envelope = BRIEF;
    let content: fn(&mut SmtpSettings) = |settings| settings.deadlines.content = BRIEF;
    let silence = [HearTheEnd];
    plays(script(&[&OPENING, &silence]), envelope, "Unavailable", "naming the sender").await;
    plays(script(&[&OPENING, &ENVELOPE[..2], &silence]), envelope, "Retry", "the recipient").await;
    plays(script(&[&OPENING, &ENVELOPE, &silence]), content, "Retry", "sending the message").await;
}

#[tokio::test]
async fn a_reply_after_the_deadline_of_the_final_dot_is_unknown() {
    let late = [HearTheEnd, Say("250 queued as A18")];
    let steps = script(&[&OPENING, &ENVELOPE, &CONTENT, &late]);
    plays(
        steps,
        |settings| settings.deadlines.content = BRIEF,
        "Unknown",
        "after the end of the message: the deadline",
    )
    .await;
}

#[tokio::test]
async fn a_connection_lost_after_the_final_dot_is_unknown() {
    plays(script(&[&OPENING, &ENVELOPE, &CONTENT]), unchanged, "Unknown", "").await;
}

#[tokio::test]
async fn an_unreadable_or_wrong_reply_to_the_final_dot_is_unknown() {
    for reply in ["hello", "354 go on", "251 forwarded", "999 what"] {
        let steps = script(&[&OPENING, &ENVELOPE, &CONTENT, &[Say(reply)]]);
        plays(steps, unchanged, "Unknown", "after the end of the message").await;
    }
}

#[tokio::test]
async fn a_refusal_after_354_is_not_taken_for_success() {
    let steps = script(&[&OPENING, &ENVELOPE, &CONTENT, &[Say("550 5.7.1 spam")]]);
    plays(steps, unchanged, "Refused", "5.7.1 spam").await;
    let both_at_once = [Hear("DATA"), Say("354 go ahead\r\n552 too large"), HearContent];
    plays(script(&[&OPENING, &ENVELOPE, &both_at_once]), unchanged, "Refused", "too large").await;
    let steps = script(&[&OPENING, &ENVELOPE, &CONTENT, &[Say("451 4.3.0 later")]]);
    plays(steps, unchanged, "Retry", "later").await;
    let steps = script(&[&OPENING, &ENVELOPE, &CONTENT, &[Say("421 4.3.2 going down")]]);
    plays(steps, unchanged, "Unavailable", "going down").await;
}

#[tokio::test]
async fn a_probe_signs_in_and_names_the_sender_but_sends_no_letter() {
    let polite = [Hear("MAIL FROM:<gates@procurement.example>"), Say("250 ok"), Hear("QUIT")];
    let refused = [Hear("MAIL"), Say("553 not your address"), HearTheEnd];
    let scripts = [&polite[..], &refused[..]].map(|ending| script(&[&OPENING, ending]));
    let server = FakeServer::start(scripts.to_vec()).await;
    let transport = transport(settings(server.port));
    assert_eq!(transport.probe("gates@procurement.example").await, Ok(()));
    let outcome = transport.probe("gates@procurement.example").await;
    assert!(matches!(outcome, Err(Outcome::Misconfigured { .. })), "{outcome:?}");
    let heard = server.heard().await;
    assert!(heard.iter().all(|line| !line.starts_with("RCPT")), "{heard:?}");
}

#[tokio::test]
async fn a_connection_lost_before_the_final_dot_is_tried_again() {
    let steps = script(&[&OPENING, &ENVELOPE, &[Hear("DATA")]]);
    plays(steps, unchanged, "Retry", "sending the message").await;
}

#[tokio::test]
async fn data_that_is_answered_with_250_ends_the_attempt() {
    let steps = script(&[&OPENING, &ENVELOPE, &[Hear("DATA"), Say("250 ok"), HearTheEnd]]);
    plays(steps, unchanged, "Retry", "unexpected reply: 250 ok").await;
}

#[tokio::test]
async fn a_greeting_decides_about_the_whole_server() {
    let busy = vec![Say("421 4.3.2 too busy"), HearTheEnd];
    plays(busy, unchanged, "Unavailable", "421").await;
    let closed = vec![Say("554 no service here"), HearTheEnd];
    plays(closed, unchanged, "Misconfigured", "no service here").await;
    plays(vec![], unchanged, "Unavailable", "opening the connection").await;
    plays(vec![Say("SSH-2.0-OpenSSH")], unchanged, "Unavailable", "opening the connection").await;
}

#[tokio::test]
async fn a_server_without_ehlo_is_misconfigured() {
    let steps = vec![Say("220 hi"), Hear("EHLO"), Say("502 unknown"), Hear("QUIT"), Say("221 bye")];
    plays(steps, unchanged, "Misconfigured", "unknown").await;
}

#[tokio::test]
async fn an_ehlo_reply_that_makes_the_library_panic_is_contained() {
    let steps = vec![Say("220 hi"), Hear("EHLO"), Say("250-fake.example\r\n250    "), HearTheEnd];
    plays(steps, unchanged, "Misconfigured", "panicked").await;
}

#[tokio::test]
async fn a_refused_recipient_is_refused_and_a_refused_sender_concerns_everyone() {
    let unknown = [Hear("RCPT"), Say("550 5.1.1 no such user"), HearTheEnd];
    let steps = script(&[&OPENING, &ENVELOPE[..2], &unknown]);
    plays(steps, unchanged, "Refused", "5.1.1 no such user").await;
    let locked = [Hear("RCPT"), Say("530 5.7.0 sign in first"), HearTheEnd];
    let steps = script(&[&OPENING, &ENVELOPE[..2], &locked]);
    plays(steps, unchanged, "Misconfigured", "sign in first").await;
    let steps = script(&[&OPENING, &[Hear("MAIL"), Say("553 not your address"), HearTheEnd]]);
    plays(steps, unchanged, "Misconfigured", "not your address").await;
}

#[tokio::test]
async fn a_reason_is_one_bounded_line_whatever_the_server_says() {
    let babble = "550-\u{1b}[31mred\r\n550-a\tb\r\n550 end";
    let steps = script(&[&OPENING, &ENVELOPE[..2], &[Hear("RCPT"), Say(babble), HearTheEnd]]);
    let server = FakeServer::start(vec![steps]).await;
    let outcome = send(settings(server.port)).await;
    let Outcome::Refused { why } = outcome else { panic!("{outcome:?}") };
    assert!(why.ends_with("[31mred a\tb end") && !why.contains('\u{1b}'), "{why:?}");
}

#[tokio::test]
async fn signing_in_that_fails_pauses_unless_it_is_temporary() {
    let sign_in: fn(&mut SmtpSettings) = |settings| {
        settings.user = Some("gates".into());
        settings.password = Some(Password::new("secret"));
    };
    let opening = [Say("220 hi"), Hear("EHLO"), Say("250-fake.example\r\n250 AUTH PLAIN")];
    let answer = |reply| script(&[&opening, &[Hear("AUTH PLAIN"), Say(reply), HearTheEnd]]);
    plays(answer("535 5.7.8 wrong password"), sign_in, "Misconfigured", "signing in").await;
    plays(answer("454 4.7.0 try later"), sign_in, "Unavailable", "signing in").await;
    plays(answer("250 out of step"), sign_in, "Unavailable", "unexpected reply").await;
    let signed_in = [Hear("AUTH PLAIN AGdhdGVzAHNlY3JldA=="), Say("235 welcome")];
    let steps = script(&[&opening, &signed_in, &ENVELOPE, &CONTENT, &ENDING]);
    plays(steps, sign_in, "Sent", "250 ok").await;
    plays(script(&[&OPENING, &[HearTheEnd]]), sign_in, "Misconfigured", "mechanism").await;
}

#[tokio::test]
async fn an_address_beyond_ascii_needs_a_server_that_takes_it() {
    let mut letter = letter();
    letter.to.address = "采购@例子.中国".into();
    let bytes = freeze(&letter).unwrap();

    let server = FakeServer::start(vec![script(&[&OPENING, &[HearTheEnd]])]).await;
    let outcome = transport(settings(server.port)).send(&letter.envelope(), &bytes).await;
    assert!(
        matches!(&outcome, Outcome::Refused { why } if why.contains("SMTPUTF8")),
        "{outcome:?}"
    );

    let greeting = "250-fake.example\r\n250-8BITMIME\r\n250 SMTPUTF8";
    let opening = [Say("220 hi"), Hear("EHLO"), Say(greeting)];
    let steps = script(&[&opening, &ENVELOPE, &CONTENT, &ENDING]);
    let server = FakeServer::start(vec![steps]).await;
    let outcome = transport(settings(server.port)).send(&letter.envelope(), &bytes).await;
    assert_eq!(outcome, Outcome::Sent { reply: "250 ok".into() });
    let heard = server.heard().await;
    assert_eq!(heard[1], "MAIL FROM:<gates@procurement.example> SMTPUTF8 BODY=8BITMIME");
    assert_eq!(heard[2], "RCPT TO:<采购@例子.中国>");
}

#[tokio::test]
async fn a_cancelled_send_does_not_confuse_the_next_one() {
    let interrupted = script(&[&OPENING, &ENVELOPE, &CONTENT, &[Signal, HearTheEnd]]);
    let refused = script(&[&OPENING, &ENVELOPE, &CONTENT, &[Say("550 5.6.0 no"), HearTheEnd]]);
    let server = FakeServer::start(vec![interrupted, refused]).await;
    let transport = transport(settings(server.port));
    let bytes = freeze(&letter()).unwrap();
    let (envelope, signal) = (letter().envelope(), server.signal.clone());
    tokio::select! {
        outcome = transport.send(&envelope, &bytes) => panic!("{outcome:?}"),
        () = signal.notified() => {}
    }
    let outcome = transport.send(&envelope, &bytes).await;
    assert!(matches!(&outcome, Outcome::Refused { why } if why.contains("5.6.0")), "{outcome:?}");
    server.heard().await;
}

#[tokio::test]
async fn bytes_that_could_smuggle_a_command_never_reach_a_server() {
    let transport = transport(settings(1));
    let bytes = b"A: b\r\n\r\ntext\n.\nMAIL FROM:<x@y.example>\r\n";
    let outcome = transport.send(&letter().envelope(), bytes).await;
    assert_eq!(outcome, Outcome::Refused { why: "a line feed stands alone".into() });
    let envelope = Envelope { to: "a@b.example>\r\nDATA".into(), ..letter().envelope() };
    let outcome = transport.send(&envelope, &freeze(&letter()).unwrap()).await;
    assert!(matches!(&outcome, Outcome::Refused { .. }), "{outcome:?}");
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let outcome = send(settings(port)).await;
    assert!(matches!(outcome, Outcome::Unavailable { .. }), "{outcome:?}");
}

#[tokio::test]
async fn a_server_without_the_wanted_tls_is_misconfigured() {
    let start: fn(&mut SmtpSettings) = |settings| settings.security = Security::StartTls;
    plays(script(&[&OPENING, &[HearTheEnd]]), start, "Misconfigured", "STARTTLS").await;
    let wrapped: fn(&mut SmtpSettings) = |settings| settings.security = Security::Tls;
    plays(vec![Say("220 plain text"), HearTheEnd], wrapped, "Misconfigured", "opening").await;
}
