//! Random numbers, from the platform's cryptographic source.

use checkout_core::port::{PortError, Rng};

/// The platform's source.
pub(crate) struct PlatformRng;

impl Rng for PlatformRng {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        getrandom::fill(bytes).map_err(|error| PortError { port: "rng", detail: error.to_string() })
    }
}
