//! What the sheet of a wallet shows, and what is submitted of what it returns. A token arrives as text and leaves as the
//! same text: nothing reads it, except that it must be one JSON object.

use checkout_core::gateway::terms::Quote;
use checkout_core::gateway::wallet::is_apple_gateway;
use checkout_core::gateway::wallet::sheet::{Parts, Prices, prices};
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::value::money::{Currency, Money};
use checkout_core::words::Wallet;

/// How long a payment may take, in milliseconds: longer than the server gives the gateway.
pub const PAY_WITHIN: u32 = 45_000;
/// How long a sheet waits for its merchant session, in milliseconds.
pub const SESSION_WITHIN: u32 = 20_000;

/// What a sheet was opened for. It is what its token is submitted for too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The wallet.
    pub wallet: Wallet,
    /// The transaction.
    pub session_id: SessionId,
    /// The gateway.
    pub code: PgCode,
    /// What the payer typed, if they may choose.
    pub typed: Option<Money>,
    /// What the sheet shows, as its wallet writes it.
    pub prices: Prices,
    /// The currency of all that the sheet shows.
    pub currency: Currency,
}

impl Order {
    /// The order of a transaction through a gateway; `None` if the sheet cannot show what it costs.
    #[must_use]
    pub fn of(
        wallet: Wallet,
        session_id: SessionId,
        code: PgCode,
        quote: &Quote,
        typed: Option<Money>,
    ) -> Option<Self> {
        let prices = prices(wallet, quote)?;
        Some(Self { wallet, session_id, code, typed, prices, currency: quote.total.currency() })
    }

    /// The amounts of which the total consists, if the sheet shows them.
    #[must_use]
    pub fn parts(&self) -> Vec<String> {
        let Some(Parts { net, fee }) = &self.prices.parts else { return Vec::new() };
        vec![net.clone(), fee.clone()]
    }

    /// The body that submits a token, which must be the text of one JSON object.
    #[must_use]
    pub fn payment(&self, token: &str) -> String {
        let name = match self.wallet {
            Wallet::ApplePay => "apple_pay_payload",
            Wallet::GooglePay => "google_pay_payload",
        };
        self.body(name, token)
    }

    /// The body that asks for a merchant session; `None` for an address at which Apple validates nobody.
    #[must_use]
    pub fn session(&self, validation_url: &str) -> Option<String> {
        let payload = is_apple_gateway(validation_url)
            .then(|| ["{\"validationURL\":\"", validation_url, "\"}"].concat())?;
        Some(self.body("apple_pay_payload", &payload))
    }

    /// No text but the payload has a letter that JSON escapes.
    fn body(&self, name: &str, payload: &str) -> String {
        let total = &self.prices.total;
        let amount = self.typed.map(|amount| amount.to_string());
        let amount = amount.as_ref().unwrap_or(total);
        [
            "{\"session_id\":\"",
            self.session_id.as_str(),
            "\",\"code\":\"",
            self.code.as_str(),
            "\",\"amount\":\"",
            amount,
            "\",\"shown_total\":\"",
            total,
            "\",\"shown_currency\":\"",
            self.currency.code(),
            "\",\"",
            name,
            "\":",
            payload,
            "}",
        ]
        .concat()
    }
}

/// What the server says about a payment by wallet; nothing of it is believed yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Whether its status is one of success.
    pub is_ok: bool,
    /// Whether it is paid.
    pub approved: Option<bool>,
    /// Where the payer goes now.
    pub redirect_url: Option<String>,
    /// The transaction that it is about.
    pub session_id: Option<String>,
    /// The code of a problem.
    pub code: Option<String>,
    /// Whether the problem is about the amount.
    pub is_about_amount: bool,
}

/// What became of a payment by wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The payer goes on: to the merchant, to the bank that asks (3-D Secure), or to where they wait.
    Onward {
        /// Whether it is paid; `None` while nobody knows.
        approved: Option<bool>,
        /// Where to.
        address: String,
    },
    /// It is not paid, with the code of the problem.
    Refused(String),
    /// Nobody knows: what there is to know is the state of the transaction.
    Lost,
}

impl Outcome {
    /// What an answer means for the transaction that was paid; without an answer the payment may have been made.
    #[must_use]
    pub fn read(of: &SessionId, said: Option<Said>) -> Self {
        let Some(said) = said else { return Self::Lost };
        if said.session_id.is_some_and(|session_id| session_id != of.as_str()) {
            return Self::Lost;
        }
        match (said.is_ok, said.approved, said.redirect_url) {
            (true, approved, Some(address)) => Self::Onward { approved, address },
            (true, _, None) => Self::Lost,
            (false, Some(false), _) => Self::Refused("payment_declined".into()),
            (false, _, _) if said.is_about_amount => Self::Refused("price_changed".into()),
            // An answer without a problem body comes from something in front of the checkout, which may have paid.
            (false, _, _) => said.code.map_or(Self::Lost, Self::Refused),
        }
    }

    /// What the sheet shows: paid, not paid, or nothing.
    #[must_use]
    pub const fn verdict(&self) -> Option<bool> {
        match self {
            Self::Onward { approved, .. } => *approved,
            Self::Refused(_) => Some(false),
            Self::Lost => None,
        }
    }
}

/// Whether an address is one of an origin: a token goes nowhere else. A path is of the origin of the page.
#[must_use]
pub fn is_of_origin(address: &str, origin: &str) -> bool {
    let rest = if origin.is_empty() { Some(address) } else { address.strip_prefix(origin) };
    rest.is_some_and(|rest| rest.starts_with('/') && !rest.starts_with("//") && !rest.contains('\\'))
}

#[cfg(test)]
mod tests;
