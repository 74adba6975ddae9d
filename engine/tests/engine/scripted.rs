//! A relay that answers as it is told, and remembers what it was offered.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use sixgate_engine::mail::{Carrier, Envelope, Outcome, Transport};
use tokio::sync::Notify;

type Answer = Box<dyn Fn() -> Outcome + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Scripted {
    inner: Arc<Inner>,
}

struct Inner {
    /// First these, one for each letter; then always the last resort.
    answers: Mutex<VecDeque<Outcome>>,
    otherwise: Mutex<Answer>,
    /// What probes answer; taken if none is left.
    probes: Mutex<VecDeque<Outcome>>,
    probed: Mutex<usize>,
    offered: Mutex<Vec<(String, String)>>,
    /// Letters to this address wait until they are let go.
    slow: Mutex<Option<String>>,
    arrived: Notify,
    go_on: Notify,
}

pub(crate) fn taken() -> Outcome {
    Outcome::Sent { reply: "250 taken".to_owned() }
}

pub(crate) fn away() -> Outcome {
    Outcome::Unavailable { why: "nobody answers".to_owned() }
}

impl Scripted {
    pub(crate) fn always(answer: impl Fn() -> Outcome + Send + Sync + 'static) -> Self {
        let inner = Inner {
            answers: Mutex::default(),
            otherwise: Mutex::new(Box::new(answer)),
            probes: Mutex::default(),
            probed: Mutex::default(),
            offered: Mutex::default(),
            slow: Mutex::default(),
            arrived: Notify::new(),
            go_on: Notify::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn transport(&self) -> Transport {
        Transport::Own(Box::new(self.clone()))
    }

    pub(crate) fn first(&self, answers: impl IntoIterator<Item = Outcome>) {
        self.inner.answers.lock().unwrap().extend(answers);
    }

    pub(crate) fn answers_now(&self, answer: impl Fn() -> Outcome + Send + Sync + 'static) {
        *self.inner.otherwise.lock().unwrap() = Box::new(answer);
    }

    pub(crate) fn probes(&self, answers: impl IntoIterator<Item = Outcome>) {
        self.inner.probes.lock().unwrap().extend(answers);
    }

    pub(crate) fn probed(&self) -> usize {
        *self.inner.probed.lock().unwrap()
    }

    pub(crate) fn slow_for(&self, address: &str) {
        *self.inner.slow.lock().unwrap() = Some(address.to_owned());
    }

    /// Until a letter to the slow address is there.
    pub(crate) async fn arrived(&self) {
        self.inner.arrived.notified().await;
    }

    pub(crate) fn go_on(&self) {
        self.inner.go_on.notify_one();
    }

    /// Addressees with what was sent to them, in the order of arrival.
    pub(crate) fn offered(&self) -> Vec<(String, String)> {
        self.inner.offered.lock().unwrap().clone()
    }

    pub(crate) fn addressees(&self) -> Vec<String> {
        self.offered().into_iter().map(|(to, _)| to).collect()
    }
}

#[async_trait]
impl Carrier for Scripted {
    async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome {
        let message = String::from_utf8(bytes.to_vec()).unwrap();
        self.inner.offered.lock().unwrap().push((envelope.to.clone(), message));
        let is_slow = self.inner.slow.lock().unwrap().as_ref() == Some(&envelope.to);
        if is_slow {
            self.inner.arrived.notify_one();
            self.inner.go_on.notified().await;
        }
        let next = self.inner.answers.lock().unwrap().pop_front();
        next.unwrap_or_else(|| (self.inner.otherwise.lock().unwrap())())
    }

    async fn probe(&self, _from: &str) -> Result<(), Outcome> {
        *self.inner.probed.lock().unwrap() += 1;
        self.inner.probes.lock().unwrap().pop_front().map_or(Ok(()), Err)
    }
}
