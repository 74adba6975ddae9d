//! A deadline fires once; each of its letters is attempted, settled, retried or given up.

use chrono::{DateTime, Duration, Utc};
use sixgate_workflows::{
    deadline::NoticeKind,
    ids::PersonId,
    notice::{
        Because, Command, Event, Frozen, Lease, Letter, Notice, Outcome, Status, Step, Subject,
        decide, evolve,
    },
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
        unaddressed: false,
    }
}

pub(crate) fn letter(to: PersonId) -> Frozen {
    Frozen {
        to,
        address: MailAddress::new("fiona@buyer.example").unwrap(),
        message_id: "<budget_burn.80@sixgate.example>".to_owned(),
        title: "80 % of the budget is spent".to_owned(),
        message: "Subject: 80 % of the budget is spent\r\n\r\nDear colleague".to_owned(),
        body: Some("80 % of the budget is spent.".to_owned()),
    }
}

pub(crate) fn fire(letters: Vec<Frozen>) -> Command {
    Command::Fire { subject: subject(), letters }
}

pub(crate) fn about(step: Step) -> Command {
    Command::About { to: to(), step }
}

/// By one of two engines, for the next ten minutes.
pub(crate) fn attempt_at(by: &str, now: DateTime<Utc>) -> Command {
    let lease = Lease { by: by.to_owned(), until: now + Duration::minutes(10) };
    about(Step::Attempt { lease })
}

pub(crate) fn withdraw() -> Command {
    about(Step::Withdraw { because: Because::NoLongerHolds })
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

    pub(crate) fn attempt(&mut self) -> Result<Vec<Event>, Rejection> {
        self.run(attempt_at("here", self.now()))
    }

    /// Of the attempt that is under way.
    pub(crate) fn settle(&mut self, outcome: Outcome) -> Result<Vec<Event>, Rejection> {
        let attempt = self.letter().attempts;
        self.run(about(Step::Settle { attempt, outcome }))
    }

    fn find_interrupted(&mut self, earlier_life_of: Option<&str>) -> Result<Vec<Event>, Rejection> {
        let attempt = self.letter().attempts;
        let earlier_life_of = earlier_life_of.map(str::to_owned);
        self.run(about(Step::FindInterrupted { attempt, earlier_life_of }))
    }

    fn letter(&self) -> &Letter {
        &self.notice.as_ref().unwrap().letters[&to()]
    }

    fn status(&self) -> &Status {
        &self.letter().status
    }

    fn next_attempt(&self) -> Option<DateTime<Utc>> {
        self.letter().next_attempt()
    }
}

pub(crate) fn queued() -> Post {
    let mut post = Post::default();
    post.run(fire(vec![letter(to())])).unwrap();
    post
}

/// One letter that is being transmitted.
pub(crate) fn attempted() -> Post {
    let mut post = queued();
    post.attempt().unwrap();
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
    let rejection = Rejection::NoSuchPerson { person: to() };
    assert_eq!(post.attempt(), Err(rejection.clone()));
    assert_eq!(Post::default().run(withdraw()), Err(rejection));
}

#[test]
fn a_letter_is_attempted_before_it_is_settled() {
    let mut post = queued();
    let sent = || Outcome::Sent { reply: text("250 taken") };
    assert_eq!(post.settle(sent()), Err(Rejection::NothingChanges));
    let lease = Lease { by: "here".to_owned(), until: post.now() + Duration::minutes(10) };
    let attempted = Event::Attempted { to: to(), attempt: 1, lease: Some(lease) };
    assert_eq!(post.attempt(), Ok(vec![attempted]));
    assert_eq!(post.attempt(), Err(Rejection::NothingChanges));
    post.settle(sent()).unwrap();
    assert_eq!(post.status(), &Status::Sent { reply: text("250 taken") });
    assert_eq!(post.attempt(), Err(Rejection::NothingChanges), "it is sent for good");
    assert_eq!(post.settle(sent()), Err(Rejection::NothingChanges));
    assert_eq!(post.find_interrupted(Some("here")), Err(Rejection::NothingChanges));
    for step in [
        Step::Withdraw { because: Because::NoLongerHolds },
        Step::GiveUp { why: text("too old") },
        Step::Bundle { digest: "digest".to_owned() },
        Step::Requeue,
        Step::Release,
        Step::NoteDelivery,
    ] {
        assert_eq!(post.run(about(step)), Err(Rejection::NothingChanges));
    }
}

#[test]
fn a_letter_is_tried_at_growing_intervals_and_then_given_up() {
    let mut post = queued();
    for (attempt, minutes) in (1_u32..).zip([1, 5, 15, 60, 240, 720, 1_440, 1_440, 1_440]) {
        post.attempt().unwrap();
        let events = post.settle(busy()).unwrap();
        let Event::Deferred { retry_at, .. } = events[0] else { panic!("{events:?}") };
        let wait = retry_at - post.now();
        let longest = Duration::minutes(minutes);
        assert!(longest * 4 / 5 <= wait && wait <= longest, "attempt {attempt}: {wait}");
        assert_eq!(post.next_attempt(), Some(retry_at));
        post.minutes += minutes;
    }
    post.attempt().unwrap();
    let why = text("451 try again later");
    assert_eq!(post.settle(busy()), Ok(vec![Event::GivenUp { to: to(), why }]));
    assert_eq!(post.next_attempt(), None);
    assert_eq!(post.status().id(), "given_up");
}

#[test]
fn what_failed_together_does_not_come_back_together_but_always_at_the_same_times() {
    let waits = |message_id: &str| {
        let mut post = Post::default();
        let letter = Frozen { message_id: message_id.to_owned(), ..letter(to()) };
        post.run(fire(vec![letter])).unwrap();
        for _ in 0..4 {
            post.attempt().unwrap();
            post.settle(busy()).unwrap();
        }
        post.next_attempt().unwrap() - post.now()
    };
    let ids: Vec<String> = (0..50).map(|number| format!("<{number}@sixgate.example>")).collect();
    let times: std::collections::BTreeSet<_> = ids.iter().map(|id| waits(id)).collect();
    assert!(times.len() > 30, "{times:?}");
    assert!(ids.iter().all(|id| waits(id) == waits(id)));
}

#[test]
fn a_live_lease_is_not_taken_over_by_another_engine() {
    let mut post = queued();
    post.run(attempt_at("there", post.now())).unwrap();
    post.minutes += 9;
    assert_eq!(post.find_interrupted(None), Err(Rejection::NothingChanges));
    assert_eq!(post.find_interrupted(Some("here")), Err(Rejection::NothingChanges));
    post.minutes += 1;
    let events = post.find_interrupted(None).unwrap();
    assert!(matches!(&events[..], [Event::OutcomeUnknown { .. }]), "{events:?}");
}

#[test]
fn whoever_lost_its_lease_cannot_settle_the_attempt_of_another() {
    let mut post = queued();
    post.run(attempt_at("there", post.now())).unwrap();
    post.minutes += 10;
    post.find_interrupted(None).unwrap();
    post.attempt().unwrap();
    let late = Step::Settle { attempt: 1, outcome: Outcome::Refused { why: text("550 no") } };
    assert_eq!(post.run(about(late)), Err(Rejection::NothingChanges));
    assert_eq!(post.status().id(), "transmitting");
    let sent = Outcome::Sent { reply: text("250 taken") };
    post.settle(sent).unwrap();
}

#[test]
fn a_dead_letter_that_is_queued_again_has_all_its_attempts_once_more() {
    let mut post = attempted();
    assert_eq!(post.run(about(Step::Requeue)), Err(Rejection::NothingChanges), "it is not dead");
    post.settle(Outcome::Refused { why: text("550 no such mailbox") }).unwrap();
    assert!(post.status().is_dead());
    post.minutes += 60 * 24 * 30;
    assert_eq!(post.run(about(Step::Requeue)), Ok(vec![Event::Requeued { to: to() }]));
    assert_eq!(post.next_attempt(), Some(post.now()));
    assert!(!post.letter().is_too_old(post.now()), "its age counts anew");
    assert!(!post.letter().is_fresh(), "it may have been seen, so no digest takes it");
    post.attempt().unwrap();
    post.settle(busy()).unwrap();
    let wait = post.next_attempt().unwrap() - post.now();
    assert!(wait <= Duration::minutes(1), "{wait}");
    assert_eq!(post.letter().attempts, 2, "attempts are numbered on");
}

#[test]
fn a_letter_is_too_old_after_five_days_however_often_it_was_tried() {
    let mut post = queued();
    post.minutes += 5 * 24 * 60;
    assert!(!post.letter().is_too_old(post.now()));
    post.minutes += 1;
    assert!(post.letter().is_too_old(post.now()));
    let why = text("it is older than five days");
    let events = post.run(about(Step::GiveUp { why: why.clone() }));
    assert_eq!(events, Ok(vec![Event::GivenUp { to: to(), why }]));
}

#[test]
fn a_letter_in_a_digest_is_delivered_with_it_or_waits_again() {
    let bundle = || about(Step::Bundle { digest: "first".to_owned() });
    let mut post = queued();
    post.run(bundle()).unwrap();
    assert_eq!(post.next_attempt(), None);
    assert_eq!(post.run(bundle()), Err(Rejection::NothingChanges), "it is in one digest only");
    assert_eq!(post.attempt(), Err(Rejection::NothingChanges));
    assert_eq!(post.run(about(Step::Release)), Ok(vec![Event::Released { to: to() }]));
    assert_eq!(post.next_attempt(), Some(post.now()));
    post.run(bundle()).unwrap();
    let digest = "first".to_owned();
    let delivered = Event::DeliveredInDigest { to: to(), digest };
    assert_eq!(post.run(about(Step::NoteDelivery)), Ok(vec![delivered]));
    assert_eq!(post.status().digest(), Some("first"));
    assert!(post.status().is_settled());
}

#[test]
fn what_may_have_arrived_or_cannot_be_told_in_words_is_in_no_digest() {
    let bundle = || about(Step::Bundle { digest: "first".to_owned() });
    let mut post = attempted();
    post.settle(busy()).unwrap();
    assert_eq!(post.run(bundle()), Err(Rejection::NothingChanges));
    let mut post = Post::default();
    post.run(fire(vec![Frozen { body: None, ..letter(to()) }])).unwrap();
    assert_eq!(post.run(bundle()), Err(Rejection::NothingChanges));
}

#[test]
fn a_refused_letter_is_not_tried_again() {
    let mut post = attempted();
    let why = text("550 no such mailbox");
    post.settle(Outcome::Refused { why: why.clone() }).unwrap();
    assert_eq!(post.status(), &Status::Refused { why: why.clone() });
    assert_eq!((post.next_attempt(), post.status().why()), (None, Some(why.as_str())));
}

#[test]
fn an_unknown_fate_is_its_own_state_and_is_sent_again() {
    let mut post = attempted();
    let why = text("the line dropped after the final dot");
    post.settle(Outcome::Unknown { why }).unwrap();
    assert_eq!(post.status().id(), "unknown");
    assert!(post.next_attempt().unwrap() <= post.now() + Duration::minutes(1));
    post.attempt().unwrap();
}

#[test]
fn an_interrupted_attempt_has_an_unknown_fate() {
    let mut post = attempted();
    let events = post.find_interrupted(Some("here")).unwrap();
    assert!(matches!(&events[..], [Event::OutcomeUnknown { .. }]), "{events:?}");
    let found = post.find_interrupted(Some("here"));
    assert_eq!(found, Err(Rejection::NothingChanges));
}

#[test]
fn an_interruption_at_the_last_attempt_gives_up() {
    let mut post = queued();
    for _ in 0..9 {
        post.attempt().unwrap();
        post.settle(busy()).unwrap();
    }
    post.attempt().unwrap();
    let events = post.find_interrupted(Some("here")).unwrap();
    assert!(matches!(&events[..], [Event::GivenUp { .. }]), "{events:?}");
}

#[test]
fn what_no_longer_holds_is_withdrawn_unless_it_is_under_way() {
    let mut post = attempted();
    assert_eq!(post.run(withdraw()), Err(Rejection::NothingChanges));
    post.settle(busy()).unwrap();
    let because = Because::NoLongerHolds;
    assert_eq!(post.run(withdraw()), Ok(vec![Event::Withdrawn { to: to(), because }]));
    assert_eq!((post.status(), post.next_attempt()), (&Status::Withdrawn { because }, None));
}

#[test]
fn one_person_s_letter_does_not_touch_another_s() {
    let mut post = Post::default();
    post.run(fire(vec![letter(to()), letter(Who::Rita.id())])).unwrap();
    let step = Step::Withdraw { because: Because::Muted };
    post.run(Command::About { to: Who::Rita.id(), step }).unwrap();
    assert_eq!(post.status(), &Status::Queued);
}
