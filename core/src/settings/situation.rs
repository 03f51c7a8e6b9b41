//! A merchant as its store has it, and as one request finds it.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::time::Duration;

use super::MerchantSettings;
use crate::record::health::Health;
use crate::value::id::PgCode;
use crate::value::time::Timestamp;

/// A merchant: its settings, and how far its test clock is ahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// The settings.
    pub settings: Rc<MerchantSettings>,
    /// How far the merchant's time was moved forward from the real one; zero except for a merchant that only
    /// tests.
    pub clock_offset: Duration,
}

impl Merchant {
    /// The merchant's time at a real moment.
    #[must_use]
    pub(crate) fn time_at(&self, real: Timestamp) -> Timestamp {
        real.plus(self.clock_offset)
    }

    /// The situation in which a request at a real moment finds the merchant.
    #[must_use]
    pub fn at(self, real: Timestamp) -> Situation {
        let now = self.time_at(real);
        let Self { settings, clock_offset } = self;
        Situation { settings, now, clock_offset, health: None }
    }
}

/// What a request finds when it begins: it is made once, where the merchant is loaded, and everything that follows is decided
/// on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// The settings of the merchant.
    pub settings: Rc<MerchantSettings>,
    /// The merchant's time. Everything about the merchant's payments uses it; credentials, leases, signatures that receivers
    /// check and the operator's log use the real time.
    pub now: Timestamp,
    clock_offset: Duration,
    health: Option<Vec<Health>>,
}

impl Situation {
    /// The real time.
    #[must_use]
    pub(crate) fn real_now(&self) -> Timestamp {
        self.now.minus(self.clock_offset)
    }

    /// How far the merchant's time is ahead of the real one.
    #[must_use]
    pub fn ahead(&self) -> Duration {
        self.clock_offset
    }

    /// The same at a later real moment.
    #[must_use]
    pub fn at(&self, real: Timestamp) -> Self {
        Self { now: real.plus(self.clock_offset), ..self.clone() }
    }

    /// The same, with the gateways that failed lately.
    #[must_use]
    pub(crate) fn with_health(self, health: Vec<Health>) -> Self {
        Self { health: Some(health), ..self }
    }

    /// The gateways that failed lately; `None` if that was not asked for.
    pub(crate) fn health(&self) -> Option<&[Health]> {
        self.health.as_deref()
    }

    /// Whether a gateway failed too often lately.
    pub(crate) fn is_skipped(&self, code: &PgCode) -> bool {
        self.health.iter().flatten().any(|health| health.is_skipped && health.code == *code)
    }
}
