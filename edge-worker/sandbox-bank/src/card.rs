//! The listed test cards: public test numbers, each with the one thing that it makes the bank do
//! (`docs/sandbox.md`). The bank accepts no other card.

use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;

use checkout_core::value::time::Timestamp;
use sha2::{Digest, Sha256};

/// What the bank does with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Approves.
    Approve,
    /// Declines for insufficient funds.
    Decline,
    /// Approves what the payer pays, and declines what the merchant charges without the payer for insufficient funds.
    DeclineDebits,
    /// Asks for a 3-D Secure confirmation first.
    ThreeDSecure,
    /// Approves, sends no callback, and leaves the next two inquiries without an answer.
    TimeoutAfterCharging,
    /// Processes it, and approves with a callback about 20 seconds later.
    LateCallback,
    /// Approves, and sends its callback twice.
    DuplicateCallback,
    /// Approves an amount that differs by one minor unit from the requested one.
    WrongAmount,
    /// Approves, sends no callback, and answers the next inquiry with an error.
    ServerError,
}

/// A card that the bank offers.
#[derive(Debug, PartialEq, Eq)]
pub struct TestCard {
    /// What the form of the payment page posts.
    pub id: &'static str,
    /// The scheme, as gateways write it.
    pub brand: &'static str,
    /// The number, first six and last four digits.
    pub number: &'static str,
    /// What it does.
    pub behaviour: Behaviour,
    /// Until when it is valid.
    pub validity: Validity,
}

/// Until when a card is valid. The bank itself accepts every card: an expired one is refused by Till, which
/// saved it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// Until January 2039.
    Long,
    /// Until the end of the month in which it is used.
    ThisMonth,
    /// Until January 2020.
    Over,
}

/// The month and the year in which a card expires, two digits each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expiry {
    pub(crate) month: String,
    pub(crate) year: String,
}

impl Validity {
    /// What a card that is used at `at` has printed on it.
    pub(crate) fn expiry(self, at: Timestamp) -> Expiry {
        match self {
            Self::Long => Expiry { month: "01".into(), year: "39".into() },
            Self::Over => Expiry { month: "01".into(), year: "20".into() },
            // `2026-11-…`
            Self::ThisMonth => {
                let text = at.to_string();
                let part = |range: Range<usize>| text.get(range).unwrap_or_default().to_string();
                Expiry { month: part(5..7), year: part(2..4) }
            }
        }
    }
}

/// The name on every test card.
pub(crate) const HOLDER: &str = "TEST CARD";

const fn visa(id: &'static str, number: &'static str, behaviour: Behaviour) -> TestCard {
    TestCard { id, brand: "VISA", number, behaviour, validity: Validity::Long }
}

const fn mastercard(id: &'static str, number: &'static str, behaviour: Behaviour) -> TestCard {
    TestCard { brand: "MASTERCARD", ..visa(id, number, behaviour) }
}

/// Every card, in the order in which they are offered.
pub static CARDS: [TestCard; 12] = [
    visa("visa-approve", "411111******1111", Behaviour::Approve),
    mastercard("mastercard-approve", "512345******0008", Behaviour::Approve),
    mastercard("mastercard-decline", "555555******4444", Behaviour::Decline),
    visa("visa-no-debit", "400000******9995", Behaviour::DeclineDebits),
    visa("visa-3ds", "450875******1019", Behaviour::ThreeDSecure),
    visa("visa-timeout", "400000******0119", Behaviour::TimeoutAfterCharging),
    visa("visa-late", "400000******0259", Behaviour::LateCallback),
    visa("visa-duplicate", "400000******3220", Behaviour::DuplicateCallback),
    visa("visa-wrong-amount", "400000******0341", Behaviour::WrongAmount),
    visa("visa-server-error", "400000******0085", Behaviour::ServerError),
    TestCard {
        validity: Validity::ThisMonth,
        ..visa("visa-expiring", "400000******0077", Behaviour::Approve)
    },
    TestCard { validity: Validity::Over, ..visa("visa-expired", "400000******0069", Behaviour::Approve) },
];

impl TestCard {
    /// The card of an id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        CARDS.iter().find(|card| card.id == id)
    }

    /// The card that an account knows by this token.
    #[must_use]
    pub fn of_token(account: &str, token: &str) -> Option<&'static Self> {
        CARDS.iter().find(|card| card.token(account) == token)
    }

    /// The bank's name of the card for one of its accounts: what it returns when it is to save the card. It
    /// is derived from the account, so that it works for no other account, and nothing needs to be stored.
    #[must_use]
    pub fn token(&self, account: &str) -> String {
        let digest =
            Sha256::new().chain_update("card:").chain_update(account).chain_update(self.id).finalize();
        format!("tok_{}", hex::encode(digest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_its_own_id_and_a_masked_number() {
        for (place, card) in CARDS.iter().enumerate() {
            assert_eq!(CARDS.iter().position(|other| other.id == card.id), Some(place), "{}", card.id);
            assert_eq!(card.number.len(), 16, "{}", card.id);
            assert_eq!(card.number.chars().filter(char::is_ascii_digit).count(), 10, "{}", card.id);
            assert_eq!(TestCard::find(card.id), Some(card));
        }
        assert_eq!(TestCard::find("4111111111111111"), None);
    }

    #[test]
    fn a_token_names_the_card_for_its_account_only() {
        for card in &CARDS {
            assert_eq!(TestCard::of_token("one", &card.token("one")), Some(card));
            assert_eq!(TestCard::of_token("other", &card.token("one")), None);
        }
    }

    #[test]
    fn a_card_that_expires_this_month_expires_in_the_month_of_its_use() {
        let at = Timestamp::from_millis(1_767_225_600_000);
        let Expiry { month, year } = Validity::ThisMonth.expiry(at);
        assert_eq!((month.as_str(), year.as_str()), ("01", "26"));
    }
}
