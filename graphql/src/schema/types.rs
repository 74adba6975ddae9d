//! The objects that queries answer with.

pub(super) mod chart;
pub(super) mod checklist;
pub(super) mod estimate;
pub(super) mod gate;
pub(super) mod history;
pub(super) mod inbox;
pub(super) mod mail_room;
pub(super) mod money;
pub(super) mod owning;
pub(super) mod page;
pub(super) mod people;
pub(super) mod policy;
pub(super) mod prices;
pub(super) mod procurement;
pub(super) mod reminder;
pub(super) mod reserving;
pub(super) mod stages;
pub(super) mod supplier;
pub(super) mod tco;
