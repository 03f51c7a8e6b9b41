//! Till in a browser, as a WebAssembly module.
//!
//! With the feature `page` it is the behaviour of the hosted checkout page, which works without it. With it the amounts
//! follow the chosen method, a payment starts without leaving the page before there is a page to go to, wallets pay, the
//! payer's choices stay after an error, and a waiting page asks for the outcome.
//!
//! # Floors
//!
//! From the top down. A module uses only modules below it, which the test `floors` checks.
//!
//! | module | what it is |
//! |---|---|
//! | [`page`] | the hosted page |
//! | `transport` | the one path to the API |
//! | [`wallet`] | what a sheet of a wallet shows, and what is submitted of what it returns |
//! | [`follow`] | how often the state is asked for |
#![forbid(unsafe_code)]

pub mod follow;
#[cfg(feature = "page")]
pub mod page;
pub mod wallet;

#[cfg(target_arch = "wasm32")]
mod transport;
