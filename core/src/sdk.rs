//! Owned values for those who call us: what the server answers to a checkout SDK and to a page, what the description
//! prints, and what a client reads. Each is written and read by the same type, so that reading an answer and writing it
//! again gives the same bytes; `answer` makes them.

pub mod billing;
pub mod callback;
pub mod card;
pub mod flexible;
pub mod method;
pub mod payment;
pub mod service;
pub mod session;
