//! A try to deliver a message.

use core::time::Duration;

use crate::flow::Failure;
use crate::port::{Finished, Next, Try};
use crate::record::attention::Attention;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::Effect;

/// A try that was made and is to be recorded.
#[derive(Debug)]
pub(in crate::flow) struct Tried {
    pub(super) id: DeliveryId,
    pub(super) done: Try,
    pub(super) attention: Option<Attention>,
    /// What the answer means.
    pub(in crate::flow) effect: Effect,
    /// After how long it is tried again.
    pub(super) again_after: Option<Duration>,
    /// Whether everything that was needed to send it could be loaded.
    pub(in crate::flow) encoded: Result<(), Failure>,
}

impl Tried {
    /// A try for which everything could be loaded, and that ended at a time of the merchant.
    pub(super) fn new(
        id: DeliveryId,
        done: Try,
        attention: Option<Attention>,
        effect: Effect,
        ends_at: Timestamp,
    ) -> Self {
        let again_after = match done.next {
            Next::Again(at) => Some(at.since(ends_at)),
            Next::Delivered | Next::GivenUp | Next::Held => None,
        };
        Self { id, done, attention, effect, again_after, encoded: Ok(()) }
    }

    /// What is recorded.
    pub(in crate::flow) const fn finished(&self) -> Finished<'_> {
        Finished { id: &self.id, done: &self.done, attention: self.attention.as_ref() }
    }
}
