//! The bodies of answers and webhooks, and their parts.

pub mod administration;
pub mod alert;
pub mod attachment;
pub(crate) mod billing;
pub(crate) mod body;
pub mod consent;
pub mod delivery;
pub mod erasure;
pub mod health;
pub(crate) mod listing;
pub mod merchant_link;
pub mod message;
pub(crate) mod method;
pub mod native;
pub mod oauth;
pub mod operation;
pub mod operator;
pub mod page;
pub mod payload;
pub mod payment_methods;
pub mod routing;
pub mod sample;
pub mod sdk;
pub mod source;
pub mod token;
pub mod view;
