//! What the native tests share: a [`shop`] in a world in memory, its [`bank`] and its receiver, and worlds in
//! which something happens in the [`middle`] of a flow, that are [`dying`], or in which requests are [`slow`].
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::missing_panics_doc, reason = "a test that cannot go on has failed")]

pub mod bank;
pub mod books;
pub mod configure;
pub mod delivery;
pub mod dying;
pub mod gateway;
pub mod middle;
pub mod over;
pub mod ports;
pub mod receiver;
pub mod shop;
pub mod slow;
pub mod staff;
