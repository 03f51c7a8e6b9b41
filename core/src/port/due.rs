//! What is due, and in whose turn.

use alloc::string::String;

use crate::value::id::{MerchantId, ReferenceNumber};
use crate::value::time::Timestamp;

/// What a search for due rows looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due<'a> {
    /// The rows of this merchant; `None` for those of every merchant whose clock was not moved.
    pub merchant: Option<&'a MerchantId>,
    /// The time of this merchant, or the real one.
    pub now: Timestamp,
    /// The most rows of one lane: one gateway or one receiver of a merchant.
    pub share: u32,
    /// The most rows.
    pub limit: u32,
    /// Only rows for which no doorbell was rung since then; `None` for all.
    pub unrung_since: Option<Timestamp>,
}

/// A row that is due, with what decides whose turn it is.
///
/// A search returns rows in turns: one row of each merchant, then a second one of each, and so on; those of
/// one merchant alternate between its lanes. A backlog of one merchant therefore never comes before the first
/// row of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueRow<T> {
    /// The row's key.
    pub item: T,
    /// The merchant to which it belongs.
    pub merchant: MerchantId,
    /// Who answers for this merchant: the code of a gateway, or the origin of a receiver.
    pub lane: String,
    /// Who answers behind the lanes of several merchants: the family of a gateway. `None` if nothing is
    /// shared.
    pub family: Option<String>,
}

/// The family of a gateway: who answers for the gateways of several merchants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatewayFamily<'a> {
    /// Its name.
    pub pg_name: &'a str,
    /// Whether it is a simulation. Simulated gateways are separate families: one that does not answer must
    /// not close the real one.
    pub is_sandbox: bool,
}

impl DueRow<ReferenceNumber> {
    /// A question to a gateway.
    #[must_use]
    pub fn of_gateway(
        item: ReferenceNumber,
        merchant: MerchantId,
        pg_code: String,
        family: GatewayFamily<'_>,
    ) -> Self {
        let GatewayFamily { pg_name, is_sandbox } = family;
        let family = if is_sandbox { alloc::format!("{pg_name} (sandbox)") } else { pg_name.into() };
        Self { item, merchant, lane: pg_code, family: Some(family) }
    }
}
