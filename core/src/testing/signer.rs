//! A signer whose signatures prove nothing.

use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest, Sha512};

use crate::port::{PortError, Signer};
use crate::value::id::MerchantId;

/// Signs with the hash of the message, which is as long as a signature.
#[derive(Debug, Clone, Copy)]
pub struct HashSigner;

/// The public key that it gives: that of RFC 8037.
pub const PUBLIC_KEY: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

impl Signer for HashSigner {
    async fn public_keys(&self) -> Result<Vec<String>, PortError> {
        Ok(Vec::from([PUBLIC_KEY.into()]))
    }

    async fn sign(&self, message: &str) -> Result<Vec<u8>, PortError> {
        Ok(Sha512::digest(message).to_vec())
    }

    async fn webhook_key(&self, _: &MerchantId) -> Result<String, PortError> {
        Ok(PUBLIC_KEY.into())
    }

    async fn sign_webhook(&self, merchant: &MerchantId, message: &str) -> Result<Vec<u8>, PortError> {
        Ok(Sha512::digest(alloc::format!("{merchant} {message}")).to_vec())
    }
}
