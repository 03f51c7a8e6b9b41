//! What is done to a payment after it succeeded. Captures, refunds and voids are child transactions of it ([`child`](crate::child)):
//! how much they may move is said by its [`amounts`](crate::child::amounts), how each of them ends by its [`stage`](crate::child::stage). They are recorded
//! ([`mod@begin`]) before the gateway hears of them, and what it then says becomes a change in one place
//! ([`mod@apply`]).

pub mod apply;
pub mod begin;
pub mod command;
pub mod standing;
