//! A Merkle tree over the hashes of commits, as in RFC 6962, so that little proves much.
//!
//! ```text
//! leaf(n) = SHA-256( 0x00 hash(n) )      node = SHA-256( 0x01 left right )
//! ```
//!
//! The rule: the tree over the first n commits is a function of their hashes and nothing else. It
//! is computed when a checkpoint is signed or a bundle is made, and stored nowhere, so the chain in
//! the log stays as it is. A commit is shown to be in it with one hash for each doubling of the log.
//!
//! Memory grows with the number of commits that are followed, not with the log.

use sha2::{Digest, Sha256};

use crate::{Hash, Position};

/// A tree that grows by one commit at a time.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    leaves: u64,
    /// Complete subtrees, the largest first; their sizes are different powers of two.
    subtrees: Vec<Subtree>,
    /// The paths of the followed leaves, as far as they are known.
    paths: Vec<(Position, Vec<Hash>)>,
}

#[derive(Debug, Clone)]
struct Subtree {
    leaves: u64,
    hash: Hash,
    /// Which of the followed leaves are in it.
    followed: Vec<usize>,
}

impl Tree {
    /// Adds the next commit.
    pub fn push(&mut self, commit: Hash) {
        self.add(commit, Vec::new());
    }

    /// Adds the next commit and keeps what is needed to prove that it is there.
    pub fn follow(&mut self, commit: Hash) {
        self.paths.push((Position(self.leaves + 1), Vec::new()));
        self.add(commit, vec![self.paths.len() - 1]);
    }

    fn add(&mut self, commit: Hash, followed: Vec<usize>) {
        self.leaves += 1;
        self.subtrees.push(Subtree { leaves: 1, hash: leaf(commit), followed });
        while let [.., left, right] = &self.subtrees[..]
            && left.leaves == right.leaves
        {
            self.join_last();
        }
    }

    /// The hash over all commits; that of nothing for a tree without any.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut hashes = self.subtrees.iter().rev().map(|subtree| subtree.hash);
        match hashes.next() {
            Some(last) => hashes.fold(last, |right, left| node(left, right)),
            None => Hash::of(b""),
        }
    }

    /// How many commits are in the tree.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// The followed commits and for each the path from its leaf to the root.
    #[must_use]
    pub fn into_paths(mut self) -> Vec<(Position, Vec<Hash>)> {
        while self.subtrees.len() > 1 {
            self.join_last();
        }
        self.paths
    }

    fn join_last(&mut self) {
        let (Some(right), Some(left)) = (self.subtrees.pop(), self.subtrees.pop()) else { return };
        for member in &left.followed {
            self.paths[*member].1.push(right.hash);
        }
        for member in &right.followed {
            self.paths[*member].1.push(left.hash);
        }
        let followed = [left.followed, right.followed].concat();
        let hash = node(left.hash, right.hash);
        self.subtrees.push(Subtree { leaves: left.leaves + right.leaves, hash, followed });
    }
}

/// The root that follows from a commit at a position in a tree of so many, and its path; `None`
/// where the path does not fit the place.
#[must_use]
pub fn root_of(commit: Hash, position: Position, leaves: u64, path: &[Hash]) -> Option<Hash> {
    if position == Position::ZERO || position.0 > leaves {
        return None;
    }
    let (mut place, mut last) = (position.0 - 1, leaves - 1);
    let mut hash = leaf(commit);
    for sibling in path {
        if last == 0 {
            return None;
        }
        if place % 2 == 1 || place == last {
            hash = node(*sibling, hash);
            // A subtree that stands alone at the right edge goes up without a sibling.
            while place % 2 == 0 && place != 0 {
                place /= 2;
                last /= 2;
            }
        } else {
            hash = node(hash, *sibling);
        }
        place /= 2;
        last /= 2;
    }
    (last == 0).then_some(hash)
}

fn leaf(commit: Hash) -> Hash {
    let digest = Sha256::new().chain_update([0]).chain_update(commit.as_bytes()).finalize();
    Hash::from_bytes(digest.into())
}

fn node(left: Hash, right: Hash) -> Hash {
    let digest = Sha256::new().chain_update([1]).chain_update(left.as_bytes());
    Hash::from_bytes(digest.chain_update(right.as_bytes()).finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(number: u64) -> Hash {
        Hash::of(&number.to_be_bytes())
    }

    /// The definition of RFC 6962, word by word.
    fn defined(commits: &[Hash]) -> Hash {
        match commits {
            [] => Hash::of(b""),
            [one] => leaf(*one),
            more => {
                let left = 1 << (more.len() - 1).ilog2();
                node(defined(&more[..left]), defined(&more[left..]))
            }
        }
    }

    #[test]
    fn every_commit_of_every_small_tree_is_proved_and_nothing_else() {
        for leaves in 0..40_u64 {
            let commits: Vec<Hash> = (1..=leaves).map(commit).collect();
            let mut tree = Tree::default();
            commits.iter().for_each(|commit| tree.follow(*commit));
            let root = tree.root();
            assert_eq!(root, defined(&commits));
            for (position, path) in tree.into_paths() {
                let hash = commit(position.0);
                assert_eq!(root_of(hash, position, leaves, &path), Some(root));
                for other in (0..=leaves + 1).map(Position).filter(|other| *other != position) {
                    assert_ne!(root_of(hash, other, leaves, &path), Some(root));
                }
                assert_ne!(root_of(commit(99), position, leaves, &path), Some(root));
                let longer = [&path[..], &[root]].concat();
                assert_ne!(root_of(hash, position, leaves, &longer), Some(root));
            }
        }
    }
}
