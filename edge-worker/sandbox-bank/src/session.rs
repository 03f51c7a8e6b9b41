//! The bank as the one that asks Apple for merchant sessions, and as Apple (protocol in `docs/sandbox.md`). A
//! session is made up: no sheet of a real device opens with it.

use alloc::format;
use alloc::string::{String, ToString};

use checkout_core::gateway::wallet::is_apple_gateway;
use checkout_core::value::text::check_line;
use checkout_core::value::time::Timestamp;
use checkout_core::wire::json::text_of;
use checkout_core::wire::members::Members;

use crate::reply::{Reply, json, refused};

/// The longest member.
const MAX_CHARS: usize = 255;
/// How long a session is valid, in milliseconds: the five minutes that Apple gives.
const VALID_FOR: i64 = 300_000;

/// A request for a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRequest {
    merchant_id: String,
    shop_name: String,
    domain: String,
}

impl SessionRequest {
    /// The request in a body.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Reply> {
        let members = Members::read(body).unwrap_or_default();
        let line = |name: &str| -> Option<String> {
            let text = text_of(members.get(name)?)?.into_owned();
            (!text.is_empty() && check_line(&text, MAX_CHARS).is_ok()).then_some(text)
        };
        let (Some(merchant_id), Some(shop_name), Some(domain)) =
            (line("merchant_id"), line("display_name"), line("domain"))
        else {
            return Err(refused(
                400,
                "merchant_id, display_name and domain must be texts of at most 255 characters",
            ));
        };
        if members.get("validation_url").is_some()
            && !line("validation_url").is_some_and(|url| is_apple_gateway(&url))
        {
            return Err(refused(400, "validation_url must be an address at which Apple validates merchants"));
        }
        Ok(Self { merchant_id, shop_name, domain })
    }

    /// The session, or why Apple issues none.
    pub(crate) fn answer(&self, nonce: &[u8; 16], now: Timestamp) -> Reply {
        let Self { merchant_id, shop_name, domain } = self;
        if merchant_id.ends_with(".unregistered") {
            return refused(417, "the domain is not registered for the merchant id");
        }
        let nonce = hex::encode(nonce);
        let from = now.millis();
        let session = serde_json::json!({
            "epochTimestamp": from,
            "expiresAt": from.saturating_add(VALID_FOR),
            "merchantSessionIdentifier": format!("SSH{nonce}"),
            "nonce": nonce.get(..8),
            "merchantIdentifier": merchant_id,
            "domainName": domain,
            "displayName": shop_name,
            "signature": nonce,
            "operationalAnalyticsIdentifier": format!("{shop_name}:{merchant_id}"),
            "retries": 0,
            "pspId": "sandbox",
        });
        json(200, session.to_string().into_bytes())
    }
}
