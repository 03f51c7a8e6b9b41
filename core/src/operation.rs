//! What is done to a payment after it succeeded. Captures, refunds and voids are child transactions of it
//! ([`child`](crate::child)): its [`amounts`](crate::child::amounts) say how much they may move, and the
//! [`stage`](crate::child::stage) of each says how it ends. They are recorded ([`mod@begin`]) before the
//! gateway is asked anything, and its answer becomes a change in one place ([`mod@apply`]).

pub mod apply;
pub mod approval;
pub mod begin;
pub mod command;
pub mod standing;
