//! What single sign-on needs: signatures of providers, and a place for what was fetched from them.

use alloc::string::String;
use core::fmt;
use core::time::Duration;

use super::PortError;
use crate::access::jwk::Jwk;
use crate::words::signing::SigningAlgorithm;

/// What a signature is said to be of.
#[derive(Clone, Copy)]
pub struct SignedText<'a> {
    /// How it was signed.
    pub algorithm: SigningAlgorithm,
    /// What was signed.
    pub message: &'a [u8],
    /// The signature: of ECDSA both numbers one after the other, each as long as the curve's.
    pub signature: &'a [u8],
}

impl fmt::Debug for SignedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signed({:?}, [redacted; {} bytes])", self.algorithm, self.message.len())
    }
}

/// Verifies signatures by public keys.
pub trait Signatures {
    /// Whether a signature is that of the key. A key that the platform cannot use, such as a point that is not on its curve,
    /// verifies nothing.
    ///
    /// # Errors
    /// If the platform has no such algorithm.
    async fn verify(&self, key: &Jwk, signed: &SignedText<'_>) -> Result<bool, PortError>;
}

/// A place for what was fetched from elsewhere and can be fetched again. What is written is visible to the same place at
/// once, elsewhere perhaps a minute later, and may be lost at any time.
pub trait Cache {
    /// What was written under a name; `None` if it is not there.
    ///
    /// # Errors
    /// If the cache cannot be read.
    async fn read(&self, name: &str) -> Result<Option<String>, PortError>;

    /// Writes a text, for at least a minute and about as long as `life`.
    ///
    /// # Errors
    /// If it may not have been written.
    async fn write(&self, name: &str, text: &str, life: Duration) -> Result<(), PortError>;
}
