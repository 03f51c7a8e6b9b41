//! The two faces of what is stored. A flow names which one it asks. No port of a face has a default implementation: what an
//! implementation leaves out does not compile.

use super::{
    Alerts, Approvals, Attachments, AttentionLists, Bookkeeping, Cards, Counters, Customers, DayTotals,
    Decisions, Deliveries, DeskFactors, DeskSessions, DeskTrips, Doorbells, Endings, Erasures, Holds,
    Journal, Keyring, Ladders, Messages, Monitoring, Operators, PageOrigins, Payers, PaymentTemplates,
    Published, Receivers, Reconciliations, Registry, SealedCards, SealedSecrets, Store, Timelines,
    UserDevices, UserLinks, Users,
};

/// Merchants, their settings, keys, users, images and receivers, the operators and their audit, providers of single sign-on,
/// sessions, links, devices and templates at the desk, and the limits of callers.
pub trait Directory:
    Counters
    + DeskFactors
    + DeskSessions
    + DeskTrips
    + Journal
    + Keyring
    + Operators
    + PaymentTemplates
    + Published
    + Receivers
    + Registry
    + SealedSecrets
    + UserDevices
    + UserLinks
    + Users
{
}

/// Payments and what belongs to them, of one slot: attempts, operations, messages, saved cards, agreements, files, links, what a
/// person should look at, and what is due.
pub trait Ledger:
    Alerts
    + Approvals
    + Attachments
    + AttentionLists
    + Bookkeeping
    + Cards
    + Customers
    + Decisions
    + Deliveries
    + Doorbells
    + Endings
    + Erasures
    + Holds
    + Ladders
    + Messages
    + Monitoring
    + PageOrigins
    + Payers
    + Reconciliations
    + SealedCards
    + Store
    + Timelines
    + DayTotals
{
}
