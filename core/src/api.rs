//! The requests of the endpoints: one module per endpoint. The answers are in [`answer`](crate::answer), the
//! paths in [`route`](crate::route).

pub mod auto_debit;
pub mod card;
pub mod erasure;
pub mod inquiry;
pub mod list_transactions;
pub mod message_notification;
pub mod native;
pub mod operation;
pub mod pay;
pub mod payment_instrument;
pub mod payment_methods;
pub mod sdk;
pub mod target;
pub mod token;
pub mod upload_attachment;
pub mod wallet;
