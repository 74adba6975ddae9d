//! Runs documents that have passed the guard, a bounded number at a time.
//!
//! The rule: a query stops when its time is over or its client is gone; a command that has begun
//! is carried to its end and keeps its place until then, because an answer can be given up and an
//! append cannot be cut in half.
//! A panic in a resolver costs one answer, never the process or the connection.
//! It deliberately gives subscriptions no place: between events they use none, and sockets and
//! operations per socket bound them already.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Executor, Request, Response};
use futures_util::FutureExt as _;
use futures_util::stream::{BoxStream, StreamExt as _};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use super::Door;
use super::answer::Problem;
use super::body::Weighed;
use super::shield::shield;

pub(super) struct Execution<D, E> {
    door: Arc<D>,
    executor: E,
    places: Arc<Semaphore>,
    time_limit: Duration,
}

struct StopOnDrop(AbortHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<D: Door, E: Executor> Execution<D, E> {
    pub(super) fn new(door: Arc<D>, executor: E, places: usize, time_limit: Duration) -> Self {
        Self { door, executor, places: Arc::new(Semaphore::new(places)), time_limit }
    }

    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.time_limit
    }

    /// Runs requests one after the other in one place, so that a batch keeps its order.
    pub(super) async fn run(
        &self,
        work: Vec<Weighed>,
        viewer: &D::Viewer,
        deadline: Instant,
    ) -> Result<Vec<Response>, Problem> {
        let Ok(place) = timeout_at(deadline, self.places.clone().acquire_owned()).await else {
            return Err(Problem::busy());
        };
        let commands = work.iter().any(|weighed| weighed.kinds.mutations > 0);
        let requests: Vec<Request> =
            work.into_iter().map(|weighed| weighed.request.data(viewer.clone())).collect();
        let (executor, door) = (self.executor.clone(), self.door.clone());
        let running = async move {
            let _place = place;
            let mut responses = Vec::with_capacity(requests.len());
            for request in requests {
                responses.push(shield(executor.execute(request).await, &*door));
            }
            responses
        };
        let task = tokio::spawn(AssertUnwindSafe(running.in_current_span()).catch_unwind());
        let _stop = (!commands).then(|| StopOnDrop(task.abort_handle()));
        match timeout_at(deadline, task).await {
            Ok(Ok(Ok(responses))) => Ok(responses),
            Ok(Ok(Err(panic))) => Err(panicked(&*self.door, &*panic)),
            Ok(Err(stopped)) => Err(panicked(&*self.door, &stopped.to_string())),
            Err(_) => Err(Problem::timed_out()),
        }
    }

    /// A subscription's events, or the one problem that ended it.
    pub(super) fn events(
        &self,
        request: Request,
        viewer: D::Viewer,
    ) -> BoxStream<'static, Result<Response, Problem>> {
        let door = self.door.clone();
        let stream = self.executor.execute_stream(request.data(viewer), None);
        AssertUnwindSafe(stream)
            .catch_unwind()
            .map(move |event| match event {
                Ok(response) => Ok(shield(response, &*door)),
                Err(panic) => Err(panicked(&*door, &*panic)),
            })
            .boxed()
    }
}

fn panicked<D: Door>(door: &D, panic: &(dyn Any + Send)) -> Problem {
    let detail = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text");
    let incident = door.incident();
    tracing::error!(incident, detail, "a resolver panicked");
    Problem::internal(incident)
}
