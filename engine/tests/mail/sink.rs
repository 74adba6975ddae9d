//! Against `smtp-sink`, the test server of Postfix: a real implementation of the other side.

use crate::{AMPLE, Letter, letter, settings, transport};
use sixgate_engine::mail::{Invitation, Method, Outcome, freeze, invitation};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tokio::net::TcpStream;

/// One running `smtp-sink`, stopped when dropped.
struct Sink {
    process: Child,
    port: u16,
    dumps: TempDir,
}

impl Sink {
    async fn start(switches: &[&str]) -> Self {
        let dumps = tempfile::tempdir().unwrap();
        // The server gives up its privileges, so the folder must be open to another user.
        fs::set_permissions(dumps.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(program());
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.args(["-u", "nobody"]);
        }
        let process = command
            .args(["-d", &format!("{}/letter.", dumps.path().display())])
            .args(switches)
            .args([&format!("127.0.0.1:{port}"), "16"])
            .stdin(Stdio::null())
            .spawn()
            .expect("smtp-sink starts");
        let mut sink = Self { process, port, dumps };
        tokio::time::timeout(AMPLE, sink.listens()).await.expect("smtp-sink listens");
        sink
    }

    /// The server says nowhere that it is ready, so knocking is all one can do.
    async fn listens(&mut self) {
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            let ended = self.process.try_wait().unwrap();
            assert!(ended.is_none(), "smtp-sink ended at once: {ended:?}");
            tokio::task::yield_now().await;
        }
    }

    /// The part of the dump that is the server's own, and the part that is the letter, as soon as
    /// the letter is complete: the server replies before it has written the dump to the end.
    async fn dump(&self, letter: &str) -> (String, String) {
        loop {
            let mut files = fs::read_dir(self.dumps.path()).unwrap();
            let path = files.next().expect("a dump").unwrap().path();
            assert!(files.next().is_none(), "more than one dump");
            let dump = fs::read_to_string(path).unwrap();
            if let Some(at) = dump.find("From: ")
                && dump.len() - at >= letter.len()
            {
                return (dump[..at].to_owned(), dump[at..].to_owned());
            }
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|folder| folder.join("smtp-sink"))
        .find(|program| Path::is_file(program))
        .expect("smtp-sink is neither in PATH nor in /usr/sbin: install the package postfix")
}

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
        ("CONNECT", [(SOFT, "Retry"), (HARD, "Misconfigured"), (DROP, "Retry"), (BUSY, "Retry")]),
        ("EHLO", [(SOFT, "Retry"), (HARD, "Misconfigured"), (DROP, "Retry"), (BUSY, "Retry")]),
        ("MAIL", [(SOFT, "Retry"), (HARD, "Misconfigured"), (DROP, "Retry"), (BUSY, "Retry")]),
        ("RCPT", [(SOFT, "Retry"), (HARD, "Refused"), (DROP, "Retry"), (BUSY, "Retry")]),
        ("DATA", [(SOFT, "Retry"), (HARD, "Refused"), (DROP, "Retry"), (BUSY, "Retry")]),
        (".", [(SOFT, "Retry"), (HARD, "Refused"), (DROP, "Unknown"), (BUSY, "Retry")]),
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
