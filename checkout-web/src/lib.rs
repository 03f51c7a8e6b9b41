//! Till in a browser, as a WebAssembly module.
//!
//! With the feature `page` it is the behaviour of the hosted checkout page, which works without it. With it the amounts
//! follow the chosen method, a payment starts without leaving the page before there is a page to go to, wallets pay, the
//! payer's choices stay after an error, and a waiting page asks for the outcome.
//!
//! With the feature `sdk` it is a class for the pages of shops, a part of the npm package `till-checkout`.
//!
//! # Floors
//!
//! From the top down. A module uses only modules below it, which the test `floors` checks.
//!
//! | module | what it is |
//! |---|---|
//! | [`page`] | the hosted page |
//! | `sdk` | the class for the pages of shops |
//! | [`quote`] | what a transaction costs by each method, of what an SDK is answered |
//! | [`wallet`] | what a sheet of a wallet shows, and what is submitted of what it returns |
//! | `json` | JSON by the browser's own reader |
//! | [`follow`] | how often the state is asked for |
#![forbid(unsafe_code)]

pub mod follow;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "sdk")]
pub mod quote;
#[cfg(all(feature = "sdk", target_arch = "wasm32"))]
pub mod sdk;
pub mod wallet;

#[cfg(target_arch = "wasm32")]
mod json;
