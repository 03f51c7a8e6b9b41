//! What the simulated bank of test mode decides, as pure functions. Its protocol is in `docs/sandbox.md`.
//!
//! The bank stores nothing and sends nothing. [`Bank::read`] makes a [`Request`](request::Request) of bytes. The
//! caller looks up what it [wants to know](request::Request::wanted), and [`Bank::answer`] gives a
//! [`Step`](bank::Step): the reply, and what is to be recorded before it is given. A caller whose records others
//! change meanwhile records only if they are as they were, and otherwise asks again.
//!
//! What happens without a request of the merchant has its own function: [`Charge::act`](charge::Charge::act) is
//! the payer on the page of a charge, [`Charge::finish`](charge::Charge::finish) and
//! [`Operation::finish`](operation::Operation::finish) are what the bank has delayed.
//!
//! The Worker serves this bank from tables of its own. The native tests and the simulation have it in memory.
//!
//! # Floors
//!
//! From the top down. A module uses only modules below it, which the test `floors` checks.
//!
//! | module | what it is |
//! |---|---|
//! | [`bank`] | from bytes to a request, and from a request to a step |
//! | [`request`] | what is asked of the bank |
//! | [`listing`] | the list of what was charged and done |
//! | [`operation`] | captures, refunds and voids |
//! | [`charge`] | charges |
//! | `session` | merchant sessions of Apple Pay |
//! | `offer` | whether a payment can be made later |
//! | [`wallet`] | what the tokens of device wallets mean |
//! | [`card`] | the test cards |
//! | [`callback`] | what the bank reports by itself |
//! | [`reply`] | what the bank answers |
//! | `numbers` | numbers as texts |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bank;
pub mod callback;
pub mod card;
pub mod charge;
pub mod listing;
mod numbers;
mod offer;
pub mod operation;
pub mod reply;
pub mod request;
mod session;
pub mod wallet;

pub use bank::Bank;
