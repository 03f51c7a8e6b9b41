//! Random numbers, from the platform's cryptographic source.

use std::cell::RefCell;

use checkout_core::port::{PortError, Rng};

/// How many bytes are asked for at once: a call of the platform costs more than its bytes.
const POOL_BYTES: usize = 512;

/// The platform's source.
pub(crate) struct PlatformRng;

/// Random bytes that no one was given yet, at the end of `bytes`.
struct Pool {
    bytes: [u8; POOL_BYTES],
    left: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; POOL_BYTES], left: 0 }) };
}

impl Pool {
    /// Gives bytes, each once: what was given is erased.
    fn give(&mut self, bytes: &mut [u8]) -> Result<(), getrandom::Error> {
        for byte in bytes {
            if self.left == 0 {
                getrandom::fill(&mut self.bytes)?;
                self.left = POOL_BYTES;
            }
            self.left = self.left.saturating_sub(1);
            if let Some(next) = self.bytes.get_mut(self.left) {
                *byte = std::mem::take(next);
            }
        }
        Ok(())
    }
}

impl Rng for PlatformRng {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        let given = POOL.with_borrow_mut(|pool| pool.give(bytes));
        given.map_err(|error| PortError { port: "rng", detail: error.to_string() })
    }
}
