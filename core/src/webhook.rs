//! What a merchant's receiver is told of a payment, how it can trust that, and when it is told again
//! (specification, "Payment webhook"; wire contract 3).
//!
//! Nothing here sends: the edge sends the bytes and hands back the [`delivery::Answer`].

pub mod delivery;
pub mod labels;
pub mod signature;
pub mod standard;
