//! What is answered to whom: one handler for each family of routes.

pub(crate) mod account;
pub(crate) mod approval;
pub(crate) mod attachment;
pub(crate) mod attention;
pub(crate) mod card;
pub(crate) mod front;
pub(crate) mod gateway;
pub(crate) mod merchant;
pub(crate) mod native;
pub(crate) mod operator;
pub(crate) mod payer;
pub(crate) mod published;
pub(crate) mod qr_code;
pub(crate) mod receipt;
pub(crate) mod sdk;
#[cfg(feature = "sandbox")]
pub(crate) mod simulated;
pub(crate) mod token;
pub(crate) mod transaction;
pub(crate) mod wallet;
