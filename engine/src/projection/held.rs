//! A state that is read from its checkpoint only when somebody asks for it.
//!
//! Most procurements of a company have ended, and a start need not read what nobody looks at. At
//! rest a state is compressed JSON inside the checkpoint that was loaded; the first look wakes it.
//! A checkpoint is sealed and carries the fingerprint of the rules, so what is in it reads as it
//! was written.

use std::{
    fmt,
    io::{Read, Write},
    ops::Range,
    sync::{Arc, OnceLock},
};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use serde::{Serialize, de::DeserializeOwned};

pub(super) struct Held<T> {
    awake: OnceLock<Arc<T>>,
    at_rest: Option<AtRest>,
}

/// Where a state lies in a checkpoint that is in memory.
#[derive(Clone)]
struct AtRest {
    checkpoint: Arc<Vec<u8>>,
    span: Range<usize>,
}

impl<T> Held<T> {
    pub(super) fn awake(state: Arc<T>) -> Self {
        Self { awake: OnceLock::from(state), at_rest: None }
    }

    /// `None` where the checkpoint has no such span.
    pub(super) fn at_rest(checkpoint: &Arc<Vec<u8>>, span: Range<usize>) -> Option<Self> {
        checkpoint.get(span.clone())?;
        let at_rest = AtRest { checkpoint: Arc::clone(checkpoint), span };
        Some(Self { awake: OnceLock::new(), at_rest: Some(at_rest) })
    }
}

impl<T: Default + DeserializeOwned> Held<T> {
    pub(super) fn get(&self) -> &Arc<T> {
        self.awake.get_or_init(|| match &self.at_rest {
            Some(at_rest) => Arc::new(at_rest.read()),
            None => Arc::default(),
        })
    }
}

impl<T: Clone + Default + DeserializeOwned> Held<T> {
    pub(super) fn get_mut(&mut self) -> &mut T {
        self.get();
        self.at_rest = None;
        Arc::make_mut(self.awake.get_mut().expect("it was just woken"))
    }
}

impl<T: Serialize> Held<T> {
    /// As it will lie in the next checkpoint.
    pub(super) fn write_to(&self, checkpoint: &mut Vec<u8>) -> std::io::Result<()> {
        match (&self.at_rest, self.awake.get()) {
            (Some(at_rest), _) => checkpoint.extend(at_rest.bytes()),
            (None, Some(state)) => {
                let mut encoder = ZlibEncoder::new(checkpoint, Compression::fast());
                encoder.write_all(&serde_json::to_vec(state)?)?;
                encoder.finish()?;
            }
            (None, None) => {}
        }
        Ok(())
    }
}

impl AtRest {
    fn bytes(&self) -> &[u8] {
        &self.checkpoint[self.span.clone()]
    }

    fn read<T: DeserializeOwned>(&self) -> T {
        let mut json = Vec::new();
        let inflated = ZlibDecoder::new(self.bytes()).read_to_end(&mut json);
        let state = inflated.map_err(serde_json::Error::io);
        let state = state.and_then(|_| serde_json::from_slice(&json));
        state.expect("a checkpoint that opens, of the present rules, reads as it was written")
    }
}

impl<T> Clone for Held<T> {
    fn clone(&self) -> Self {
        Self { awake: self.awake.clone(), at_rest: self.at_rest.clone() }
    }
}

impl<T: fmt::Debug + Default + DeserializeOwned> fmt::Debug for Held<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
