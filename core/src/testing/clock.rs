//! A clock that does not move by itself.

use alloc::rc::Rc;
use core::cell::Cell;
use core::time::Duration;

use crate::port::Clock;
use crate::value::time::Timestamp;

/// A clock that only the test moves, and only forward. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct ManualClock {
    now: Rc<Cell<Timestamp>>,
}

impl ManualClock {
    /// A clock that shows `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self { now: Rc::new(Cell::new(now)) }
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        self.now.set(self.now.get().plus(by));
    }

    /// Lets time pass until `at`; an earlier moment changes nothing.
    pub fn advance_to(&self, at: Timestamp) {
        self.now.set(self.now.get().max(at));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.now.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_never_goes_back() {
        let clock = ManualClock::at(Timestamp::from_millis(1_000));
        clock.advance_to(Timestamp::from_millis(500));
        assert_eq!(clock.now(), Timestamp::from_millis(1_000));
        clock.advance_to(Timestamp::from_millis(2_000));
        clock.advance(Duration::from_millis(5));
        assert_eq!(clock.now(), Timestamp::from_millis(2_005));
    }
}
