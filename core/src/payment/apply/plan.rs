//! What follows from something learned.

use core::time::Duration;

use super::certainty::Certainty;
use super::learned::ReportOccasion;
use crate::change::Change;
use crate::value::time::Timestamp;

/// A change, and whether the merchant is to be notified of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The change to be committed.
    pub change: Change,
    /// Whether the merchant's address is notified.
    pub is_notified: bool,
}

/// When the next inquiry follows.
#[derive(Clone, Copy)]
pub(super) struct InquiryPlan {
    pub(super) inquiry_after: Duration,
    pub(super) now: Timestamp,
    pub(super) occasion: ReportOccasion,
    pub(super) certainty: Certainty,
}
