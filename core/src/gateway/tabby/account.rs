//! The store at Tabby: its keys, its addresses, and how requests are made.

use alloc::string::ToString;

use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::Outgoing;
use crate::gateway::pay_later::Access;

/// The name of the key of the API.
pub(super) const SECRET_KEY: &str = "secret_key";
/// The name of the merchant code.
pub(super) const MERCHANT_CODE: &str = "merchant_code";
/// The name of the country.
pub(super) const COUNTRY: &str = "country";
/// The name of the value with which webhooks come in.
pub(super) const WEBHOOK_SECRET: &str = "webhook_secret";

/// The countries in which Tabby pays shops.
pub(super) const COUNTRIES: &[&str] = &["AE", "BH", "KW", "QA", "SA"];
/// The country that has an address of its own.
const SAUDI_ARABIA: &str = "SA";
/// The address in Saudi Arabia, for tests and for real payments: the key decides which of them it is.
const SAUDI_ENDPOINT: &str = "https://api.tabby.sa";
/// The address everywhere else.
const ENDPOINT: &str = "https://api.tabby.ai";

/// Implements the protocol of Tabby for one store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tabby {
    pub(super) credentials: Credentials,
}

impl Tabby {
    /// Why the key does not fit the environment.
    pub(super) fn misplaced_key(&self) -> Option<&'static str> {
        self.credentials.misplaced(Some(self.credentials.get(SECRET_KEY).contains("_test_")))
    }

    /// Where the store is asked.
    pub(super) fn api(&self) -> Access<'_> {
        let usual = match self.credentials.get(COUNTRY) {
            SAUDI_ARABIA => SAUDI_ENDPOINT,
            _ => ENDPOINT,
        };
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(usual);
        Access { endpoint, key: self.credentials.get(SECRET_KEY) }
    }

    /// Asks for a page of a list.
    pub(super) fn get_list(&self, path: &str) -> Outgoing {
        Outgoing { max_answer: Outgoing::MAX_LIST, ..self.api().get(path) }
    }

    /// Asks for the webhooks of the merchant code.
    pub(super) fn webhooks(&self) -> Outgoing {
        let mut request = self.api().get("/api/v1/webhooks");
        request.headers.push(("x-merchant-code", self.credentials.get(MERCHANT_CODE).to_string()));
        request
    }
}
