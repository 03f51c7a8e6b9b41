//! The merchant at Tamara: its tokens, its addresses, and how requests are made.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::Outgoing;
use crate::gateway::pay_later::Access;
use crate::value::money::Money;

/// The name of the token of the API.
pub(super) const API_TOKEN: &str = "api_token";
/// The name of the secret of the notifications.
pub(super) const NOTIFICATION_TOKEN: &str = "notification_token";
/// The name of the country.
pub(super) const COUNTRY: &str = "country";

/// The countries in which Tamara pays shops.
pub(super) const COUNTRIES: &[&str] = &["AE", "BH", "KW", "OM", "SA"];
/// The address for real payments.
const ENDPOINT: &str = "https://api.tamara.co";
/// The address for tests.
const TEST_ENDPOINT: &str = "https://api-sandbox.tamara.co";
/// Implements the protocol of Tamara for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tamara {
    pub(super) credentials: Credentials,
}

/// An amount in the wire format: a number with the currency's decimals.
#[derive(Serialize)]
pub(super) struct TamaraAmount {
    amount: Box<RawValue>,
    currency: &'static str,
}

impl TamaraAmount {
    pub(super) fn of(money: Money) -> Self {
        // The text of an amount is a number in JSON; none would be refused.
        let amount = RawValue::from_string(money.to_string()).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Self { amount, currency: money.currency().code() }
    }

    /// No amount, in the currency of another.
    pub(super) fn zero_of(money: Money) -> Self {
        Self::of(Money::zero(money.currency()))
    }
}

impl Tamara {
    /// The country of the store.
    pub(super) fn country(&self) -> &str {
        self.credentials.get(COUNTRY)
    }

    /// Where the merchant is asked.
    pub(super) fn api(&self) -> Access<'_> {
        let usual = if self.credentials.is_test { TEST_ENDPOINT } else { ENDPOINT };
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(usual);
        Access { endpoint, key: self.credentials.get(API_TOKEN) }
    }

    /// Asks for the ways of paying in the country.
    pub(super) fn payment_types(&self) -> Outgoing {
        self.api().get(&format!("/checkout/payment-types?country={}", self.country()))
    }
}
