//! The page's side of the API, which a checkout SDK calls from a browser or an app. The session id is the
//! only authorisation of a call.
//!
//! - `GET /b/checkout/api/sdk/v1/pymt-txn/submit/{session_id}/` answers [`crate::answer::sdk`];
//! - `GET /b/checkout/api/sdk/v1/concur-payer-view/{session_id}/` says that the payer sees the payment
//!   methods;
//! - `POST /b/checkout/api/sdk/v1/submit/{session_id}/` begins a payment, `Submit`;
//! - `POST /b/checkout/api/sdk/v1/pre-payment-option-check/{session_id}/` asks whether a method takes the payment,
//!   [`OptionCheck`];
//! - `POST /b/checkout/api/sdk/v1/cancel/{session_id}/` cancels the transaction, [`Cancel`].

use alloc::string::String;

use serde_json::value::RawValue;

use super::auto_debit;
use crate::gateway::shown::SaidPrice;
use crate::payment::payer::GivenPayer;
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::json::record;
use crate::wire::members::Members;

/// The most characters of a gateway code.
const MAX_CODE_CHARS: usize = 50;
/// The most characters of a phone number.
const MAX_PHONE_CHARS: usize = 16;
/// The most characters of what else a payer says of themselves.
const MAX_LINE_CHARS: usize = 128;
/// From where an SDK calls.
const CHANNELS: &[&str] = &["web_sdk", "mobile_sdk", "hosted", "api"];

record! {
    /// A body that begins a payment, each field raw. `null` reads as absent, unknown keys are ignored.
    pub struct Submit<'a> {
        /// The gateway that the payer chose.
        pub pg_code,
        /// How much they pay, if they may choose.
        pub amount,
        /// Whether their card is to be saved.
        pub save_card,
        /// Another phone number of theirs, stored as `customer_phone_2`.
        pub customer_additional_phone,
        /// The payer's phone number, if the method must know it.
        pub customer_phone,
        /// Their e-mail address, if the method must know it.
        pub customer_email,
        /// Their first name, if the method must know it.
        pub customer_first_name,
        /// Their last name, if the method must know it.
        pub customer_last_name,
        /// `web_sdk`, `mobile_sdk`, `hosted` or `api`.
        pub channel,
        /// What the payer was shown that is paid, with fees.
        pub shown_total,
        /// The currency in which it was shown.
        pub shown_currency,
        /// Whether the payer was offered this way after a soft decline.
        pub is_next_way,
    }
}

/// What a payer chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The gateway.
    pub pg_code: String,
    /// How much, as written.
    pub amount: Option<String>,
    /// Whether their card is to be saved after the payment.
    pub saves_card: bool,
    /// Another phone number.
    pub phone: Option<String>,
    /// What the payer was shown.
    pub said: SaidPrice,
    /// What the payer says of themselves.
    pub payer: GivenPayer,
    /// Whether the payer was offered this way after a soft decline.
    pub is_next: bool,
}

/// Reads what a body says about the price that the payer was shown.
pub(super) fn read_said(
    fields: &mut Fields,
    total: Option<&RawValue>,
    currency: Option<&RawValue>,
) -> SaidPrice {
    SaidPrice {
        total: fields.optional("shown_total", total, |f, p, raw| {
            f.any_amount(p, raw, None).map(|amount| amount.text.into_owned())
        }),
        currency: fields.optional("shown_currency", currency, Fields::currency),
    }
}

/// A payment with a saved card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRequest {
    /// Which card pays what.
    pub card: auto_debit::AutoDebitRequest,
    /// How much, as written, if the payer may choose.
    pub amount: Option<String>,
    /// What the payer was shown.
    pub said: SaidPrice,
}

impl TokenRequest {
    /// Reads a JSON body. Card data in it is refused by name.
    ///
    /// # Errors
    /// As [`auto_debit::AutoDebitRequest::parse`].
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let amount = fields.unless_absent("amount", members.get("amount"), |f, p, raw| {
            f.any_amount(p, raw, None).map(|amount| amount.text.into_owned())
        });
        let said = read_said(&mut fields, members.get("shown_total"), members.get("shown_currency"));
        let found = fields.finish();
        match auto_debit::AutoDebitRequest::parse(body) {
            Ok(card) if found.is_empty() => Ok(Self { card, amount, said }),
            Ok(_) => Err(Rejection::Invalid(found)),
            Err(Rejection::Invalid(missing)) => {
                Err(Rejection::Invalid(missing.into_iter().chain(found).collect()))
            }
            Err(rejection) => Err(rejection),
        }
    }
}

impl Submit<'_> {
    /// Checks every field.
    ///
    /// # Errors
    /// [`Rejection::Invalid`] with every violation.
    pub fn check(&self) -> Result<Chosen, Rejection> {
        let mut fields = Fields::default();
        let pg_code = fields.required("pg_code", self.pg_code, |f, p, raw| f.line(p, raw, MAX_CODE_CHARS));
        let amount = fields.unless_absent("amount", self.amount, |f, p, raw| {
            f.any_amount(p, raw, None).map(|amount| amount.text.into_owned())
        });
        let saves_card = fields.unless_absent("save_card", self.save_card, Fields::flag).unwrap_or(false);
        let phone =
            fields.optional("customer_additional_phone", self.customer_additional_phone, |f, p, raw| {
                f.line(p, raw, MAX_PHONE_CHARS)
            });
        fields.optional("channel", self.channel, |f, p, raw| {
            f.word(p, raw, CHANNELS, |word| CHANNELS.contains(&word).then_some(()))
        });
        let said = read_said(&mut fields, self.shown_total, self.shown_currency);
        let is_next = fields.unless_absent("is_next_way", self.is_next_way, Fields::flag).unwrap_or(false);
        let mut line = |name: &'static str, raw: Option<&RawValue>| {
            fields.optional(name, raw, |f, p, raw| f.line(p, raw, MAX_LINE_CHARS))
        };
        let payer = GivenPayer {
            phone: line("customer_phone", self.customer_phone),
            email: line("customer_email", self.customer_email),
            first_name: line("customer_first_name", self.customer_first_name),
            last_name: line("customer_last_name", self.customer_last_name),
        };
        let found = fields.finish();
        match pg_code {
            Some(pg_code) if found.is_empty() => {
                Ok(Chosen { pg_code, amount, saves_card, phone, said, payer, is_next })
            }
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

record! {
    /// A body that asks whether a method takes the payment.
    pub struct OptionCheck<'a> {
        /// The gateway.
        pub pg_code,
    }
}

impl<'a> OptionCheck<'a> {
    /// Reads a JSON body; the code of the gateway in it.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] without `pg_code`.
    pub fn read(body: &'a [u8]) -> Result<String, Rejection> {
        let given = Self::from_json(body)?;
        let mut fields = Fields::default();
        let code = fields.required("pg_code", given.pg_code, |f, p, raw| f.line(p, raw, MAX_CODE_CHARS));
        code.ok_or_else(|| Rejection::Invalid(fields.finish()))
    }
}

record! {
    /// A body that cancels: `{"operation": "cancel"}`.
    pub struct Cancel<'a> {
        /// `cancel`.
        pub operation,
    }
}

impl<'a> Cancel<'a> {
    /// Reads a JSON body and checks it.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] without
    /// `operation`.
    pub fn check(body: &'a [u8]) -> Result<(), Rejection> {
        let given = Self::from_json(body)?;
        let mut fields = Fields::default();
        fields.required("operation", given.operation, |f, p, raw| {
            f.word(p, raw, &["cancel"], |word| (word == "cancel").then_some(()))
        });
        let found = fields.finish();
        if found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(found)) }
    }
}
