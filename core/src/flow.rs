//! What the service does: one operation is one `async fn` over the [ports](crate::port), in numbered steps.
//!
//! A flow reads the time once; if it knows its merchant, it uses the [merchant's time](now_of). It decides
//! with the pure modules, and stores the result as one [`Change`](crate::change::Change).

pub mod account;
mod alert;
mod attachment;
pub mod caller;
pub mod card;
mod charge;
mod commit;
mod connect;
pub mod deliver;
pub mod demo;
pub mod ending;
pub mod erase;
mod exchange;
mod failure;
mod find;
pub mod gateway;
mod generate;
mod idempotency;
mod inquire;
mod limit;
mod local;
pub mod merchant;
pub mod message_report;
mod notify;
mod now;
mod operation;
pub mod operator;
pub mod page_check;
pub mod patience;
pub mod payer;
pub mod receipt;
pub mod reconcile;
mod reverse;
mod routing;
pub mod sdk;
mod settle;
pub mod sweep;
mod together;
pub mod webhook_check;

pub use caller::{identify, principal};
pub use failure::Failure;
pub use now::now_of;
