//! Bundles: one stream with its files, in one file that proves itself to an outsider.
//!
//! ```text
//! {"header":{"format":"sixgate bundle 1","stream":"procurement-…","position":90,"head_hash":"…"}}
//! {"checkpoint":{…}}                 signed; the root in it stands for the whole log
//! {"event":{…}}                      the events of one commit, as in an export
//! {"proof":{"position":7,"path":[…]}}  from that commit to the root
//! …
//! {"blob":{…}} {"part":{…}}          the files that the events refer to
//! {"end":{…}}
//! ```
//!
//! The rule: whoever has the public key needs nothing else, no database and no other commit. Each
//! hash is computed from the stored bytes again, so not one of them can differ.
//!
//! What it deliberately does not prove: that the stream had no commit after the last one here, and
//! that the clock of the signing machine was right.

use std::collections::BTreeSet;
use std::io::BufRead;

use serde::Serialize;

use crate::checkpoint::{SignedCheckpoint, walk};
use crate::export::{Header, Item, Line, Lines, Proof, blocking, write_blob, write_commit};
use crate::tree::{self, Tree};
use crate::{
    BlobStore, Commit, Error, EventLog, Hash, Head, Position, Revision, StreamId, export::Counts,
};

const FORMAT: &str = "sixgate bundle 1";
const PAGE_COMMITS: usize = 100;

/// Which files a commit refers to; the log itself cannot know.
pub type References<'a> = &'a (dyn Fn(&Commit) -> Vec<Hash> + Sync);

/// What a bundle proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proved {
    /// Whose history it is.
    pub stream: StreamId,
    /// How many of its commits, from the first on without a gap.
    pub commits: u64,
    /// The events in them.
    pub events: u64,
    /// The files that they refer to.
    pub blobs: u64,
    /// The place of the last of the commits.
    pub last_position: Position,
    /// What was signed.
    pub checkpoint: SignedCheckpoint,
}

/// Writes the bundle of a stream as of a checkpoint that was just made of the same log.
pub async fn write(
    log: &dyn EventLog,
    blobs: &BlobStore,
    stream: &StreamId,
    checkpoint: &SignedCheckpoint,
    references: References<'_>,
    mut out: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<Counts, Error> {
    let head = Head { position: checkpoint.position, hash: checkpoint.head_hash };
    let mut tree = Tree::default();
    walk(log, head, |commit| match commit.stream == *stream {
        true => tree.follow(commit.hash),
        false => tree.push(commit.hash),
    })
    .await?;
    let mut lines = Vec::new();
    Line::Header(Header::new(FORMAT, Some(stream.clone()), head)).written(&mut lines);
    Line::Checkpoint(checkpoint.clone()).written(&mut lines);
    let mut counts = Counts { position: head.position, head_hash: head.hash, ..Counts::default() };
    let mut files = BTreeSet::new();
    let mut paths = tree.into_paths().into_iter().peekable();
    let mut after = Revision::ZERO;
    while paths.peek().is_some() {
        let page = log.read_stream(stream, after, PAGE_COMMITS).await?;
        if page.is_empty() {
            return Err(Error::corrupt(None, format!("the index of stream {stream} is damaged")));
        }
        for (commit, (position, path)) in page.iter().zip(paths.by_ref()) {
            if commit.position != position {
                let why = format!("the index of stream {stream} is damaged");
                return Err(Error::corrupt(commit.position, why));
            }
            write_commit(commit, &mut lines);
            Line::Proof(Proof { position, path }).written(&mut lines);
            after = commit.revision;
            counts.commits += 1;
            counts.events += commit.events.len() as u64;
            files.extend(references(commit));
            out(&lines)?;
            lines.clear();
        }
    }
    for hash in files {
        let blobs = blobs.clone();
        let content = blocking(move || blobs.get(&hash)).await?;
        write_blob(hash, &content, &mut lines);
        counts.blobs += 1;
        counts.blob_bytes += content.len() as u64;
        out(&lines)?;
        lines.clear();
    }
    Line::End(counts).written(&mut lines);
    out(&lines)?;
    Ok(counts)
}

/// Reads a bundle and says what it proves, or refuses it with the line. This call blocks.
///
/// Without a key it is proved only that whoever has the key in the checkpoint signed this.
pub fn verify(
    input: impl BufRead,
    key: Option<Hash>,
    references: References<'_>,
) -> Result<Proved, Error> {
    let (mut lines, header) = Lines::open(input, FORMAT)?;
    let stream = header.stream.ok_or_else(|| lines.bad("it names no stream"))?;
    let Item::Checkpoint(checkpoint) = lines.next()? else {
        return Err(lines.bad("the signed checkpoint is missing"));
    };
    checkpoint.check().map_err(|why| lines.bad(why))?;
    if key.is_some_and(|key| key != checkpoint.key) {
        return Err(lines.bad(format!("it was signed with another key, {}", checkpoint.key)));
    }
    if (checkpoint.position, checkpoint.head_hash) != (header.position, header.head_hash) {
        return Err(lines.bad("the checkpoint and the header speak of different logs"));
    }
    let mut last = (Revision::ZERO, Position::ZERO);
    let mut due = BTreeSet::new();
    let mut present = BTreeSet::new();
    loop {
        match lines.next()? {
            Item::Commit(commit) => {
                let next = (last.0.next(), last.1);
                if commit.stream != stream || commit.revision != next.0 || commit.position <= next.1
                {
                    return Err(lines.bad("the commit is not the next one of the stream"));
                }
                last = (commit.revision, commit.position);
                prove(&mut lines, &commit, &checkpoint)?;
                due.extend(references(&commit));
            }
            Item::Blob(hash, _) => {
                if !due.contains(&hash) || !present.insert(hash) {
                    return Err(lines.bad("no event refers to the file, or it is there twice"));
                }
            }
            Item::Proof(_) => return Err(lines.bad("it belongs to no commit")),
            Item::Checkpoint(_) => return Err(lines.bad("a second checkpoint")),
            Item::End(counts) => {
                if let Some(missing) = due.difference(&present).next() {
                    return Err(lines.bad(format!("the file {missing} is missing")));
                }
                let Counts { commits, events, blobs, .. } = counts;
                let last_position = last.1;
                return Ok(Proved { stream, commits, events, blobs, last_position, checkpoint });
            }
        }
    }
}

fn prove<R: BufRead>(
    lines: &mut Lines<R>,
    commit: &Commit,
    checkpoint: &SignedCheckpoint,
) -> Result<(), Error> {
    let Item::Proof(proof) = lines.next()? else {
        return Err(lines.bad("the proof of the commit before it is missing"));
    };
    let leaves = checkpoint.position.0;
    let root = tree::root_of(commit.hash, commit.position, leaves, &proof.path);
    match proof.position == commit.position && root == Some(checkpoint.tree_root) {
        true => Ok(()),
        false => Err(lines.bad("the commit is not in the log that was signed")),
    }
}
