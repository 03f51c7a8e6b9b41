//! Every rule of Till, a payment checkout service.
//!
//! This crate decides everything and does nothing: it is `no_std`, names no runtime, and meets the world only
//! through the traits of [`port`]. `edge-worker` runs it as a Cloudflare Worker, `checkout-web` in the payer's
//! browser.
//!
//! Where to start: [`flow`] has one function an operation, in numbered steps; [`transaction::state`] and
//! [`payment::stage`] are the tables of legal moves; [`payment::apply`] is where an outcome becomes a change.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod access;
pub mod api;
pub mod attachment;
pub mod card;
pub mod change;
pub mod checkout;
pub mod country;
pub mod flow;
pub mod gateway;
pub mod id;
pub mod installation;
pub mod money;
pub mod operation;
mod order;
pub mod payment;
pub mod port;
pub mod reconciliation;
pub mod rejection;
pub mod return_token;
pub mod settings;
pub mod short_link;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod time;
pub mod transaction;
pub mod violation;
pub mod web_address;
pub mod webhook;
