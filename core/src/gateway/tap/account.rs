//! The account at Tap.

use crate::gateway::credentials::Credentials;

/// The name of the key of the API.
pub const SECRET_KEY: &str = "secret_key";
/// The name of the merchant of the account.
pub const MERCHANT_ID: &str = "merchant_id";
/// The name of the source of payments on the page.
pub(super) const SOURCE: &str = "source";

/// What a payer can pay with on a page of Tap; the last one is everything that is enabled. Not STC Pay, which has no page but a
/// code that the payer gives to the merchant, nor Fawry, where payers pay days later than a payment is asked about.
pub(super) const SOURCES: &[&str] = &[
    "src_card",
    "src_kw.knet",
    "src_sa.mada",
    "src_bh.benefit",
    "src_benefitpay",
    "src_qa.qpay",
    "src_om.omannet",
    "src_all",
];

/// The address of the API, for tests and for real payments: the key decides which of them it is.
pub(super) const ENDPOINT: &str = "https://api.tap.company";

/// Implements the protocol of Tap for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tap {
    pub(super) credentials: Credentials,
}

impl Tap {
    /// Why the key does not fit the environment.
    pub(super) fn misplaced_key(&self) -> Option<&'static str> {
        let key = self.credentials.get(SECRET_KEY);
        let is_test_key = key.starts_with("sk_test_");
        self.credentials.misplaced((is_test_key || key.starts_with("sk_live_")).then_some(is_test_key))
    }
}
