//! What the bank sends by itself.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use checkout_core::gateway::sandbox::{SIGNATURE_HEADER, callback_signature};

/// A `POST` to the address that was given when the charge was opened, or when the operation was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// An address of the installation.
    pub url: String,
    /// Names in lower case, and values.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes of the body.
    pub body: Vec<u8>,
}

impl Callback {
    /// A body signed with the key of an account.
    #[must_use]
    pub fn signed(account: &str, url: String, body: Vec<u8>) -> Self {
        let signature = callback_signature(account, &body);
        let headers = vec![("content-type", "application/json".into()), (SIGNATURE_HEADER, signature)];
        Self { url, headers, body }
    }
}
