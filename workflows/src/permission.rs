//! Which functions may ask for what: the table that the engine's access check reads.
//!
//! Closed by default: a command that is not listed with a function is nobody's. Further conditions,
//! such as four eyes, are decided by the rules themselves.

use crate::{
    budget::price_index,
    function::Function::{
        self, Admin, Finance, Legal, Manager, Operations, Procurement, Requester,
    },
    negotiation, operation, person, policy,
    procurement::{Command, Course},
    shortlist, supplier,
};

/// The program itself may send these and no others.
pub fn is_for_system(command: &Command) -> bool {
    matches!(command, Command::Course(Course::NoteLapse { .. }))
}

pub fn for_procurement(command: &Command) -> &'static [Function] {
    match command {
        Command::Course(course) => for_course(course),
        Command::Needs(_) => &[Requester, Procurement, Operations],
        Command::Budget(_) => &[Finance, Procurement],
        Command::Shortlist(shortlist::Command::ScoreCandidate { .. }) => {
            &[Procurement, Requester, Operations]
        }
        Command::Shortlist(
            shortlist::Command::AddCandidate { .. }
            | shortlist::Command::DropCandidate { .. }
            | shortlist::Command::ReviewQualifications { .. }
            | shortlist::Command::RecordQuote { .. },
        ) => &[Procurement],
        Command::Poc(_) => &[Requester, Operations, Procurement],
        Command::Negotiation(negotiation::Command::ReviewTerms { .. }) => &[Legal],
        Command::Negotiation(negotiation::Command::PlanScaling { .. }) => {
            &[Operations, Requester, Procurement]
        }
        Command::Negotiation(
            negotiation::Command::RecordTerms { .. }
            | negotiation::Command::DecideAward { .. }
            | negotiation::Command::RecordContract { .. },
        ) => &[Procurement, Legal],
        Command::Operation(operation::Command::DecideOutcome { .. }) => &[Procurement, Operations],
        Command::Operation(
            operation::Command::RecordUsage { .. }
            | operation::Command::RecordBill { .. }
            | operation::Command::RecordAvailability { .. }
            | operation::Command::ReportIncident { .. }
            | operation::Command::ResolveIncident { .. }
            | operation::Command::PlanReviews { .. }
            | operation::Command::ScheduleReview { .. }
            | operation::Command::RecordReview { .. },
        ) => &[Operations, Procurement, Finance],
    }
}

fn for_course(course: &Course) -> &'static [Function] {
    match course {
        Course::Open { .. } => &[Requester, Procurement],
        Course::AddMember { .. } | Course::RemoveMember { .. } => {
            &[Requester, Procurement, Manager]
        }
        // Whoever signs at some gate; which one is the gate's business.
        Course::SignOff { .. } => &[Requester, Procurement, Finance, Legal, Operations, Manager],
        Course::Waive { .. } | Course::AdoptPolicy => &[Manager],
        Course::Advance | Course::Close => &[Requester, Procurement, Manager],
        Course::SendBack { .. } => &[Requester, Procurement, Finance, Legal, Operations, Manager],
        Course::Hold { .. } | Course::Resume | Course::Cancel { .. } => {
            &[Requester, Procurement, Manager]
        }
        Course::NoteLapse { .. } => &[],
        Course::EraseContact => &[Admin],
    }
}

pub fn for_supplier(command: &supplier::Command) -> &'static [Function] {
    match command {
        supplier::Command::Register { .. }
        | supplier::Command::RecordCertificate { .. }
        | supplier::Command::RecordBilling { .. }
        | supplier::Command::Withdraw { .. } => &[Procurement],
        supplier::Command::EraseContact => &[Admin],
    }
}

pub fn for_person(command: &person::Command) -> &'static [Function] {
    match command {
        person::Command::Register { .. }
        | person::Command::GrantFunction { .. }
        | person::Command::RevokeFunction { .. }
        | person::Command::IssueToken { .. }
        | person::Command::RevokeToken { .. }
        | person::Command::Deactivate
        | person::Command::Erase
        | person::Command::SetPreferences { .. }
        | person::Command::SetDelivery { .. }
        | person::Command::NameSubstitute { .. } => &[Admin],
    }
}

/// What everybody may do with their own record.
pub fn is_own_business(command: &person::Command) -> bool {
    match command {
        person::Command::SetPreferences { .. }
        | person::Command::SetDelivery { .. }
        | person::Command::NameSubstitute { .. }
        | person::Command::RevokeToken { .. } => true,
        person::Command::Register { .. }
        | person::Command::GrantFunction { .. }
        | person::Command::RevokeFunction { .. }
        | person::Command::IssueToken { .. }
        | person::Command::Deactivate
        | person::Command::Erase => false,
    }
}

/// Whoever buys or pays keeps what others paid.
pub fn for_prices(command: &price_index::Command) -> &'static [Function] {
    match command {
        price_index::Command::Record { .. } | price_index::Command::Withdraw { .. } => {
            &[Procurement, Finance]
        }
    }
}

pub fn for_policy(command: &policy::Command) -> &'static [Function] {
    match command {
        policy::Command::Publish { .. } => &[Admin],
    }
}
