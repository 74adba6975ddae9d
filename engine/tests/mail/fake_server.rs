//! A server that follows a script, one script per connection, and tells what it heard.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// Sends this text; the line end is added.
    Say(&'static str),
    /// Reads one line that must begin with this word.
    Hear(&'static str),
    /// Reads up to and including the line that is a single dot.
    HearContent,
    /// Tells the test that the script has come this far.
    Signal,
    /// Reads until the client closes the connection.
    HearTheEnd,
    // The end of a script closes the connection.
}

pub(crate) struct FakeServer {
    pub(crate) port: u16,
    pub(crate) signal: Arc<Notify>,
    heard: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl FakeServer {
    pub(crate) async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (signal, heard) = (Arc::new(Notify::new()), Arc::default());
        let task = tokio::spawn(serve(listener, scripts, signal.clone(), Arc::clone(&heard)));
        Self { port, signal, heard, task }
    }

    /// Waits until every script has been played, and gives all lines in order.
    pub(crate) async fn heard(self) -> Vec<String> {
        self.task.await.expect("the client kept to the script");
        self.heard.lock().unwrap().clone()
    }
}

async fn serve(
    listener: TcpListener,
    scripts: Vec<Vec<Step>>,
    signal: Arc<Notify>,
    heard: Arc<Mutex<Vec<String>>>,
) {
    for script in scripts {
        let (socket, _) = listener.accept().await.unwrap();
        let mut stream = BufStream::new(socket);
        for step in script {
            match step {
                Step::Say(text) => {
                    // A client that has given up does not hear it, which is its right.
                    let _ = stream.write_all(format!("{text}\r\n").as_bytes()).await;
                    let _ = stream.flush().await;
                }
                Step::Hear(word) => {
                    let line = hear(&mut stream).await.expect("a line before the end");
                    assert!(line.starts_with(word), "{line:?} is not {word}");
                    heard.lock().unwrap().push(line);
                }
                Step::HearContent => loop {
                    let line = hear(&mut stream).await.expect("a line before the end");
                    let is_last = line == ".";
                    heard.lock().unwrap().push(line);
                    if is_last {
                        break;
                    }
                },
                Step::Signal => signal.notify_one(),
                Step::HearTheEnd => while hear(&mut stream).await.is_some() {},
            }
        }
    }
}

async fn hear(stream: &mut BufStream<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let bytes = stream.read_line(&mut line).await.unwrap_or(0);
    (bytes > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}
