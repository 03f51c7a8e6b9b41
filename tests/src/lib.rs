//! What the native tests share: a [`shop`] in a world in memory, the [`bank`] and the receiver that it meets, and a
//! way to let something happen in the [`middle`] of a flow, or take its time in a [`slow`] world.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::missing_panics_doc, reason = "a test that cannot go on has failed")]

pub mod bank;
pub mod desk;
pub mod middle;
pub mod over;
pub mod shop;
pub mod slow;
