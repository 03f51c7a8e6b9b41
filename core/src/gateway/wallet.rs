//! How a gateway's device wallets are offered on a page, and the merchant session that Apple Pay needs before
//! its sheet opens.

pub mod sheet;

use crate::words::word_list;
use alloc::string::String;

/// Apple Pay on pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplePay {
    /// The merchant id that is registered at Apple, at most 100 characters.
    pub merchant_id: String,
    /// The shop's name on the sheet, at most 255 characters; the merchant's name if there is none.
    pub shop_name: Option<String>,
    /// The registered domain of the merchant's pages, at most 255 characters; the installation's if there is
    /// none.
    pub domain: Option<String>,
}

/// Google Pay on pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GooglePay {
    /// Google's test or live environment.
    pub environment: Environment,
    /// What Google calls the gateway, at most 24 characters.
    pub gateway: String,
    /// What the gateway calls the merchant, at most 256 characters. It is not `merchant_id`.
    pub gateway_merchant_id: String,
    /// What Google calls the merchant, at most 100 characters.
    pub merchant_id: String,
    /// The merchant's name on the sheet, at most 25 characters.
    pub merchant_name: String,
}

word_list! {
    /// Which of Google's environments.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Environment {
        /// Sample tokens, no money.
        Test = "TEST",
        /// Real cards.
        Production = "PRODUCTION",
    }
}

/// What a gateway needs to get a merchant session from Apple.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOrder {
    /// The merchant id that is registered at Apple.
    pub merchant_id: String,
    /// The shop's name on the sheet.
    pub shop_name: String,
    /// The domain of the page on which the sheet opens.
    pub domain: String,
    /// The address at which Apple wants to be asked, as the browser gave it; only the gateway ever calls it.
    pub validation_url: Option<String>,
}

/// What a gateway answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionAnswer {
    /// The session, a JSON object, as it came.
    Issued(String),
    /// No session; the gateway's message, at most 255 characters.
    Refused(Option<String>),
}

/// As a regular expression, what [`is_apple_gateway`] accepts.
pub(crate) const APPLE_GATEWAY_PATTERN: &str =
    r"^https://(cn-)?apple-pay-gateway[a-z0-9-]*\.apple\.com(/[!#-\[\]-~]*)?$";

/// Whether an address is one at which Apple validates merchants: Apple lists them by these names, all over
/// https.
#[must_use]
pub fn is_apple_gateway(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("https://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let Some(name) = host.strip_suffix(".apple.com") else { return false };
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"".contains(&byte));
    let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let is_named = name.starts_with("apple-pay-gateway") || name.starts_with("cn-apple-pay-gateway");
    is_word && is_named && is_plain(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merchant_is_validated_by_apple_and_by_nobody_else() {
        for address in [
            "https://apple-pay-gateway.apple.com/paymentservices/startSession",
            "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession",
            "https://apple-pay-gateway-nc-pod1.apple.com/paymentservices/startSession",
            "https://cn-apple-pay-gateway.apple.com/paymentservices/paymentSession",
        ] {
            assert!(is_apple_gateway(address), "{address}");
        }
        for address in [
            "",
            "http://apple-pay-gateway.apple.com/",
            "https://apple-pay-gateway.apple.com.evil.example/",
            "https://evil.example/apple-pay-gateway.apple.com",
            "https://apple-pay-gateway.apple.com@evil.example/",
            "https://apple-pay-gateway.apple.com:8443/",
            "https://apple-pay-gateway.evil.apple.com/",
            "https://apple-pay-gateway.apple.com\\@evil.example/",
            "https://apple-pay-gateway.apple.com/\r\nhost: evil.example",
            "https://evil.example#.apple.com/",
            "https://apple-pay-gateway.apple.com/\",\"amount\":\"0.001",
            "https://www.apple.com/",
            "https://127.0.0.1/",
        ] {
            assert!(!is_apple_gateway(address), "{address}");
        }
    }

    #[test]
    fn every_environment_has_its_word() {
        for (environment, word) in
            [Environment::Test, Environment::Production].into_iter().zip(Environment::WORDS)
        {
            assert_eq!((environment.as_str(), Environment::parse(word)), (*word, Some(environment)));
        }
        assert_eq!(Environment::parse("test"), None);
    }
}
