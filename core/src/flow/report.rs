//! What others report by themselves: a [`gateway`] about charges, and a provider of messages about a [`message`].

pub mod gateway;
pub mod message;
