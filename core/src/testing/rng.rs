//! Numbers that look random and are determined by a seed.

use core::cell::Cell;

use crate::port::{PortError, Rng};

/// The generator `SplitMix64`: the same seed gives the same bytes.
#[derive(Debug)]
pub struct SeededRng {
    state: Cell<u64>,
}

impl SeededRng {
    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: Cell::new(seed) }
    }

    /// The next number.
    #[must_use]
    pub fn next(&self) -> u64 {
        let state = self.state.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.state.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    #[must_use]
    pub fn below(&self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }
}

impl Rng for SeededRng {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        for chunk in bytes.chunks_mut(8) {
            for (byte, random) in chunk.iter_mut().zip(self.next().to_le_bytes()) {
                *byte = random;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number of the published generator for seed 0.
    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        assert_eq!(SeededRng::new(0).next(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
        let bytes = |seed| {
            let mut bytes = [0; 19];
            SeededRng::new(seed).fill(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(bytes(7), bytes(7));
        assert_ne!(bytes(7), bytes(8));
    }
}
