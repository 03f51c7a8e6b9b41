//! The users, keys, webhook secrets, deliveries and receivers of a merchant, as operators manage them, and as the merchant manages its own.

pub(super) mod changes;
pub mod delivery;
pub(in crate::flow) mod end;
pub mod erase;
pub mod image;
pub mod invite;
pub mod key;
pub mod message;
pub mod page;
pub mod receiver;
pub mod user;
pub mod webhook_secret;
