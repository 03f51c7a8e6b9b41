//! The requests of the endpoints: one module per endpoint. The answers are in [`answer`](crate::answer), the
//! paths in [`route`](crate::route).

pub mod administration;
pub mod agreement;
pub mod approval;
pub mod attention;
pub mod auto_debit;
pub mod card;
pub mod erasure;
pub mod form;
pub mod inquiry;
pub mod key;
pub mod list_transactions;
pub mod merchant;
pub mod message_notification;
pub mod native;
mod note;
pub mod operation;
pub mod operator;
pub mod pay;
pub mod payment_instrument;
pub mod payment_methods;
pub mod read_totals;
pub mod receiver;
pub mod reconciliation;
pub mod resend;
pub mod sdk;
pub mod settings_version;
pub mod signature_key;
pub mod target;
pub mod test_clock;
pub mod token;
pub mod upload_attachment;
pub mod user;
pub mod wallet;
pub mod webhook_addresses;
