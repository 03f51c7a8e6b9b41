//! The behaviour of Till's hosted checkout page, as a WebAssembly module.
//!
//! The page works without it. With it the amounts follow the chosen method, a payment starts without leaving
//! the page before there is a page to go to, the payer's choices stay after an error, and a waiting page asks
//! for the outcome.
//!
//! [`options`] is the data that the page hands over, [`amount`] the amount field and [`cost`] what follows from it,
//! [`model`] what the module remembers, [`update`](mod@update) the whole behaviour as a pure function from a message to [`effect`]s; `view`
//! writes the model into the document and `client` makes the two calls.
//!
//! # Floors
//!
//! From the top down. A module uses only modules below it, which the test `floors` checks.
//!
//! | module | what it is |
//! |---|---|
//! | `runtime` | the page's events become messages, and effects happen |
//! | `client` | the two calls |
//! | `view` | writes the model into the document |
//! | [`update`](mod@update) | the behaviour: a message changes the model and causes effects |
//! | [`model`] | what the module remembers |
//! | [`cost`] | what follows from the amount |
//! | [`options`] | the data that the page hands over |
//! | [`amount`] | the amount field |
//! | [`effect`] | what the page does because of a message |
#![forbid(unsafe_code)]

pub mod amount;
pub mod cost;
pub mod effect;
pub mod model;
pub mod options;
pub mod update;

#[cfg(target_arch = "wasm32")]
mod client;
#[cfg(target_arch = "wasm32")]
mod runtime;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
pub use runtime::start;
