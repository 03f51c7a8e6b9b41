//! What is known of a customer besides payments and cards.

use alloc::vec::Vec;

use super::{ListedMessage, PortError};
use crate::card::CardToken;
use crate::record::consent::Consent;
use crate::value::id::{MerchantId, SessionId};

/// What a payer agreed to, and for which card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenConsent {
    /// The consent.
    pub consent: Consent,
    /// The transaction.
    pub session_id: SessionId,
    /// The card that was saved or charged; `None` if it was not.
    pub card: Option<CardToken>,
}

/// Of whom, and how much: of the newest transactions of a customer that were not deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CustomerSearch<'a> {
    /// The merchant.
    pub merchant: &'a MerchantId,
    /// The merchant's id of the customer.
    pub customer_id: &'a str,
    /// At most so many transactions.
    pub transactions: u32,
    /// At most so many rows.
    pub limit: u32,
}

/// What customers were sent, and what they agreed to.
pub trait Customers {
    /// The messages to a customer, the newest first.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn messages_to(&self, search: CustomerSearch<'_>) -> Result<Vec<ListedMessage>, PortError>;

    /// What a customer agreed to, the newest first.
    ///
    /// # Errors
    /// As [`messages_to`](Self::messages_to).
    async fn consents_of(&self, search: CustomerSearch<'_>) -> Result<Vec<GivenConsent>, PortError>;
}
