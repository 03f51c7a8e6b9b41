//! The notification of a payment to a merchant's receiver, how the receiver can trust it, and when it is sent
//! again.
//!
//! Nothing here sends: the edge sends the bytes and returns the `delivery::ReceiverAnswer`.

pub mod delivery;
pub mod excerpt;
pub mod labels;
pub mod merchant_key;
pub mod signature;
pub mod standard;
