//! Whether a page that is over still sends its payer on to the merchant.
//!
//! Decision: the receiver's 200 decides, whenever it comes, and it may have come just before the page was
//! rendered. So a page whose payment has just ended asks once more, by its script or by one refresh. Later it
//! asks only while the notification is not delivered: a payer who opens an old link wants to see the outcome
//! of the payment.

use core::time::Duration;

use crate::checkout::page::PageScene;
use crate::strings::screen::PageStatus;

/// How long after the outcome a person who sees it counts as having just paid.
const FRESH: Duration = Duration::from_mins(10);
/// How often the script asks while the receiver has yet to answer: about three minutes.
const ASKS: u32 = 38;
/// The status with which a receiver keeps the payer on the page.
const STAY: u16 = 201;

/// How a page that is over sends its payer on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onward {
    /// It asks once whether the payer is sent on.
    Once,
    /// The notification is not delivered: it asks for a while.
    Waits,
}

impl Onward {
    /// How often the script asks.
    #[must_use]
    pub const fn asks(self) -> u32 {
        match self {
            Self::Once => 1,
            Self::Waits => ASKS,
        }
    }

    /// After how many seconds a browser without a script asks, which has asked `refreshes` times already;
    /// `None` if it asks no more. The answer waits for the receiver, so the first delay is longer than the
    /// longest answer; the last comes after the notification was tried again.
    #[must_use]
    pub const fn refresh_after(self, refreshes: u8) -> Option<u32> {
        match (self, refreshes) {
            (Self::Once, 0) => Some(1),
            (Self::Waits, 0 | 1) => Some(6),
            (Self::Waits, 2) => Some(75),
            (Self::Once | Self::Waits, _) => None,
        }
    }

    /// What the page of a scene does if it has a link back to the merchant.
    pub(super) fn of(scene: &PageScene<'_>, status: PageStatus) -> Option<Self> {
        if !status.shows_attempt() || !status.is_final() {
            return None;
        }
        let attempt = scene.counting()?;
        match scene.delivery {
            Some(delivery) if !delivery.is_delivered => Some(Self::Waits),
            Some(delivery) if delivery.status == Some(STAY) => None,
            Some(_) | None if scene.books.is_some_and(|books| !books.children.is_empty()) => None,
            Some(_) | None => (scene.situation.now.since(attempt.known_at) < FRESH).then_some(Self::Once),
        }
    }
}
