//! The hosted page. [`options`] is the data that it hands over, [`amount`] the amount field and [`cost`] what follows from
//! it, [`model`] what is remembered, [`update`](mod@update) the whole behaviour as a pure function from a message to
//! [`effect`]s; `view` writes the model into the document, `client` makes the calls by `transport`, `sheet` is what the browser's sheets of
//! wallets and the module say to each other, and `data` reads what `www/boot.js` hands over.

pub mod amount;
pub mod cost;
pub mod effect;
pub mod model;
pub mod options;
pub mod update;

#[cfg(target_arch = "wasm32")]
mod client;
#[cfg(target_arch = "wasm32")]
mod data;
#[cfg(target_arch = "wasm32")]
mod runtime;
#[cfg(target_arch = "wasm32")]
mod sheet;
#[cfg(target_arch = "wasm32")]
mod transport;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
pub use runtime::start;
