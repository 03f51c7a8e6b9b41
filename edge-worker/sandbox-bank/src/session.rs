//! The bank as the one that asks Apple for merchant sessions, and as Apple (protocol in `docs/sandbox.md`). A
//! session is made up: no sheet of a real device opens with it.

use alloc::format;
use alloc::string::String;

use checkout_core::gateway::wallet::is_apple_gateway;
use checkout_core::value::text::check_line;
use checkout_core::value::time::Timestamp;
use checkout_core::wire::json::text_of;
use checkout_core::wire::members::Members;

use serde::Serialize;

use crate::reply::{Reply, json, refused, to_json};

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
        let session = Session {
            display_name: shop_name,
            domain_name: domain,
            epoch_timestamp: from,
            expires_at: from.saturating_add(VALID_FOR),
            merchant_identifier: merchant_id,
            merchant_session_identifier: format!("SSH{nonce}"),
            nonce: nonce.get(..8),
            operational_analytics_identifier: format!("{shop_name}:{merchant_id}"),
            psp_id: "sandbox",
            retries: 0,
            signature: &nonce,
        };
        json(200, to_json(&session))
    }
}

/// A session as Apple writes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session<'a> {
    display_name: &'a str,
    domain_name: &'a str,
    epoch_timestamp: i64,
    expires_at: i64,
    merchant_identifier: &'a str,
    merchant_session_identifier: String,
    nonce: Option<&'a str>,
    operational_analytics_identifier: String,
    psp_id: &'static str,
    retries: u8,
    signature: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_the_members_of_apples_in_alphabetical_order() {
        let body = br#"{"merchant_id":"m-1","display_name":"A \"shop\"","domain":"shop.example.com"}"#;
        let request = SessionRequest::read(body).unwrap();
        let Reply::Answer(answer) = request.answer(&[0xab; 16], Timestamp::from_millis(7)) else {
            panic!("no answer")
        };
        let nonce = "ab".repeat(16);
        assert_eq!(
            String::from_utf8(answer.body).unwrap(),
            format!(
                r#"{{"displayName":"A \"shop\"","domainName":"shop.example.com","epochTimestamp":7,"expiresAt":300007,"merchantIdentifier":"m-1","merchantSessionIdentifier":"SSH{nonce}","nonce":"abababab","operationalAnalyticsIdentifier":"A \"shop\":m-1","pspId":"sandbox","retries":0,"signature":"{nonce}"}}"#
            )
        );
    }
}
