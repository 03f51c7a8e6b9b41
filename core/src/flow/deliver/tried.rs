//! A try to deliver a message: claimed, then made, then recorded.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::time::Duration;

use super::turns::SILENCE;
use crate::flow::Failure;
use crate::port::{DueRow, Finished, MessageClaim, Next, Try};
use crate::record::attention::Attention;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{AnswerEffect, LEASE, SEND_TIMEOUT};

/// How long after its claim a message may still be sent.
pub(super) const HOLD: Duration = LEASE.saturating_sub(SEND_TIMEOUT).saturating_sub(SILENCE);

/// A message that was claimed at a moment.
pub(super) struct Held {
    pub(super) claim: MessageClaim,
    pub(super) at: Timestamp,
}

impl Held {
    /// Until when it is held.
    pub(super) fn until(&self) -> Timestamp {
        self.at.plus(LEASE)
    }

    /// Whose turn it is.
    pub(super) fn turn(&self) -> DueRow<DeliveryId> {
        let MessageClaim { message, .. } = &self.claim;
        DueRow {
            item: message.id.clone(),
            merchant: message.merchant.clone(),
            lane: message.lane(),
            family: None,
        }
    }
}

/// A try that was made and is to be recorded.
#[derive(Debug)]
pub(super) struct DeliveryTry {
    pub(super) id: DeliveryId,
    pub(super) done: Try,
    pub(super) attention: Option<Attention>,
    /// What the answer means.
    pub(super) effect: AnswerEffect,
    /// After how long it is tried again.
    pub(super) again_after: Option<Duration>,
    /// Whether everything that was needed to send it could be loaded.
    pub(super) encoded: Result<(), Failure>,
}

impl DeliveryTry {
    /// A try for which everything could be loaded, and that ended at a time of the merchant.
    pub(super) fn new(
        id: DeliveryId,
        done: Try,
        attention: Option<Attention>,
        effect: AnswerEffect,
        ends_at: Timestamp,
    ) -> Self {
        let again_after = match done.next {
            Next::Again(at) => Some(at.since(ends_at)),
            Next::Delivered | Next::GivenUp | Next::Held => None,
        };
        Self { id, done, attention, effect, again_after, encoded: Ok(()) }
    }

    /// What is recorded.
    pub(super) const fn finished(&self) -> Finished<'_> {
        Finished { id: &self.id, done: &self.done, attention: self.attention.as_ref() }
    }
}

/// Where tries wait to be recorded.
#[derive(Default)]
pub(super) struct RecordQueue {
    pub(super) waiting: RefCell<Vec<DeliveryTry>>,
    pub(super) is_writing: Cell<bool>,
}
