//! The test cards as a payer reads them.

use checkout_core::words::{Bilingual, Language};
use sandbox_bank::card::{Behaviour, TestCard, Validity};

/// The name of the scheme.
pub(super) fn scheme(card: &TestCard, language: Language) -> &'static str {
    match (card.brand, language) {
        ("MASTERCARD", Language::En) => "Mastercard",
        ("MASTERCARD", Language::Ar) => "ماستركارد",
        (_, Language::En) => "Visa",
        (_, Language::Ar) => "فيزا",
    }
}

/// The masked number in groups of four, to be shown from left to right.
pub(super) fn grouped(card: &TestCard) -> String {
    card.number
        .chars()
        .enumerate()
        .flat_map(|(place, digit)| {
            let space = (place > 0 && place.is_multiple_of(4)).then_some(' ');
            space.into_iter().chain([if digit == '*' { '•' } else { digit }])
        })
        .collect()
}

/// What the bank does with the card.
pub(super) fn description(card: &TestCard) -> Bilingual {
    let (en, ar) = match card.behaviour {
        Behaviour::Approve if card.validity == Validity::ThisMonth => {
            ("Approved, the card expires this month", "تتم الموافقة وتنتهي البطاقة هذا الشهر")
        }
        Behaviour::Approve if card.validity == Validity::Over => {
            ("Approved, the card has expired", "تتم الموافقة والبطاقة منتهية الصلاحية")
        }
        Behaviour::Approve => ("Approved", "تتم الموافقة"),
        Behaviour::Decline => ("Declined: insufficient funds", "يُرفض: الرصيد غير كافٍ"),
        Behaviour::ThreeDSecure => ("Asks for 3-D Secure first", "يطلب التحقق الآمن ثلاثي الأبعاد أولاً"),
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
    fn a_number_is_shown_in_groups_of_four() {
        assert_eq!(grouped(&CARDS[0]), "4111 11•• •••• 1111");
    }
}
