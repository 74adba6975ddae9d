//! A server process: started, spoken to, stopped or killed.
//!
//! Dropping it kills the process, and fails the test if the process ever logged a panic.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::api::Api;
use crate::process::{Ran, program};

/// Far longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Server {
    child: Child,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    /// What was printed before the server listened.
    pub(crate) said: Vec<String>,
    pub(crate) address: String,
    pub(crate) api: Api,
}

impl Server {
    /// Serves a data directory on a free port.
    pub(crate) fn serve(data: &Path) -> Self {
        Self::start(&["serve", "--data", data.to_str().unwrap(), "--listen", "127.0.0.1:0"])
    }

    /// Runs a command that serves, and waits until it listens.
    pub(crate) fn start(words: &[&str]) -> Self {
        Self::attempt(words).unwrap_or_else(|ran| panic!("it did not serve: {ran:?}"))
    }

    /// A data directory that must not be served.
    #[track_caller]
    pub(crate) fn refused(data: &Path) -> Ran {
        let words = ["serve", "--data", data.to_str().unwrap(), "--listen", "127.0.0.1:0"];
        match Self::attempt(&words) {
            Ok(server) => panic!("it is served: {:?}", server.said),
            Err(ran) => ran,
        }
    }

    fn attempt(words: &[&str]) -> Result<Self, Ran> {
        let mut child = spawn(words);
        let lines = lines_of(&mut child);
        let errors = Some(errors_of(&mut child));
        let mut server = Self {
            child,
            lines,
            errors,
            said: Vec::new(),
            address: String::new(),
            api: Api::new(""),
        };
        loop {
            match server.lines.recv_timeout(PATIENCE) {
                Ok(line) => match line.strip_prefix("listening on http://") {
                    Some(address) => {
                        server.address = address.to_owned();
                        server.api = Api::new(address);
                        return Ok(server);
                    }
                    None => server.said.push(line),
                },
                Err(RecvTimeoutError::Disconnected) => {
                    let code = server.child.wait().unwrap().code();
                    let output = server.said.join("\n");
                    return Err(Ran { code, output, errors: server.log() });
                }
                Err(RecvTimeoutError::Timeout) => panic!("it neither serves nor ends"),
            }
        }
    }

    /// As a loss of power would end it, for all that the process can do.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), None, "it ended by itself: {status}");
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn terminate(mut self) -> Ran {
        let kill = format!("kill -TERM {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let mut output = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => output.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not stop"),
            }
        }
        let code = self.child.wait().unwrap().code();
        Ran { code, output: output.join("\n"), errors: self.log() }
    }

    /// Everything that the process logged, once it has ended.
    fn log(&mut self) -> String {
        self.errors.take().map(|errors| errors.join().unwrap()).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let log = self.log();
        if log.contains("panic") && !thread::panicking() {
            panic!("the server logged a panic: {log}");
        }
    }
}

/// Starts a server and kills it at some point before it can be expected to listen.
pub(crate) fn kill_while_starting(data: &Path, wait: impl FnOnce()) {
    let data = data.to_str().unwrap();
    let mut child = spawn(&["serve", "--data", data, "--listen", "127.0.0.1:0"]);
    wait();
    child.kill().unwrap();
    child.wait().unwrap();
}

fn spawn(words: &[&str]) -> Child {
    program(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        // Ends with the process, or when nobody listens any more.
        output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    lines
}

fn errors_of(child: &mut Child) -> JoinHandle<String> {
    let mut errors = child.stderr.take().unwrap();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        errors.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
