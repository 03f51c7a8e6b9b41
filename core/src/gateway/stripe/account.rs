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

    /// Why the key does not fit the environment.
    pub(super) fn misplaced_key(&self) -> Option<&'static str> {
        let key = self.credentials.get(SECRET_KEY);
        let is_test_key = key.contains("_test_");
        self.credentials.misplaced((is_test_key || key.contains("_live_")).then_some(is_test_key))
    }
}
