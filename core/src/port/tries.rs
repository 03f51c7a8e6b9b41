//! Tries to deliver messages: who makes them, and how they end.

use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::record::attention::Attention;
use crate::record::outbox::Message;
use crate::record::receiver::{ReceiverEffect, TryError};
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::DeliveryStatus;

/// How a try to deliver a message ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// When.
    pub at: Timestamp,
    /// The status that was answered; `None` if there was no answer.
    pub status: Option<u16>,
    /// Why there is no status.
    pub error: Option<TryError>,
    /// The beginning of the answer ([`crate::webhook::excerpt`]).
    pub excerpt: Option<String>,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// What happens with the message next.
    pub next: Next,
    /// What it changes for the receiver.
    pub receiver: ReceiverEffect,
}

/// What happens with a message after a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The recipient accepted it.
    Delivered,
    /// It is tried again at this time.
    Again(Timestamp),
    /// It waits until its receiver is enabled again.
    Held,
    /// It is given up.
    GivenUp,
}

/// A message that was claimed: nobody else sends it until the lease is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageClaim {
    /// What to send.
    pub message: Message,
    /// How many tries failed before.
    pub failed_tries: u32,
    /// Since when the receiver fails; `None` if it works, as far as is known.
    pub failing_since: Option<Timestamp>,
    /// Until when a sender held it that ended without recording its try, in real time; `None` if none did.
    pub lost_until: Option<Timestamp>,
}

/// A try that has ended, of a message that was claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished<'a> {
    /// The message.
    pub id: &'a DeliveryId,
    /// How the try ended.
    pub done: &'a Try,
    /// The entry of the attention list, if the message was given up.
    pub attention: Option<&'a Attention>,
}

/// What came of claiming several messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClaimedMessages {
    /// Those that nobody else holds and that are due.
    pub claims: Vec<MessageClaim>,
    /// Those that cannot be read, and why. They are not held.
    pub unreadable: Vec<(DeliveryId, PortError)>,
}

/// The newest message about an attempt, and the state of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewestDelivery {
    /// The id of the message.
    pub id: DeliveryId,
    /// Its state.
    pub status: DeliveryStatus,
}
