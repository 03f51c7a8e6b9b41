//! The behaviour of Till's hosted checkout page, as a WebAssembly module.
//!
//! The page works without it. With it the amounts follow the chosen method, a payment starts without leaving
//! the page before there is a page to go to, the payer's choices stay after an error, and a waiting page asks
//! for the outcome.
//!
//! [`options`] is the data that the page hands over, [`amount`] the amount field and [`cost`] what follows from it,
//! [`model`] what the module remembers, [`update`](mod@update) the whole behaviour as a pure function from a message to [`effect`]s; `view`
//! writes the model into the document and `client` makes the two calls.
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
