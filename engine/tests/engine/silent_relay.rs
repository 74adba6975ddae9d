//! A relay that takes a letter and never says so: the outcome is unknown, and the letter goes out
//! again under the same Message-ID.

use std::sync::Arc;

use chrono::Duration;
use sixgate_workflows::{notice::Status, stage::Stage};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufStream},
    net::{TcpListener, TcpStream},
    sync::{Notify, mpsc},
};

use crate::{
    mail_failures::relay,
    people::Who,
    world::{World, header},
};

/// What it does after the final dot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    HangsUp,
    SaysNothing,
    /// Once it is told to.
    AnswersLate,
}

struct Relay {
    port: u16,
    /// The letters that it took.
    taken: mpsc::UnboundedReceiver<String>,
    answer: Arc<Notify>,
}

async fn start(ending: Ending) -> Relay {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (took, taken) = mpsc::unbounded_channel();
    let answer = Arc::new(Notify::new());
    let told = Arc::clone(&answer);
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            tokio::spawn(converse(BufStream::new(socket), took.clone(), ending, Arc::clone(&told)));
        }
    });
    Relay { port, taken, answer }
}

async fn converse(
    mut stream: BufStream<TcpStream>,
    took: mpsc::UnboundedSender<String>,
    ending: Ending,
    told: Arc<Notify>,
) {
    for reply in ["220 relay.example", "250 hello", "250 sender", "250 recipient", "354 go on"] {
        stream.write_all(format!("{reply}\r\n").as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        if !reply.starts_with("354") {
            stream.read_line(&mut String::new()).await.unwrap();
        }
    }
    let mut letter = String::new();
    while !letter.ends_with("\r\n.\r\n") {
        stream.read_line(&mut letter).await.unwrap();
    }
    let letter = letter.strip_suffix(".\r\n").unwrap().to_owned();
    // Nobody listens any more when the test is over.
    let _ = took.send(letter);
    match ending {
        Ending::HangsUp => return,
        Ending::SaysNothing => {}
        Ending::AnswersLate => {
            told.notified().await;
            stream.write_all(b"250 taken\r\n").await.unwrap();
            stream.flush().await.unwrap();
        }
    }
    let _ = stream.read_line(&mut String::new()).await;
}

/// A world in which only Fiona is to be written to.
async fn one_letter(relay_port: u16) -> World {
    let mut world = World::filled(Stage::Budget).await;
    world.restart_with(relay(relay_port)).await;
    world
}

#[tokio::test]
async fn an_attempt_interrupted_by_a_stop_is_unknown_and_made_again_with_the_same_bytes() {
    let mut silent = start(Ending::SaysNothing).await;
    let mut world = one_letter(silent.port).await;
    let engine = Arc::clone(&world.engine);
    let sending = tokio::spawn(async move { engine.settle().await });
    let taken = silent.taken.recv().await.unwrap();
    sending.abort();
    assert!(sending.await.unwrap_err().is_cancelled());
    assert_eq!(world.letters()[0].status.id(), "transmitting");

    world.engine.save_checkpoint().unwrap();
    world.restart().await;
    let letters = world.letters();
    let Status::Unknown { retry_at, .. } = letters[0].status else { panic!("{letters:?}") };
    assert!(retry_at <= world.now() + Duration::minutes(1));
    assert_eq!(world.settle().await.sent, 0);
    world.restart().await;
    assert_eq!(world.letters(), letters, "a further restart changes nothing");

    world.later(Duration::minutes(1));
    assert_eq!(world.settle().await.sent, 1);
    let mails = world.mails();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0], taken);
    let id = format!("<{}>", letters[0].message_id);
    assert_eq!(header(&mails[0], "Message-ID: "), id);
    assert!(matches!(world.letters()[0].status, Status::Sent { .. }));
    assert_eq!(world.letters()[0].attempts, 2);
}

#[tokio::test]
async fn a_connection_lost_after_the_final_dot_is_unknown_and_not_a_failure() {
    let mut hanging_up = start(Ending::HangsUp).await;
    let mut world = one_letter(hanging_up.port).await;
    world.settle().await;
    let first = hanging_up.taken.recv().await.unwrap();
    let letters = world.letters();
    assert!(matches!(letters[0].status, Status::Unknown { .. }), "{letters:?}");
    assert_eq!(world.settle().await.sent, 0);

    world.later(Duration::minutes(1));
    world.settle().await;
    assert_eq!(hanging_up.taken.recv().await.unwrap(), first);
    world.restart().await;
    world.later(Duration::minutes(5));
    world.settle().await;
    assert_eq!(world.mails(), [first]);
    assert_eq!(world.addressees(), [Who::Fiona.address()]);
    assert_eq!(world.letters()[0].attempts, 3);
}

#[tokio::test]
async fn an_engine_that_starts_meanwhile_takes_the_attempt_for_interrupted() {
    let mut hanging = start(Ending::AnswersLate).await;
    let mut world = one_letter(hanging.port).await;
    let engine = Arc::clone(&world.engine);
    let sending = tokio::spawn(async move { engine.settle().await });
    let taken = hanging.taken.recv().await.unwrap();
    world.restart().await;
    assert!(matches!(world.letters()[0].status, Status::Unknown { .. }));

    hanging.answer.notify_one();
    let pass = sending.await.unwrap();
    assert!(pass.is_ok(), "the slower one does not fail over it: {pass:?}");
    world.later(Duration::minutes(1));
    world.settle().await;
    assert_eq!(world.mails(), [taken], "twice at worst, and as one letter");
}
