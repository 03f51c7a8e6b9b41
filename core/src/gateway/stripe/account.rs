//! The account at the gateway.

use crate::gateway::credentials::Credentials;

/// The name of the key of the API.
pub const SECRET_KEY: &str = "secret_key";

/// The name of the secret with which webhooks are signed.
pub const WEBHOOK_SECRET: &str = "webhook_secret";

/// The name of the second such secret.
pub const WEBHOOK_SECRET_NEXT: &str = "webhook_secret_next";

/// The address of the API, for tests and for real payments: the key decides which of them it is.
pub const ENDPOINT: &str = "https://api.stripe.com";

/// The version of the API that every request names.
pub const VERSION: &str = "2023-08-16";

/// Implements the protocol of Stripe for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripe {
    pub(super) credentials: Credentials,
}

impl Stripe {
    /// A connector with these credentials.
    #[must_use]
    pub fn new(credentials: Credentials) -> Self {
        Self { credentials }
    }

    /// Why the key does not fit the environment: a live key moves real money in a test, and with a test key a payer gets
    /// goods for a test card.
    pub(super) fn misplaced_key(&self) -> Option<&'static str> {
        let key = self.credentials.get(SECRET_KEY);
        match self.credentials.is_test {
            true if key.contains("_live_") => {
                Some("the key is one for real payments, and this gateway is for tests")
            }
            false if key.contains("_test_") => {
                Some("the key is one for tests, and this gateway is for real payments")
            }
            true | false => None,
        }
    }
}
