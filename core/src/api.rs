//! The contract on the wire: one module an endpoint with its method, path, request and response, the reading of raw
//! [`field`]s, and one table of [`route`]s.

pub mod auto_debit;
pub mod card;
pub mod create_transaction;
pub mod field;
pub mod form;
pub mod inquiry;
pub mod json;
pub mod list_transactions;
pub mod media_type;
pub mod members;
pub mod native;
pub mod nested;
pub mod object;
pub mod operation;
pub mod pay;
pub mod payment_instrument;
pub mod payment_methods;
pub mod route;
pub mod sdk;
pub mod target;
pub mod update_transaction;
pub mod upload_attachment;
pub mod wallet;
