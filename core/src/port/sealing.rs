//! What is sealed in the store, so that it can be sealed again under another key.

use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::card::CardToken;
use crate::record::audit::Entry;
use crate::settings::WebhookSecrets;
use crate::value::id::MerchantId;
use crate::value::sealed::{SealKeyId, Sealed};

/// The secrets of a merchant, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantSecrets {
    /// The merchant.
    pub merchant: MerchantId,
    /// The version of its document and its secrets.
    pub version: i64,
    /// The document, with sealed credentials.
    pub document: String,
    /// The secrets with which its notifications are signed.
    pub webhook: WebhookSecrets,
}

/// The secret of a saved card, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardSecret {
    /// The card.
    pub token: CardToken,
    /// For whom it is sealed.
    pub merchant: MerchantId,
    /// The gateway's token.
    pub sealed: Sealed,
}

/// A sealed value of a saved card that takes the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardReplacement {
    /// The card as it was read.
    pub before: CardSecret,
    /// The same secret under another key.
    pub after: Sealed,
}

/// What is sealed of merchants.
pub trait SealedSecrets {
    /// The secrets of merchants whose id comes after `after`, in the order of their ids, at most `limit`.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn merchant_secrets(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantSecrets>, PortError>;

    /// Replaces what is sealed of a merchant if its version is still that of `next`, which then counts up, with the entry of
    /// the audit; whether it was.
    ///
    /// # Errors
    /// As [`merchant_secrets`](Self::merchant_secrets).
    async fn replace_sealed(&self, next: &MerchantSecrets, entry: &Entry) -> Result<bool, PortError>;
}

/// What is sealed of saved cards.
pub trait SealedCards {
    /// The secrets of saved cards that this key has sealed, or that were sealed before keys had ids: those whose token comes
    /// after `after`, in the order of the tokens, at most `limit`.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn card_secrets(
        &self,
        key: Option<&SealKeyId>,
        after: Option<&CardToken>,
        limit: u32,
    ) -> Result<Vec<CardSecret>, PortError>;

    /// Replaces the secrets of saved cards that are still as they were read; the others stay.
    ///
    /// # Errors
    /// As [`card_secrets`](Self::card_secrets).
    async fn replace_card_secrets(&self, all: &[CardReplacement]) -> Result<(), PortError>;

    /// How many saved cards each key has sealed, in the order of the ids; those that were sealed before keys had ids come first.
    ///
    /// # Errors
    /// As [`card_secrets`](Self::card_secrets).
    async fn cards_by_key(&self) -> Result<Vec<(Option<SealKeyId>, u64)>, PortError>;
}
