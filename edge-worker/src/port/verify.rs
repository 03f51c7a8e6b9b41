//! Verifies signatures of tokens by public keys, in the platform's own cryptography.

use checkout_core::access::jwk::Jwk;
use checkout_core::port::{PortError, Signatures, SignedText};

use crate::platform;

/// The cryptography of the platform.
pub(crate) struct WebCrypto;

impl Signatures for WebCrypto {
    async fn verify(&self, key: &Jwk, signed: &SignedText<'_>) -> Result<bool, PortError> {
        let SignedText { algorithm, message, signature } = *signed;
        let verified = platform::verify(algorithm.as_str(), &key.to_json()?, message, signature).await;
        verified.map_err(|detail| PortError { port: "signatures", detail })
    }
}
