//! What `make bench` times of the core: reading the body of one create request and checking it against the
//! settings of the demo merchant. The same code runs natively (`main.rs`) and in wasm ([`run_first`],
//! [`run_full`]).

use std::hint::black_box;

use checkout_core::draft::Draft;
use checkout_core::draft::request::DraftRequest;
use checkout_core::port::Installation;
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use checkout_core::value::web_address::Reach;

/// A body with the fields of the first version.
pub const FIRST: &[u8] = include_bytes!("../../first.json");
/// A body with every field that the endpoint knows.
pub const FULL: &[u8] = include_bytes!("../../request.json");
const SETTINGS: &str = include_str!("../../../../scripts/demo-settings.json");

/// Reads and checks the request `times` times. Returns how often it was accepted, which is `times` unless the
/// request no longer follows the rules.
#[must_use]
pub fn read_and_check(body: &[u8], times: u32) -> u32 {
    let Some(settings) = demo_settings() else { return 0 };
    let installation = Installation {
        public_url: "https://pay.example.com".into(),
        reach: Reach::Public,
        has_sandbox: true,
        desk_url: None,
    };
    let is_accepted = |body: &[u8]| {
        let Ok(request) = DraftRequest::from_json(body) else { return false };
        black_box(Draft::parse(&request, &installation, &settings)).is_ok()
    };
    (0..times).map(|_| u32::from(is_accepted(black_box(body)))).sum()
}

fn demo_settings() -> Option<MerchantSettings> {
    let secrets = WebhookSecrets {
        hmac_key: Sealed(String::new()),
        signing: Vec::new(),
        previous_until: None,
        next_hmac: None,
    };
    parse::stored(&MerchantId::parse("demo")?, 1, SETTINGS, secrets).ok()
}

/// [`read_and_check`] of the first fields for a host of the wasm module.
#[expect(unsafe_code, reason = "the host finds the function by its plain name")]
#[unsafe(no_mangle)]
pub extern "C" fn run_first(times: u32) -> u32 {
    read_and_check(FIRST, times)
}

/// [`read_and_check`] of every field for a host of the wasm module.
#[expect(unsafe_code, reason = "the host finds the function by its plain name")]
#[unsafe(no_mangle)]
pub extern "C" fn run_full(times: u32) -> u32 {
    read_and_check(FULL, times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_requests_are_accepted() {
        assert_eq!((read_and_check(FIRST, 3), read_and_check(FULL, 3)), (3, 3));
    }
}
