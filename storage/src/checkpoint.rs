//! Signed checkpoints: what the log was at a time, under a key that others can check.
//!
//! ```text
//! DIR/signing-key          the secret seed in hexadecimal, mode 0600, made at the first use
//! DIR/signed-checkpoints   one checkpoint a line, each handed out as it stands there
//!
//! signed = field("sixgate checkpoint 1") field(position) field(head hash) field(tree root)
//!          field(time, RFC 3339 in UTC, seconds) field(public key)      field() as in the chain
//! ```
//!
//! The rule: a checkpoint is kept durably before it is handed out, and every kept one is compared
//! with the chain when the log is verified. Whoever has one outside the house can later show that
//! history was written anew. Whoever has the key can sign anything, so it belongs in no export.
//!
//! It deliberately reads no clock; the time comes in, and is what this machine believed.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::tree::Tree;
use crate::{Error, EventLog, Hash, Head, Position, files};

const PAGE_COMMITS: usize = 1_000;
const LINE_BYTES_MAX: usize = 4_096;

/// What the log was at a time, signed. It proves itself with [`SignedCheckpoint::check`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedCheckpoint {
    /// The newest commit.
    pub position: Position,
    /// Its hash.
    pub head_hash: Hash,
    /// The root of the [`Tree`] over all commits up to it.
    pub tree_root: Hash,
    /// When, by the clock of the machine that signed; whole seconds.
    pub at: DateTime<Utc>,
    /// The Ed25519 public key, which is its own id: 64 hexadecimal digits.
    pub key: Hash,
    /// The signature: 128 hexadecimal digits.
    pub signature: String,
}

/// The checkpoints that are kept in a data directory, and the key that signs them.
#[derive(Debug, Clone)]
pub struct CheckpointBook {
    directory: PathBuf,
}

impl SignedCheckpoint {
    /// Whether the signature is that of the key in it; the error says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let signature = bytes(&self.signature).ok_or("the signature is not in hexadecimal")?;
        UnparsedPublicKey::new(&ED25519, self.key.as_bytes())
            .verify(&self.content(), &signature)
            .map_err(|_| "the signature does not fit the checkpoint".to_owned())
    }

    fn content(&self) -> Vec<u8> {
        let mut content = Vec::new();
        let time = self.at.to_rfc3339_opts(SecondsFormat::Secs, true);
        for field in [
            &b"sixgate checkpoint 1"[..],
            &self.position.0.to_be_bytes(),
            self.head_hash.as_bytes(),
            self.tree_root.as_bytes(),
            time.as_bytes(),
            self.key.as_bytes(),
        ] {
            content.extend_from_slice(&(field.len() as u64).to_be_bytes());
            content.extend_from_slice(field);
        }
        content
    }
}

impl CheckpointBook {
    /// The book of a data directory; nothing is created before the first checkpoint.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Signs what the log is now, keeps that durably, and answers it. Reads the whole log.
    pub async fn sign(
        &self,
        log: &dyn EventLog,
        now: DateTime<Utc>,
    ) -> Result<SignedCheckpoint, Error> {
        let head = log.head().await?;
        let mut tree = Tree::default();
        walk(log, head, |commit| tree.push(commit.hash)).await?;
        self.keep(head, tree.root(), now)
    }

    /// Every kept checkpoint, in the order in which they were made.
    pub fn kept(&self) -> Result<Vec<SignedCheckpoint>, Error> {
        let path = self.path();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(Error::io(format!("read {}", path.display()), source)),
        };
        let mut kept = Vec::new();
        for (number, line) in (1..).zip(BufReader::new(file).split(b'\n')) {
            let line =
                line.map_err(|source| Error::io(format!("read {}", path.display()), source))?;
            let read = match line.len() <= LINE_BYTES_MAX {
                true => serde_json::from_slice(&line).map_err(|error| error.to_string()),
                false => Err("it is too long".to_owned()),
            };
            kept.push(read.map_err(|why| {
                Error::corrupt(None, format!("line {number} of {}: {why}", path.display()))
            })?);
        }
        Ok(kept)
    }

    /// Keeps checkpoints of a log that moves into this directory.
    pub(crate) fn restore(&self, checkpoints: &[SignedCheckpoint]) -> Result<(), Error> {
        checkpoints.iter().try_for_each(|checkpoint| self.append(checkpoint))
    }

    fn keep(
        &self,
        head: Head,
        tree_root: Hash,
        now: DateTime<Utc>,
    ) -> Result<SignedCheckpoint, Error> {
        let pair = self.key()?;
        let key = pair.public_key().as_ref().try_into().expect("an Ed25519 key has 32 bytes");
        let mut checkpoint = SignedCheckpoint {
            position: head.position,
            head_hash: head.hash,
            tree_root,
            at: DateTime::from_timestamp(now.timestamp(), 0).unwrap_or(now),
            key: Hash::from_bytes(key),
            signature: String::new(),
        };
        checkpoint.signature = hexadecimal(pair.sign(&checkpoint.content()).as_ref());
        self.append(&checkpoint)?;
        Ok(checkpoint)
    }

    fn append(&self, checkpoint: &SignedCheckpoint) -> Result<(), Error> {
        let path = self.path();
        let failed = |source| Error::io(format!("write {}", path.display()), source);
        // The whole book is written anew, so that a crash leaves no half line behind.
        let mut content = match fs::read(&path) {
            Ok(content) => content,
            Err(source) if source.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(failed(source)),
        };
        serde_json::to_writer(&mut content, checkpoint)
            .expect("hashes, a number and a time can be written as JSON");
        content.push(b'\n');
        files::write_whole(&path.with_extension("unfinished"), &path, &content)
    }

    fn key(&self) -> Result<Ed25519KeyPair, Error> {
        let path = self.directory.join("signing-key");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) if source.kind() == io::ErrorKind::NotFound => create_key(&path)?,
            Err(source) => return Err(Error::io(format!("read {}", path.display()), source)),
        };
        let seed = bytes(text.trim_end()).unwrap_or_default();
        Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| Error::Invalid {
            what: "signing key",
            why: format!("{} does not hold 64 hexadecimal digits", path.display()),
        })
    }

    fn path(&self) -> PathBuf {
        self.directory.join("signed-checkpoints")
    }
}

/// Checkpoints to be compared with a chain that is read from its beginning.
#[derive(Debug, Default)]
pub struct Witnesses {
    /// The one that is due next is the last.
    waiting: Vec<SignedCheckpoint>,
    tree: Tree,
}

impl Witnesses {
    /// These checkpoints, whose signatures are checked at once.
    pub fn new(checkpoints: Vec<SignedCheckpoint>) -> Result<Self, String> {
        let mut witnesses = Self::default();
        checkpoints.into_iter().try_for_each(|checkpoint| witnesses.add(checkpoint))?;
        Ok(witnesses)
    }

    pub(crate) fn add(&mut self, checkpoint: SignedCheckpoint) -> Result<(), String> {
        checkpoint
            .check()
            .map_err(|why| format!("the checkpoint at {}: {why}", checkpoint.position))?;
        let place = self.waiting.partition_point(|other| other.position > checkpoint.position);
        self.waiting.insert(place, checkpoint);
        Ok(())
    }

    /// Takes the next commit of the chain; the error says which checkpoint it contradicts.
    pub fn pass(&mut self, commit: Head) -> Result<(), String> {
        self.tree.push(commit.hash);
        while let Some(due) = self.waiting.pop_if(|due| due.position <= commit.position) {
            let agrees = due.position == Position::ZERO
                || due.position == commit.position
                    && due.head_hash == commit.hash
                    && due.tree_root == self.tree.root();
            if !agrees {
                return Err(format!(
                    "the checkpoint that was signed at {} for position {} speaks of another \
                     history",
                    due.at, due.position
                ));
            }
        }
        Ok(())
    }

    /// Whether every checkpoint was passed.
    pub fn finish(&self) -> Result<(), String> {
        match self.waiting.iter().find(|due| due.position > Position::ZERO) {
            None => Ok(()),
            Some(due) => Err(format!(
                "a checkpoint was signed at {} for position {}, which the log does not reach",
                due.at, due.position
            )),
        }
    }
}

/// Reads a log from its first commit to a head, checking that it reaches just that.
pub(crate) async fn walk(
    log: &dyn EventLog,
    head: Head,
    mut each: impl FnMut(&crate::Commit),
) -> Result<(), Error> {
    let mut reached = Head::default();
    while reached.position < head.position {
        let page = log.read_all(reached.position, PAGE_COMMITS).await?;
        if page.is_empty() {
            let due = reached.position.next();
            return Err(Error::corrupt(due, "the log ends before its head"));
        }
        for commit in page.iter().take_while(|commit| commit.position <= head.position) {
            crate::export::follows(reached, commit.position, commit.previous)
                .map_err(|why| Error::corrupt(commit.position, why))?;
            reached = Head { position: commit.position, hash: commit.hash };
            each(commit);
        }
    }
    match reached == head {
        true => Ok(()),
        false => Err(Error::corrupt(head.position, "the head is not the last commit")),
    }
}

fn create_key(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::io(format!("create {}", path.display()), source);
    let mut seed = [0; 32];
    SystemRandom::new()
        .fill(&mut seed)
        .map_err(|_| failed(io::Error::other("the system gave no random bytes")))?;
    let text = hexadecimal(&seed);
    let passing = path.with_extension("unfinished");
    let written = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&passing)
        .and_then(|mut file| {
            writeln!(file, "{text}")?;
            file.sync_all()
        })
        // A key that another process made meanwhile is not replaced.
        .and_then(|()| fs::hard_link(&passing, path))
        .and_then(|()| fs::remove_file(&passing));
    written.map_err(failed)?;
    files::sync_parent(path)?;
    Ok(text)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let lower = text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    let pairs = text.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    pairs.collect::<Option<_>>().filter(|_| lower)
}
