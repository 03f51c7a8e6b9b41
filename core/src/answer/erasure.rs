//! What erasing the data of a payer answers.

use schemars::JsonSchema;
use serde::Serialize;

/// What was erased, and what is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Erased {
    /// How many agreements of the customer were deleted.
    pub agreements: usize,
    /// How many saved cards of the customer were deleted.
    pub cards: usize,
    /// How many payment transactions this call erased.
    pub erased: usize,
    /// How many still have data of the payer: they are open, their outcome or a notification is awaited, something happened
    /// to them in the last 96 hours, or they are more than one call erases. Call again later until none is left.
    pub left: u64,
}
