//! The listed test cards: public test numbers, each with the one thing that it makes the bank do
//! (`docs/sandbox.md`). The bank accepts no other card.

use checkout_core::value::time::Timestamp;
use checkout_core::words::{Bilingual, Language};
use sha2::{Digest, Sha256};

/// What the bank does with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// Approves.
    Approve,
    /// Declines for insufficient funds.
    Decline,
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
pub(super) struct TestCard {
    /// What the form of the payment page posts.
    pub(super) id: &'static str,
    /// The scheme, as gateways write it.
    pub(super) brand: &'static str,
    /// The number, first six and last four digits.
    pub(super) number: &'static str,
    /// What it does.
    pub(super) behaviour: Behaviour,
    /// Until when it is valid.
    pub(super) good: Good,
}

/// Until when a card is valid. The bank itself accepts every card: an expired one is refused by Till, which
/// saved it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    /// Until January 2039.
    Long,
    /// Until the end of the month in which it is used.
    ThisMonth,
    /// Until January 2020.
    Over,
}

impl Good {
    /// Month and year, two digits each, on a card that is used at `at`.
    pub(super) fn expiry(self, at: Timestamp) -> [String; 2] {
        match self {
            Self::Long => ["01".into(), "39".into()],
            Self::Over => ["01".into(), "20".into()],
            // `2026-11-…`
            Self::ThisMonth => {
                let text = at.to_string();
                let part = |range: core::ops::Range<usize>| text.get(range).unwrap_or_default().to_string();
                [part(5..7), part(2..4)]
            }
        }
    }
}

/// The name on every test card.
pub(super) const HOLDER: &str = "TEST CARD";

/// Every card, in the order in which they are offered.
pub(super) static CARDS: [TestCard; 11] = [
    TestCard {
        id: "visa-approve",
        brand: "VISA",
        number: "411111******1111",
        behaviour: Behaviour::Approve,
        good: Good::Long,
    },
    TestCard {
        id: "mastercard-approve",
        brand: "MASTERCARD",
        number: "512345******0008",
        behaviour: Behaviour::Approve,
        good: Good::Long,
    },
    TestCard {
        id: "mastercard-decline",
        brand: "MASTERCARD",
        number: "555555******4444",
        behaviour: Behaviour::Decline,
        good: Good::Long,
    },
    TestCard {
        id: "visa-3ds",
        brand: "VISA",
        number: "450875******1019",
        behaviour: Behaviour::ThreeDSecure,
        good: Good::Long,
    },
    TestCard {
        id: "visa-timeout",
        brand: "VISA",
        number: "400000******0119",
        behaviour: Behaviour::TimeoutAfterCharging,
        good: Good::Long,
    },
    TestCard {
        id: "visa-late",
        brand: "VISA",
        number: "400000******0259",
        behaviour: Behaviour::LateCallback,
        good: Good::Long,
    },
    TestCard {
        id: "visa-duplicate",
        brand: "VISA",
        number: "400000******3220",
        behaviour: Behaviour::DuplicateCallback,
        good: Good::Long,
    },
    TestCard {
        id: "visa-wrong-amount",
        brand: "VISA",
        number: "400000******0341",
        behaviour: Behaviour::WrongAmount,
        good: Good::Long,
    },
    TestCard {
        id: "visa-server-error",
        brand: "VISA",
        number: "400000******0085",
        behaviour: Behaviour::ServerError,
        good: Good::Long,
    },
    TestCard {
        id: "visa-expiring",
        brand: "VISA",
        number: "400000******0077",
        behaviour: Behaviour::Approve,
        good: Good::ThisMonth,
    },
    TestCard {
        id: "visa-expired",
        brand: "VISA",
        number: "400000******0069",
        behaviour: Behaviour::Approve,
        good: Good::Over,
    },
];

impl TestCard {
    /// The card of an id.
    pub(super) fn find(id: &str) -> Option<&'static Self> {
        CARDS.iter().find(|card| card.id == id)
    }

    /// The name of the scheme.
    pub(super) fn scheme(&self, language: Language) -> &'static str {
        match (self.brand, language) {
            ("MASTERCARD", Language::En) => "Mastercard",
            ("MASTERCARD", Language::Ar) => "ماستركارد",
            (_, Language::En) => "Visa",
            (_, Language::Ar) => "فيزا",
        }
    }

    /// The bank's name of the card for one of its accounts: what it returns when it is to save the card. It
    /// is derived from the account, so that it works for no other account, and nothing needs to be stored.
    pub(super) fn token(&self, account: &str) -> String {
        let digest =
            Sha256::new().chain_update("card:").chain_update(account).chain_update(self.id).finalize();
        format!("tok_{}", hex::encode(digest))
    }

    /// The masked number in groups of four, to be shown from left to right.
    pub(super) fn grouped(&self) -> String {
        self.number
            .chars()
            .enumerate()
            .flat_map(|(place, digit)| {
                let blank = (place > 0 && place.is_multiple_of(4)).then_some(' ');
                blank.into_iter().chain([if digit == '*' { '•' } else { digit }])
            })
            .collect()
    }
}

impl Behaviour {
    /// What the payer reads about it.
    pub(super) fn description(self, good: Good) -> Bilingual {
        let (en, ar) = match self {
            Self::Approve if good == Good::ThisMonth => {
                ("Approved, the card expires this month", "تتم الموافقة وتنتهي البطاقة هذا الشهر")
            }
            Self::Approve if good == Good::Over => {
                ("Approved, the card has expired", "تتم الموافقة والبطاقة منتهية الصلاحية")
            }
            Self::Approve => ("Approved", "تتم الموافقة"),
            Self::Decline => ("Declined: insufficient funds", "يُرفض: الرصيد غير كافٍ"),
            Self::ThreeDSecure => ("Asks for 3-D Secure first", "يطلب التحقق الآمن ثلاثي الأبعاد أولاً"),
            Self::TimeoutAfterCharging => (
                "Charged, then the bank does not answer two inquiries",
                "يُخصم المبلغ ثم لا يرد البنك على استعلامين",
            ),
            Self::LateCallback => (
                "Pending, approved by a callback some 20 seconds later",
                "معلّق، ثم تصل الموافقة بعد نحو 20 ثانية",
            ),
            Self::DuplicateCallback => {
                ("Approved, the callback comes twice", "تتم الموافقة ويصل الإشعار مرتين")
            }
            Self::WrongAmount => ("Approved with another amount", "تتم الموافقة على مبلغ مختلف"),
            Self::ServerError => (
                "Charged, then the bank answers one inquiry with an error",
                "يُخصم المبلغ ثم يرد البنك على استعلام بخطأ",
            ),
        };
        Bilingual { en: en.into(), ar: ar.into() }
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
    fn a_number_is_shown_in_groups_of_four() {
        assert_eq!(CARDS[0].grouped(), "4111 11•• •••• 1111");
    }
}
