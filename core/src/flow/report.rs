//! What others report by themselves: a [`gateway`] about charges, and a provider of messages about a [`message`].

mod dispute;
pub mod gateway;
pub mod message;
