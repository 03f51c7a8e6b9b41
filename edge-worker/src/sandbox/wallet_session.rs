//! The bank as the one that asks Apple for merchant sessions, and as Apple (protocol in `docs/sandbox.md`). A
//! session is made up: no sheet of a real device opens with it.

use checkout_core::gateway::wallet::is_apple_gateway;
use checkout_core::port::{PortError, Rng};
use checkout_core::value::text::check_line;
use checkout_core::wire::json::text_of;
use checkout_core::wire::members::Members;

use super::reply::{json, refused};
use super::{Sandbox, SimulatedAnswer};

/// The longest member.
const MAX_CHARS: usize = 255;
/// How long a session is valid, in milliseconds: the five minutes that Apple gives.
const GOOD_FOR: i64 = 300_000;

/// Answers the request that starts a session.
pub(super) fn start(
    sandbox: &Sandbox<'_>,
    rng: &impl Rng,
    body: &[u8],
) -> Result<SimulatedAnswer, PortError> {
    let members = Members::read(body).unwrap_or_default();
    let line = |name: &str| -> Option<String> {
        let text = text_of(members.get(name)?)?.into_owned();
        (!text.is_empty() && check_line(&text, MAX_CHARS).is_ok()).then_some(text)
    };
    let (Some(merchant_id), Some(name), Some(domain)) =
        (line("merchant_id"), line("display_name"), line("domain"))
    else {
        return Ok(refused(
            400,
            "merchant_id, display_name and domain must be texts of at most 255 characters",
        ));
    };
    if members.get("validation_url").is_some()
        && !line("validation_url").is_some_and(|url| is_apple_gateway(&url))
    {
        return Ok(refused(400, "validation_url must be an address at which Apple validates merchants"));
    }
    if merchant_id.ends_with(".unregistered") {
        return Ok(refused(417, "the domain is not registered for the merchant id"));
    }
    let mut random = [0; 16];
    rng.fill(&mut random)?;
    let nonce = hex::encode(random);
    let from = sandbox.now.millis();
    let session = serde_json::json!({
        "epochTimestamp": from,
        "expiresAt": from.saturating_add(GOOD_FOR),
        "merchantSessionIdentifier": format!("SSH{nonce}"),
        "nonce": nonce.get(..8),
        "merchantIdentifier": merchant_id,
        "domainName": domain,
        "displayName": name,
        "signature": nonce,
        "operationalAnalyticsIdentifier": format!("{name}:{merchant_id}"),
        "retries": 0,
        "pspId": "sandbox",
    });
    Ok(json(200, session.to_string().into_bytes()))
}
