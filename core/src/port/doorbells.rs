//! Doorbells: short messages of a queue, each of which names one row that is due. The row is the truth: a doorbell that is
//! lost, late, or rung twice changes nothing but the time at which the row is looked at.

use alloc::string::{String, ToString};
use core::time::Duration;

use super::{DueRow, PortError};
use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// The longest wait of a message in a queue. What is due later is found by the cron handler.
pub const LONGEST_WAIT: Duration = Duration::from_hours(12);
/// The word of a doorbell that names no row.
const CLEANING: &str = "cleaning";
/// The most characters of a doorbell's text.
const MAX_TEXT: usize = 1_000;

/// Which row is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doorbell {
    /// A message of the outbox.
    Delivery(DeliveryId),
    /// An attempt whose gateway is to be asked.
    Attempt(DueRow<ReferenceNumber>),
    /// An operation whose gateway is to be asked.
    Operation(DueRow<ReferenceNumber>),
    /// A payment transaction whose time is over.
    Expiry(DueRow<SessionId>),
    /// No row: what one run did not clean up is cleaned up by others, until this moment.
    Cleaning(Timestamp),
}

impl Doorbell {
    /// The key of the row.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Delivery(id) => id.as_str(),
            Self::Attempt(turn) | Self::Operation(turn) => turn.item.as_str(),
            Self::Expiry(turn) => turn.item.as_str(),
            Self::Cleaning(_) => CLEANING,
        }
    }

    /// In whose turn the row is; `None` if that is known only when the row is claimed, or there is none.
    #[must_use]
    pub fn turn(&self) -> Option<DueRow<()>> {
        let (merchant, lane, family) = match self {
            Self::Attempt(turn) | Self::Operation(turn) => (&turn.merchant, &*turn.lane, &turn.family),
            // Whatever the gateway: none is asked.
            Self::Expiry(turn) => (&turn.merchant, "expiry", &None),
            Self::Delivery(_) | Self::Cleaning(_) => return None,
        };
        Some(DueRow { item: (), merchant: merchant.clone(), lane: lane.into(), family: family.clone() })
    }

    /// As it is sent: the kind, the key, and what decides whose turn it is, a line each.
    #[must_use]
    pub fn to_text(&self) -> String {
        let of_turn = |kind: &str, id: &str, merchant: &MerchantId, lane: &str, family: Option<&String>| {
            let family = family.map_or("", String::as_str);
            alloc::format!("{kind}\n{id}\n{}\n{lane}\n{family}", merchant.as_str())
        };
        match self {
            Self::Delivery(id) => alloc::format!("delivery\n{id}"),
            Self::Cleaning(until) => alloc::format!("{CLEANING}\n{}", until.millis()),
            Self::Attempt(turn) => {
                of_turn("attempt", turn.item.as_str(), &turn.merchant, &turn.lane, turn.family.as_ref())
            }
            Self::Operation(turn) => {
                of_turn("operation", turn.item.as_str(), &turn.merchant, &turn.lane, turn.family.as_ref())
            }
            Self::Expiry(turn) => {
                of_turn("expiry", turn.item.as_str(), &turn.merchant, &turn.lane, turn.family.as_ref())
            }
        }
    }

    /// What [`to_text`](Self::to_text) wrote; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let mut lines = text.split('\n');
        let (kind, id) = (lines.next()?, lines.next()?);
        if kind == CLEANING {
            let until = id.parse().ok().filter(|_| lines.next().is_none())?;
            return Some(Self::Cleaning(Timestamp::from_millis(until)));
        }
        if kind == "delivery" {
            return DeliveryId::parse(id).filter(|_| lines.next().is_none()).map(Self::Delivery);
        }
        let (merchant, lane, family) = (MerchantId::parse(lines.next()?)?, lines.next()?, lines.next()?);
        if lines.next().is_some() {
            return None;
        }
        let family = (!family.is_empty()).then(|| family.to_string());
        let lane = lane.to_string();
        match kind {
            "attempt" | "operation" => {
                let turn = DueRow { item: ReferenceNumber::parse(id)?, merchant, lane, family };
                Some(if kind == "attempt" { Self::Attempt(turn) } else { Self::Operation(turn) })
            }
            "expiry" => Some(Self::Expiry(DueRow { item: SessionId::parse(id)?, merchant, lane, family })),
            _ => None,
        }
    }
}

impl Slotted for Doorbell {
    fn slot(&self) -> Slot {
        match self {
            Self::Delivery(id) => id.slot(),
            Self::Attempt(turn) | Self::Operation(turn) => turn.item.slot(),
            Self::Expiry(turn) => turn.item.slot(),
            Self::Cleaning(_) => Slot::FIRST,
        }
    }
}

/// Which queue a doorbell goes through: one for what has just happened and one for what waited, so that a backlog never
/// comes before what is fresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// The first try of a message.
    Fresh,
    /// Everything else.
    Waiting,
}

/// A doorbell that is to be rung.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// For which row.
    pub bell: Doorbell,
    /// Through which queue.
    pub queue: Queue,
    /// After how long, at most [`LONGEST_WAIT`].
    pub after: Duration,
}

impl Ring {
    /// The most doorbells that are rung together.
    pub const TOGETHER: usize = 100;

    /// The first doorbell of a message, whose cause has just been stored.
    #[must_use]
    pub const fn first(id: DeliveryId) -> Self {
        Self { bell: Doorbell::Delivery(id), queue: Queue::Fresh, after: Duration::ZERO }
    }

    /// A doorbell for a message that a person had made due again: many perhaps, and none comes before what is fresh.
    pub(crate) const fn again(id: DeliveryId) -> Self {
        Self::waiting(Doorbell::Delivery(id), Duration::ZERO)
    }

    /// A doorbell for what waited, or waits for so long.
    #[must_use]
    pub const fn waiting(bell: Doorbell, after: Duration) -> Self {
        Self { bell, queue: Queue::Waiting, after }
    }
}

/// What is stored about doorbells.
pub trait Doorbells {
    /// Notes that a doorbell was rung for these rows, so that they are not found as due again before its message had time.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_rung(&self, ids: &[&str], at: Timestamp) -> Result<(), PortError>;

    /// Takes this back: the messages were handled, and the rows are to be found again.
    ///
    /// # Errors
    /// If the store fails.
    async fn unring(&self, ids: &[&str]) -> Result<(), PortError>;

    /// Deletes notes from before `before`, at most `limit` of them.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_rung(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;

    /// Puts the row of a doorbell that could not be handled on the attention list, once, if it is still due; whether an
    /// entry was added.
    ///
    /// # Errors
    /// If the store fails.
    async fn flag_unprocessed(&self, bell: &Doorbell, at: Timestamp) -> Result<bool, PortError>;
}

#[cfg(test)]
mod tests;
