//! What a payer pays with: the gateway's page, or a token that their device or their browser made.
//!
//! The token of a wallet is a secret between the wallet and the gateway, and is signed: it stays in memory as
//! the bytes that came in, is passed on unread, and is never stored.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use core::fmt;

use serde_json::value::RawValue;

use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::Wallet;
use crate::words::card_brand::CardBrand;
use crate::words::word_list;

/// What an attempt is paid with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instrument {
    /// Whatever the gateway's page offers.
    Page,
    /// A device wallet.
    Wallet(Wallet, WalletPayload),
}

impl Instrument {
    /// The form of payment that an attempt with it has.
    #[must_use]
    pub const fn form(&self) -> FormOfPayment {
        match self {
            Self::Page => FormOfPayment::Redirect,
            Self::Wallet(Wallet::ApplePay, _) => FormOfPayment::ApplePay,
            Self::Wallet(Wallet::GooglePay, _) => FormOfPayment::GooglePay,
        }
    }
}

/// What a wallet provided: one JSON object, byte for byte as it came in.
#[derive(Clone)]
pub struct WalletPayload(Box<RawValue>);

impl WalletPayload {
    /// Takes the text of a payload unchanged.
    #[must_use]
    pub(crate) fn verbatim(raw: &RawValue) -> Self {
        Self(raw.to_owned())
    }

    /// The text, for the request to the gateway and for nothing else.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        &self.0
    }
}

impl WalletPayload {
    /// The brand of the card, which the wallet writes in the clear next to what is encrypted.
    pub(crate) fn card_brand(&self, wallet: Wallet) -> Option<CardBrand> {
        let root = Members::of(&self.0)?;
        let network = match wallet {
            Wallet::ApplePay => {
                let token = root.get("token").and_then(Members::of);
                Members::of(token.as_ref().unwrap_or(&root).get("paymentMethod")?)?.get("network")?
            }
            Wallet::GooglePay => {
                let method = root.get("paymentMethodData").and_then(Members::of);
                Members::of(method.as_ref().unwrap_or(&root).get("info")?)?.get("cardNetwork")?
            }
        };
        CardBrand::of_network(&text_of(network)?)
    }
}

impl PartialEq for WalletPayload {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl Eq for WalletPayload {}

impl fmt::Debug for WalletPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WalletPayload([redacted; {} bytes])", self.0.get().len())
    }
}

word_list! {
    /// How an attempt is paid. It is frozen when the attempt is opened.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FormOfPayment {
        /// On the gateway's page, or in cash.
        Redirect = "redirect",
        /// Apple Pay.
        ApplePay = "apple_pay",
        /// Google Pay.
        GooglePay = "google_pay",
        /// A saved card.
        TokenPay = "token_pay",
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_payload_keeps_every_byte_and_never_shows_them() {
        let text = "{ \"b\" : 1,\t\"a\":\"\\u0645\\/é\", \"a\" : 1.0e0 }";
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        let payload = WalletPayload::verbatim(raw);
        assert_eq!(payload.raw().get(), text);
        let bytes = text.len();
        assert_eq!(
            format!("{:?}", Instrument::Wallet(Wallet::ApplePay, payload)),
            format!("Wallet(ApplePay, WalletPayload([redacted; {bytes} bytes]))")
        );
    }

    #[test]
    fn payloads_are_equal_only_byte_for_byte() {
        let payload = |text: &str| WalletPayload::verbatim(serde_json::from_str(text).unwrap());
        assert_eq!(payload(r#"{"a":1}"#), payload(r#"{"a":1}"#));
        assert_ne!(payload(r#"{"a":1}"#), payload(r#"{"a": 1}"#));
    }

    #[test]
    fn every_form_has_its_own_word() {
        for form in FormOfPayment::ALL {
            assert_eq!(FormOfPayment::parse(form.as_str()), Some(form));
        }
        assert_eq!(FormOfPayment::parse("cheque"), None);
    }
}
