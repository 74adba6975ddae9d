//! Named places in the life of a commit, at which a test can end the process.
//!
//! The rule: a released program has none of them; they are compiled in with the feature
//! `failpoints` alone. `SIXGATE_FAILPOINT=after_frame:3` ends the process the third time it gets
//! there, as a kill would.

/// Where a process can be ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// A group was put together, nothing is written.
    BeforeFrame,
    /// The group is durable in the journal.
    AfterFrame,
    /// The high-water mark was moved.
    AfterMark,
    /// Sled has the group.
    AfterApply,
    /// Sled was flushed and synced, no segment was given up yet.
    AfterSettle,
    /// The log is being opened, and the journal was put into sled.
    AfterReplay,
    /// The log is being opened, and a new segment was begun.
    AfterBegin,
}

#[cfg(not(feature = "failpoints"))]
pub(crate) fn reach(_point: Point) {}

#[cfg(feature = "failpoints")]
pub(crate) fn reach(point: Point) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static WANTED: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static REACHED: AtomicU32 = AtomicU32::new(0);

    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("SIXGATE_FAILPOINT").ok()?;
        let (name, time) = text.split_once(':')?;
        Some((name.to_owned(), time.parse().ok()?))
    });
    let Some((name, time)) = wanted else { return };
    if name == point.name() && REACHED.fetch_add(1, Ordering::SeqCst) + 1 == *time {
        std::process::abort();
    }
}

#[cfg(feature = "failpoints")]
impl Point {
    fn name(self) -> &'static str {
        match self {
            Self::BeforeFrame => "before_frame",
            Self::AfterFrame => "after_frame",
            Self::AfterMark => "after_mark",
            Self::AfterApply => "after_apply",
            Self::AfterSettle => "after_settle",
            Self::AfterReplay => "after_replay",
            Self::AfterBegin => "after_begin",
        }
    }
}
