//! Messages to payers about their payments: which change causes them ([`facts`]), and how they read as an e-mail, an SMS
//! and a message of `WhatsApp` ([`render`]).
//!
//! Decision: the body of a stored message is what there is to say, fixed when it happened, and not the rendered text. It is
//! small, holds no look, and is rendered when it is sent, with the merchant's name and face of that moment; what a later
//! version adds is absent from an older body and left out.

pub mod alert;
mod email;
pub mod facts;
pub(crate) mod masked;
pub mod render;
pub mod segments;
pub mod staff;
mod wording;
