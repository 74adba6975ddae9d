//! What people look at: boards, procurements at any position, inboxes, history, reminders.
//!
//! Every answer passes the access check; what may not be seen is left out of lists and absent when
//! asked for by id.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sixgate_storage::{Position, Revision};
use sixgate_workflows::{
    checklist,
    deadline::{self, Deadline},
    function::Function,
    gate::{self, Blocker, Gate, Moment},
    ids::{PersonId, ProcurementId, SupplierId},
    notice::Notice,
    person::Person,
    policy::Policy,
    procurement::{self, Command, Course, Procurement},
    recorded::Stamp,
    supplier::Supplier,
};

use crate::{
    access::{self, Action, Resource, Viewer},
    engine::Engine,
    error::Error,
    projection::Entity,
    record::{self, Metadata},
    subject::{OneProcurement, Subject},
};

/// A past state: after a commit, or at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsOf {
    Position(Position),
    Time(DateTime<Utc>),
}

/// One procurement as it stood.
#[derive(Clone, Debug)]
pub struct Seen {
    pub procurement: Arc<Option<Procurement>>,
    pub revision: Revision,
    pub position: Position,
    /// What its criteria and checklist are judged at.
    pub moment: Moment,
}

/// One event in a history.
#[derive(Clone, Debug)]
pub struct Happened {
    pub stamp: Stamp,
    pub stream: String,
    pub revision: Revision,
    pub kind: String,
    pub data: serde_json::Value,
}

/// Something that waits for somebody.
#[derive(Clone, Debug)]
pub struct Task {
    pub procurement: ProcurementId,
    pub title: String,
    pub blocker: Blocker,
    /// Since when the procurement has been in this stage.
    pub since: DateTime<Utc>,
}

/// What will be sent, or was.
#[derive(Clone, Debug)]
pub struct Reminder {
    pub deadline: Deadline,
    pub fired: Option<Notice>,
}

impl Seen {
    pub fn state(&self) -> &Procurement {
        self.procurement.as_ref().as_ref().expect("an absent procurement is never seen")
    }

    pub fn gate(&self) -> Gate {
        let procurement = self.state();
        gate::gate(procurement, procurement.stage, self.moment)
    }

    pub fn checklist(&self) -> Vec<checklist::Entry> {
        checklist::checklist(self.state(), self.moment)
    }

    pub fn deadlines(&self) -> Vec<Deadline> {
        deadline::deadlines(self.state(), self.moment)
    }
}

/// No more than lies between two stations.
const PAGE_COMMITS: usize = 256;

/// The only kind of event that holds something about a secret, which no history shows.
const TOKEN_ISSUED: &str = "person.token_issued";

impl Engine {
    /// Those the viewer may see, newest first.
    pub fn procurements(&self, viewer: &Viewer) -> Vec<Seen> {
        let moment = self.moment();
        let views = self.views();
        views
            .procurements
            .all()
            .rev()
            .filter(|entity| may_see(viewer, entity))
            .map(|entity| seen(entity, moment))
            .collect()
    }

    pub async fn procurement(
        &self,
        viewer: &Viewer,
        id: ProcurementId,
        as_of: Option<AsOf>,
    ) -> Result<Seen, Error> {
        let subject = OneProcurement(id);
        let present = {
            let views = self.views();
            views.procurements.find(&subject).cloned().ok_or(Error::NotFound)?
        };
        // Who may see it today may see how it came about.
        if !may_see(viewer, &present) {
            return Err(Error::NotFound);
        }
        let Some(as_of) = as_of else { return Ok(seen(&present, self.moment())) };
        let (entity, now) = self.as_of(&subject, as_of).await?;
        let moment = Moment { now, ..self.moment() };
        match **entity.state() {
            Some(_) => Ok(seen(&entity, moment)),
            None => Err(Error::NotFound),
        }
    }

    /// Folds a stream up to a past point; also the time to judge it at.
    async fn as_of<S: Subject>(
        &self,
        subject: &S,
        as_of: AsOf,
    ) -> Result<(Entity<S>, DateTime<Utc>), Error> {
        let stream = subject.stream();
        let mut entity = {
            let views = self.views();
            match as_of {
                AsOf::Position(position) => S::entities(&views).station_at(subject, position),
                AsOf::Time(instant) => S::entities(&views).station_until(subject, instant),
            }
        };
        loop {
            let page = self.log.read_stream(&stream, entity.revision, PAGE_COMMITS).await?;
            for commit in &page {
                let metadata = Metadata::of(commit)?;
                let later = match as_of {
                    AsOf::Position(position) => commit.position > position,
                    AsOf::Time(instant) => metadata.at > instant,
                };
                if later {
                    let now = judged_at(as_of, entity.at());
                    return Ok((entity, now));
                }
                let events = record::decoded(commit, &metadata, &self.keys)?;
                entity.apply(commit, metadata.at, &events, self.settings.zone)?;
            }
            if page.is_empty() {
                let now = judged_at(as_of, entity.at());
                return Ok((entity, now));
            }
        }
    }

    /// Events of one procurement after a revision, oldest first.
    pub async fn history(
        &self,
        viewer: &Viewer,
        id: ProcurementId,
        after: Revision,
        most: usize,
    ) -> Result<Vec<Happened>, Error> {
        self.procurement(viewer, id, None).await?;
        let commits = self.log.read_stream(&OneProcurement(id).stream(), after, most).await?;
        self.happened(&commits)
    }

    /// Events of the whole log after a position, oldest first.
    pub async fn audit_trail(
        &self,
        viewer: &Viewer,
        after: Position,
        most: usize,
    ) -> Result<Vec<Happened>, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::AuditTrail))?;
        self.happened(&self.log.read_all(after, most).await?)
    }

    /// What the viewer can do to open a gate, the longest waiting first.
    pub fn inbox(&self, viewer: &Viewer) -> Vec<Task> {
        let mut tasks: Vec<Task> = self
            .procurements(viewer)
            .into_iter()
            .filter(|seen| seen.state().is_active())
            .flat_map(|seen| {
                let state = seen.state();
                let (id, title) = (state.id, state.title.to_string());
                let since = state.entered.at;
                let blockers = self.gate_tasks(viewer, &seen);
                blockers
                    .into_iter()
                    .map(move |blocker| Task {
                        procurement: id,
                        title: title.clone(),
                        blocker,
                        since,
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        tasks.sort_by_key(|task| task.since);
        tasks
    }

    /// Blockers of the present gate that this viewer can remove now. A signature is offered once
    /// only signatures are missing, and only to whom the rules would let sign.
    fn gate_tasks(&self, viewer: &Viewer, seen: &Seen) -> Vec<Blocker> {
        let gate = seen.gate();
        let context = self.context(viewer.actor.clone());
        let would_be_signed = |function: Function| {
            let version = gate.version;
            let command = Command::Course(Course::SignOff { function, version });
            let state = seen.state();
            gate.awaits_sign_offs()
                && procurement::decide(Some(state), state.id, command, &context).is_ok()
        };
        gate.blockers()
            .into_iter()
            .filter(|blocker| {
                blocker.can_be_met_by.iter().any(|function| {
                    viewer.actor.acts_as(*function)
                        && (blocker.sign_off.is_none() || would_be_signed(*function))
                })
            })
            .collect()
    }

    pub fn suppliers(&self, viewer: &Viewer) -> Result<Vec<Supplier>, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::Suppliers))?;
        Ok(self.views().suppliers.states().filter_map(Clone::clone).collect())
    }

    pub fn supplier(&self, viewer: &Viewer, id: SupplierId) -> Result<Supplier, Error> {
        self.suppliers(viewer)?.into_iter().find(|s| s.id == id).ok_or(Error::NotFound)
    }

    /// The viewer's own record, whatever their functions are.
    pub fn myself(&self, viewer: &Viewer) -> Option<Person> {
        access::people(&self.views()).find(|person| person.id == viewer.person).cloned()
    }

    /// Everybody, for choosing members and substitutes; what is private is asked for by id.
    pub fn colleagues(&self, viewer: &Viewer) -> Result<Vec<Person>, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::Colleagues))?;
        Ok(access::people(&self.views()).cloned().collect())
    }

    pub fn may_see_record(&self, viewer: &Viewer, person: PersonId) -> bool {
        access::authorise(&viewer.actor, Action::Read(Resource::PersonRecord(person))).is_ok()
    }

    /// Every published version, the newest last.
    pub fn policies(&self, viewer: &Viewer) -> Result<Vec<Policy>, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::Policy))?;
        let views = self.views();
        Ok(views
            .policy
            .states()
            .next()
            .map_or_else(|| vec![Policy::shipped()], |policies| policies.all().to_vec()))
    }

    /// Of one procurement: what is planned or due, and what became of it.
    pub fn reminders(&self, viewer: &Viewer, seen: &Seen) -> Vec<Reminder> {
        let views = self.views();
        let fired: Vec<&Notice> = views
            .notices
            .states()
            .filter_map(Option::as_ref)
            .filter(|notice| notice.subject.procurement == seen.state().id)
            .collect();
        let mut reminders: Vec<Reminder> = seen
            .deadlines()
            .into_iter()
            .map(|deadline| {
                let fired = fired.iter().find(|n| n.subject.key == deadline.key);
                Reminder { fired: fired.map(|notice| (*notice).clone()), deadline }
            })
            .collect();
        // What has fired and is no longer due stays visible.
        for notice in fired {
            if !reminders.iter().any(|r| r.deadline.key == notice.subject.key) {
                reminders.push(Reminder { deadline: past(notice), fired: Some(notice.clone()) });
            }
        }
        let all = viewer.actor.functions.iter().any(|function| {
            matches!(function, Function::Auditor | Function::Admin | Function::Manager)
        });
        if !all {
            reminders.retain(|reminder| {
                let to_me = reminder
                    .fired
                    .as_ref()
                    .is_some_and(|notice| notice.letters.contains_key(&viewer.person));
                to_me || reminder.deadline.to.iter().any(|f| viewer.actor.acts_as(*f))
            });
        }
        reminders.sort_by_key(|reminder| reminder.deadline.due);
        reminders
    }

    /// Letters by status, for health and the demo.
    pub fn letters(&self) -> Vec<sixgate_workflows::notice::Letter> {
        let views = self.views();
        let notices = views.notices.states().filter_map(Option::as_ref);
        // Of digests too would tell the same thing twice.
        notices.flat_map(|notice| notice.letters.values().cloned()).collect()
    }

    /// Events as people read them.
    fn happened(&self, commits: &[sixgate_storage::Commit]) -> Result<Vec<Happened>, Error> {
        let mut out = Vec::new();
        for commit in commits {
            let metadata = Metadata::of(commit)?;
            for (index, event) in commit.events.iter().enumerate() {
                let mut data = record::opened(commit, event, &self.keys)?;
                if let Some(fields) = data.as_object_mut().filter(|_| event.kind == TOKEN_ISSUED) {
                    fields.remove("hash");
                }
                out.push(Happened {
                    stamp: metadata.stamp(commit.position.0, index),
                    stream: commit.stream.as_str().to_owned(),
                    revision: commit.revision,
                    kind: event.kind.clone(),
                    data,
                });
            }
        }
        Ok(out)
    }
}

fn past(notice: &Notice) -> Deadline {
    Deadline {
        key: notice.subject.key.clone(),
        kind: notice.subject.kind,
        procurement: notice.subject.procurement,
        due: notice.subject.due,
        to: std::collections::BTreeSet::new(),
        details: std::collections::BTreeMap::new(),
        meeting_on: None,
        counted: notice.subject.counted.clone(),
        about: deadline::About::Procurement,
    }
}

fn may_see(viewer: &Viewer, entity: &Entity<OneProcurement>) -> bool {
    entity.state().as_ref().as_ref().is_some_and(|procurement| {
        let resource = Action::Read(Resource::Procurement(procurement));
        access::authorise(&viewer.actor, resource).is_ok()
    })
}

fn seen(entity: &Entity<OneProcurement>, moment: Moment) -> Seen {
    Seen {
        procurement: Arc::clone(entity.state()),
        revision: entity.revision,
        position: entity.position,
        moment,
    }
}

/// A past position is judged at the time of its last commit, a past time at that time.
fn judged_at(as_of: AsOf, last: DateTime<Utc>) -> DateTime<Utc> {
    match as_of {
        AsOf::Position(_) => last,
        AsOf::Time(instant) => instant,
    }
}
