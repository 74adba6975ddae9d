//! Deadlines that have come become notices, once each.
//!
//! A pass looks at what every active procurement says is due and fires what has not fired yet; the
//! notice's stream, named by the deadline's key, makes a second firing impossible. Between passes
//! it waits for the next due time or for something to happen.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use sixgate_workflows::{
    checklist::Item,
    context::Actor,
    deadline::{self, Deadline},
    ids::{CommandId, ProcurementId},
    notice::{self, Subject as NoticeSubject},
    procurement::{Command, Course},
    rejection::Rejection,
};

use crate::{
    access::{self, Action},
    engine::Engine,
    error::Error,
    execute::Envelope,
    ids, letters,
    outbox::UnderWay,
    subject::{OneNotice, OneProcurement},
};

/// What a pass did, and when there will be something to do again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    pub fired: usize,
    pub sent: usize,
    pub next: Option<DateTime<Utc>>,
}

impl Engine {
    /// Fires, records lapses and sends until nothing is due any more at the present time.
    pub async fn settle(&self) -> Result<Pass, Error> {
        self.catch_up().await?;
        let mut whole = Pass { fired: 0, sent: 0, next: None };
        loop {
            let fired = self.fire_due().await? + self.note_lapses().await?;
            let sent = self.send_due().await?;
            whole.fired += fired;
            whole.sent += sent;
            if fired == 0 && sent == 0 {
                let post = self.post_due().filter(|due| *due > self.moment().now);
                whole.next = self.next_due().into_iter().chain(post).min();
                return Ok(whole);
            }
        }
    }

    /// Runs until told to stop, or until nobody is left to tell it.
    pub async fn run(self: Arc<Self>, stop: tokio::sync::watch::Receiver<bool>) {
        tokio::select! {
            never = self.follow_along() => match never {},
            ((), ()) = async { tokio::join!(self.fire_along(stop.clone()), self.send_along(stop)) } => {}
        }
    }

    /// Keeps the read models at the head of the log, whoever moves it: also another process, or a
    /// command whose sender went away before the answer.
    async fn follow_along(&self) -> std::convert::Infallible {
        let mut appended = self.log.watch();
        while appended.changed().await.is_ok() {
            if let Err(error) = self.catch_up().await {
                tracing::error!(error = error_chain(&error), "the log cannot be followed");
            }
        }
        std::future::pending().await
    }

    /// A failed pass is logged and tried again; nothing is lost by it, since what is due stays due.
    async fn fire_along(&self, mut stop: tokio::sync::watch::Receiver<bool>) {
        let mut moved = self.moved();
        while !*stop.borrow() {
            let next = match self.fire_whatever_is_due().await {
                Ok(()) => self.next_due(),
                Err(error) => {
                    tracing::error!(error = error_chain(&error), "a pass over deadlines failed");
                    Some(self.moment().now + RETRY_AFTER)
                }
            };
            let far = self.moment().now + LOOK_AGAIN_AFTER;
            tokio::select! {
                () = self.clock.wait_until(next.unwrap_or(far).min(far)) => {}
                _ = moved.changed() => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// Sends beside what fires, so that a slow relay keeps no deadline waiting. What is being
    /// transmitted when it is told to stop is waited for.
    async fn send_along(&self, mut stop: tokio::sync::watch::Receiver<bool>) {
        let mut moved = self.moved();
        let mut under_way = UnderWay::default();
        let mut stopping = false;
        loop {
            if stopping && under_way.is_empty() {
                return;
            }
            if !stopping {
                self.begin(&mut under_way).await;
            }
            let (now, far) = (self.moment().now, self.moment().now + LOOK_AGAIN_AFTER);
            let next = self.post_due().filter(|due| *due > now).unwrap_or(far).min(far);
            tokio::select! {
                Some(worked) = under_way.next() => if let Err(error) = worked {
                    tracing::error!(error = error_chain(&error), "a letter could not be moved on");
                },
                () = self.clock.wait_until(next), if !stopping => under_way.wake(),
                _ = moved.changed(), if !stopping => under_way.wake(),
                _ = stop.wait_for(|stop| *stop), if !stopping => stopping = true,
            }
        }
    }

    async fn fire_whatever_is_due(&self) -> Result<(), Error> {
        self.catch_up().await?;
        while self.fire_due().await? + self.note_lapses().await? > 0 {}
        Ok(())
    }

    async fn fire_due(&self) -> Result<usize, Error> {
        let mut fired = 0;
        for due in self.due_now() {
            let key = due.key.clone();
            match self.fire(due).await {
                Ok(it_was_us) => fired += usize::from(it_was_us),
                Err(error) if error.is_of_the_log() => return Err(error),
                // One that cannot be fired must not keep the others from it; it stays due.
                Err(error) => {
                    let error = error_chain(&error);
                    tracing::error!(notice.key = key, error, "a deadline could not be fired");
                }
            }
        }
        Ok(fired)
    }

    fn due_now(&self) -> Vec<Deadline> {
        let moment = self.moment();
        let views = self.views();
        views
            .procurements
            .states()
            .filter_map(Option::as_ref)
            .flat_map(|procurement| deadline::deadlines(procurement, moment))
            .filter(|deadline| deadline.due <= moment.now)
            .filter(|deadline| views.notices.find(&OneNotice(deadline.key.clone())).is_none())
            .collect()
    }

    /// Whether it was this call that fired it.
    async fn fire(&self, deadline: Deadline) -> Result<bool, Error> {
        let mut letters = letters::compose(self, &deadline)?;
        let unaddressed = letters.is_empty();
        if unaddressed {
            letters = self.letters_to_administrators(&deadline)?;
        }
        let subject = NoticeSubject {
            key: deadline.key.clone(),
            kind: deadline.kind,
            procurement: deadline.procurement,
            due: deadline.due,
            counted: deadline.counted,
            unaddressed,
        };
        let command = notice::Command::Fire { subject, letters };
        let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
        let notice = OneNotice(deadline.key);
        match self.execute(notice, &Actor::system(), envelope, command, |_| Ok(())).await {
            Ok(_) => Ok(true),
            Err(Error::Rejected(Rejection::AlreadyRegistered)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn note_lapses(&self) -> Result<usize, Error> {
        let mut noted = 0;
        for (procurement, item) in self.lapsed_now() {
            let command = Command::Course(Course::NoteLapse { item });
            let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
            let actor = Actor::system();
            let allowed = |state: &Option<_>| {
                access::authorise(&Actor::system(), Action::Procure(state.as_ref(), &command))
            };
            let subject = OneProcurement(procurement);
            match self.execute(subject, &actor, envelope, command.clone(), allowed).await {
                Ok(_) => noted += 1,
                // Somebody brought fresh evidence in between.
                Err(Error::Rejected(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(noted)
    }

    fn lapsed_now(&self) -> Vec<(ProcurementId, Item)> {
        let moment = self.moment();
        let views = self.views();
        let procurements = views.procurements.states().filter_map(Option::as_ref);
        procurements
            .flat_map(|procurement| {
                deadline::lapses(procurement, moment)
                    .into_iter()
                    .filter(|(_, at)| *at <= moment.now)
                    .map(|(item, _)| (procurement.id, item))
            })
            .collect()
    }

    fn next_due(&self) -> Option<DateTime<Utc>> {
        let moment = self.moment();
        let views = self.views();
        let planned = views.procurements.states().filter_map(Option::as_ref).flat_map(|p| {
            let lapses = deadline::lapses(p, moment).into_iter().map(|(_, at)| at);
            deadline::deadlines(p, moment).into_iter().map(|d| d.due).chain(lapses)
        });
        planned.filter(|due| *due > moment.now).min()
    }
}

const RETRY_AFTER: Duration = Duration::from_secs(10);
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(3_600);

/// The message of an error and of everything that caused it.
pub(crate) fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
