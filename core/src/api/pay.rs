//! `POST /b/checkout/redirect/pay/`: the payer chose a method on the hosted page.
//!
//! The page's form sends `application/x-www-form-urlencoded`. The answer to a browser is 303 to the gateway's
//! page; the answer to the page's script, which asks for `application/json`, is `{"redirect_url": "…"}`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::gateway::shown::ShownPrice;
use crate::payment::payer::GivenPayer;
use crate::value::choice::typed_amount;
use crate::value::id::SessionId;
use crate::words::Language;

/// The most characters of what a payer types that are read.
const MAX_TYPED: usize = 200;

/// The form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayForm {
    /// The transaction.
    pub session_id: Option<SessionId>,
    /// The gateway code that the payer chose, or the token of one of their saved cards, as sent.
    pub pg_code: String,
    /// How much the payer wants to pay, if they said so.
    pub amount: Option<String>,
    /// Whether the payer wants their card to be saved.
    pub saves_card: bool,
    /// Which text the page showed above the button, if the payer agrees to one.
    pub consent: Option<String>,
    /// The language of the page.
    pub language: Option<Language>,
    /// What the page showed that the chosen method costs. Decision: a form without it, such as one of a client that is not the
    /// page, pays what the payment costs.
    pub shown: Option<ShownPrice>,
    /// What the payer says of themselves, if the method must know it.
    pub payer: GivenPayer,
    /// Whether it is the way to pay that the page offered after a soft decline, whose price is in `next`.
    pub is_next: bool,
}

impl PayForm {
    /// Reads the form; what is missing or malformed stays empty.
    #[must_use]
    pub fn parse(body: &[u8]) -> Self {
        let mut form = Self {
            session_id: None,
            pg_code: String::new(),
            amount: None,
            saves_card: false,
            consent: None,
            language: None,
            shown: None,
            payer: GivenPayer::default(),
            is_next: false,
        };
        let mut prices = Vec::new();
        for (name, value) in form_urlencoded::parse(body) {
            match name.as_ref() {
                "session_id" => form.session_id = SessionId::parse(&value),
                "pg_code" => form.pg_code = value.to_string(),
                "amount" => form.amount = Some(typed_amount(&value)),
                "save_card" => form.saves_card = value == "true",
                "consent" => form.consent = Some(value.to_string()),
                "language" => form.language = Language::parse(&value),
                "next" => {
                    form.is_next = true;
                    prices.push(value);
                }
                "shown" => prices.push(value),
                name => form.payer.set(name, typed_line(&value)),
            }
        }
        // The page shows the price of every method, and a form without a script sends all of them.
        form.shown = prices.iter().find_map(|price| price_of(price, &form.pg_code));
        form
    }

    /// Reads the form of a payer who only wants to see the page in another language, with what they chose and
    /// typed; `None` if it pays.
    #[must_use]
    pub fn shown(body: &[u8]) -> Option<Self> {
        let (_, word) = form_urlencoded::parse(body).find(|(name, _)| name == "show_in")?;
        let form = Self::parse(body);
        Some(Self { language: Language::parse(&word).or(form.language), ..form })
    }

    /// The form as the page sends it.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut encoded = form_urlencoded::Serializer::new(String::new());
        if let Some(session_id) = &self.session_id {
            encoded.append_pair("session_id", session_id.as_str());
        }
        encoded.append_pair("pg_code", &self.pg_code);
        if let Some(amount) = &self.amount {
            encoded.append_pair("amount", amount);
        }
        if self.saves_card {
            encoded.append_pair("save_card", "true");
        }
        if let Some(consent) = &self.consent {
            encoded.append_pair("consent", consent);
        }
        if let Some(language) = self.language {
            encoded.append_pair("language", language.as_str());
        }
        if let Some(shown) = &self.shown {
            let name = if self.is_next { "next" } else { "shown" };
            encoded.append_pair(name, &shown_field(&self.pg_code, shown));
        }
        encoded.finish()
    }
}

/// What a payer typed, no longer than any field takes.
fn typed_line(value: &str) -> String {
    value.chars().take(MAX_TYPED).collect()
}

/// What the field `shown` contains for a method: its code, and the price.
#[must_use]
pub(crate) fn shown_field(code: &str, price: &ShownPrice) -> String {
    alloc::format!("{code} {price}")
}

/// The price in a field `shown`, if it is that of the method.
#[must_use]
pub fn price_of(field: &str, code: &str) -> Option<ShownPrice> {
    let (method, price) = field.split_once(' ')?;
    (method == code).then(|| ShownPrice::parse(price))?
}

/// The payer removes one of their saved cards: the page's other form, at the same address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The transaction whose customer has the card, and the language of the page.
    pub form: PayForm,
    /// The token of the card, as sent.
    pub token: String,
}

impl Removal {
    /// Reads the form; `None` if it removes nothing.
    #[must_use]
    pub fn parse(body: &[u8]) -> Option<Self> {
        let (_, token) = form_urlencoded::parse(body).find(|(name, _)| name == "remove_card")?;
        // What else the form has is not looked at: who removes a card pays nothing.
        Some(Self {
            form: PayForm { pg_code: String::new(), amount: None, ..PayForm::parse(body) },
            token: token.into(),
        })
    }
}
