//! What is done to a payment after it succeeded: captures, refunds and voids are child transactions of it.

pub mod child;
