//! A deadline fires once; each of its letters is attempted, settled, retried or given up.

use chrono::{DateTime, Duration, Utc};
use sixgate_workflows::{
    deadline::NoticeKind,
    ids::PersonId,
    notice::{Command, Event, Frozen, Notice, Outcome, Status, Subject, decide, evolve},
    person::MailAddress,
    recorded::Stamp,
    rejection::Rejection,
};

use crate::{
    fixture::text,
    harness::{Who, id, nothing, time},
};

#[derive(Default)]
pub(crate) struct Post {
    pub(crate) notice: Option<Notice>,
    pub(crate) log: Vec<Event>,
    minutes: i64,
}

pub(crate) fn to() -> PersonId {
    Who::Fiona.id()
}

pub(crate) fn subject() -> Subject {
    Subject {
        key: format!("{}:budget_burn:80", id()),
        kind: NoticeKind::BudgetBurn,
        procurement: id(),
        due: time("2026-01-05T00:59:00Z"),
        counted: None,
    }
}

pub(crate) fn letter(to: PersonId) -> Frozen {
    Frozen {
        to,
        address: MailAddress::new("fiona@buyer.example").unwrap(),
        message_id: "<budget_burn.80@sixgate.example>".to_owned(),
        title: "80 % of the budget is spent".to_owned(),
        message: "Subject: 80 % of the budget is spent\r\n\r\nDear colleague".to_owned(),
    }
}

pub(crate) fn fire(letters: Vec<Frozen>) -> Command {
    Command::Fire { subject: subject(), letters }
}

pub(crate) fn settle(outcome: Outcome) -> Command {
    Command::Settle { to: to(), outcome }
}

pub(crate) fn busy() -> Outcome {
    Outcome::Retry { why: text("451 try again later") }
}

impl Post {
    fn now(&self) -> DateTime<Utc> {
        nothing().context.now + Duration::minutes(self.minutes)
    }

    pub(crate) fn run(&mut self, command: Command) -> Result<Vec<Event>, Rejection> {
        let mut context = nothing().context;
        context.now = self.now();
        let events = decide(self.notice.as_ref(), command, &context)?;
        for event in &events {
            let by = Who::System.actor().id;
            let stamp = Stamp { at: context.now, by, position: 1, index: 0 };
            evolve(&mut self.notice, event, stamp);
            self.log.push(event.clone());
        }
        Ok(events)
    }

    fn status(&self) -> &Status {
        &self.notice.as_ref().unwrap().letters[&to()].status
    }

    fn next_attempt(&self) -> Option<DateTime<Utc>> {
        self.notice.as_ref().unwrap().letters[&to()].next_attempt()
    }
}

/// One letter that is being transmitted.
pub(crate) fn attempted() -> Post {
    let mut post = Post::default();
    post.run(fire(vec![letter(to())])).unwrap();
    post.run(Command::Attempt { to: to() }).unwrap();
    post
}

#[test]
fn a_deadline_fires_once_with_all_its_letters() {
    let mut post = Post::default();
    let letters = vec![letter(to()), letter(Who::Rita.id())];
    let events = post.run(fire(letters.clone())).unwrap();
    assert_eq!(
        events,
        [
            Event::Fired { subject: subject() },
            Event::Queued { letter: Box::new(letters[0].clone()) },
            Event::Queued { letter: Box::new(letters[1].clone()) },
        ]
    );
    assert_eq!(post.next_attempt(), Some(post.now()), "at once");
    assert_eq!(post.run(fire(letters)), Err(Rejection::AlreadyRegistered));
}

#[test]
fn a_deadline_that_concerns_nobody_is_recorded_all_the_same() {
    let mut post = Post::default();
    post.run(fire(Vec::new())).unwrap();
    assert!(post.notice.as_ref().unwrap().letters.is_empty());
    let person = to();
    let rejection = Rejection::NoSuchPerson { person };
    assert_eq!(post.run(Command::Attempt { to: person }), Err(rejection.clone()));
    assert_eq!(Post::default().run(Command::Withdraw { to: person }), Err(rejection));
}

#[test]
fn a_letter_is_attempted_before_it_is_settled() {
    let mut post = Post::default();
    post.run(fire(vec![letter(to())])).unwrap();
    let sent = || settle(Outcome::Sent { reply: text("250 taken") });
    assert_eq!(post.run(sent()), Err(Rejection::NothingChanges));
    assert_eq!(
        post.run(Command::Attempt { to: to() }),
        Ok(vec![Event::Attempted { to: to(), attempt: 1 }])
    );
    assert_eq!(post.run(Command::Attempt { to: to() }), Err(Rejection::NothingChanges));
    post.run(sent()).unwrap();
    assert_eq!(post.status(), &Status::Sent { reply: text("250 taken") });
    for command in [
        Command::Attempt { to: to() },
        Command::Withdraw { to: to() },
        Command::FindInterrupted { to: to() },
        sent(),
    ] {
        assert_eq!(post.run(command), Err(Rejection::NothingChanges), "it is sent for good");
    }
}

#[test]
fn a_letter_is_tried_at_growing_intervals_and_then_given_up() {
    let mut post = Post::default();
    post.run(fire(vec![letter(to())])).unwrap();
    for (attempt, minutes) in (1_u32..).zip([1, 5, 15, 60, 240, 720, 1_440, 1_440, 1_440]) {
        post.run(Command::Attempt { to: to() }).unwrap();
        let events = post.run(settle(busy())).unwrap();
        let retry_at = post.now() + Duration::minutes(minutes);
        let why = text("451 try again later");
        assert_eq!(events, [Event::Deferred { to: to(), why, retry_at }], "attempt {attempt}");
        assert_eq!(post.next_attempt(), Some(retry_at));
        post.minutes += minutes;
    }
    post.run(Command::Attempt { to: to() }).unwrap();
    let why = text("451 try again later");
    assert_eq!(post.run(settle(busy())), Ok(vec![Event::GivenUp { to: to(), why }]));
    assert_eq!(post.next_attempt(), None);
    assert_eq!(post.status().id(), "given_up");
}

#[test]
fn a_refused_letter_is_not_tried_again() {
    let mut post = attempted();
    let why = text("550 no such mailbox");
    post.run(settle(Outcome::Refused { why: why.clone() })).unwrap();
    assert_eq!(post.status(), &Status::Refused { why: why.clone() });
    assert_eq!((post.next_attempt(), post.status().why()), (None, Some(&why)));
}

#[test]
fn an_unknown_fate_is_its_own_state_and_is_sent_again() {
    let mut post = attempted();
    let why = text("the line dropped after the final dot");
    post.run(settle(Outcome::Unknown { why })).unwrap();
    assert_eq!(post.status().id(), "unknown");
    assert_eq!(post.next_attempt(), Some(post.now() + Duration::minutes(1)));
    post.run(Command::Attempt { to: to() }).unwrap();
}

#[test]
fn an_interrupted_attempt_has_an_unknown_fate() {
    let mut post = attempted();
    let events = post.run(Command::FindInterrupted { to: to() }).unwrap();
    assert!(matches!(&events[..], [Event::OutcomeUnknown { .. }]), "{events:?}");
    let found = post.run(Command::FindInterrupted { to: to() });
    assert_eq!(found, Err(Rejection::NothingChanges));
}

#[test]
fn an_interruption_at_the_last_attempt_gives_up() {
    let mut post = Post::default();
    post.run(fire(vec![letter(to())])).unwrap();
    for _ in 0..9 {
        post.run(Command::Attempt { to: to() }).unwrap();
        post.run(settle(busy())).unwrap();
    }
    post.run(Command::Attempt { to: to() }).unwrap();
    let events = post.run(Command::FindInterrupted { to: to() }).unwrap();
    assert!(matches!(&events[..], [Event::GivenUp { .. }]), "{events:?}");
}

#[test]
fn what_no_longer_holds_is_withdrawn_unless_it_is_under_way() {
    let mut post = attempted();
    let withdraw = || Command::Withdraw { to: to() };
    assert_eq!(post.run(withdraw()), Err(Rejection::NothingChanges));
    post.run(settle(busy())).unwrap();
    assert_eq!(post.run(withdraw()), Ok(vec![Event::Withdrawn { to: to() }]));
    assert_eq!((post.status(), post.next_attempt()), (&Status::Withdrawn, None));
}

#[test]
fn one_person_s_letter_does_not_touch_another_s() {
    let mut post = Post::default();
    post.run(fire(vec![letter(to()), letter(Who::Rita.id())])).unwrap();
    post.run(Command::Withdraw { to: Who::Rita.id() }).unwrap();
    assert_eq!(post.status(), &Status::Queued);
}
