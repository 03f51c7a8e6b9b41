//! Why a payment was declined, as the payer reads it: what the bank said, and what to do.
//!
//! Decision: who may have stolen a card is not shown that the bank knows, so such a decline reads like one without a
//! reason.

use crate::words::decline::DeclineReason;

/// In English.
pub(super) const fn english(reason: DeclineReason) -> Option<&'static str> {
    Some(match reason {
        DeclineReason::InsufficientFunds => "There is not enough money on the card. Use another card.",
        DeclineReason::LimitExceeded => {
            "The payment is over the limit of the card. Use another card, or ask your bank."
        }
        DeclineReason::ExpiredCard => {
            "The card is expired, or its expiry date was wrong. Check the date, or use another card."
        }
        DeclineReason::InvalidCard => "The card number was wrong. Check it and try again.",
        DeclineReason::WrongSecurityCode => {
            "The security code was wrong. Check the code on your card and try again."
        }
        DeclineReason::WrongPin => "The PIN was wrong. Check it and try again, or use another card.",
        DeclineReason::WrongAddress => "The billing address does not match the card. Check it and try again.",
        DeclineReason::NotPermitted => "The card cannot be used for this payment. Use another card.",
        DeclineReason::DoNotHonor => "Your bank declined the payment. Ask your bank, or use another card.",
        DeclineReason::ContactIssuer => {
            "Your bank wants to hear from you first. Call your bank, or use another card."
        }
        DeclineReason::AuthenticationFailed => {
            "The confirmation by your bank did not succeed. Try again and confirm the payment."
        }
        DeclineReason::AuthenticationRequired => {
            "Your bank asked you to confirm the payment. Try again and confirm it."
        }
        DeclineReason::TechnicalError => "Your bank could not be reached. Try again in a moment.",
        DeclineReason::LostOrStolen
        | DeclineReason::SuspectedFraud
        | DeclineReason::Revoked
        | DeclineReason::CanceledByPayer
        | DeclineReason::Other => return None,
    })
}

/// In Arabic.
pub(super) const fn arabic(reason: DeclineReason) -> Option<&'static str> {
    Some(match reason {
        DeclineReason::InsufficientFunds => "الرصيد في البطاقة غير كافٍ. يُرجى استخدام بطاقة أخرى.",
        DeclineReason::LimitExceeded => {
            "المبلغ يتجاوز حد البطاقة. يُرجى استخدام بطاقة أخرى أو التواصل مع البنك."
        }
        DeclineReason::ExpiredCard => {
            "انتهت صلاحية البطاقة أو أن تاريخ الانتهاء غير صحيح. يُرجى التحقق من التاريخ أو استخدام بطاقة أخرى."
        }
        DeclineReason::InvalidCard => "رقم البطاقة غير صحيح. يُرجى التحقق منه وإعادة المحاولة.",
        DeclineReason::WrongSecurityCode => {
            "رمز الأمان غير صحيح. يُرجى التحقق من الرمز الموجود على البطاقة وإعادة المحاولة."
        }
        DeclineReason::WrongPin => {
            "الرقم السري غير صحيح. يُرجى التحقق منه وإعادة المحاولة أو استخدام بطاقة أخرى."
        }
        DeclineReason::WrongAddress => "عنوان الفوترة لا يطابق البطاقة. يُرجى التحقق منه وإعادة المحاولة.",
        DeclineReason::NotPermitted => "لا يمكن استخدام البطاقة في هذه العملية. يُرجى استخدام بطاقة أخرى.",
        DeclineReason::DoNotHonor => "رفض البنك العملية. يُرجى التواصل مع البنك أو استخدام بطاقة أخرى.",
        DeclineReason::ContactIssuer => {
            "يطلب البنك أن تتواصل معه أولًا. يُرجى الاتصال بالبنك أو استخدام بطاقة أخرى."
        }
        DeclineReason::AuthenticationFailed => {
            "لم ينجح التحقق لدى البنك. يُرجى إعادة المحاولة وتأكيد العملية."
        }
        DeclineReason::AuthenticationRequired => "يطلب البنك تأكيدك للعملية. يُرجى إعادة المحاولة وتأكيدها.",
        DeclineReason::TechnicalError => "تعذّر الوصول إلى البنك. يُرجى إعادة المحاولة بعد قليل.",
        DeclineReason::LostOrStolen
        | DeclineReason::SuspectedFraud
        | DeclineReason::Revoked
        | DeclineReason::CanceledByPayer
        | DeclineReason::Other => return None,
    })
}

/// In English, where a card is only saved.
pub(super) const fn english_of_card(reason: DeclineReason) -> Option<&'static str> {
    match of_card(reason) {
        Some([text, _]) => Some(text),
        None => english(reason),
    }
}

/// In Arabic, where a card is only saved.
pub(super) const fn arabic_of_card(reason: DeclineReason) -> Option<&'static str> {
    match of_card(reason) {
        Some([_, text]) => Some(text),
        None => arabic(reason),
    }
}

/// In English and Arabic, where a card is only saved; `None` if the words of a payment fit.
const fn of_card(reason: DeclineReason) -> Option<[&'static str; 2]> {
    Some(match reason {
        DeclineReason::InsufficientFunds | DeclineReason::LimitExceeded | DeclineReason::DoNotHonor => [
            "Your bank declined the card. Ask your bank, or use another card.",
            "رفض البنك البطاقة. يُرجى التواصل مع البنك أو استخدام بطاقة أخرى.",
        ],
        DeclineReason::NotPermitted => [
            "The card cannot be saved here. Use another card.",
            "لا يمكن حفظ هذه البطاقة هنا. يُرجى استخدام بطاقة أخرى.",
        ],
        DeclineReason::AuthenticationFailed => [
            "The confirmation by your bank did not succeed. Try again and confirm the card.",
            "لم ينجح التحقق لدى البنك. يُرجى إعادة المحاولة وتأكيد البطاقة.",
        ],
        DeclineReason::AuthenticationRequired => [
            "Your bank asked you to confirm the card. Try again and confirm it.",
            "يطلب البنك تأكيد البطاقة. يُرجى إعادة المحاولة وتأكيدها.",
        ],
        DeclineReason::ExpiredCard
        | DeclineReason::InvalidCard
        | DeclineReason::WrongSecurityCode
        | DeclineReason::WrongPin
        | DeclineReason::WrongAddress
        | DeclineReason::ContactIssuer
        | DeclineReason::TechnicalError
        | DeclineReason::LostOrStolen
        | DeclineReason::SuspectedFraud
        | DeclineReason::Revoked
        | DeclineReason::CanceledByPayer
        | DeclineReason::Other => return None,
    })
}

/// What the bank said, without what to do: where nothing more can be done. Each text is a sentence of both.
pub(super) fn cause(text: &'static str) -> &'static str {
    text.split_inclusive('.').next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::decline::Advice;

    #[test]
    fn both_languages_say_the_same_of_each_reason_and_nothing_of_a_stolen_card() {
        for reason in DeclineReason::ALL {
            let (one, other) = (english(reason), arabic(reason));
            assert_eq!(one.is_some(), other.is_some(), "{reason:?}");
            assert!(one.is_none_or(|text| text.is_ascii() && text.ends_with('.')), "{reason:?}");
            assert!(other.is_none_or(|text| !text.is_ascii() && text.ends_with('.')), "{reason:?}");
            for text in [one, other].into_iter().flatten() {
                assert_eq!(text.matches('.').count(), 2, "the cause, and what to do: {text}");
                assert!(cause(text).len() < text.len());
            }
            assert!(reason.advice() != Advice::Stop || one.is_none(), "{reason:?}");
            let (card, other_card) = (english_of_card(reason), arabic_of_card(reason));
            assert_eq!((card.is_some(), other_card.is_some()), (one.is_some(), one.is_some()), "{reason:?}");
            assert!(card.is_none_or(|text| text.is_ascii() && !text.contains("pay")), "{reason:?}");
            assert!(
                other_card.is_none_or(|text| !text.contains("الدفع") && !text.contains("دفع")),
                "{reason:?}"
            );
        }
    }
}
