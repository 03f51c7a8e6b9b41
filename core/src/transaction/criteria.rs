//! What a card must be like.

use schemars::JsonSchema;
use serde::Serialize;

/// The requirements for a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CardAcceptanceCriteria {
    /// For how many days a card must at least be valid, 1 to 365.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_expiry_time: Option<u16>,
}
