//! `smtp-sink`, the test server of Postfix, as a process of the test.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::TcpStream;

/// Long enough for a loopback server on a busy machine.
const AMPLE: Duration = Duration::from_secs(20);

/// One running `smtp-sink`, stopped when dropped.
pub(crate) struct Sink {
    process: Child,
    pub(crate) port: u16,
    dumps: TempDir,
}

impl Sink {
    pub(crate) async fn start(switches: &[&str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_on(port, switches).await
    }

    pub(crate) async fn start_on(port: u16, switches: &[&str]) -> Self {
        let dumps = tempfile::tempdir().unwrap();
        // The server gives up its privileges, so the folder must be open to another user.
        fs::set_permissions(dumps.path(), fs::Permissions::from_mode(0o777)).unwrap();
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
    pub(crate) async fn dump(&self, letter: &str) -> (String, String) {
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
