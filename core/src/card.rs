//! Saved cards: what is stored about a card, and under which agreements it is locked.
//!
//! The card itself stays at the gateway. Stored here are the gateway's token, sealed, and what a payer
//! recognises their card by: never a number beyond its last four digits, and never a security code.

pub mod agreement;
pub mod expiry;
mod holder;
pub mod ladder;
mod token;
pub mod usage;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use crate::value::id::PgCode;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use agreement::AgreementWrite;
use expiry::Expiry;
pub use holder::Holder;
pub use token::{BankToken, CardToken};

/// One saved card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Its token on the wire.
    pub token: CardToken,
    /// Its owner.
    pub holder: Holder,
    /// The gateway that has saved it.
    pub pg_code: PgCode,
    /// The gateway's family.
    pub pg_name: String,
    /// The gateway's token, sealed.
    pub bank_token: Sealed,
    /// By this the same card of the same gateway and customer is recognised: see [`fingerprint`].
    pub fingerprint: String,
    /// The scheme, at most 32 characters.
    pub brand: Option<String>,
    /// The name on it, at most 64 characters.
    pub name_on_card: Option<String>,
    /// `**** ` and the last four digits.
    pub number: Option<String>,
    /// Until when it is valid.
    pub expiry: Expiry,
    /// Whether its gateway wants the security code with every payment of the payer.
    pub cvv_required: bool,
    /// When it was first saved.
    pub created_at: Timestamp,
    /// When it was last saved or charged.
    pub used_at: Timestamp,
}

/// A card with what else is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCard {
    /// The card.
    pub card: Card,
    /// The ids of the agreements that lock it, in alphabetical order.
    pub agreements: Vec<String>,
    /// Whether the customer used no other card later.
    pub is_preferred: bool,
}

/// How a change affects a card.
#[derive(Debug, Clone, PartialEq)]
pub struct CardWrite {
    /// The card as it is after the change; the notification shows it.
    pub saved: SavedCard,
    /// What is stored.
    pub effect: CardEffect,
}

/// What is stored about a card with a change.
#[derive(Debug, Clone, PartialEq)]
pub enum CardEffect {
    /// Nothing: it is only shown.
    Shown,
    /// The card, and what the payment means for its agreement.
    Saved(Option<Box<AgreementWrite>>),
}

/// Distinguishes one card of a customer at a gateway from all others, without revealing the gateway's token:
/// 64 hexadecimal digits.
#[must_use]
pub fn fingerprint(holder: &Holder, pg_code: &PgCode, token: &BankToken) -> String {
    let environment = if holder.is_sandbox { "sandbox" } else { "production" };
    let parts = [holder.merchant.as_str(), environment, pg_code.as_str(), &holder.customer_id, &token.0];
    let mut digest = Sha256::new();
    for part in parts {
        // The length distinguishes `ab` and `c` from `a` and `bc`.
        digest.update(alloc::format!("{}:{part}", part.len()));
    }
    hex::encode(digest.finalize())
}

/// `**** ` and the last four digits of a number, however it is masked; `None` if it has fewer.
#[must_use]
pub(crate) fn last_four(number: &str) -> Option<String> {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    let last = digits.len().checked_sub(4).and_then(|start| digits.get(start..))?;
    Some(["**** ", &last.iter().collect::<String>()].concat())
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::value::id::MerchantId;
    use crate::value::slot::Slot;

    fn holder(customer: &str, is_sandbox: bool) -> Holder {
        Holder { merchant: MerchantId::parse("demo").unwrap(), customer_id: customer.into(), is_sandbox }
    }

    #[test]
    fn a_token_is_opaque_and_never_digits_only() {
        let token = CardToken::generate(Slot::FIRST, [0x12; 16]);
        assert_eq!(token.as_str(), "card_0012121212121212121212121212121212");
        assert!(token.as_str().len() <= 50);
        assert_eq!(CardToken::parse(token.as_str()), Some(token));
        for text in ["", "card_", "4111111111111111", "card_12", "card_1212121212121212121212121212121G"] {
            assert_eq!(CardToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn of_a_number_only_the_last_four_digits_are_stored() {
        for (number, saved) in [
            ("411111******1111", Some("**** 1111")),
            ("4111 1111 1111 1019", Some("**** 1019")),
            ("1019", Some("**** 1019")),
            ("101", None),
            ("", None),
        ] {
            assert_eq!(last_four(number).as_deref(), saved, "{number}");
        }
    }

    #[test]
    fn a_fingerprint_is_of_one_customer_gateway_and_environment() {
        let code = |text| PgCode::parse(text).unwrap();
        let token = BankToken("tok_1".into());
        let same = fingerprint(&holder("c-1", true), &code("mpgs"), &token);
        assert_eq!(same, fingerprint(&holder("c-1", true), &code("mpgs"), &token));
        for other in [
            fingerprint(&holder("c-2", true), &code("mpgs"), &token),
            fingerprint(&holder("c-1", false), &code("mpgs"), &token),
            fingerprint(&holder("c-1", true), &code("knet"), &token),
            fingerprint(&holder("c-1", true), &code("mpgs"), &BankToken("tok_2".into())),
        ] {
            assert_ne!(same, other);
        }
    }

    #[test]
    fn the_token_of_the_gateway_is_never_printed() {
        assert!(!format!("{:?}", BankToken("tok_secret".into())).contains("secret"));
    }
}
