//! All random choices of a run, from its seed.

use checkout_core::testing::rng::SeededRng;

/// The dice of one run.
#[derive(Debug)]
pub(crate) struct Dice(SeededRng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        // Not the sequence from which the flows generate their ids.
        Self(SeededRng::new(seed ^ 0x5eed_5eed_5eed_5eed))
    }

    /// True this many times out of a thousand.
    pub(crate) fn chance(&self, per_mille: u64) -> bool {
        self.0.below(1_000) < per_mille
    }

    /// From `least` up to `most`, both included.
    pub(crate) fn between(&self, least: u64, most: u64) -> u64 {
        let span = most.saturating_sub(least).saturating_add(1);
        least.saturating_add(self.0.below(span))
    }

    /// A place in something of this length; `None` if it is empty.
    pub(crate) fn place(&self, length: usize) -> Option<usize> {
        let length = u64::try_from(length).ok().filter(|length| *length > 0)?;
        usize::try_from(self.0.below(length)).ok()
    }

    /// One of the items.
    pub(crate) fn pick<T: Clone>(&self, items: &[T]) -> Option<T> {
        items.get(self.place(items.len())?).cloned()
    }

    /// One of the items, each as likely as its weight says. At least one weight must not be zero.
    pub(crate) fn weighted<T: Copy>(&self, items: &[(u64, T)]) -> T {
        let total = items.iter().map(|(weight, _)| *weight).sum();
        let mut left = self.0.below(total);
        for (weight, item) in items {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return *item,
            }
        }
        panic!("nothing to choose from");
    }
}
