//! The requests of the endpoints: one module per endpoint. The answers are in [`answer`](crate::answer), the
//! paths in [`route`](crate::route).

pub(crate) mod administration;
pub(crate) mod attention;
pub mod auto_debit;
pub mod card;
pub mod erasure;
pub mod form;
pub mod inquiry;
pub(crate) mod key;
pub mod list_transactions;
pub(crate) mod merchant;
pub mod message_notification;
pub mod native;
pub mod operation;
pub(crate) mod operator;
pub mod pay;
pub mod payment_instrument;
pub mod payment_methods;
pub(crate) mod receiver;
pub(crate) mod reconciliation;
pub(crate) mod resend;
pub mod sdk;
pub(crate) mod settings_version;
pub(crate) mod signature_key;
pub mod target;
pub mod test_clock;
pub mod token;
pub(crate) mod upload_attachment;
pub(crate) mod user;
pub mod wallet;
pub(crate) mod webhook_addresses;
