//! The data that the page hands to the module when it starts: a plain JavaScript object, made by
//! `www/boot.js` from the document and read by `serde-wasm-bindgen`.

use crate::amount::Amount;
use checkout_core::gateway::terms::Terms;
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::words::Language;
use checkout_core::words::payment_type::PaymentType;
use serde::{Deserialize, Deserializer};

/// The page as the server rendered it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Options {
    /// The language of the page.
    pub language: Language,
    /// The transaction.
    pub session_id: SessionId,
    /// What the payment is for.
    #[serde(default)]
    pub payment_type: PaymentType,
    /// The screen.
    #[serde(deserialize_with = "read_status")]
    pub status: PageStatus,
    /// Where to ask for the state of the payment.
    pub status_url: String,
    /// Where the pay form goes; none if nothing can be chosen.
    #[serde(default)]
    pub pay_url: Option<String>,
    /// How often the page of an ended transaction asks whether to redirect the payer to the merchant.
    #[serde(default)]
    pub asks: u32,
    /// For how many milliseconds the transaction can still be paid, by the browser's clock.
    #[serde(default)]
    pub remaining: Option<i64>,
    /// Whether the checkbox that saves the card is ticked.
    #[serde(default)]
    pub saves_card: bool,
    /// Which text the payer agrees to.
    #[serde(default)]
    pub consent: Option<String>,
    /// The method that is chosen; the browser may have kept an earlier choice after a reload.
    #[serde(default)]
    pub chosen: Option<PgCode>,
    /// The amount field, if there is one.
    #[serde(default)]
    pub amount: Option<Amount>,
    /// The methods.
    pub methods: Vec<Method>,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Method {
    /// Its code.
    pub code: PgCode,
    /// Which of the faces that the server rendered is shown while it is chosen.
    pub face: u32,
    /// How it charges other amounts, if the payer may choose one.
    #[serde(default, deserialize_with = "read_terms")]
    pub terms: Option<Terms>,
}

fn read_terms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Terms>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let terms = Terms::parse(&text);
    terms.map(Some).ok_or_else(|| serde::de::Error::custom("terms must be terms of a gateway"))
}

fn read_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PageStatus, D::Error> {
    let word = String::deserialize(deserializer)?;
    PageStatus::parse(&word).ok_or_else(|| serde::de::Error::custom("status must be a status of the page"))
}
