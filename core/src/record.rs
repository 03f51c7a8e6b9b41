//! Small records that are stored with a change or separately.

pub mod attachment;
pub mod attention;
pub mod audit;
pub mod consent;
pub mod decision;
pub mod event;
pub mod facts;
pub mod health;
pub mod idempotency;
pub mod image;
pub mod outbox;
pub mod receiver;
pub mod return_token;
pub mod short_link;
