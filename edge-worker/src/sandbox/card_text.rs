//! The test cards as a payer reads them.

use super::phrases::Both;
use checkout_core::words::{Bilingual, Language};
use sandbox_bank::card::{Behaviour, TestCard, Validity};

/// The name of the scheme.
pub(crate) fn scheme(card: &TestCard, language: Language) -> &'static str {
    match (card.brand, language) {
        ("MASTERCARD", Language::En) => "Mastercard",
        ("MASTERCARD", Language::Ar) => "ماستركارد",
        (_, Language::En) => "Visa",
        (_, Language::Ar) => "فيزا",
    }
}

/// The masked number in groups of four, to be shown from left to right.
pub(crate) fn grouped(card: &TestCard) -> String {
    card.number
        .chars()
        .enumerate()
        .flat_map(|(place, digit)| {
            let space = (place > 0 && place.is_multiple_of(4)).then_some(' ');
            space.into_iter().chain([if digit == '*' { '•' } else { digit }])
        })
        .collect()
}

/// Cards with the same kind of outcome, in the order in which they are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// The payment works.
    Works,
    /// The bank declines.
    Declined,
    /// The bank asks for a confirmation.
    ThreeDSecure,
    /// The bank is slow, silent, or answers wrongly.
    Slow,
    /// The card expires.
    Expiring,
}

impl Group {
    /// In the order in which they are offered.
    pub(crate) const ALL: [Self; 5] =
        [Self::Works, Self::Declined, Self::ThreeDSecure, Self::Slow, Self::Expiring];

    /// The group of a card.
    pub(crate) fn of(card: &TestCard) -> Self {
        match card.behaviour {
            Behaviour::Approve if card.validity != Validity::Long => Self::Expiring,
            Behaviour::Approve | Behaviour::DuplicateCallback => Self::Works,
            Behaviour::Decline | Behaviour::DeclineDebits => Self::Declined,
            Behaviour::ThreeDSecure => Self::ThreeDSecure,
            Behaviour::TimeoutAfterCharging
            | Behaviour::LateCallback
            | Behaviour::WrongAmount
            | Behaviour::ServerError => Self::Slow,
        }
    }

    /// The id of its heading.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Declined => "declined",
            Self::ThreeDSecure => "three-d-secure",
            Self::Slow => "slow",
            Self::Expiring => "expiring",
        }
    }

    /// Its heading.
    pub(crate) const fn title(self) -> Both {
        let (en, ar) = match self {
            Self::Works => ("Works", "تنجح"),
            Self::Declined => ("Declined", "تُرفض"),
            Self::ThreeDSecure => ("3-D Secure", "التحقق الآمن (\u{200e}3-D Secure)"),
            Self::Slow => ("A slow, silent or wrong bank", "بنك بطيء أو صامت أو مخطئ"),
            Self::Expiring => ("Cards that expire", "بطاقات تنتهي صلاحيتها"),
        };
        Both { en, ar }
    }
}

/// What Till does then.
pub(crate) const fn consequence(card: &TestCard) -> Both {
    let (en, ar) = match card.behaviour {
        Behaviour::Approve => match card.validity {
            Validity::Long => ("Till: paid, one webhook", "النتيجة: مدفوع، إشعار واحد"),
            Validity::ThisMonth | Validity::Over => {
                ("Till: done; a saved card is refused later", "النتيجة: تم؛ وتُرفض البطاقة المحفوظة لاحقًا")
            }
        },
        Behaviour::Decline => {
            ("Till: nothing charged, may be tried again", "النتيجة: لم يُخصم شيء، ويمكن التكرار")
        }
        Behaviour::DeclineDebits => (
            "Till: paid; auto debits fail and are tried again",
            "النتيجة: مدفوع؛ وتُرفض الخصومات التلقائية وتُعاد",
        ),
        Behaviour::ThreeDSecure => ("Till: waits for the confirmation", "النتيجة: ينتظر التأكيد"),
        Behaviour::TimeoutAfterCharging => {
            ("Till: pending; the third inquiry finds the charge", "النتيجة: معلّق حتى الاستعلام الثالث")
        }
        Behaviour::LateCallback => ("Till: pending, then paid", "النتيجة: معلّق ثم مدفوع"),
        Behaviour::DuplicateCallback => {
            ("Till: paid once, one webhook", "النتيجة: مدفوع مرة واحدة، إشعار واحد")
        }
        Behaviour::WrongAmount => {
            ("Till: held for the operator's decision", "النتيجة: موقوف إلى أن يقرر المشغّل")
        }
        Behaviour::ServerError => {
            ("Till: pending; the second inquiry finds the charge", "النتيجة: معلّق حتى الاستعلام الثاني")
        }
    };
    Both { en, ar }
}

/// What the bank does with the card.
pub(crate) fn description(card: &TestCard) -> Bilingual {
    let (en, ar) = match card.behaviour {
        Behaviour::Approve if card.validity == Validity::ThisMonth => {
            ("Approved, the card expires this month", "تتم الموافقة وتنتهي البطاقة هذا الشهر")
        }
        Behaviour::Approve if card.validity == Validity::Over => {
            ("Approved, the card has expired", "تتم الموافقة والبطاقة منتهية الصلاحية")
        }
        Behaviour::Approve => ("Approved", "تتم الموافقة"),
        Behaviour::Decline => ("Declined: insufficient funds", "يُرفض: الرصيد غير كافٍ"),
        Behaviour::DeclineDebits => (
            "Approved; declined without the payer: insufficient funds",
            "تتم الموافقة؛ ويُرفض الخصم دون العميل: الرصيد غير كافٍ",
        ),
        Behaviour::ThreeDSecure => ("Asks for 3-D Secure first", "يطلب التحقق الآمن (\u{200e}3-D Secure) أولاً"),
        Behaviour::TimeoutAfterCharging => (
            "Charged, then the bank does not answer two inquiries",
            "يُخصم المبلغ ثم لا يرد البنك على استعلامين",
        ),
        Behaviour::LateCallback => (
            "Pending, approved by a callback some 20 seconds later",
            "معلّق، ثم تصل الموافقة بعد نحو 20 ثانية",
        ),
        Behaviour::DuplicateCallback => {
            ("Approved, the callback comes twice", "تتم الموافقة ويصل الإشعار مرتين")
        }
        Behaviour::WrongAmount => ("Approved with another amount", "تتم الموافقة على مبلغ مختلف"),
        Behaviour::ServerError => (
            "Charged, then the bank answers one inquiry with an error",
            "يُخصم المبلغ ثم يرد البنك على استعلام بخطأ",
        ),
    };
    Bilingual { en: en.into(), ar: ar.into() }
}

#[cfg(test)]
mod tests {
    use sandbox_bank::card::CARDS;

    use super::*;

    #[test]
    fn every_card_is_in_one_group_and_every_group_has_a_card() {
        for group in Group::ALL {
            assert!(CARDS.iter().any(|card| Group::of(card) == group), "{group:?}");
            assert!(group.title().en.is_ascii() && !group.title().ar.is_ascii());
        }
        for card in &CARDS {
            let Both { en, ar } = consequence(card);
            assert!(en.is_ascii() && !ar.is_ascii(), "{}", card.id);
        }
    }

    #[test]
    fn a_number_is_shown_in_groups_of_four() {
        assert_eq!(grouped(&CARDS[0]), "4111 11•• •••• 1111");
    }
}
