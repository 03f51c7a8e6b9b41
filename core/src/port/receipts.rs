//! What receipts and webhooks need of the installation's key; and how a transaction ended.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::attempt::stage::Stage;
use crate::payment::receipt::TransactionEnd;
use crate::state::State;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// Signs by Ed25519 (RFC 8032): receipts with the installation's key, and the webhooks of each merchant with a key that is
/// derived from it ([`crate::webhook::merchant_key`]).
pub trait Signer {
    /// The public keys, 32 bytes in base64url each: the one that signs, and after it those that signed
    /// before.
    ///
    /// # Errors
    /// If the platform cannot use the key.
    async fn public_keys(&self) -> Result<Vec<String>, PortError>;

    /// The signature of a message, 64 bytes.
    ///
    /// # Errors
    /// As [`public_keys`](Self::public_keys).
    async fn sign(&self, message: &str) -> Result<Vec<u8>, PortError>;

    /// The public key of a merchant's webhooks, 32 bytes in base64url.
    ///
    /// # Errors
    /// As [`public_keys`](Self::public_keys).
    async fn webhook_key(&self, merchant: &MerchantId) -> Result<String, PortError>;

    /// The signature of a message with the key of a merchant's webhooks, 64 bytes.
    ///
    /// # Errors
    /// As [`public_keys`](Self::public_keys).
    async fn sign_webhook(&self, merchant: &MerchantId, message: &str) -> Result<Vec<u8>, PortError>;
}

/// How a transaction ended, without what is known of its attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEnding {
    /// When.
    pub at: Timestamp,
    /// The attempt that brought it there, and its stage then; `None` if no attempt did.
    pub by: Option<(ReferenceNumber, Stage)>,
}

/// The log of how transactions ended.
pub trait Endings {
    /// How a transaction first came to a state; `None` if it never did.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn ended(&self, session_id: &SessionId, state: State) -> Result<Option<TransactionEnd>, PortError>;

    /// The same of many transactions, each with the reference of the attempt instead of the attempt.
    ///
    /// # Errors
    /// As [`ended`](Self::ended).
    async fn endings(
        &self,
        wanted: &[(&SessionId, State)],
    ) -> Result<BTreeMap<SessionId, StoredEnding>, PortError>;
}
